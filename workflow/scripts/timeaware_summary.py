"""Rule timeaware_summary."""

from cascurve.stages import timeaware_summary as summary
from cascurve.stages.script import job
from cascurve.storage import write_table

with job(snakemake) as spec:
    tables = {
        name: summary.gather(snakemake.input[name], name, spec["models"])
        for name in ("windows", "performance", "entities")
    }
    tables["orders"] = summary.orders(spec["seed"], tables.pop("entities"))
    tables["left_out"] = summary.left_out(snakemake.input.windows)
    for name, table in tables.items():
        write_table(table, snakemake.output[name], f"timeaware_{name}", provenance=snakemake.params.spec)

"""Rule timeaware."""

from cascurve.dataset import DataSets
from cascurve.stages import timeaware
from cascurve.stages.script import job, warn
from cascurve.storage import write_table

with job(snakemake) as spec:
    tables, left_out = timeaware.run(spec, DataSets.read(*snakemake.input.cascades), snakemake.input.rankings)
    warn(snakemake.wildcards.data, timeaware.warnings(left_out))
    for name, table in tables.items():
        facts = {"provenance": snakemake.params.spec, "left_out": left_out}
        write_table(table, snakemake.output[name], f"timeaware_{name}", **facts)

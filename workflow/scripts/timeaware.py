"""Rule timeaware."""

from cascurve.dataset import DataSets
from cascurve.stages import timeaware
from cascurve.stages.script import job
from cascurve.storage import write_table

with job(snakemake) as spec:
    tables, failed = timeaware.run(spec, DataSets.read(*snakemake.input.cascades), snakemake.input.rankings)
    for name, table in tables.items():
        facts = {"provenance": snakemake.params.spec, "failed": failed}
        write_table(table, snakemake.output[name], f"timeaware_{name}", **facts)

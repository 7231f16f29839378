"""Rule difficulty."""

from cascurve.dataset import DataSets
from cascurve.stages import difficulty
from cascurve.stages.script import job
from cascurve.storage import write_table

with job(snakemake) as spec:
    datasets = DataSets.read(snakemake.input.cascades)
    table = difficulty.run(spec, datasets)
    failed = dict(datasets.failed)
    write_table(table, snakemake.output[0], "difficulty", provenance=snakemake.params.spec, failed=failed)

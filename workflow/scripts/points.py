"""Rule points."""

from cascurve.stages import points
from cascurve.stages.script import job
from cascurve.storage import write_table

with job(snakemake) as spec:
    table = points.run(spec, snakemake.input.difficulty, snakemake.input.scores)
    write_table(table, snakemake.output[0], "points", provenance=snakemake.params.spec)

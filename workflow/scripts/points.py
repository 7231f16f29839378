"""Rule points."""

from cascurve.stages import points
from cascurve.stages.script import job
from cascurve.storage import write_table

with job(snakemake) as spec:
    table, paired = points.run(spec, snakemake.input.difficulty, snakemake.input.scores)
    write_table(paired, snakemake.output.paired, "paired", provenance=snakemake.params.spec)
    write_table(table, snakemake.output.points, "points", provenance=snakemake.params.spec)

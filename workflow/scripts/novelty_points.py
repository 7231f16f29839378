"""Rule novelty_points."""

from cascurve.stages import novelty_points
from cascurve.stages.script import job
from cascurve.storage import read_table, write_table

with job(snakemake) as spec:
    points, _ = read_table(snakemake.input.points, "points")
    table = novelty_points.run(spec, points, snakemake.input.novelty)
    write_table(table, snakemake.output[0], "novelty_points", provenance=snakemake.params.spec)

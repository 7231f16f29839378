"""Rule analysis."""

from cascurve.stages import analysis
from cascurve.stages.script import job
from cascurve.storage import read_table, write_table

with job(snakemake) as spec:
    points, _ = read_table(snakemake.input.points, "points")
    table = analysis.run(spec, points)
    write_table(table, snakemake.output[0], snakemake.wildcards.analysis, provenance=snakemake.params.spec)

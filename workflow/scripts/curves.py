"""Rule curves."""

from cascurve.stages import curves
from cascurve.stages.script import job
from cascurve.storage import read_table, write_table, write_text

with job(snakemake) as spec:
    points, _ = read_table(snakemake.input.points, "points")
    paired, _ = read_table(snakemake.input.paired, "paired")
    fits, nulls, comparisons = curves.run(spec, points, paired)
    write_table(fits, snakemake.output.fits, "fits", provenance=snakemake.params.spec)
    write_table(nulls, snakemake.output.nulls, "nulls", provenance=snakemake.params.spec)
    write_text(comparisons, snakemake.output.comparisons)

"""Rule figure."""

from pathlib import Path

from cascurve.figures.style import save
from cascurve.stages import figure
from cascurve.stages.script import job
from cascurve.storage import read_table, write_text

with job(snakemake) as spec:
    points, _ = read_table(snakemake.input.points, "points")
    fits, _ = read_table(snakemake.input.fits, "fits")
    comparisons = Path(snakemake.input.comparisons).read_text(encoding="utf-8")
    drawn, words = figure.run(spec, points, fits, comparisons)
    save(drawn, Path(snakemake.output.svg).with_suffix(""))
    write_text(f"{words}\n", snakemake.output.alt)

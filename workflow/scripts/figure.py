"""Rule figure."""

from pathlib import Path

from cascurve import plugins
from cascurve.figures.style import save
from cascurve.stages.script import job
from cascurve.storage import read_table, write_text

with job(snakemake) as spec:
    points, _ = read_table(snakemake.input.points, "points")
    fits, _ = read_table(snakemake.input.fits, "fits")
    figure = plugins.load("figures", spec["module"])
    save(figure.draw(points, fits, **spec["parameters"]), Path(snakemake.output.svg).with_suffix(""))
    write_text(figure.alt_text(points, fits, **spec["parameters"]) + "\n", snakemake.output.alt)

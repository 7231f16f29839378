"""Rule selection_figure."""

from pathlib import Path

from cascurve import plugins
from cascurve.figures.style import save
from cascurve.stages import selection_figure
from cascurve.stages.script import job
from cascurve.storage import read_table, write_text

with job(snakemake) as spec:
    module = plugins.load("figures/selection", spec["module"])
    table, _ = read_table(snakemake.input[0], module.KIND)
    figure, words = selection_figure.run(spec, table)
    save(figure, Path(snakemake.output.svg).with_suffix(""))
    write_text(f"{words}\n", snakemake.output.alt)

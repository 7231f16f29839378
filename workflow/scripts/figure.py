"""Rule figure."""

from pathlib import Path

from cascurve.figures.style import preset, save
from cascurve.stages import figure
from cascurve.stages.script import job
from cascurve.storage import read_table, write_text

with job(snakemake) as spec:
    files = dict(snakemake.input.items())
    points, fits = (read_table(files.pop(kind), kind)[0] for kind in ("points", "fits"))
    with preset(spec["style"]):
        drawn, words = figure.run(spec, points, fits, figure.read(files))
        save(drawn, Path(snakemake.output.svg).with_suffix(""))
    write_text(f"{words}\n", snakemake.output.alt)

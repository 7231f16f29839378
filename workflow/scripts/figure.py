"""Rule figure."""

from pathlib import Path

from cascurve.figures.style import save
from cascurve.stages import figure
from cascurve.stages.script import job
from cascurve.storage import read_table, write_text

with job(snakemake) as spec:
    tables = {kind: read_table(snakemake.input[kind], kind)[0] for kind in ("points", "fits", "bands")}
    comparisons = Path(snakemake.input.comparisons).read_text(encoding="utf-8")
    for file in snakemake.input.novelty:
        tables["novelty"] = read_table(file, "novelty_points")[0]
    drawn, words = figure.run(spec, comparisons=comparisons, **tables)
    save(drawn, Path(snakemake.output.svg).with_suffix(""))
    write_text(f"{words}\n", snakemake.output.alt)

"""Rule figure."""

from pathlib import Path

from cascurve.figures.style import preset, save
from cascurve.stages import figure
from cascurve.stages.script import job
from cascurve.storage import read_table, write_text

with job(snakemake) as spec:
    tables = {kind: read_table(snakemake.input[kind], kind)[0] for kind in ("points", "fits", "bands")}
    comparisons = Path(snakemake.input.comparisons).read_text(encoding="utf-8")
    costs = snakemake.input.get("costs")
    costs = read_table(costs, "costs")[0] if costs else None
    with preset(spec["style"]):
        drawn, words = figure.run(spec, comparisons=comparisons, costs=costs, **tables)
        save(drawn, Path(snakemake.output.svg).with_suffix(""))
    write_text(f"{words}\n", snakemake.output.alt)

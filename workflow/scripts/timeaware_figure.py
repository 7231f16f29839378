"""Rule timeaware_figure."""

from pathlib import Path

from cascurve.figures.over_windows import alt_text, over_windows
from cascurve.figures.style import save
from cascurve.stages.script import job
from cascurve.storage import read_table, write_text

with job(snakemake) as spec:
    tables = [
        read_table(snakemake.input[name], f"timeaware_{name}")[0] for name in ("windows", "performance", "left_out")
    ]
    save(over_windows(*tables, group=spec["group"]), Path(snakemake.output.svg).with_suffix(""))
    write_text(f"{alt_text(*tables, group=spec['group'])}\n", snakemake.output.alt)

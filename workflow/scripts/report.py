"""Rule report."""

from pathlib import Path

from cascurve.stages import report
from cascurve.stages.script import job
from cascurve.storage import read_table, write_text

with job(snakemake) as spec:
    tables = {kind: read_table(snakemake.input[kind], kind)[0] for kind in ("points", "fits", "nulls")}
    page = report.run(
        spec,
        **tables,
        comparisons=Path(snakemake.input.comparisons).read_text(encoding="utf-8"),
        figures=[Path(file) for file in snakemake.input.svg],
        accounts=snakemake.input.accounts,
        draws=snakemake.input.draws,
        costs=snakemake.input.cost,
    )
    write_text(page, snakemake.output[0])

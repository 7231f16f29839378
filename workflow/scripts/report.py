"""Rule report."""

from pathlib import Path

from cascurve.stages import report
from cascurve.stages.further import further
from cascurve.stages.script import job
from cascurve.storage import read_table, write_text

with job(snakemake) as spec:
    tables = {kind: read_table(snakemake.input[kind], kind)[0] for kind in ("points", "fits", "nulls", "costs")}
    analyses = {Path(file).stem: read_table(file, Path(file).stem)[0] for file in snakemake.input.analyses}
    page = report.run(
        spec,
        **tables,
        analyses=analyses,
        comparisons=Path(snakemake.input.comparisons).read_text(encoding="utf-8"),
        figures=[Path(file) for file in snakemake.input.svg],
        accounts=snakemake.input.accounts,
        draws=snakemake.input.draws,
        beside=further(spec, **{name: snakemake.input[name] for name in ("novelty", "timeaware", "selection")}),
        paper={Path(file).stem: read_table(file, Path(file).stem)[0] for file in snakemake.input.paper} or None,
        tables=[Path(file).name for file in snakemake.input.tables],
    )
    write_text(page, snakemake.output[0])

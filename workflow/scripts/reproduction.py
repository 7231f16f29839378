"""Rule reproduction."""

from pathlib import Path

from cascurve.stages import reproduction
from cascurve.stages.script import job
from cascurve.storage import read_table, write_table

with job(snakemake) as spec:
    tables = {kind: read_table(snakemake.input[kind], kind)[0] for kind in ("points", "nulls", "collapse")}
    comparisons = Path(snakemake.input.comparisons).read_text(encoding="utf-8")
    made = reproduction.run(spec, comparisons=comparisons, **tables)
    for kind, table in zip(("reproduction", "table1"), made, strict=True):
        write_table(table, snakemake.output[kind], kind, provenance=snakemake.params.spec)

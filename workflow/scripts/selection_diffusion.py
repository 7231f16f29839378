"""Rule selection_diffusion."""

from cascurve.stages import selection_diffusion
from cascurve.stages.script import job
from cascurve.storage import write_table

with job(snakemake) as spec:
    cells, summary = selection_diffusion.run(spec, snakemake.input)
    write_table(cells, snakemake.output.cells, "selection_cells", provenance=snakemake.params.spec)
    write_table(summary, snakemake.output.summary, "selection_summary", provenance=snakemake.params.spec)

"""Rule costs."""

from cascurve.stages import costs
from cascurve.stages.script import job
from cascurve.storage import write_table

with job(snakemake) as spec:
    write_table(costs.run(snakemake.input), snakemake.output[0], "costs", provenance=snakemake.params.spec)

"""Rule network."""

from cascurve.stages import network
from cascurve.stages.script import job

with job(snakemake) as spec:
    network.run(spec).write(snakemake.output[0], snakemake.params.spec)

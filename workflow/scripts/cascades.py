"""Rule cascades."""

from cascurve.graph import Graph
from cascurve.stages import cascades
from cascurve.stages.script import job

with job(snakemake) as spec:
    datasets = cascades.run(spec, Graph.read(snakemake.input.network))
    datasets.write(snakemake.output[0], snakemake.params.spec)

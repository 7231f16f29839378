"""Rule rank."""

from cascurve.dataset import DataSets
from cascurve.graph import Graph
from cascurve.stages import rank
from cascurve.stages.script import job
from cascurve.storage import write_table

with job(snakemake) as spec:
    datasets = DataSets.read(*snakemake.input.cascades)
    rankings, failed, cost = rank.run(spec, datasets, Graph.read(snakemake.input.network))
    write_table(cost, snakemake.output.cost, "cost", provenance=snakemake.params.spec)
    write_table(rankings, snakemake.output.rankings, "rankings", provenance=snakemake.params.spec, failed=failed)

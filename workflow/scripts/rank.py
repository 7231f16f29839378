"""Rule rank."""

from cascurve.dataset import DataSets
from cascurve.graph import Graph
from cascurve.stages import rank
from cascurve.stages.script import job
from cascurve.storage import write_table

with job(snakemake) as spec:
    datasets = DataSets.read(*snakemake.input.cascades)
    network = snakemake.input.get("network")  # only of a model that needs it
    rankings, failed, cost = rank.run(spec, datasets, Graph.read(network) if network else None)
    facts = {"failed": failed, "cost": cost}
    write_table(rankings, snakemake.output[0], "rankings", provenance=snakemake.params.spec, **facts)

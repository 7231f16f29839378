"""Rule novelty."""

from cascurve.dataset import DataSets
from cascurve.graph import Graph
from cascurve.stages import novelty
from cascurve.stages.script import job
from cascurve.storage import write_table

with job(snakemake) as spec:
    datasets = DataSets.read(*snakemake.input.cascades)
    table = novelty.every_model(spec, datasets, Graph.read(snakemake.input.network), snakemake.input.rankings)
    write_table(table, snakemake.output[0], "novelty", provenance=snakemake.params.spec)

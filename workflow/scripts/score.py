"""Rule score."""

from cascurve.dataset import DataSets
from cascurve.metrics.scoring import conventions
from cascurve.stages import score
from cascurve.stages.script import job
from cascurve.storage import write_table

with job(snakemake) as spec:
    datasets = DataSets.read(*snakemake.input.cascades)
    table, failed, cost = score.every_model(spec, datasets, snakemake.input.rankings)
    write_table(cost, snakemake.output.cost, "cost", provenance=snakemake.params.spec)
    facts = {"failed": failed, "conventions": conventions(spec["measures"])}
    write_table(table, snakemake.output.scores, "scores", provenance=snakemake.params.spec, **facts)

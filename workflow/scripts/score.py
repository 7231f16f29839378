"""Rule score."""

from cascurve.dataset import DataSets
from cascurve.stages import score
from cascurve.stages.script import job
from cascurve.storage import read_table, write_table

with job(snakemake) as spec:
    rankings, header = read_table(snakemake.input.rankings, "rankings")
    table = score.run(spec, DataSets.read(*snakemake.input.cascades), rankings)
    facts = {"failed": header["failed"]}
    write_table(table, snakemake.output[0], "scores", provenance=snakemake.params.spec, **facts)

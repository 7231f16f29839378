"""Rule tables."""

from pathlib import Path

from cascurve.stages import tables
from cascurve.stages.script import job

with job(snakemake):
    tables.run(snakemake.input, Path(snakemake.output[0]).parent)

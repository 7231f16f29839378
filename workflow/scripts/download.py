"""Rule download."""

from pathlib import Path

from cascurve.stages import download
from cascurve.stages.script import job

with job(snakemake) as spec:
    download.run(spec, snakemake.input[0], Path(snakemake.output[0]))

"""Rule subsample."""

from pathlib import Path

from cascurve.formats.imported import Imported
from cascurve.stages import subsample
from cascurve.stages.script import job

with job(snakemake) as spec:
    datasets = subsample.run(spec, Imported.read(Path(snakemake.input.cascades).parent))
    datasets.write(snakemake.output[0], snakemake.params.spec)

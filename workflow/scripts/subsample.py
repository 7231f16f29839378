"""Rule subsample."""

from pathlib import Path

from cascurve.formats.imported import Imported
from cascurve.stages import subsample
from cascurve.stages.script import job, warn

with job(snakemake) as spec:
    datasets = subsample.run(spec, Imported.read(Path(snakemake.input.cascades).parent))
    warn(f"{spec['dataset']}, replicate {spec['replicate']}", subsample.warnings(datasets))
    datasets.write(snakemake.output[0], snakemake.params.spec)

"""Rule import_cascades."""

from pathlib import Path

from cascurve.formats.account import warnings
from cascurve.stages import import_cascades
from cascurve.stages.script import job, warn

with job(snakemake) as spec:
    imported = import_cascades.run(spec)
    warn(snakemake.wildcards.dataset, warnings(imported.account))
    imported.write(Path(snakemake.output.cascades).parent, snakemake.params.spec)

"""Rule import_cascades."""

from pathlib import Path

from cascurve import plugins
from cascurve.stages.script import job

with job(snakemake) as spec:
    read = plugins.load("formats", spec["module"]).read
    imported = read(spec["cascades"], graph=spec["graph"], **spec["parameters"])
    imported.write(Path(snakemake.output.cascades).parent, snakemake.params.spec)

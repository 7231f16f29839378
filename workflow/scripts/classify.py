"""Rule classify."""

from cascurve.selection.keel import PREFIX, keel_file
from cascurve.stages import classify
from cascurve.stages.script import job
from cascurve.storage import write_table

with job(snakemake) as spec:
    file = spec["file"]
    path = str(keel_file(file.removeprefix(PREFIX))) if file.startswith(PREFIX) else file
    table, facts = classify.run(spec, path)
    write_table(table, snakemake.output[0], "classified", provenance=snakemake.params.spec, **facts)

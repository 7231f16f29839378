"""Rule selection_classifiers."""

from cascurve.stages import selection_classifiers
from cascurve.stages.script import job
from cascurve.storage import write_table

with job(snakemake) as spec:
    cases, tolerance = selection_classifiers.run(spec, snakemake.input)
    write_table(cases, snakemake.output.cases, "selection_cases", provenance=snakemake.params.spec)
    write_table(tolerance, snakemake.output.tolerance, "selection_tolerance", provenance=snakemake.params.spec)

# cascurve: from a grid of networks, mechanisms, lengths and models to one curve per model.
#
#   snakemake --cores 32                                     the default study (config.yaml)
#   snakemake --cores 32 --configfile studies/empirical.yaml another study
#   snakemake --cores 32 --config shard=2/4                  a quarter of its cells; `cascurve merge` joins them

from snakemake.utils import min_version

min_version("9.27")

# A --configfile replaces the default study; it does not add to it.
if "study" not in config:

    configfile: "config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/synthetic.smk"
include: "workflow/rules/empirical.smk"
include: "workflow/rules/models.smk"
include: "workflow/rules/curves.smk"
include: "workflow/rules/novelty.smk"
include: "workflow/rules/timeaware.smk"
include: "workflow/rules/selection.smk"
include: "workflow/rules/figures.smk"


rule all:
    default_target: True
    input:
        f"{RESULTS}/report.html" if SHARD == (1, 1) else LAYOUT.shard(*SHARD),

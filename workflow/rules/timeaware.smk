"""Models over time: windows, burst-aware weights, and whether they change the order of models."""

from cascurve.study.timeaware import group_of

TIMEAWARE = f"{RESULTS}/timeaware"
WINDOWS = ("windows", "performance", "entities")
OVER_TIME = ("windows", "performance", "orders", "left_out")


rule timeaware:
    input:
        cascades=lambda wildcards: LAYOUT.cascades_of(wildcards.data, wildcards.lengths),
        rankings=lambda wildcards: LAYOUT.rankings_of(wildcards.data, wildcards.lengths),
    output:
        **{name: f"{TIMEAWARE}/{{data}}/{CHUNK}/{name}.parquet" for name in WINDOWS},
    log:
        f"{RESULTS}/logs/timeaware/{{data}}/{CHUNK}.log",
    resources:
        **asks("timeaware"),
    params:
        spec=lambda wildcards: SPECS.timeaware(wildcards),
    script:
        "../scripts/timeaware.py"


rule timeaware_summary:
    input:
        **{name: LAYOUT.tables("timeaware", f"{name}.parquet") for name in WINDOWS},
    output:
        **{name: f"{TIMEAWARE}/{name}.parquet" for name in OVER_TIME},
    log:
        f"{RESULTS}/logs/timeaware/summary.log",
    resources:
        **asks("timeaware_summary"),
    params:
        spec=lambda wildcards: SPECS.timeaware_summary(),
    script:
        "../scripts/timeaware_summary.py"


rule timeaware_figure:
    input:
        windows=f"{TIMEAWARE}/windows.parquet",
        performance=f"{TIMEAWARE}/performance.parquet",
        left_out=f"{TIMEAWARE}/left_out.parquet",
    output:
        pdf=f"{TIMEAWARE}/figures/{{group}}.pdf",
        svg=f"{TIMEAWARE}/figures/{{group}}.svg",
        png=f"{TIMEAWARE}/figures/{{group}}.png",
        alt=f"{TIMEAWARE}/figures/{{group}}.txt",
    log:
        f"{RESULTS}/logs/timeaware/figures/{{group}}.log",
    resources:
        **asks("timeaware_figure"),
    params:
        spec=lambda wildcards: SPECS.timeaware_figure(wildcards),
    script:
        "../scripts/timeaware_figure.py"


def timeaware_files():
    """What the report shows of it; nothing where the study does not ask for it."""
    if STUDY.timeaware is None:
        return []
    groups = dict.fromkeys(group_of(data) for data in LAYOUT.lengths if STUDY.timeaware.covers(data))
    figures = [f"{TIMEAWARE}/figures/{group}.{kind}" for group in groups for kind in ("svg", "txt")]
    return [f"{TIMEAWARE}/{name}.parquet" for name in OVER_TIME] + figures

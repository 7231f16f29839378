"""Figures, tables and the report."""

PAPER = ["reproduction", "table1"] if STUDY.reproduction else []
PRINTED = ["fits", "nulls", *PAPER]  # also in LaTeX


def figure_category(wildcards):
    """Where a figure stands in Snakemake's report."""
    return "The paper's figures" if STUDY.figures[wildcards.figure].module.startswith("fig") else "Further figures"


rule costs:
    input:
        LAYOUT.tables("scores", "cost.parquet"),
    output:
        f"{RESULTS}/costs.parquet",
    log:
        f"{RESULTS}/logs/costs.log",
    resources:
        **asks("costs"),
    params:
        spec=lambda wildcards: SPECS.costs(),
    script:
        "../scripts/costs.py"


rule figure:
    input:
        unpack(lambda wildcards: LAYOUT.figure_inputs(wildcards.figure)),
        points=f"{RESULTS}/points.parquet",
        fits=f"{RESULTS}/fits.parquet",
    output:
        pdf=f"{RESULTS}/figures/{{figure}}.pdf",
        svg=report(
            f"{RESULTS}/figures/{{figure}}.svg",
            caption="../report/figure.rst",
            category=figure_category,
            labels={"figure": "{figure}"},
        ),
        png=f"{RESULTS}/figures/{{figure}}.png",
        alt=f"{RESULTS}/figures/{{figure}}.txt",
    log:
        f"{RESULTS}/logs/figures/{{figure}}.log",
    resources:
        **asks("figure"),
    params:
        spec=lambda wildcards: SPECS.figure(wildcards),
    script:
        "../scripts/figure.py"


rule reproduction:
    input:
        points=f"{RESULTS}/points.parquet",
        nulls=f"{RESULTS}/nulls.parquet",
        collapse=f"{RESULTS}/collapse.parquet",
        comparisons=f"{RESULTS}/comparisons.jsonl",
    output:
        reproduction=f"{RESULTS}/reproduction.parquet",
        table1=f"{RESULTS}/table1.parquet",
    log:
        f"{RESULTS}/logs/reproduction.log",
    resources:
        **asks("reproduction"),
    params:
        spec=lambda wildcards: SPECS.reproduction(),
    script:
        "../scripts/reproduction.py"


rule tables:
    input:
        expand(f"{RESULTS}/{{table}}.parquet", table=["points", *PRINTED]),
    output:
        report(
            expand(f"{RESULTS}/tables/{{table}}.csv", table=["points", *PRINTED]),
            caption="../report/table.rst",
            category="Tables",
        ),
        expand(f"{RESULTS}/tables/{{table}}.tex", table=PRINTED),
    log:
        f"{RESULTS}/logs/tables.log",
    resources:
        **asks("tables"),
    params:
        spec=lambda wildcards: SPECS.tables(),
    script:
        "../scripts/tables.py"


rule report:
    input:
        points=f"{RESULTS}/points.parquet",
        fits=f"{RESULTS}/fits.parquet",
        nulls=f"{RESULTS}/nulls.parquet",
        comparisons=f"{RESULTS}/comparisons.jsonl",
        analyses=expand(f"{RESULTS}/{{analysis}}.parquet", analysis=ANALYSES),
        accounts=expand(f"{IMPORTED}/account.parquet", dataset=STUDY.empirical),
        draws=[file for file in LAYOUT.tables("cascades", "cascades.parquet") if "/dataset=" in file],
        novelty=[f"{RESULTS}/novelty.parquet"] if STUDY.novelty else [],
        timeaware=timeaware_files(),
        costs=f"{RESULTS}/costs.parquet",
        paper=expand(f"{RESULTS}/{{table}}.parquet", table=PAPER),
        tables=rules.tables.output,
        svg=expand(f"{RESULTS}/figures/{{figure}}.svg", figure=STUDY.figures),
        alt=expand(f"{RESULTS}/figures/{{figure}}.txt", figure=STUDY.figures),
        selection=SELECTION_OUTPUTS,
    output:
        report(f"{RESULTS}/report.html", caption="../report/report.rst", category="The report"),
    log:
        f"{RESULTS}/logs/report.log",
    resources:
        **asks("report"),
    params:
        spec=lambda wildcards: SPECS.report(),
    script:
        "../scripts/report.py"

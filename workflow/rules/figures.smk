"""Figures and the report."""


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
        svg=f"{RESULTS}/figures/{{figure}}.svg",
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
        svg=expand(f"{RESULTS}/figures/{{figure}}.svg", figure=STUDY.figures),
        alt=expand(f"{RESULTS}/figures/{{figure}}.txt", figure=STUDY.figures),
        selection=SELECTION_OUTPUTS,
    output:
        f"{RESULTS}/report.html",
    log:
        f"{RESULTS}/logs/report.log",
    resources:
        **asks("report"),
    params:
        spec=lambda wildcards: SPECS.report(),
    script:
        "../scripts/report.py"

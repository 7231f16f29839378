"""Figures and the report."""


rule figure:
    input:
        points=f"{RESULTS}/points.parquet",
        fits=f"{RESULTS}/fits.parquet",
        comparisons=f"{RESULTS}/comparisons.jsonl",
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
        accounts=expand(f"{IMPORTED}/account.parquet", dataset=STUDY.empirical),
        draws=[file for file in LAYOUT.tables("cascades", "cascades.parquet") if "/dataset=" in file],
        cost=LAYOUT.tables("scores", "cost.parquet"),
        svg=expand(f"{RESULTS}/figures/{{figure}}.svg", figure=STUDY.figures),
        alt=expand(f"{RESULTS}/figures/{{figure}}.txt", figure=STUDY.figures),
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

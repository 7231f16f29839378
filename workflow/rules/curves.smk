"""From per-cascade scores to points, curves and comparisons."""


rule points:
    input:
        difficulty=LAYOUT.tables("difficulty", "difficulty.parquet"),
        scores=LAYOUT.tables("scores", "scores.parquet"),
    output:
        points=f"{RESULTS}/points.parquet",
        paired=f"{RESULTS}/paired.parquet",
    log:
        f"{RESULTS}/logs/points.log",
    resources:
        **asks("points"),
    params:
        spec=lambda wildcards: SPECS.points(),
    script:
        "../scripts/points.py"


rule curves:
    input:
        points=f"{RESULTS}/points.parquet",
        paired=f"{RESULTS}/paired.parquet",
    output:
        fits=f"{RESULTS}/fits.parquet",
        nulls=f"{RESULTS}/nulls.parquet",
        comparisons=f"{RESULTS}/comparisons.jsonl",
    log:
        f"{RESULTS}/logs/curves.log",
    resources:
        **asks("curves"),
    params:
        spec=lambda wildcards: SPECS.curves(),
    script:
        "../scripts/curves.py"


rule analysis:
    input:
        points=f"{RESULTS}/points.parquet",
    output:
        f"{RESULTS}/{{analysis}}.parquet",
    log:
        f"{RESULTS}/logs/{{analysis}}.log",
    resources:
        **asks("analysis"),
    params:
        spec=lambda wildcards: SPECS.analysis(wildcards),
    script:
        "../scripts/analysis.py"

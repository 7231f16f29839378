"""From per-cascade scores to points, curves and comparisons."""


rule points:
    input:
        difficulty=LAYOUT.tables("difficulty", "difficulty.parquet"),
        scores=LAYOUT.tables("scores", "scores.parquet"),
    output:
        f"{RESULTS}/points.parquet",
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

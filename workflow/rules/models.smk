"""How hard the data are, and how well each model predicts on them."""

MODEL = f"{{data}}/model={{model}}/{CHUNK}"


rule difficulty:
    input:
        cascades=f"{RESULTS}/cascades/{{data}}/{CHUNK}/cascades.parquet",
    output:
        f"{RESULTS}/difficulty/{{data}}/{CHUNK}/difficulty.parquet",
    log:
        f"{RESULTS}/logs/difficulty/{{data}}/{CHUNK}.log",
    cache: CACHED
    resources:
        **asks("difficulty"),
    params:
        spec=known(lambda wildcards: SPECS.difficulty(wildcards)),
    script:
        "../scripts/difficulty.py"


rule rank:
    input:
        unpack(known(lambda wildcards: LAYOUT.rank_inputs(wildcards.data, wildcards.model, wildcards.lengths))),
    output:
        f"{RESULTS}/rankings/{MODEL}/rankings.parquet",
    log:
        f"{RESULTS}/logs/rankings/{MODEL}.log",
    cache: CACHED
    resources:
        **asks("rank"),
    params:
        spec=known(lambda wildcards: SPECS.rank(wildcards)),
    script:
        "../scripts/rank.py"


rule score:
    input:
        unpack(known(lambda wildcards: LAYOUT.score_inputs(wildcards.data, wildcards.lengths))),
    output:
        scores=f"{RESULTS}/scores/{{data}}/{CHUNK}/scores.parquet",
        cost=f"{RESULTS}/scores/{{data}}/{CHUNK}/cost.parquet",
    log:
        f"{RESULTS}/logs/scores/{{data}}/{CHUNK}.log",
    cache: CACHED
    resources:
        **asks("score"),
    params:
        spec=known(lambda wildcards: SPECS.score(wildcards)),
    script:
        "../scripts/score.py"

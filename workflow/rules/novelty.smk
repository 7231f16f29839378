"""How novel the users are that the models rank first: from the kept rankings, for all models of a data set at once."""


rule novelty:
    input:
        cascades=lambda wildcards: LAYOUT.cascades_of(wildcards.data, wildcards.lengths),
        network=lambda wildcards: LAYOUT.network_of(wildcards.data),
        rankings=lambda wildcards: LAYOUT.rankings_of(wildcards.data, wildcards.lengths),
    output:
        f"{RESULTS}/novelty/{{data}}/{CHUNK}/novelty.parquet",
    log:
        f"{RESULTS}/logs/novelty/{{data}}/{CHUNK}.log",
    cache: CACHED
    resources:
        **asks("novelty"),
    params:
        spec=lambda wildcards: SPECS.novelty(wildcards),
    script:
        "../scripts/novelty.py"


rule novelty_points:
    input:
        points=f"{RESULTS}/points.parquet",
        novelty=LAYOUT.tables("novelty", "novelty.parquet") if STUDY.novelty else [],
    output:
        f"{RESULTS}/novelty.parquet",
    log:
        f"{RESULTS}/logs/novelty.log",
    resources:
        **asks("novelty_points"),
    params:
        spec=lambda wildcards: SPECS.novelty_points(),
    script:
        "../scripts/novelty_points.py"

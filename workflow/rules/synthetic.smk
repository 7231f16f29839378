"""Synthetic data: networks, and the cascades that spread on them."""


rule network:
    input:
        known(lambda wildcards: STUDY.grid_of(wildcards.topology).topologies[wildcards.topology].files),
    output:
        f"{RESULTS}/networks/{NETWORK}/network.parquet",
    log:
        f"{RESULTS}/logs/networks/{NETWORK}.log",
    cache: CACHED
    resources:
        **asks("network"),
    params:
        spec=known(lambda wildcards: SPECS.network(wildcards)),
    script:
        "../scripts/network.py"


rule cascades:
    input:
        network=f"{RESULTS}/networks/{NETWORK}/network.parquet",
        files=known(lambda wildcards: STUDY.grid_of(wildcards.topology).mechanisms[wildcards.mechanism].files),
    output:
        f"{RESULTS}/cascades/{SYNTHETIC}/{CHUNK}/cascades.parquet",
    log:
        f"{RESULTS}/logs/cascades/{SYNTHETIC}/{CHUNK}.log",
    cache: CACHED
    resources:
        **asks("cascades"),
    params:
        spec=known(lambda wildcards: SPECS.cascades(wildcards)),
    script:
        "../scripts/cascades.py"

"""Real data: download of published files, import of foreign files, and subsampling to fixed lengths."""

import re

IMPORTED = f"{RESULTS}/imported/dataset={{dataset}}"

# Files that are there have no rule: nothing asks their publisher again, and no plugin is needed.
if STUDY.downloads:

    rule download:
        input:
            lambda wildcards: storage.http(STUDY.downloads[wildcards.file].url, retrieve=False),
        output:
            "{file}",
        log:
            f"{RESULTS}/logs/download/{{file}}.log",
        wildcard_constraints:
            file="|".join(map(re.escape, STUDY.downloads)),
        params:
            spec=lambda wildcards: SPECS.download(wildcards),
        script:
            "../scripts/download.py"


rule import_cascades:
    input:
        lambda wildcards: STUDY.empirical[wildcards.dataset].files,
    output:
        cascades=f"{IMPORTED}/cascades.parquet",
        users=f"{IMPORTED}/users.parquet",
        network=f"{IMPORTED}/network.parquet",
        account=f"{IMPORTED}/account.parquet",
    log:
        f"{RESULTS}/logs/imported/{{dataset}}.log",
    cache: CACHED
    resources:
        **asks("import_cascades"),
    params:
        spec=lambda wildcards: SPECS.import_cascades(wildcards),
    script:
        "../scripts/import_cascades.py"


rule subsample:
    input:
        cascades=f"{IMPORTED}/cascades.parquet",
        users=f"{IMPORTED}/users.parquet",
        network=f"{IMPORTED}/network.parquet",
        account=f"{IMPORTED}/account.parquet",
    output:
        f"{RESULTS}/cascades/{EMPIRICAL}/{CHUNK}/cascades.parquet",
    log:
        f"{RESULTS}/logs/cascades/{EMPIRICAL}/{CHUNK}.log",
    cache: CACHED
    resources:
        **asks("subsample"),
    params:
        spec=lambda wildcards: SPECS.subsample(wildcards),
    script:
        "../scripts/subsample.py"


use rule subsample as subsample_graded with:
    output:
        f"{RESULTS}/cascades/{GRADED}/{CHUNK}/cascades.parquet",
    log:
        f"{RESULTS}/logs/cascades/{GRADED}/{CHUNK}.log",

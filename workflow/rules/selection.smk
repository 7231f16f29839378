"""Which measure picks the better model: an experiment on classifiers, and the same question on a study's models."""

CLASSIFIERS, DIFFUSION = STUDY.selection.classifiers, STUDY.selection.diffusion
SELECTION = f"{RESULTS}/selection"
CLASSIFIED = f"{SELECTION}/classified/set={{problem}}/learner={{learner}}"
SELECTION_FIGURES = SPECS.selection_figures()
SELECTION_TABLES = [*(["cases", "tolerance"] if CLASSIFIERS else []), *(["cells", "summary"] if DIFFUSION else [])]
SELECTION_OUTPUTS = [f"{SELECTION}/{table}.parquet" for table in SELECTION_TABLES]
SELECTION_OUTPUTS += [f"{SELECTION}/figures/{figure}.svg" for figure in SELECTION_FIGURES]


wildcard_constraints:
    problem=r"[A-Za-z0-9_-]+",
    learner=r"[A-Za-z0-9_-]+",


rule classify:
    input:
        lambda wildcards: SPECS.own_files_of(wildcards.problem),
    output:
        f"{CLASSIFIED}/values.parquet",
    log:
        f"{RESULTS}/logs/selection/set={{problem}}/learner={{learner}}.log",
    resources:
        **asks("classify"),
    params:
        spec=lambda wildcards: SPECS.classify(wildcards),
    script:
        "../scripts/classify.py"


rule selection_classifiers:
    input:
        expand(
            f"{CLASSIFIED}/values.parquet",
            problem=CLASSIFIERS.sets if CLASSIFIERS else [],
            learner=CLASSIFIERS.learners if CLASSIFIERS else [],
        ),
    output:
        cases=f"{SELECTION}/cases.parquet",
        tolerance=f"{SELECTION}/tolerance.parquet",
    log:
        f"{RESULTS}/logs/selection/classifiers.log",
    resources:
        **asks("selection_classifiers"),
    params:
        spec=lambda wildcards: SPECS.selection_classifiers(),
    script:
        "../scripts/selection_classifiers.py"


rule selection_diffusion:
    input:
        LAYOUT.tables("scores", "scores.parquet"),
    output:
        cells=f"{SELECTION}/cells.parquet",
        summary=f"{SELECTION}/summary.parquet",
    log:
        f"{RESULTS}/logs/selection/diffusion.log",
    resources:
        **asks("selection_diffusion"),
    params:
        spec=lambda wildcards: SPECS.selection_diffusion(),
    script:
        "../scripts/selection_diffusion.py"


rule selection_figure:
    input:
        lambda wildcards: f"{SELECTION}/{SELECTION_FIGURES[wildcards.figure]['table']}.parquet",
    output:
        pdf=f"{SELECTION}/figures/{{figure}}.pdf",
        svg=f"{SELECTION}/figures/{{figure}}.svg",
        png=f"{SELECTION}/figures/{{figure}}.png",
        alt=f"{SELECTION}/figures/{{figure}}.txt",
    log:
        f"{RESULTS}/logs/selection/figures/{{figure}}.log",
    resources:
        **asks("selection_figure"),
    params:
        spec=lambda wildcards: SPECS.selection_figure(wildcards),
    script:
        "../scripts/selection_figure.py"

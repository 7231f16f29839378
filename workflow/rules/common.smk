"""What all rules share: the checked study, its paths, what a job depends on, and the environment of jobs."""

import atexit
import gc
import inspect
import os
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.script import PythonScript

# Planning makes millions of small objects that live to the end: looking through them for cycles, again and again and
# once more on leaving, takes a third of the time.
gc.disable()
atexit.register(gc.freeze)


onstart:
    gc.freeze()
    gc.enable()
    # With a limit of jobs a second, each look for jobs to start sets off another one a second later, and so on without
    # end: after a thousand jobs Snakemake would look a thousand times a second. On this machine cores are the limit.
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None
        global FORKS  # lives, and ends, with this process
        FORKS = owner.start()
        if FORKS:
            owner.take_over(PythonScript)


WORKFLOW = Path(workflow.basedir) / "workflow"
sys.path.insert(0, str(WORKFLOW))
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(WORKFLOW), os.environ.get("PYTHONPATH")]))

from cascurve.errors import CascurveError
from cascurve.forking import owner
from cascurve.provenance import kernel_digest
from cascurve.study import yaml_file
from cascurve.study.catalogue import require_http_plugin
from cascurve.study.config import load
from cascurve.study.costs import Forecast, Work
from cascurve.study.layout import CHUNK, EMPIRICAL, GRADED, NETWORK, SYNTHETIC, Layout, parse_shard
from cascurve.study.locks import clear_stale_locks
from cascurve.study.specs import ANALYSES, Specs

# One thread per job unless a rule says more: oversubscription costs far more than it gains. Set before imports.
for variable in ("OMP", "OPENBLAS", "MKL", "NUMBA", "VECLIB_MAXIMUM"):
    os.environ[f"{variable}_NUM_THREADS"] = "1"
# A kernel's machine code is cached by the digest of all kernels: numba alone misses an edited callee.
os.environ["NUMBA_CACHE_DIR"] = str(Path(workflow.basedir, ".cache", "numba", kernel_digest()))

if workflow.is_main_process and not workflow.dryrun and clear_stale_locks(Path(".snakemake")):
    print("The lock of a run that was killed is taken away.", file=sys.stderr)

try:
    if workflow.is_main_process:
        for file in workflow.configfiles:  # Snakemake has read them, and takes the last of two equal keys
            if not str(file).endswith(".json"):
                yaml_file.read(file)
    SHARD = parse_shard(config.pop("shard", "1/1"))
    STUDY = load(config)
    if STUDY.downloads:
        require_http_plugin(STUDY.downloads)
except CascurveError as error:
    raise WorkflowError(str(error)) from None

if workflow.is_main_process:
    for line in STUDY.found_out:
        print(line, file=sys.stderr)

LAYOUT = Layout(STUDY)
SPECS = Specs(STUDY, WORKFLOW / "scripts")
RESULTS = LAYOUT.results
FORECAST = Forecast.load()
# With --cache, every cell and what it is made from is shared between checkouts and studies.
CACHED = workflow.workflow_settings.cache is not None


def known(of):
    """A function whose signature Snakemake need not work out again for each of many thousand jobs."""
    of.__signature__ = inspect.signature(of)
    return of


def asks(rule):
    """Resources of a rule's jobs, from measured costs; a job that is tried again gets more."""

    def of(amount):
        def ask(wildcards, input, attempt):
            place = dict(wildcards.items())
            return amount(Work.of(rule, SPECS.module(rule, place), place, len(input)), attempt)

        return ask

    return {"mem_mb": of(FORECAST.mem_mb), "runtime": of(FORECAST.runtime)}


wildcard_constraints:
    topology=r"[A-Za-z0-9_@-]+",
    n=r"\d+",
    degree=r"[0-9.]+",
    mechanism=r"[A-Za-z0-9_-]+",
    dataset=r"[A-Za-z0-9_-]+",
    grade=r"[A-Za-z0-9_-]+",
    replicate=r"\d+",
    lengths=r"\d+(-\d+)*",
    model="|".join(STUDY.models),
    figure=r"[A-Za-z0-9_-]+",
    analysis="|".join(ANALYSES),
    data=r"(topology=[^/]+/n=\d+/degree=[0-9.]+/mechanism=[^/]+|dataset=[^/]+(/grade=[^/]+)?)/replicate=\d+",

"""How a rule's script runs: its spec parsed, its log opened, a user's error told in one message, its cost noted."""

import hashlib
import importlib
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from cascurve.errors import CascurveError
from cascurve.kernels import compiled_once, without_blas
from cascurve.process import PARENT, cpu_seconds

DRAWING = ("figure", "report", "selection_figure", "timeaware_figure")
"""Rules whose own code may use pandas."""


class _WithoutPandas:
    """Import hook that hides pandas: pyarrow loads it with its first array, half a second in each of many jobs."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Refuse pandas, and leave every other name to the next finder."""
        if name == "pandas":
            raise ModuleNotFoundError(name)


@contextmanager
def job(snakemake: Any) -> Iterator[dict[str, Any]]:
    """The spec of the job; progress and errors go to its log, which Snakemake shows when the job fails.

    The last line of the log of a job that ended well is what it cost, as `cascurve.study.costs` reads it.
    """
    startup = cpu_seconds()
    PARENT.watch()
    spec = json.loads(snakemake.params.spec)
    if not _runs_a_users_file(spec):
        without_blas()
        if snakemake.rule not in DRAWING:
            sys.meta_path.insert(0, _WithoutPandas())
    with open(snakemake.log[0], "w", encoding="utf-8") as log:
        terminal, sys.stderr = sys.stderr, log
        try:
            with compiled_once(f"{snakemake.rule}-{_kernels_of(spec)}") as cold:
                yield spec
            # Loaded by name: how costs are noted changes no result, so an edit of it reruns nothing.
            costs = importlib.import_module("cascurve.study.costs")
            wildcards = dict(snakemake.wildcards.items())
            work = costs.Work.of(snakemake.rule, spec.get("module", ""), wildcards, len(snakemake.input))
            print(costs.measure(work, snakemake.output, startup=startup, cold=cold), file=log)
        except CascurveError as error:
            print(f"error: {error}", file=log)
            sys.exit(1)
        finally:
            sys.stderr = terminal


def warn(what: str, notes: Iterable[str]) -> None:
    """Print warnings about `what`, into the job's log and where the user sees them."""
    for note in notes:
        for stream in (sys.stderr, sys.__stderr__):
            print(f"warning: {what}: {note}", file=stream, flush=True)


def _runs_a_users_file(spec: dict[str, Any]) -> bool:
    """Whether a plug-in of the job is a user's file, which may import what it likes."""
    chosen = [spec.get("module"), *(given.get("use") for given in spec.get("measures", {}).values())]
    return any(isinstance(name, str) and name.endswith(".py") for name in chosen)


def _kernels_of(spec: dict[str, Any]) -> str:
    """A name for what decides which kernels a job calls."""
    chosen = [spec.get(key) for key in ("module", "parameters", "measures")]
    return hashlib.sha256(json.dumps(chosen, sort_keys=True).encode()).hexdigest()[:8]

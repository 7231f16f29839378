"""How a rule's script runs: its spec parsed, its log opened, and a user's error told in one message."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from cascurve.errors import CascurveError


@contextmanager
def job(snakemake: Any) -> Iterator[dict[str, Any]]:
    """The spec of the job; progress and errors go to its log, which Snakemake shows when the job fails."""
    with open(snakemake.log[0], "w", encoding="utf-8") as log:
        terminal, sys.stderr = sys.stderr, log
        try:
            yield json.loads(snakemake.params.spec)
        except CascurveError as error:
            print(f"error: {error}", file=log)
            sys.exit(1)
        finally:
            sys.stderr = terminal

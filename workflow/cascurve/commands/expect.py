"""What accuracy to expect of a model on data of known difficulty, and up to which difficulty it holds.

Reads the points of a finished study. The interval holds the MAP of one new data set: the curve's own uncertainty
(networks resampled) and the scatter of data sets about it.
"""

import argparse
import json
import sys
from pathlib import Path

import pyarrow as pa

from cascurve import seeding
from cascurve.curves.cells import cells, groups
from cascurve.curves.prediction import expect, holds_up_to
from cascurve.errors import CascurveError, CellError, ConfigError, DataError
from cascurve.storage import read_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the subcommand."""
    parser.add_argument("points", type=Path, metavar="POINTS", help="points.parquet of a study")
    parser.add_argument("--model", required=True, help="a model of the study")
    parser.add_argument("--difficulty", type=float, required=True, help="of your data, measured as --x")
    parser.add_argument("-n", "--users", type=int, required=True, help="N, the users of your data")
    parser.add_argument("-l", "--length", type=int, required=True, help="L, the length of your cascades")
    parser.add_argument("--x", default="apce_bayes", help="difficulty column (default: apce_bayes)")
    parser.add_argument("--group", help="topology or data set whose curve is used (default: each that has one)")
    parser.add_argument("--above", type=float, metavar="SMAP", help="also: up to where SMAP stays above this")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print one line per group; returns 0. Without --group, a group that has no curve there is told and passed over."""
    if not 2 <= arguments.length <= arguments.users:
        raise ConfigError("--length", arguments.length, f"from 2 users to all {arguments.users} (--users)")
    points, _ = read_table(arguments.points, "points")
    wanted = [arguments.group] if arguments.group else groups(points)
    untold: list[CascurveError] = []
    for group in wanted:
        try:
            print(_line(arguments, points, group))
        except (CellError, DataError) as error:
            untold.append(error)
    if len(untold) == len(wanted):
        raise DataError("; ".join(map(str, untold)))
    for reason in untold:
        print(f"cascurve: left out: {reason}", file=sys.stderr)
    return 0


def _line(arguments: argparse.Namespace, points: pa.Table, group: str) -> str:
    chosen = cells(points, group, arguments.x)
    if arguments.model not in chosen.models:
        raise DataError(f"no model '{arguments.model}' in group '{group}'; it has {', '.join(chosen.models)}")
    rng = seeding.generator(0, "expect", group=group, x=arguments.x, model=arguments.model)
    found = expect(
        chosen, arguments.model, arguments.difficulty, size=arguments.users, length=arguments.length, rng=rng
    )
    facts = {"group": group, "model": arguments.model, "map": found.map, "low": found.low, "high": found.high}
    interval = f"{found.level:.0%} interval [{found.low:.3g}, {found.high:.3g}]"
    line = f"{group}: MAP of {arguments.model} {found.map:.3g}, {interval}"
    if arguments.above is not None:
        limit = holds_up_to(chosen, arguments.model, arguments.above, rng=rng)
        facts["above_up_to"] = limit
        known = "not established anywhere" if limit is None else f"up to {arguments.x} {limit:.3g}"
        line += f"; SMAP above {arguments.above:g}: {known}"
    return json.dumps(facts) if arguments.json else line

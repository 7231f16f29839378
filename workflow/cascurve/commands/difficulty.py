"""Print the card of a cascade file: its size, how hard it is to predict, and how well that is known."""

import argparse
import json
import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from cascurve import plugins
from cascurve.cascades import CascadeSet
from cascurve.commands._foreign import add_reader_arguments, read_foreign
from cascurve.commands._limits import at_least
from cascurve.disorder import apce
from cascurve.disorder.contributions import contributions
from cascurve.disorder.pair_counts import pair_table
from cascurve.disorder.pair_matrix import list_pairs
from cascurve.disorder.parts import by_source, equal_windows
from cascurve.errors import ConfigError
from cascurve.formats.detection import detect
from cascurve.storage import read_table, write_table

ESTIMATES = {
    "apce": "APCE, plug-in (eq. 5)",
    "apce_bayes": "APCE, corrected",
    "apce_rel": "APCE over fair coins",
    "apce_pairs": "4p(1 − p), unbiased",
    "apce_zhang": "APCE by Zhang",
}
PAIR_COLUMNS = ("i", "j", "support", "i_first", "pce")
QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)
SHOWN_PARTS = 20
FEWEST = 10
"""Cascades below which the jackknife's errors are not shown: leaving one out says too little, or nothing at all."""
HEADS = {"apce_bayes": "corrected", "apce_bayes_se": "s.e.", "pair_support": "n̄"}
Card = dict[str, Any]
Labels = Callable[[int], int | str]
"""User number -> the user's id in the file."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the subcommand."""
    parser.add_argument("file", type=Path, help="cascades: our own Parquet, or a text file of a known format")
    add_reader_arguments(parser)
    parser.add_argument("--part", default="all", help="train, test, …: only these cascades (default: all)")
    parser.add_argument("--length", type=int, metavar="L", help="which data set of a file that holds one per length")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--all", action="store_true", help="the other measures of disorder too (slower)")
    parser.add_argument("--by-source", action="store_true", help="difficulty of the cascades of each source")
    parser.add_argument("--contributions", action="store_true", help="what each user and each position adds to APCE")
    parser.add_argument("--pairs", type=Path, metavar="OUT", help="write every pair, its support and PCE, as Parquet")
    parser.add_argument("--windows", type=int, metavar="K", help="difficulty over K windows of time, equally full")
    parser.add_argument("--bootstrap", type=int, metavar="B", help="B bootstrap draws (default: jackknife)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the bootstrap and of sampled pairs")
    parser.add_argument("--threads", type=int, default=1, help="threads; they do not change the result")


def run(arguments: argparse.Namespace) -> int:
    """Print the card; returns 0."""
    at_least(arguments, windows=1, bootstrap=2, seed=0, threads=1)
    cascades, labels = read(arguments.file, arguments.format, arguments.part, arguments.length, arguments.option)
    card = describe(cascades, arguments)
    if arguments.by_source:
        parts = sorted(by_source(cascades), key=lambda part: -len(part[1]))
        card["by_source"] = [{"source": labels(source)} | _short(part, arguments) for source, part in parts]
    if arguments.windows is not None:
        windows = equal_windows(cascades, arguments.windows)
        card["windows"] = [{"from": start, "to": end} | _short(part, arguments) for start, end, part in windows]
    if arguments.contributions:
        card |= _contributions(cascades, labels)
    if arguments.pairs is not None:
        _write_pairs(cascades, labels, arguments.pairs)
    print(json.dumps(_plain(card), indent=2) if arguments.json else "\n".join(_lines(card)))
    return 0


def read(file: Path, name: str | None, part: str, length: int | None, options: list[str]) -> tuple[CascadeSet, Labels]:
    """The cascades of a file, of one part, and of one length where it holds a data set per length; its users' ids.

    What was left out of a foreign file, or reordered, is printed: the card describes the rest.
    """
    if name is None:
        found = detect(file)
        if found.format == "cascades":
            if options:
                raise ConfigError("--option", options[0], "no option for a file of this project")
            return _own(file, part, length), int
        name = found.format
        print(f"format: {name} ({found.reason})", file=sys.stderr)
    if part != "all":
        raise ConfigError("--part", part, "'all' for a file of a foreign format", "name the file of that part")
    if length is not None:
        raise ConfigError("--length", length, "no length for a file of a foreign format, which holds one data set")
    imported = read_foreign({"all": file}, name, options)
    for row in imported.account:
        lost = f"{-row.cascades} cascades, {-row.participations} participations"
        print(f"{row.step}: {row.note or lost}", file=sys.stderr)
    return imported.cascades, lambda user: str(imported.labels[user])


def _own(file: Path, part: str, length: int | None) -> CascadeSet:
    """From a table of kind "cascades" or "datasets"."""
    header = json.loads(pq.read_schema(file).metadata[b"cascurve"])
    table, _ = read_table(file, "datasets" if header["kind"] == "datasets" else "cascades")
    n_users = header["n_users"]
    if header["kind"] == "datasets":
        lengths = sorted(map(int, n_users))
        if length not in lengths and (length is not None or len(lengths) != 1):
            raise ConfigError("--length", length, f"one of the file's lengths {lengths}")
        length = lengths[0] if length is None else length
        table, n_users = table.filter(pc.equal(table["length"], length)), n_users[str(length)]
    if part != "all":
        parts = set(table["part"].to_pylist()) if "part" in table.column_names else set()
        if part not in parts:
            raise ConfigError("--part", part, f"'all' or one of the file's parts {sorted(parts)}")
        table = table.filter(pc.equal(table["part"], part))
    return CascadeSet.from_table(table, int(n_users))


def describe(cascades: CascadeSet, arguments: argparse.Namespace) -> Card:
    """Card of a set: sizes, support, APCE and its corrections with 95 % intervals, other measures if asked for."""
    rng = np.random.default_rng(arguments.seed)
    difficulty = apce.measure(cascades, rng=rng, bootstrap=arguments.bootstrap or 0, threads=arguments.threads)
    histogram = pair_table(cascades, threads=arguments.threads).support_histogram()
    share = histogram / max(difficulty.n_pairs, 1)
    card: Card = {
        "n_users": cascades.n_users,
        "active_users": len(np.unique(cascades.users)),
        "cascades": len(cascades),
        "sources": len(np.unique(cascades.sources)),
        "entries": len(cascades.users),
        "length_quantiles": np.quantile(cascades.lengths, QUANTILES).tolist(),
        "pairs": difficulty.n_pairs,
        "pair_support": difficulty.pair_support,
        "support_share": {str(n): float(share[n]) if n < len(share) else 0.0 for n in range(1, 5)}
        | {"5+": float(share[5:].sum())},
        "warning": difficulty.warning,
    }
    for name in ESTIMATES:
        error = getattr(difficulty, f"{name}_se")
        card[name] = _with_interval(
            getattr(difficulty, name), error if arguments.bootstrap else _jackknifed(error, cascades)
        )
    if arguments.all:
        for name in _others():
            reading = plugins.load("disorder", name).measure(cascades, rng=rng)
            card[name] = _with_interval(reading.value, reading.se)
    return card


def _others() -> list[str]:
    return [name for name in plugins.names("disorder") if name != "apce"]


def _short(cascades: CascadeSet, arguments: argparse.Namespace) -> Card:
    found = apce.measure(cascades, rng=np.random.default_rng(arguments.seed), threads=arguments.threads)
    names = ("apce", "apce_bayes", "apce_bayes_se", "pair_support")
    card = {"cascades": len(cascades)} | {name: getattr(found, name) for name in names}
    return card | {"apce_bayes_se": _jackknifed(found.apce_bayes_se, cascades)}


def _jackknifed(error: float, cascades: CascadeSet) -> float:
    """The error; NaN where the cascades are too few to tell it."""
    return error if len(cascades) >= FEWEST else math.nan


def _contributions(cascades: CascadeSet, labels: Labels) -> Card:
    """Users by falling share, those that occur with others; positions from the source on."""
    users, positions = contributions(cascades)
    known = sorted(np.flatnonzero(np.isfinite(users.mean)).tolist(), key=lambda user: -users.share[user])
    return {
        "by_user": [{"user": labels(u), "share": float(users.share[u]), "mean": float(users.mean[u])} for u in known],
        "by_position": [
            {"position": place, "share": share, "mean": mean}
            for place, (share, mean) in enumerate(zip(positions.share.tolist(), positions.mean.tolist(), strict=True))
        ],
    }


def _write_pairs(cascades: CascadeSet, labels: Labels, path: Path) -> None:
    """Kind "pairs": i, j (ids as in the file), cascades with both, cascades with i first, PCE in bits."""
    pairs = list_pairs(cascades)
    used = np.unique(np.concatenate([pairs.i, pairs.j]))
    ids = pa.array([labels(user) for user in used.tolist()])
    sides = (ids.take(pa.array(np.searchsorted(used, side))) for side in (pairs.i, pairs.j))
    columns = (*sides, pairs.support, pairs.forward, pairs.entropy())
    write_table(pa.table(dict(zip(PAIR_COLUMNS, columns, strict=True))), path, "pairs")


def _with_interval(value: float, se: float) -> Card:
    return {"value": value, "se": se, "low": value - 1.96 * se, "high": value + 1.96 * se}


def _plain(value: Any) -> Any:
    """JSON has no NaN: null stands for it."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _column(head: str, value: Any) -> str:
    """Times in full: those of a year have nine digits or ten."""
    if isinstance(value, str):
        return f"{value:>14}"
    return f"{value:>14.11g}" if head in ("from", "to") else f"{value:>14.6g}"


def _number(value: float) -> str:
    return f"{value:.4f}" if math.isfinite(value) else "unknown"


def _lines(card: Card) -> Iterator[str]:
    lengths = " ".join(f"{length:g}" for length in card["length_quantiles"])
    support = ", ".join(f"{n}: {100 * share:.1f} %" for n, share in card["support_share"].items())
    yield f"{'users':24}{card['n_users']} ({card['active_users']} in cascades, {card['sources']} sources)"
    yield f"{'cascades':24}{card['cascades']} ({card['entries']} entries)"
    yield f"{'length':24}{lengths} (least, quartiles, most)"
    seen = f", seen {card['pair_support']:.2f} times on average" if card["pairs"] else ""
    yield f"{'pairs':24}{card['pairs']}{seen}"
    yield f"{'pairs seen n times':24}{support}"
    for name in (*ESTIMATES, *_others()):
        if name in card:
            value, low, high = (card[name][key] for key in ("value", "low", "high"))
            yield f"{ESTIMATES.get(name, name):24}{_number(value)}  [{_number(low)}, {_number(high)}]"
    if card["warning"]:
        yield f"warning: {card['warning']}"
    for name in ("by_source", "windows", "by_user", "by_position"):
        rows = card.get(name, [])
        if rows:
            yield ""
            yield "".join(f"{HEADS.get(head, head):>14}" for head in rows[0])
        for row in rows[:SHOWN_PARTS]:
            yield "".join(_column(head, value) for head, value in row.items())
        if len(rows) > SHOWN_PARTS:
            yield f"… and {len(rows) - SHOWN_PARTS} more (--json has all)"

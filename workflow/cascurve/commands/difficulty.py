"""Print the card of a cascade file: its size, how hard it is to predict, and how well that is known."""

import argparse
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq

from cascurve import plugins
from cascurve.cascades import CascadeSet
from cascurve.disorder import apce
from cascurve.disorder.pair_counts import pair_table
from cascurve.disorder.parts import by_source, equal_windows
from cascurve.errors import ConfigError
from cascurve.formats.detection import detect
from cascurve.storage import read_table

ORDERS = ("kendall_tau", "kendall_w", "mallows", "plackett_luce")
OTHERS = (
    "kendall_tau",
    "kendall_w",
    "mallows",
    "plackett_luce",
    "jaccard",
    "block_entropy",
    "next_entropy",
    "source_entropy",
    "lempel_ziv",
)
QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)
SHOWN_PARTS = 20
Card = dict[str, Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the subcommand."""
    parser.add_argument("file", type=Path, help="cascades: our own Parquet, or a text file of a known format")
    parser.add_argument("--format", choices=plugins.names("formats"), help="format of the file; found out if left out")
    parser.add_argument("--part", default="all", help="train, test, …: only these cascades (default: all)")
    parser.add_argument("--length", type=int, metavar="L", help="which data set of a file that holds one per length")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--all", action="store_true", help="the other measures of disorder too (slower)")
    parser.add_argument("--by-source", action="store_true", help="difficulty of the cascades of each source")
    parser.add_argument("--windows", type=int, metavar="K", help="difficulty over K windows of time, equally full")
    parser.add_argument("--bootstrap", type=int, default=0, metavar="B", help="B bootstrap draws (default: jackknife)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the bootstrap and of sampled pairs")
    parser.add_argument("--threads", type=int, default=1, help="threads; they do not change the result")


def run(arguments: argparse.Namespace) -> int:
    """Print the card; returns 0."""
    cascades = read(arguments.file, arguments.format, arguments.part, arguments.length)
    card = describe(cascades, arguments)
    if arguments.by_source:
        parts = sorted(by_source(cascades), key=lambda part: -len(part[1]))
        card["by_source"] = [{"source": source} | _short(part, arguments) for source, part in parts]
    if arguments.windows is not None:
        windows = equal_windows(cascades, arguments.windows)
        card["windows"] = [{"from": start, "to": end} | _short(part, arguments) for start, end, part in windows]
    print(json.dumps(_plain(card), indent=2) if arguments.json else "\n".join(_lines(card)))
    return 0


def read(file: Path, name: str | None, part: str, length: int | None) -> CascadeSet:
    """The cascades of a file: of one part, and of one length where the file holds a data set per length."""
    if name is None:
        found = detect(file)
        if found.format == "cascades":
            return _own(file, part, length)
        name = found.format
        print(f"format: {name} ({found.reason})", file=sys.stderr)
    if part != "all":
        raise ConfigError("--part", part, "'all' for a file of a foreign format", "name the file of that part")
    cascades: CascadeSet = plugins.load("formats", name).read({"all": file}).cascades
    return cascades


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
    difficulty = apce.measure(cascades, rng=rng, bootstrap=arguments.bootstrap, threads=arguments.threads)
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
    for name in ("apce", "apce_bayes", "apce_rel", "apce_pairs"):
        card[name] = _with_interval(getattr(difficulty, name), getattr(difficulty, f"{name}_se"))
    card["apce_zhang"] = {"value": difficulty.apce_zhang}
    if arguments.all:
        for name in OTHERS:
            reading = plugins.load("disorder", name).measure(cascades, rng=rng)
            card[name] = _with_interval(reading.value, reading.se)
    return card


def _short(cascades: CascadeSet, arguments: argparse.Namespace) -> Card:
    found = apce.measure(cascades, rng=np.random.default_rng(arguments.seed), threads=arguments.threads)
    names = ("apce", "apce_bayes", "apce_bayes_se", "pair_support")
    return {"cascades": len(cascades)} | {name: getattr(found, name) for name in names}


def _with_interval(value: float, se: float) -> Card:
    return {"value": value, "se": se, "low": value - 1.96 * se, "high": value + 1.96 * se}


def _plain(value: Any) -> Any:
    """JSON has no NaN: null stands for it."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


LABELS = {
    "apce": "APCE, plug-in (eq. 5)",
    "apce_bayes": "APCE, corrected",
    "apce_rel": "APCE over fair coins",
    "apce_pairs": "4p(1 − p), unbiased",
}


def _lines(card: Card) -> Iterator[str]:
    lengths = " ".join(f"{length:g}" for length in card["length_quantiles"])
    support = ", ".join(f"{n}: {100 * share:.1f} %" for n, share in card["support_share"].items())
    yield f"{'users':24}{card['n_users']} ({card['active_users']} in cascades, {card['sources']} sources)"
    yield f"{'cascades':24}{card['cascades']} ({card['entries']} entries)"
    yield f"{'length':24}{lengths} (least, quartiles, most)"
    yield f"{'pairs':24}{card['pairs']}, seen {card['pair_support']:.2f} times on average"
    yield f"{'pairs seen n times':24}{support}"
    for name in (*LABELS, *OTHERS):
        if name in card:
            value, low, high = (card[name][key] for key in ("value", "low", "high"))
            yield f"{LABELS.get(name, name):24}{value:.4f}  [{low:.4f}, {high:.4f}]"
    if card["warning"]:
        yield f"warning: {card['warning']}"
    for name, heads in (("by_source", ("source",)), ("windows", ("from", "to"))):
        rows = card.get(name, [])
        if rows:
            yield ""
            yield "".join(f"{head:>14}" for head in (*heads, "cascades", "apce", "corrected", "s.e.", "n̄"))
        for row in rows[:SHOWN_PARTS]:
            yield "".join(f"{value:>14.6g}" for value in row.values())
        if len(rows) > SHOWN_PARTS:
            yield f"… and {len(rows) - SHOWN_PARTS} more (--json has all)"

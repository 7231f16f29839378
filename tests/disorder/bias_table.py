"""How far each estimate of APCE is from the truth, by sample size; the tables of docs/difficulty.md.

Run ``python -m tests.disorder.bias_table [folder of real data]`` to print them. The truth of a cell is Zhang's
estimator on 100,000 cascades of the same network, link probabilities and sources.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cascurve import plugins
from cascurve.cascades import CascadeSet
from cascurve.disorder import apce, pair_entropy
from cascurve.disorder.empirical_bayes import fit, posterior_entropy
from cascurve.disorder.pair_counts import PairTable, pair_table

SIZES = (100, 300, 1000, 3000)
REPLICATES = 2
SOURCES = (1, 10, 50, 1000)


@dataclass(frozen=True)
class Grid:
    """Cells: topologies x mechanisms, with half of the numbers of sources each; (N, L) and degree go round."""

    key: tuple[int, ...]
    topologies: tuple[str, ...]
    mechanisms: tuple[tuple[str, dict[str, Any]], ...]
    shapes: tuple[tuple[int, int], ...]


CHOSEN = Grid(
    (),
    ("er", "ba"),
    (
        ("ic", {}),
        ("ic", {"edges": "fixed", "probability": 0.3}),
        ("ic", {"edges": "fixed", "probability": 0.6, "order": "random"}),
        ("ic", {"edges": "fixed", "probability": 0.6, "order": "fixed"}),
        ("ic", {"order": "random"}),
        ("si", {}),
    ),
    ((200, 10), (500, 30), (1000, 20)),
)
"""The cells on which `apce_bayes` was chosen."""
FRESH = Grid(
    (1,),
    ("watts_strogatz", "sbm", "configuration"),
    (
        ("lt", {}),
        ("lt", {"thresholds": "fixed", "high": 0.5}),
        ("sir", {"recovery": 0.3}),
        ("ic", {"edges": "fixed", "probability": 0.4}),
    ),
    ((300, 15), (150, 10), (800, 40)),
)
"""Cells that played no part in the choice: other topologies, mechanisms and sizes."""


def ratio(name: str) -> Callable[[PairTable], float]:
    return lambda table: pair_entropy.quotient(*getattr(pair_entropy, name)(pair_entropy.pair_sums(table, fit(table))))


def flat_prior(alpha: float) -> Callable[[PairTable], float]:
    """Posterior mean entropy under one Beta(α, α) for all pairs of all data."""

    def estimate(table: PairTable) -> float:
        n = table.support
        terms = n * table.pairs * posterior_entropy(n, table.minority, np.full(len(n), alpha))
        return float(terms.sum()) / table.incidences

    return estimate


ESTIMATES: dict[str, Callable[[PairTable], float]] = {
    "plug-in (`apce`)": ratio("plug_in"),
    "Miller–Madow": pair_entropy.miller_madow,
    "Zhang (`apce_zhang`)": ratio("zhang"),
    "Beta(1/2, 1/2) for all pairs": flat_prior(0.5),
    "Beta(1, 1) for all pairs": flat_prior(1.0),
    "over fair coins (`apce_rel`)": ratio("relative"),
    "4p(1 − p) (`apce_pairs`)": ratio("pairwise"),
    "empirical Bayes (`apce_bayes`)": ratio("bayes"),
}


def generator(*key: int) -> np.random.Generator:
    return np.random.default_rng(key)


def cells(grid: Grid = CHOSEN) -> Iterator[Callable[[int, int], CascadeSet]]:
    """For each cell, a function of (cascades, draw) that simulates it; every draw of a cell has the same truth."""
    for t, topology in enumerate(grid.topologies):
        for m, (mechanism, parameters) in enumerate(grid.mechanisms):
            for s in range(len(SOURCES))[(t + m) % 2 :: 2]:
                place = (*grid.key, t, m, s)
                n, length = grid.shapes[(t + m + s) % 3]
                network = plugins.load("networks", topology).generate(
                    n, (4, 6, 8)[(m + s) % 3], rng=generator(1, *place)
                )
                sources = generator(2, *place).permutation(network.giant_component())[: SOURCES[s]]
                simulate = plugins.load("mechanisms", mechanism).simulate

                def draw(
                    size: int,
                    number: int,
                    place: tuple[int, ...] = place,
                    network: Any = network,
                    sources: Any = sources,
                    simulate: Any = simulate,
                    parameters: dict[str, Any] = parameters,
                    length: int = length,
                ) -> CascadeSet:
                    starts = sources[np.arange(size) % len(sources)].astype(np.int32)
                    streams = {"rng": generator(3, number, *place), "environment_rng": generator(4, *place)}
                    cascades: CascadeSet = simulate(network, starts, length, 30, **parameters, **streams).cascades
                    return cascades.take(cascades.lengths == length)

                yield draw


def errors(grid: Grid = CHOSEN) -> np.ndarray:
    """Estimate − truth; shape (cells, sizes, replicates, estimates)."""
    found = []
    for draw in cells(grid):
        truth = ESTIMATES["Zhang (`apce_zhang`)"](pair_table(draw(100_000, 0)))
        tables = [[pair_table(draw(size, 1 + r)) for r in range(REPLICATES)] for size in SIZES]
        found.append([[[f(table) - truth for f in ESTIMATES.values()] for table in row] for row in tables])
    return np.array(found)


REAL = (("douban_mshgat", 30), ("douban_mshgat", 60), ("twitter_mshgat", 60), ("twitter_mshgat", 200))
"""Data set, and how many of its most active users are kept: few enough that pairs are seen 30 times and more."""
SHARES = (0.02, 0.05, 0.1, 0.25)


def real_errors(folder: Path) -> np.ndarray:
    """Like `errors`, for samples of real cascades; the truth is Zhang's estimator on all of them."""
    found = []
    for place, (name, kept) in enumerate(REAL):
        read = plugins.load("formats", "mshgat").read({"all": folder / name / "cascades.txt"}).cascades
        top = np.argsort(-np.bincount(read.users, minlength=read.n_users), kind="stable")[:kept]
        rows = [users[np.isin(users, top)] for users in read]
        cascades = CascadeSet.of([users for users in rows if len(users) > 1], read.n_users)
        truth = ESTIMATES["Zhang (`apce_zhang`)"](pair_table(cascades))
        rng, m = generator(6, place), len(cascades)
        draws = [[cascades.take(rng.permutation(m)[: round(share * m)]) for _ in range(20)] for share in SHARES]
        found.append([[[f(pair_table(drawn)) - truth for f in ESTIMATES.values()] for drawn in row] for row in draws])
    return np.array(found)


def bias_table(found: np.ndarray, heads: Sequence[str] = tuple(f"m = {size}" for size in SIZES)) -> str:
    """Markdown: worst |mean error| over cells / root mean square error, by number of cascades."""
    lines = [f"| estimate | {' | '.join(heads)} |", "|---|" + "---|" * len(heads)]
    worst = np.abs(found.mean(axis=2)).max(axis=0)
    rms = np.sqrt((found**2).mean(axis=(0, 2)))
    for e, name in enumerate(ESTIMATES):
        entries = (f"{worst[s, e]:.3f} / {rms[s, e]:.3f}" for s in range(len(heads)))
        lines.append(f"| {name} | {' | '.join(entries)} |")
    return "\n".join(lines)


ERRORS = ("apce", "apce_rel", "apce_pairs", "apce_bayes", "apce_zhang")


def standard_errors(draws: int = 200, size: int = 300) -> np.ndarray:
    """Of one cell: true spread over fresh samples, mean jackknife and mean bootstrap error; shape (3, estimates).

    The samples are disjoint parts of one large one, so that their sources are drawn at random, like the cascades.
    """
    many = list(cells())[1](100_000, 0)
    shuffled = many.take(generator(7).permutation(len(many)))
    measured, booted = [], []
    for number in range(draws):
        cascades = shuffled.take(np.arange(size * number, size * (number + 1)))
        measured.append(apce.measure(cascades, rng=generator(5, number)))
        if number < 5:
            booted.append(apce.measure(cascades, rng=generator(5, number), bootstrap=100))
    values = [[getattr(each, name) for name in ERRORS] for each in measured]
    jackknife, bootstrap = ([[getattr(e, f"{name}_se") for name in ERRORS] for e in es] for es in (measured, booted))
    return np.stack([np.std(values, axis=0, ddof=1), np.mean(jackknife, axis=0), np.mean(bootstrap, axis=0)])


def error_table(found: np.ndarray) -> str:
    lines = ["| | " + " | ".join(f"`{name}`" for name in ERRORS) + " |", "|---|" + "---|" * len(ERRORS)]
    for name, row in zip(("spread over fresh samples", "jackknife", "bootstrap"), found, strict=True):
        lines.append(f"| {name} | " + " | ".join(f"{value:.4f}" for value in row) + " |")
    return "\n".join(lines)


REAL_HEADS = tuple(f"{100 * share:g} %" for share in SHARES)

if __name__ == "__main__":
    print(bias_table(errors()), end="\n\n")
    print(bias_table(errors(FRESH)), end="\n\n")
    if len(sys.argv) > 1:
        print(bias_table(real_errors(Path(sys.argv[1])), REAL_HEADS), end="\n\n")
    print(error_table(standard_errors()))

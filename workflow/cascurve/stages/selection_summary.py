"""From MSA per set of cascades to means with simultaneous intervals: overall, and by topology, mechanism and length."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy.special import ndtri

from cascurve import seeding
from cascurve.curves.resampling import FEWEST_NETWORKS, max_t_band, network_weights
from cascurve.selection.tolerance import tolerance_ratios

RESAMPLES = 2000
LEVEL = 0.95
ALL_LENGTHS = 0

Floats = NDArray[np.float64]
Row = dict[str, Any]


def summary(cells: pa.Table, *, seed: int, tolerances: Sequence[float], control: str | None) -> pa.Table:
    """Kind "selection_summary": a row per ``by``, ``level``, candidates, goal, m and measure.

    Columns ``msa`` and ``gain`` (over the goal itself, same pairs), each with ``_low`` and ``_high``; ``msa_clear``,
    over pairs whose gap by the goal is significant; ``within_x``, the share of cells in which the measure is within x %
    of the best; ``cells``, ``networks``, ``n_pairs``, ``n_clear``; and ``interval``, what was resampled.

    Intervals hold for all measures of a goal and m at once (95 %). They come from resampling whole networks; with
    fewer than five networks from the standard errors of the cells, so that they speak of these networks alone.
    """
    rows = cells.to_pylist()
    measures = list(dict.fromkeys(row["measure"] for row in rows))
    made: list[Row] = []
    for (by, level), chosen in _levels(rows).items():
        cases: dict[tuple[Any, ...], list[Row]] = {}
        for row in chosen:
            cases.setdefault((row["candidates"], row["kind"], row["goal"], row["m"]), []).append(row)
        for case, of_case in cases.items():
            place = {"by": by, "level": level} | dict(zip(("candidates", "kind", "goal", "m"), case, strict=True))
            rng = seeding.generator(seed, "selection summary", **place)
            made += [place | row for row in _case(of_case, measures, tolerances, control, rng)]
    return pa.Table.from_pylist(made)


def _levels(rows: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    """All lengths together stand for a data set where it has several; single lengths are compared by ``length``."""
    pooled = {_data(row) for row in rows if row["length"] == ALL_LENGTHS}
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row["length"] != ALL_LENGTHS:
            found.setdefault(("length", str(row["length"])), []).append(row)
        if row["length"] == ALL_LENGTHS or _data(row) not in pooled:
            found.setdefault(("overall", "all data"), []).append(row)
            found.setdefault(("group", row["group"]), []).append(row)
            if row["mechanism"] is not None:
                found.setdefault(("mechanism", row["mechanism"]), []).append(row)
    return found


def _data(row: Row) -> tuple[Any, ...]:
    return row["network"], row["mechanism"], row["replicate"], row["candidates"]


def _case(
    rows: Sequence[Row],
    measures: Sequence[str],
    tolerances: Sequence[float],
    control: str | None,
    rng: np.random.Generator,
) -> Iterator[Row]:
    """One goal and m: a row per measure that has a value in any cell."""
    table = {name: _matrix(rows, measures, name) for name in ("msa", "msa_se", "gain", "gain_se", "msa_clear")}
    networks = [row["network"] for row in rows[:: len(measures)]]
    means = {name: _known_mean(table[name]) for name in ("msa", "gain", "msa_clear")}
    bands = {name: _interval(table[name], table[f"{name}_se"], networks, rng) for name in ("msa", "gain")}
    bands["msa"] = (np.maximum(bands["msa"][0], 0.0), np.minimum(bands["msa"][1], 1.0))
    contenders = np.array([name != control for name in measures])
    within = tolerance_ratios(table["msa"], tolerances, contenders)
    numbers = {name: _known_mean(_matrix(rows, measures, name)) for name in ("n_pairs", "n_clear")}
    few = len(set(networks)) < FEWEST_NETWORKS
    for g, measure in enumerate(measures):
        if np.isnan(means["msa"][g]):
            continue
        row: Row = {"measure": measure, "cells": int(np.sum(~np.isnan(table["msa"][:, g])))}
        row |= {"networks": len(set(networks)), "interval": "cascades" if few else "networks"}
        row |= {name: float(values[g]) for name, values in (means | numbers).items()}
        for name, (low, high) in bands.items():
            row |= {f"{name}_low": float(low[g]), f"{name}_high": float(high[g])}
        yield row | {f"within_{x:g}": float(within[k, g]) for k, x in enumerate(tolerances)}


def _matrix(rows: Sequence[Row], measures: Sequence[str], column: str) -> Floats:
    """Shape (cells, measures); the measures of a cell follow one another in their order."""
    return np.array([row[column] for row in rows], np.float64).reshape(-1, len(measures))


def _interval(
    values: Floats, errors: Floats, networks: Sequence[str], rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Simultaneous over the measures, shape (measures,) each; NaN where none can be given."""
    names, codes = np.unique(networks, return_inverse=True)
    estimate = _known_mean(values)
    if len(names) < FEWEST_NETWORKS:
        known = ~np.isnan(errors)
        reach = np.sqrt(np.where(known, errors**2, 0.0).sum(axis=0)) / np.maximum(known.sum(axis=0), 1)
        reach = reach * -ndtri((1 - LEVEL) / 2 / max(np.sum(~np.isnan(estimate)), 1))
        return estimate - reach, estimate + reach
    known = ~np.isnan(values)
    totals, counts = (np.zeros((len(names), values.shape[1])) for _ in range(2))
    np.add.at(totals, codes, np.where(known, values, 0.0))
    np.add.at(counts, codes, known)
    weights = network_weights(len(names), RESAMPLES, rng)
    number = weights @ counts
    draws = np.divide(weights @ totals, number, out=np.full(number.shape, np.nan), where=number > 0)
    band = max_t_band(estimate, draws, np.sum(counts > 0, axis=0).astype(np.float64), level=LEVEL)
    return band.low, band.high


def _known_mean(values: Floats) -> Floats:
    """Mean over the cells that have a value; shape (measures,)."""
    known = ~np.isnan(values)
    number = known.sum(axis=0)
    total = np.where(known, values, 0.0).sum(axis=0)
    return np.divide(total, number, out=np.full(number.shape, np.nan), where=number > 0)

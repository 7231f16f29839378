"""What an R² is worth: the values that it reaches without any relation between difficulty and accuracy.

SMAP carries N/L by definition, and plug-in APCE depends on N and L through the number of times that a pair is
seen. So a high R² of SMAP against APCE may say no more than that both follow L/N.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from cascurve import seeding
from cascurve.curves.cells import DIFFICULTIES, Cells, cells, groups
from cascurve.curves.fitting import fit

RANDOM = "random"
"""The control whose R² stands beside the others."""

WORTHLESS = 0.05
"""An R² less than this above that of the permuted data says nothing."""

_COLUMNS = (
    "r2",
    "r2_map",
    "r2_permuted",
    "r2_permuted_sd",
    "r2_log",
    "r2_log_permuted",
    "within_correlation",
    "r2_random",
    "left_out_n",
    "left_out_error",
)


def nulls(points: pa.Table, *, seed: int, xs: Iterable[str] = DIFFICULTIES, permutations: int = 200) -> pa.Table:
    """The nulls of every group, model and difficulty column, for the default curve.

    Parameters
    ----------
    points : kind "points".
    seed : the study's seed; models of a group share the permutations.
    xs : difficulty columns; those that the points lack are left out.

    Returns
    -------
    Table of kind "nulls": group, model, x, and
        ``r2``, ``r2_log`` : of SMAP, of log SMAP;
        ``r2_map`` : of unscaled MAP;
        ``r2_permuted``, ``r2_permuted_sd`` : mean and spread after permuting SMAP within (N, L) groups: what N and L
        alone give; null where no (N, L) group has two cells; ``r2_log_permuted`` : the mean for log SMAP;
        ``within_correlation`` : of x with log SMAP, both less their (N, L) group's mean: what difficulty adds;
        ``r2_random`` : of the random control's SMAP; null without that control.
        ``left_out_n``, ``left_out_error`` : the N that the curve through all other N misses most, and the mean of
        log(SMAP / curve) there; null where fewer than two N can be left out.
    """
    rows = []
    for group in groups(points):
        for x in filter(set(points.column_names).__contains__, xs):
            chosen, place = cells(points, group, x), {"group": group, "x": x}
            control = _r2(chosen, RANDOM, "smap") if RANDOM in chosen.models else None
            for model in chosen.models:
                permuted = _permuted(chosen, model, "smap", permutations, seeding.generator(seed, "nulls", **place))
                in_logs = _permuted(chosen, model, "log_smap", permutations, seeding.generator(seed, "nulls", **place))
                facts = {
                    "r2": _r2(chosen, model, "smap"),
                    "r2_log": _r2(chosen, model, "log_smap"),
                    "r2_map": _r2(chosen, model, "map"),
                    "r2_permuted": None if permuted is None else float(permuted.mean()),
                    "r2_permuted_sd": None if permuted is None else float(permuted.std(ddof=1)),
                    "r2_log_permuted": None if in_logs is None else float(in_logs.mean()),
                    "within_correlation": within_correlation(chosen, model),
                    "r2_random": control,
                    **_leave_one_size_out(chosen, model),
                }
                rows.append(place | {"model": model} | facts)
    texts = [(name, pa.string()) for name in ("group", "model", "x")]
    return pa.Table.from_pylist(rows, pa.schema([*texts, *((name, pa.float64()) for name in _COLUMNS)]))


def worth(row: Mapping[str, Any]) -> str:
    """A sentence on what the R² in a row of the nulls table is worth; "" where there is no R²."""
    if row["r2"] is None:
        return ""
    head = f"{row['group']}, {row['model']}: R² of SMAP against {row['x']} is {row['r2']:.2f}"
    if row["r2_permuted"] is None:
        return f"{head}; no two cells share N and L, so nothing tells a curve from an effect of N and L."
    alone = f"N and L alone give {row['r2_permuted']:.2f}"
    within = row["within_correlation"]
    known = "" if within is None else f", and within equal N and L difficulty and log SMAP correlate by {within:.2f}"
    if row["r2"] - row["r2_permuted"] < WORTHLESS:
        return f"{head}, but {alone}{known}: this R² is no evidence of a curve."
    return f"{head}; {alone}{known}."


def worth_together(rows: Sequence[Mapping[str, Any]]) -> str:
    """The same about all models of a group by one difficulty, in one sentence; "" where none has an R²."""
    known = [row for row in rows if row["r2"] is not None]
    if len(known) < 2:
        return "".join(map(worth, known))
    head = f"{known[0]['group']}, {len(known)} models: R² of SMAP against {known[0]['x']} is {_span(known, 'r2')}"
    judged = [row for row in known if row["r2_permuted"] is not None]
    if not judged:
        return f"{head}; no two cells share N and L, so nothing tells a curve from an effect of N and L."
    said = f"{head}; N and L alone give {_span(judged, 'r2_permuted')}"
    if within := _span(judged, "within_correlation"):
        said += f", and within equal N and L difficulty and log SMAP correlate by {within}"
    worthless = [row["model"] for row in judged if row["r2"] - row["r2_permuted"] < WORTHLESS]
    return f"{said}." + (f" It is no evidence of a curve of {', '.join(worthless)}." if worthless else "")


def _span(rows: Sequence[Mapping[str, Any]], key: str) -> str:
    """The least and the greatest value; "" where there is none."""
    ends = [f"{end([row[key] for row in rows if row[key] is not None], default=math.nan):.2f}" for end in (min, max)]
    return "" if ends[0] == "nan" else " to ".join(dict.fromkeys(ends))


def within_correlation(chosen: Cells, model: str) -> float | None:
    """Correlation of x with log SMAP after taking out the means of the (N, L) groups; None where undefined."""
    score = chosen.smap[:, chosen.models.index(model)]
    known = np.isfinite(chosen.x) & np.isfinite(score) & (score > 0)
    if not known.any():
        return None
    x = _centred(chosen.x[known], chosen.block[known])
    y = _centred(np.log(score[known]), chosen.block[known])
    scale = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / scale if scale > 1e-12 else None


def _permuted(
    chosen: Cells, model: str, y: str, permutations: int, rng: np.random.Generator
) -> NDArray[np.float64] | None:
    """R² after permuting y within the (N, L) groups; None where no group has two cells or a fit fails."""
    score = chosen.values(model, y)
    known = np.isfinite(chosen.x) & np.isfinite(score)
    x, score, block = chosen.x[known], score[known], chosen.block[known]
    if len(score) == 0 or len(np.unique(block)) == len(block):
        return None
    order = np.argsort(block, kind="stable")
    values = np.empty(permutations)
    for draw in range(permutations):
        shuffled = np.empty_like(score)
        # sorting by (block, random key) permutes within each block
        shuffled[order] = score[np.lexsort((rng.random(len(score)), block))]
        values[draw] = fit(x, shuffled).r2
    return values if np.isfinite(values).all() else None


def _leave_one_size_out(chosen: Cells, model: str) -> dict[str, float | None]:
    score = chosen.smap[:, chosen.models.index(model)]
    known = np.isfinite(chosen.x) & np.isfinite(score) & (score > 0)
    errors = {}
    for size in np.unique(chosen.size[known]).tolist():
        rest, here = known & (chosen.size != size), known & (chosen.size == size)
        found = fit(chosen.x[rest], score[rest])
        inside = here & (chosen.x >= found.x_min) & (chosen.x <= found.x_max)
        predicted = found(chosen.x[inside])
        if found.status == "ok" and inside.any() and (predicted > 0).all():
            errors[size] = float(np.log(score[inside] / predicted).mean())
    if len(errors) < 2:
        return {"left_out_n": None, "left_out_error": None}
    worst = max(errors, key=lambda size: abs(errors[size]))
    return {"left_out_n": worst, "left_out_error": errors[worst]}


def _r2(chosen: Cells, model: str, y: str) -> float | None:
    value = fit(*chosen.scores(model, y)).r2
    return value if np.isfinite(value) else None


def _centred(values: NDArray[np.float64], block: NDArray[np.int64]) -> NDArray[Any]:
    sums, counts = np.bincount(block, values), np.bincount(block)
    return values - sums[block] / counts[block]

"""The report's section on novelty: the models on the front, and the means of every metric and cutoff."""

from typing import Any

import numpy as np
import pyarrow as pa

from cascurve.curves.cells import DIFFICULTIES, cells, groups
from cascurve.curves.tradeoff import tradeoff, with_score
from cascurve.report.html import bullets, folded, paragraph, section, table


def novelty_section(novelty: pa.Table, x: str = DIFFICULTIES[0]) -> str:
    """Sentences on the Pareto front at the greatest cutoff of each metric, and a table of all.

    Parameters
    ----------
    novelty : kind "novelty_points".
    x : a difficulty column of it.
    """
    names = [name for name in novelty.column_names if "@" in name and f"{name}_se" in novelty.column_names]
    last = list({name.partition("@")[0]: name for name in names}.values())
    found = [tradeoff(novelty, group, name, x=x, seed=1) for group in groups(novelty) for name in last]
    said = [one.words(name) for one, name in zip(found, last * len(groups(novelty)), strict=True) if one is not None]
    few = any(one is not None and np.isnan(one.stability).all() for one in found)
    note = "Without a share of resamples there are too few networks to say how sure the front is. " if few else ""
    caption = "Mean over the cells that have a finite value; ∞ and unknown values are left out, and counted."
    columns = ("group", "model", *names, "cells left out")
    return section(
        "Novelty",
        "novelty",
        paragraph(
            "Accuracy alone rewards the prediction of users whom everybody sees anyway. A model is on the front when "
            f"no other is at least as accurate (mean SMAP) and as novel, and better in one. {note}"
            "docs/novelty.md defines the metrics."
        ),
        bullets(said),
        folded("all metrics and cutoffs", table(columns, _rows(novelty, names, x), caption)),
    )


def _rows(novelty: pa.Table, names: list[str], x: str) -> list[list[Any]]:
    rows = []
    for group in groups(novelty):
        scored = [cells(with_score(novelty, name), group, x) for name in names]
        for place, model in enumerate(scored[0].models if scored else ()):
            values = [one.smap[:, place] for one in scored]
            known = [np.isfinite(column) for column in values]
            means = [float(column[k].mean()) if k.any() else None for column, k in zip(values, known, strict=True)]
            rows.append([group, model, *means, int(max((~k).sum() for k in known))])
    return rows

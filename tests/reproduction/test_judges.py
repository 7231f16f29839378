"""Single claims, judged on points of known truth: on which cells, by which rule, and in which words."""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pytest
from tests.points_maker import make_points

from cascurve.curves.collapse import collapses
from cascurve.curves.fitting import fit
from cascurve.curves.nulls import nulls
from cascurve.reproduction.claims import CLAIMS, Item
from cascurve.reproduction.evidence import Evidence

FIGURES = {"fig2a": ["fig2a"], "fig2b": ["fig2b"], "figa2": ["figa2"]}
NONE = pa.Table.from_pylist([], pa.schema([]))


def judged(claim: str, points: pa.Table, nulled: pa.Table = NONE, collapse: pa.Table = NONE) -> list[Item]:
    evidence = Evidence(points, nulled, collapse, comparisons=[], x="apce", seed=1, figures=FIGURES)
    return list(next(judge for name, _, judge in CLAIMS if name.startswith(claim))(evidence))


def moved(points: pa.Table, shift: Mapping[str, float]) -> pa.Table:
    """APCE of the mechanisms pressed into [.1, .2] plus a shift each, with SMAP on one curve."""
    rows = points.to_pylist()
    for row in rows:
        row["apce"] = 0.1 + 0.1 * row["apce"] + shift[row["mechanism"]]
        row["smap"] = 2 + 40 * float(np.exp(-3 * row["apce"]))
    return pa.Table.from_pylist(rows, points.schema)


def exponents(a: Sequence[float], b: Sequence[float], inside: bool) -> pa.Table:
    row = {"group": "er", "model": "cdk", "x": "apce", "scaling": "fitted", "a": np.mean(a), "b": np.mean(b)}
    return pa.Table.from_pylist(
        [row | {"a_low": a[0], "a_high": a[1], "b_low": b[0], "b_high": b[1], "holds_paper": inside}]
    )


def test_the_collapse_is_judged_on_the_cells_of_ic_as_its_figures_are() -> None:
    grid = {"sizes": (100, 500, 1000), "lengths": (10, 30, 100)}  # L/N from .01 to .1: MAP is scattered
    rows = make_points(mechanisms=("ic", "lt", "si"), replicates=1, **grid).to_pylist()
    for row in rows:  # LT and SI lie elsewhere; pooled, there would be no curve
        factor = {"ic": 1.0, "lt": 3.0, "si": 0.2}[row["mechanism"]]
        row |= {"smap": factor * row["smap"], "map": factor * row["map"]}
    points = pa.Table.from_pylist(rows)
    ((where, found, figure, verdict),) = judged("MAP shows no pattern", points)
    cdk = [row for row in rows if (row["model"], row["mechanism"]) == ("cdk", "ic")]
    x = np.array([row["apce"] for row in cdk])
    scattered, collapsed = (fit(x, np.array([row[y] for row in cdk])).r2 for y in ("map", "smap"))
    assert found.startswith(f"under IC, against apce, R² is {scattered:.2f} for MAP and {collapsed:.2f} for SMAP")
    assert collapsed > 0.9 > scattered + 0.2
    (alone,) = nulls(pa.Table.from_pylist(cdk), seed=1, xs=("apce",)).column("r2_permuted").to_pylist()
    assert found.endswith(f"; N and L alone give {alone:.2f}")
    assert (where, figure, verdict) == ("er", "fig2b", "agrees")


def test_without_ic_nothing_is_said_of_its_figures() -> None:
    assert judged("MAP shows no pattern", make_points(mechanisms=("lt", "si"), replicates=1)) == []


def test_a_pooled_r2_stands_beside_what_n_and_l_alone_give() -> None:
    points = make_points(groups=("er@p",), mechanisms=("ic-2", "ic-6"), replicates=1)
    nulled = nulls(points, seed=1, xs=("apce",), permutations=10)
    row = next(row for row in nulled.to_pylist() if row["model"] == "cdk")
    ((where, found, _, _),) = judged("One curve for all infection", points, nulled)
    assert where == "er@p"
    assert found.startswith(f"R² pooled is {row['r2']:.2f}; N and L alone give {row['r2_permuted']:.2f}; SMAP at")


def test_mechanisms_that_cannot_be_compared_are_named_and_keep_the_claim_open() -> None:
    made = make_points(mechanisms=("ic", "lt", "si"), replicates=1)
    ((_, found, _, verdict),) = judged("IC, LT and SI overlap on ER", moved(made, {"ic": 0, "lt": 0, "si": 0}))
    assert (verdict, "not compared" in found) == ("agrees", False)
    ((_, found, _, verdict),) = judged("IC, LT and SI overlap on ER", moved(made, {"ic": 0, "lt": 0.3, "si": 0.3}))
    assert verdict == "undecided"
    assert found.startswith("SMAP at equal apce: lt / si = 1.00 [")
    assert found.endswith("; not compared: ic / lt, ic / si (no common range)")
    ((_, found, _, verdict),) = judged("IC, LT and SI overlap on ER", moved(made, {"ic": 0, "lt": 0.3, "si": 0.6}))
    assert verdict == "undecided"
    assert found == "SMAP at equal apce: not compared: ic / lt, ic / si, lt / si (no common range)"


@pytest.mark.parametrize(("largest", "verdict"), [(900, "undecided"), (1000, "does not")])
def test_a_grid_of_smaller_networks_than_the_papers_cannot_tell_the_lowest_apce(largest: int, verdict: str) -> None:
    points = make_points(groups=("er@old", "ba@old"), sizes=(100, largest), replicates=1)
    ((where, found, _, given),) = judged("The lowest APCE", points)
    assert where == "er@old and ba@old"
    assert given == verdict
    assert (f"the largest N is {largest}, the paper's 1000" in found) == (largest < 1000)


@pytest.mark.parametrize(
    ("a", "b", "inside", "verdict"),
    [
        ((0.8, 1.3), (0.7, 1.4), True, "agrees"),
        ((0.29, 2.4), (0.7, 1.4), True, "undecided"),
        ((0.8, 1.3), (0.4, 1.5), True, "undecided"),
        ((0.0, 1.2), (0.3, 0.8), False, "does not"),  # far from exact, but without (1, 1)
        ((0.8, 1.3), (0.3, 0.8), False, "does not"),
    ],
)
def test_exponents_that_are_hardly_known_agree_with_nothing(
    a: Sequence[float], b: Sequence[float], inside: bool, verdict: str
) -> None:
    ((_, found, _, given),) = judged("N/L is", make_points(replicates=1), collapse=exponents(a, b, inside))
    assert given == verdict
    assert ("wider than 1" in found) == (given == "undecided")
    assert "joint 95 % region" in found


def test_the_exponents_of_the_collapse_table_are_read() -> None:
    points = make_points(replicates=1)
    ((_, found, _, verdict),) = judged("N/L is", points, collapse=collapses(points, seed=1, xs=("apce",)))
    assert verdict == "agrees", found

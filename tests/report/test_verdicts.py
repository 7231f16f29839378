"""The verdicts at a glance, and their sentences."""

import re

import numpy as np
import pytest

from cascurve.curves.comparison import Comparison, Pair, times
from cascurve.curves.contrast import Contrast
from cascurve.report.verdicts import verdicts


def pair(a: str, b: str, mean: float | None, low: float | None = None, high: float | None = None) -> Pair:
    """From ratios."""
    logs = [None if value is None else float(np.log(value)) for value in (mean, low, high)]
    return Pair(a, b, Contrast(*logs, n_cells=9, n_networks=8), (), 0, None, None)


def comparison(group: str, *pairs: Pair) -> Comparison:
    return Comparison(group, "apce", 0.95, 0.03, 8, (), pairs)


def glance(*comparisons: Comparison) -> list[list[str]]:
    rows = re.findall(r"<tr>(.*?)</tr>", verdicts(comparisons))
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ((1.5, 1.2, 1.9), "cdk 1.5 [1.2, 1.9]"),
        ((0.5, 0.4, 0.8), "pae 2 [1.25, 2.5]"),
        ((1.2, 0.8, 1.9), "? cdk 1.2 [0.8, 1.9]"),
        ((0.99, 0.98, 1.02), "equivalent: 1.010 [0.980, 1.020]"),
        ((1.25,), "? cdk 1.25 (too few networks)"),
        ((None,), "no cell in common"),
    ],
)
def test_a_pair_in_short(numbers: tuple[float | None, ...], said: str) -> None:
    assert glance(comparison("er", pair("cdk", "pae", *numbers))) == [["pair", "er"], ["cdk / pae", said]]


def test_pairs_are_rows_and_groups_columns_whatever_their_order() -> None:
    first = comparison("er", pair("cdk", "pae", 1.5, 1.2, 1.9), pair("cdk", "random", 9, 8, 10))
    second = comparison("ba", pair("pae", "cdk", 1.5, 1.2, 1.9), pair("iae", "pae", 2, 1.5, 3))
    assert glance(first, second) == [
        ["pair", "er", "ba"],
        ["cdk / pae", "cdk 1.5 [1.2, 1.9]", "pae 1.5 [1.2, 1.9]"],
        ["pae / iae", "–", "iae 2 [1.5, 3]"],
    ]


def test_many_sentences_are_folded_by_group_and_none_is_lost() -> None:
    names = ("a", "b", "c", "d")
    pairs = [pair(a, b, 1.5, 1.2, 1.9) for a in names for b in names if a < b]
    few, many = comparison("er", *pairs), comparison("ba", pairs[0])
    assert "<details>" not in verdicts([few])
    html = verdicts([few, many])
    assert "er, pair by pair in words" in html and "ba, pair by pair in words" in html
    for said in (few, many):
        for sentence in said.verdict():
            assert sentence in html


def test_controls_alone_are_compared_too() -> None:
    html = verdicts([comparison("er", pair("popularity", "random", 2, 1.5, 3))])
    assert "popularity ranks better than random" in html and "<table>" not in html
    assert "at least two models" in verdicts([])


@pytest.mark.parametrize(("ratio", "said"), [(1.0014, "1.001"), (0.9951, "0.995"), (1.123, "1.12"), (12.34, "12.3")])
def test_times(ratio: float, said: str) -> None:
    assert times(float(np.log(ratio))) == said

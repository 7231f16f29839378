"""Block, next-user and source entropy, and Lempel–Ziv, against values worked out by hand and slow twins."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.disorder import twins

from cascurve.cascades import CascadeSet
from cascurve.disorder import block_entropy, lempel_ziv, next_entropy, source_entropy
from cascurve.errors import ConfigError

RNG = np.random.default_rng(0)
FORK = CascadeSet.of([[0, 1, 2], [0, 1, 3]])


def bits(counts: Counter[object]) -> float:
    return float(stats.entropy(list(counts.values()), base=2)) if counts else math.nan


@pytest.mark.parametrize(("order", "expected"), [(1, 2 / 3 * math.log2(3) + math.log2(6) / 3), (2, 1.5), (3, 1.0)])
def test_block_entropy_by_hand(order: int, expected: float) -> None:
    assert block_entropy.measure(FORK, order=order, rng=RNG).value == pytest.approx(expected)


@given(twins.cascade_sets, st.integers(1, 4))
def test_block_entropy_equals_the_twin(cascades: CascadeSet, order: int) -> None:
    blocks = Counter(tuple(c[i : i + order].tolist()) for c in cascades for i in range(len(c) - order + 1))
    found = block_entropy.measure(cascades, order=order, rng=RNG).value
    assert found == pytest.approx(bits(blocks), abs=1e-12, nan_ok=True)  # type: ignore[arg-type]


def test_block_entropy_needs_a_block() -> None:
    with pytest.raises(ConfigError, match="order"):
        block_entropy.measure(FORK, order=0, rng=RNG)


def test_next_entropy_by_hand() -> None:
    """From 0 the next is sure, from 1 it is a coin; half the steps start at 1."""
    assert next_entropy.measure(FORK, rng=RNG).value == pytest.approx(0.5)


@given(twins.cascade_sets)
def test_next_entropy_is_the_mean_over_the_last_user(cascades: CascadeSet) -> None:
    steps: dict[int, Counter[object]] = {}
    for users in cascades:
        for last, following in zip(users[:-1].tolist(), users[1:].tolist(), strict=True):
            steps.setdefault(last, Counter())[following] += 1
    total = sum(each.total() for each in steps.values())
    expected = sum(each.total() * bits(each) for each in steps.values()) / total if total else math.nan
    assert next_entropy.measure(cascades, rng=RNG).value == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_source_entropy_by_hand() -> None:
    assert source_entropy.measure(CascadeSet.of([[0, 9], [1], [1, 2], [2]]), rng=RNG).value == pytest.approx(1.5)


def test_lempel_ziv_of_a_textbook_string() -> None:
    """A|AB|ABB|B|ABA|ABAB|BB|ABBA|BB."""
    text = np.array([letter == "B" for letter in "AABABBBABAABABBBABBABB"], dtype=np.int32)
    assert lempel_ziv.count_phrases(np.array([0, len(text)]), text) == 9


def test_lempel_ziv_phrases_end_with_their_cascade() -> None:
    cascades = CascadeSet.of([[0, 1], [0, 1], [0, 1, 2], [0, 1, 2]])  # 0|1, 01, 012 (01 + 2), 012 again
    found = lempel_ziv.measure(cascades, rng=RNG).value
    assert found == pytest.approx(5 * math.log2(5) / 10)


def test_lempel_ziv_of_repeats_is_below_that_of_chance() -> None:
    fixed = CascadeSet.of([list(range(20))] * 200)
    random = twins.random_set(20, 200, 20)
    assert lempel_ziv.measure(fixed, rng=RNG).value < 0.5 * lempel_ziv.measure(random, rng=RNG).value

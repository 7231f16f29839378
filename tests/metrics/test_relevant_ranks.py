"""The kernel against a slow twin, and its edge cases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cascurve.cascades import CascadeSet
from cascurve.errors import DataError
from cascurve.metrics.relevant_ranks import RelevantRanks, ranks_of, relevant_ranks

Groups = list[tuple[int, int, int, int]]


def slow_twin(row: np.ndarray, truth: list[int]) -> tuple[int, Groups, list[int]]:
    """(candidates, groups (above, relevant above, size, relevant), group of each recipient) by definition."""
    ranked = row[~np.isnan(row)]
    mine = row[truth] if len(truth) else row[:0]
    levels = sorted(set(mine[~np.isnan(mine)].tolist()), reverse=True)
    groups = [tuple(int(np.sum(x)) for x in (ranked > v, mine > v, ranked == v, mine == v)) for v in levels]
    place = {level: i for i, level in enumerate(levels)}
    return len(ranked), groups, [place.get(value, -1) for value in mine.tolist()]


def compare(ranks: RelevantRanks, scores: np.ndarray, truths: list[list[int]], rows: list[int]) -> None:
    for i, (truth, row) in enumerate(zip(truths, rows, strict=True)):
        n_candidates, groups, group_of = slow_twin(scores[row], truth)
        a, b = ranks.offsets[i : i + 2]
        found = zip(ranks.above[a:b], ranks.relevant_above[a:b], ranks.size[a:b], ranks.relevant[a:b], strict=True)
        assert [tuple(map(int, group)) for group in found] == groups
        assert ranks.n_candidates[i] == n_candidates
        assert ranks.n_relevant[i] == len(truth)
        assert ranks.n_ranked[i] == sum(g >= 0 for g in group_of)
        mine = ranks.recipient_group[ranks.recipient_offsets[i] : ranks.recipient_offsets[i + 1]]
        assert [int(g) - int(a) if g >= 0 else -1 for g in mine] == group_of


values = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 1.5, np.inf, -np.inf, np.nan, 1e38, -1e38, 1e-42, 3e38, -3e38]),
    st.floats(width=32),
)


@given(st.data(), st.sampled_from([np.float32, np.float64]))
def test_equals_the_slow_twin(data: st.DataObject, dtype: type) -> None:
    n = data.draw(st.integers(1, 12))
    scores = np.array(data.draw(st.lists(st.lists(values, min_size=n, max_size=n), min_size=1, max_size=3)), dtype)
    truth = st.lists(st.integers(0, n - 1), unique=True, max_size=n)
    truths = data.draw(st.lists(truth, max_size=6))
    rows = [data.draw(st.integers(0, len(scores) - 1)) for _ in truths]
    offsets = np.concatenate([[0], np.cumsum([len(t) for t in truths])]).astype(int)
    compare(ranks_of(scores, offsets, [u for t in truths for u in t], rows), scores, truths, rows)


@pytest.mark.parametrize("kind", ["normal", "heavy", "rounded", "constant", "sparse", "clusters"])
@pytest.mark.parametrize(("n", "n_relevant"), [(700, 3), (700, 150), (9000, 20), (9000, 3000)])
def test_equals_the_slow_twin_on_larger_rankings(kind: str, n: int, n_relevant: int) -> None:
    rng = np.random.default_rng(5)
    rows = [2, 0, 2, 1, 2, 2] if n_relevant < 1000 else [1, 0]
    scores = rng.standard_normal((3, n)).astype(np.float32)
    if kind == "heavy":
        scores = np.exp(12 * scores)
    elif kind == "rounded":
        scores = np.round(scores, 1)
    elif kind == "constant":
        scores[:] = 0.25
    elif kind == "clusters":  # no cells of equal width or ratio keep the recipients apart
        scores = (np.where(scores > 0, 0.75, 0.25) + 1e-6 * scores).astype(np.float32)
    elif kind == "sparse":
        scores[rng.random(scores.shape) < 0.9] = np.nan
    truths = [rng.choice(n, n_relevant, replace=False).tolist() for _ in rows]
    ranks = ranks_of(scores, np.arange(len(rows) + 1) * n_relevant, np.concatenate(truths), rows)
    compare(ranks, scores, truths, rows)


def test_the_source_is_neither_candidate_nor_recipient() -> None:
    test = CascadeSet.of([[0, 2, 1], [0, 3]], 4)
    scores = np.array([[np.nan, 0.5, 0.9, 0.9]], np.float32)
    ranks = relevant_ranks(scores, test, [0, 0])
    assert ranks.n_candidates.tolist() == [3, 3]
    assert ranks.n_relevant.tolist() == [2, 1]
    assert ranks.users.tolist() == [2, 1, 3]
    assert ranks.above.tolist() == [0, 2, 0]
    assert ranks.size.tolist() == [2, 1, 2]


def test_known_users_may_differ_by_cascade() -> None:
    test = CascadeSet.of([[0, 1, 2], [1, 0, 2], [3]], 4)
    scores = np.array([[np.nan, np.nan, 1, 2], [1, np.nan, 3, 4], [1, 2, 3, np.nan]], np.float32)
    ranks = relevant_ranks(scores, test, [0, 1, 2], known=[2, 1, 5])
    assert ranks.n_relevant.tolist() == [1, 2, 0]
    assert ranks.users.tolist() == [2, 0, 2]


def test_faults_are_named() -> None:
    test = CascadeSet.of([[0, 1], [2, 1]], 3)
    scores = np.zeros((1, 3), np.float32)
    with pytest.raises(DataError, match="the query of cascade 0 ranks user 0"):
        relevant_ranks(scores, test, [0, 0])
    with pytest.raises(DataError, match=r"expected scores of shape \(queries, 3\), found \(1, 2\)"):
        relevant_ranks(scores[:, :2], test, [0, 0])
    with pytest.raises(DataError, match="query rows run from 0 to 0, found 0 to 1"):
        relevant_ranks(scores, test, [0, 1])
    with pytest.raises(DataError, match="one query row for each of the 2 cascades, found 1"):
        relevant_ranks(scores, test, [0])
    with pytest.raises(DataError, match="users run from 0 to 2, found -1"):
        ranks_of(scores, [0, 1], [-1], [0])

import numpy as np
import pytest
from hypothesis import given
from tests.disorder import twins

from cascurve.cascades import CascadeSet
from cascurve.disorder import pair_counts
from cascurve.disorder.pair_counts import Method, PairTable, pair_table
from cascurve.disorder.pair_index import pair_index

WAYS: list[tuple[Method, int]] = [("dense", 1), ("dense", 3), ("sparse", 1), ("sparse", 3)]


def rows(table: PairTable) -> list[tuple[int, int, int]]:
    return list(zip(table.support.tolist(), table.minority.tolist(), table.pairs.tolist(), strict=True))


@pytest.mark.parametrize(("method", "threads"), WAYS)
def test_the_papers_example(method: Method, threads: int) -> None:
    table = pair_table(CascadeSet.of([[1, 2, 3, 4], [1, 3, 2]]), method=method, threads=threads)
    assert rows(table) == [(1, 0, 3), (2, 0, 2), (2, 1, 1)]
    assert (table.n_pairs, table.incidences, table.mean_support) == (6, 9, 1.5)
    assert table.support_histogram().tolist() == [0, 3, 3]


@given(twins.cascade_sets)
def test_all_ways_equal_the_readable_twin(cascades: CascadeSet) -> None:
    for method, threads in WAYS:
        assert rows(pair_table(cascades, method=method, threads=threads)) == twins.table(cascades)


def test_pairs_with_large_support_are_listed() -> None:
    cascades = CascadeSet.of([[0, 1, 2]] * 40 + [[2, 1, 0, 3]] * 1500 + [[3, 4]] * 3)
    expected = twins.table(cascades)
    assert max(n for n, _, _ in expected) > pair_counts.TABLE_SUPPORT
    for method, threads in WAYS:
        assert rows(pair_table(cascades, method=method, threads=threads)) == expected


def test_counters_hold_more_than_16_bits() -> None:
    cascades = CascadeSet(2, np.arange(0, 2 * 70_000 + 1, 2), np.tile(np.int32([0, 1]), 70_000))
    for method, threads in WAYS:
        assert rows(pair_table(cascades, method=method, threads=threads)) == [(70_000, 0, 1)]


def test_long_lists_are_counted_block_by_block() -> None:
    rng = np.random.default_rng(0)
    cascades = CascadeSet.of([rng.permutation(9500)[: rng.integers(2000, 3000)] for _ in range(12)], 9500)
    assert len(pair_counts._in_blocks(pair_index(cascades))[1]) == 3  # two blocks
    assert 1 in np.bincount(cascades.users)  # and users whose pairs are all seen once
    expected = rows(pair_table(cascades, method="dense"))
    for threads in (1, 3):
        assert rows(pair_table(cascades, method="sparse", threads=threads)) == expected


def test_counters_that_are_full_are_cleared() -> None:
    """Counts of 13 bits leave 32-bit counters room for 64 users."""
    rng = np.random.default_rng(0)
    cascades = CascadeSet.of([rng.permutation(150)[: rng.integers(120, 150)] for _ in range(6000)], 150)
    expected = rows(pair_table(cascades, method="dense"))
    for threads in (1, 2):
        assert rows(pair_table(cascades, method="sparse", threads=threads)) == expected


def test_ranks_and_positions_that_need_more_than_32_bits() -> None:
    long = np.arange(160_000).reshape(8, 20_000)
    cascades = CascadeSet.of([*long, [0, 1, 2], [2, 1, 0]])
    index = pair_index(cascades)
    assert index.packed.dtype == np.uint64
    assert pair_counts._in_blocks(index)[0].packed.dtype == np.uint32  # within a block they need fewer
    assert rows(pair_table(cascades)) == [(1, 0, 8 * 20_000 * 19_999 // 2 - 3), (3, 1, 3)]


def test_words_of_a_block_hold_the_rank_in_it_and_the_position() -> None:
    """Also where positions are so many that no short word holds both."""
    for length, words in ((20_000, np.uint32), (600_000, np.uint64)):
        index, places = pair_counts._in_blocks(pair_index(CascadeSet.of([np.arange(length)])))
        assert index.packed.dtype == words
        ranks = np.arange(length, dtype=np.uint64)
        block = np.uint64(pair_counts.BLOCK)
        np.testing.assert_array_equal(index.packed, (ranks % block << np.uint64(index.shift)) | ranks)
        np.testing.assert_array_equal(places[:, 0], [*range(0, length, pair_counts.BLOCK), length])


def test_no_pairs_at_all() -> None:
    table = pair_table(CascadeSet.of([[0], [1]]))
    assert rows(table) == [] and np.isnan(table.mean_support)
    assert rows(pair_table(CascadeSet.of([], 3), method="sparse")) == []


def test_the_method_is_chosen_by_size() -> None:
    assert pair_counts.dense(twins.random_set(100, 300, 20), "auto")
    assert not pair_counts.dense(twins.random_set(1000, 3, 20), "auto")

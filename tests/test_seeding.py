"""Streams: keyed by meaning, equal to the published generator, uniform."""

import numpy as np
from numba import njit
from scipy import stats

from cascurve import seeding


def test_stream_depends_on_meaning_only() -> None:
    one = seeding.generator(7, "network", topology="er", n=100).integers(0, 2**62, 4)
    same = seeding.generator(7, "network", n=100, topology="er").integers(0, 2**62, 4)
    assert (one == same).all()
    for other in (
        seeding.generator(8, "network", topology="er", n=100),
        seeding.generator(7, "cascades", topology="er", n=100),
        seeding.generator(7, "network", topology="er", n=101),
    ):
        assert (one != other.integers(0, 2**62, 4)).any()


def test_xoshiro_equals_the_reference_algorithm() -> None:
    """Against a plain-Python reading of the published C code, from state (1, 2, 3, 4)."""
    mask = 2**64 - 1

    def rotate(x: int, k: int) -> int:
        return ((x << k) | (x >> (64 - k))) & mask

    def reference(s: list[int]) -> int:
        result = (rotate((s[0] + s[3]) & mask, 23) + s[0]) & mask
        t = (s[1] << 17) & mask
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotate(s[3], 45)
        return result

    state, words = np.array([1, 2, 3, 4], np.uint64), [1, 2, 3, 4]
    drawn = [int(seeding.next_word(state)) for _ in range(100)]
    assert drawn == [reference(words) for _ in range(100)]
    assert drawn[:2] == [41943041, 58720359]  # the values that the published code prints


def test_split_mix_equals_published_values() -> None:
    """SplitMix64 seeded with 0 starts with these words (they stand in many test suites)."""
    gamma = 0x9E3779B97F4A7C15
    words = [int(seeding.split_mix(np.uint64(gamma * (i + 1) % 2**64))) for i in range(2)]
    assert words == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4]


def test_draws_follow_their_laws() -> None:
    state = np.empty(4, np.uint64)
    seeding.start(state, np.uint64(11), 3)
    uniforms = [seeding.uniform(state) for _ in range(4000)]
    below = np.bincount([seeding.below(state, 7) for _ in range(7000)], minlength=7)
    assert len(below) == 7
    assert stats.kstest(uniforms, "uniform").pvalue > 1e-4
    assert stats.chisquare(below).pvalue > 1e-4


@njit
def both_ways(count: int) -> np.ndarray:
    state, words = np.empty(4, np.uint64), seeding.stream(np.uint64(11), 3)
    seeding.start(state, np.uint64(11), 3)
    drawn = np.empty((2, count), np.uint64)
    for draw in range(count):
        if draw % 2:
            drawn[0, draw], words = seeding.step(words)
            drawn[1, draw] = seeding.next_word(state)
        else:
            drawn[0, draw], words = seeding.pick(words, draw + 1)
            drawn[1, draw] = seeding.below(state, draw + 1)
    return drawn


def test_a_stream_in_registers_is_the_same_stream() -> None:
    one, two = both_ways(100)
    assert (one == two).all()


@njit
def exponentials(count: int) -> np.ndarray:
    drawn, words = np.empty(count), seeding.stream(np.uint64(13), 0)
    for draw in range(count):
        drawn[draw], words = seeding.exponential(words)
    return drawn


def test_exponential_draws() -> None:
    """All over its range, in the wedges of the layers, and in the tail that starts beyond the last edge."""
    drawn = exponentials(1_000_000)
    edges = stats.expon.ppf(np.linspace(0, 1, 1001))
    assert stats.chisquare(np.histogram(drawn, edges)[0]).pvalue > 1e-4
    tail = drawn[drawn > seeding.TAIL] - seeding.TAIL
    assert stats.binomtest(len(tail), len(drawn), np.exp(-seeding.TAIL)).pvalue > 1e-4
    assert stats.kstest(tail, "expon").pvalue > 1e-4


def test_layers_of_the_ziggurat_have_one_area() -> None:
    """Each rectangle, from its own density to that of the next edge; the lowest one with the tail."""
    heights = np.diff(np.exp(-seeding.EDGE))[1:]
    np.testing.assert_allclose(seeding.EDGE[1:-1] * heights, seeding.AREA, rtol=1e-9)
    lowest = seeding.TAIL * np.exp(-seeding.TAIL) + np.exp(-seeding.TAIL)
    np.testing.assert_allclose(lowest, seeding.AREA, rtol=1e-9)
    assert (np.diff(seeding.EDGE) < 0).all()


def test_streams_of_neighbouring_indices_differ() -> None:
    first = set()
    for index in range(1000):
        state = np.empty(4, np.uint64)
        seeding.start(state, np.uint64(5), index)
        first.add(int(seeding.next_word(state)))
    assert len(first) == 1000

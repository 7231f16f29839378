"""Streams: keyed by meaning, equal to the published generator, uniform."""

import numpy as np
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
    exponentials = [seeding.exponential(state) for _ in range(4000)]
    below = np.bincount([seeding.below(state, 7) for _ in range(7000)], minlength=7)
    assert len(below) == 7
    assert stats.kstest(uniforms, "uniform").pvalue > 1e-4
    assert stats.kstest(exponentials, "expon").pvalue > 1e-4
    assert stats.chisquare(below).pvalue > 1e-4


def test_streams_of_neighbouring_indices_differ() -> None:
    first = set()
    for index in range(1000):
        state = np.empty(4, np.uint64)
        seeding.start(state, np.uint64(5), index)
        first.add(int(seeding.next_word(state)))
    assert len(first) == 1000

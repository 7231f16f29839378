"""Random streams keyed by meaning.

A stream is named by the study's seed, a stage and only the wildcards that define that stage. So no
result depends on the number of cores, the order of jobs or the size of the grid, and models of one
cell share its network and cascades (common random numbers).

Inside kernels the generator is xoshiro256++ (Blackman & Vigna 2021), one stream per (key, index),
started by SplitMix64. A stream's state is four words: an array (`start`, `uniform`, …) or, twice as fast, a tuple
(`stream`, `step`, …). The implementation is ours so that a NumPy release cannot change the draws.
"""

import hashlib
import math
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

State = NDArray[np.uint64]

GAMMA = np.uint64(0x9E3779B97F4A7C15)
"""What SplitMix64 counts by."""

LAYERS, TAIL, AREA = 256, 7.69711747013104972, 0.0039496598225815571993
"""The ziggurat of the exponential density: its layers, the edge of the lowest one, and the area of each."""


def _edges() -> NDArray[np.float64]:
    """Edges of the layers; the lowest one stands for its rectangle and the tail, so it is as wide as its area asks."""
    edge = [AREA / math.exp(-TAIL), TAIL]
    while len(edge) < LAYERS:
        edge.append(-math.log(AREA / edge[-1] + math.exp(-edge[-1])))
    return np.array([*edge, 0.0])


EDGE = _edges()


def sequence(seed: int, stage: str, **wildcards: object) -> np.random.SeedSequence:
    """The seed sequence of a stage.

    Parameters
    ----------
    seed : the study's seed, >= 0.
    stage : name of the stage, such as ``"network"``.
    wildcards : what defines this stage's draw; the order of the keywords does not matter.
    """
    name = "\0".join([stage, *(f"{key}={wildcards[key]}" for key in sorted(wildcards))])
    digest = hashlib.blake2b(name.encode(), digest_size=16).digest()
    words = np.frombuffer(digest, dtype="<u4")
    return np.random.SeedSequence(seed, spawn_key=tuple(int(word) for word in words))


def generator(seed: int, stage: str, **wildcards: object) -> np.random.Generator:
    """A NumPy generator on the stage's stream (PCG64)."""
    return np.random.Generator(np.random.PCG64(sequence(seed, stage, **wildcards)))


def kernel_key(rng: np.random.Generator) -> np.uint64:
    """A 64-bit key for kernel streams, drawn from `rng`."""
    return np.uint64(rng.integers(0, 2**64, dtype=np.uint64))


@njit(cache=True)
def split_mix(state: Any) -> Any:
    """SplitMix64's output for the counter `state` (uint64)."""
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit(cache=True)
def stream(key: Any, index: Any) -> Any:
    """The start of the stream (key, index): four uint64, which a kernel may hold in registers; see `step`."""
    counter = split_mix(np.uint64(key) + GAMMA * (np.uint64(index) + np.uint64(1)))
    return (
        split_mix(counter + GAMMA),
        split_mix(counter + np.uint64(2) * GAMMA),
        split_mix(counter + np.uint64(3) * GAMMA),
        split_mix(counter + np.uint64(4) * GAMMA),
    )


@njit(cache=True)
def step(words: Any) -> Any:
    """The next 64 random bits of a stream (xoshiro256++), and the stream after them."""
    s0, s1, s2, s3 = words
    total = s0 + s3
    word = ((total << np.uint64(23)) | (total >> np.uint64(41))) + s0
    shifted = s1 << np.uint64(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << np.uint64(45)) | (s3 >> np.uint64(19))
    return word, (s0, s1, s2, s3)


@njit(cache=True)
def unit(word: Any) -> Any:
    """Random bits as a float64 in [0, 1), of which 53 count."""
    return np.float64(word >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit(cache=True)
def pick(words: Any, bound: Any) -> Any:
    """An integer in [0, bound) for 0 < bound <= 2**32, exactly uniform (Lemire 2019, with rejection); the stream after.

    It takes the upper half of one word, and seldom of more.
    """
    limit = np.uint64(bound)
    mask = np.uint64(0xFFFFFFFF)
    word, words = step(words)
    product = (word >> np.uint64(32)) * limit
    if (product & mask) < limit:
        threshold = (np.uint64(0x100000000) - limit) % limit
        while (product & mask) < threshold:
            word, words = step(words)
            product = (word >> np.uint64(32)) * limit
    return product >> np.uint64(32), words


@njit(cache=True)
def exponential(words: Any) -> Any:
    """A draw of Exp(1), and the stream after; the ziggurat of Marsaglia & Tsang (2000), exact, with 256 layers.

    Layer i is a rectangle of width ``EDGE[i]``; all have the same area, and together they cover the density. A point
    of a layer that lies left of ``EDGE[i + 1]`` is below the density for sure: 99 in 100 do, and need no logarithm.
    The layer is chosen by bits of the word that its uniform draw does not use. What lies beyond the last edge is
    exponential again.
    """
    beyond = 0.0
    while True:
        word, words = step(words)
        layer = word & np.uint64(LAYERS - 1)
        value = unit(word) * EDGE[layer]
        if value < EDGE[layer + np.uint64(1)]:
            return beyond + value, words
        if layer == 0:
            beyond += EDGE[1]
            continue
        word, words = step(words)
        low, high = np.exp(-EDGE[layer]), np.exp(-EDGE[layer + np.uint64(1)])
        if low + unit(word) * (high - low) < np.exp(-value):
            return beyond + value, words


@njit(cache=True)
def start(state: Any, key: Any, index: Any) -> None:
    """Put `state` (uint64[4]) at the start of the stream (key, index)."""
    state[0], state[1], state[2], state[3] = stream(key, index)


@njit(cache=True)
def next_word(state: Any) -> Any:
    """The next 64 random bits of `state`."""
    word, words = step((state[0], state[1], state[2], state[3]))
    state[0], state[1], state[2], state[3] = words
    return word


@njit(cache=True)
def uniform(state: Any) -> Any:
    """A float64 in [0, 1) with 53 random bits."""
    return unit(next_word(state))


@njit(cache=True)
def below(state: Any, bound: Any) -> Any:
    """An integer in [0, bound) for 0 < bound <= 2**32, exactly uniform."""
    place, words = pick((state[0], state[1], state[2], state[3]), bound)
    state[0], state[1], state[2], state[3] = words
    return np.int64(place)

"""Random streams keyed by meaning.

A stream is named by the study's seed, a stage and only the wildcards that define that stage. So no
result depends on the number of cores, the order of jobs or the size of the grid, and models of one
cell share its network and cascades (common random numbers).

Inside kernels the generator is xoshiro256++ (Blackman & Vigna 2021), one stream per (key, index),
started by SplitMix64. The implementation is ours so that a NumPy release cannot change the draws.
"""

import hashlib
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

State = NDArray[np.uint64]


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
def start(state: Any, key: Any, index: Any) -> None:
    """Put `state` (uint64[4]) at the start of the stream (key, index)."""
    counter = split_mix(np.uint64(key) + np.uint64(0x9E3779B97F4A7C15) * (np.uint64(index) + np.uint64(1)))
    for word in range(4):
        counter += np.uint64(0x9E3779B97F4A7C15)
        state[word] = split_mix(counter)


@njit(cache=True)
def next_word(state: Any) -> Any:
    """The next 64 random bits of `state` (xoshiro256++)."""
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    total = s0 + s3
    word = ((total << np.uint64(23)) | (total >> np.uint64(41))) + s0
    shifted = s1 << np.uint64(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << np.uint64(45)) | (s3 >> np.uint64(19))
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
    return word


@njit(cache=True)
def uniform(state: Any) -> Any:
    """A float64 in [0, 1) with 53 random bits."""
    return np.float64(next_word(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit(cache=True)
def exponential(state: Any) -> Any:
    """A draw of Exp(1), by inversion; the difference is exact."""
    return -np.log(1.0 - uniform(state))


@njit(cache=True)
def below(state: Any, bound: Any) -> Any:
    """An integer in [0, bound) for 0 < bound <= 2**32, exactly uniform (Lemire 2019, with rejection)."""
    limit = np.uint64(bound)
    mask = np.uint64(0xFFFFFFFF)
    product = (next_word(state) >> np.uint64(32)) * limit
    if (product & mask) < limit:
        threshold = (np.uint64(0x100000000) - limit) % limit
        while (product & mask) < threshold:
            product = (next_word(state) >> np.uint64(32)) * limit
    return np.int64(product >> np.uint64(32))

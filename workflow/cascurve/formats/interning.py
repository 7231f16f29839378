"""`Labels`: users' ids as they stand in files, numbered in the order in which they are met."""

import contextlib
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numba import njit
from numpy.typing import NDArray

from cascurve.seeding import split_mix


class Labels:
    """A growing table of distinct labels; one table serves all files of an import.

    It is a hash table of our own, since Arrow's dictionaries, made block by block and then unified, took several
    times as long on a file with many users. A slot is three words: a key of two and the label's number plus one.
    A label of at most 15 bytes is its own key, so that one look into memory settles it.
    """

    def __init__(self) -> None:
        self._table = np.zeros((1024, 3), np.uint64)
        self._offsets = np.zeros(513, np.int64)
        self._store = np.empty(4096, np.uint8)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def codes(self, data: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int32]:
        """The number of each label ``data[starts[i]:ends[i]]``; new labels get new numbers."""
        codes = np.empty(len(starts), np.int32)
        done = 0
        while True:
            done, self._count = _intern(
                data, starts, ends, done, self._table, self._offsets, self._store, self._count, codes
            )
            if done == len(starts):
                return codes
            self._grow(int(ends[done] - starts[done]))

    def find(self, data: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int32]:
        """The number of each label ``data[starts[i]:ends[i]]``, -1 for one that is not in the table."""
        return _find(data, starts, ends, self._table, self._offsets, self._store)

    def content(self) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """(offsets, bytes): label i is ``bytes[offsets[i]:offsets[i + 1]]``."""
        return self._offsets[: self._count + 1], self._store[: self._offsets[self._count]]

    def codes_of(self, strings: pa.Array) -> NDArray[np.int32]:
        """The number of each label of an Arrow string array without nulls."""
        array = pc.cast(strings, pa.large_string())
        _, offsets, data = array.buffers()
        ends = np.frombuffer(offsets, np.int64)[array.offset : array.offset + len(array) + 1]
        content = np.frombuffer(data, np.uint8) if data is not None else np.empty(0, np.uint8)
        return self.codes(content, ends[:-1], ends[1:])

    def text(self, code: int) -> str:
        """One label."""
        return self._store[self._offsets[code] : self._offsets[code + 1]].tobytes().decode()

    def ordered(self, used: NDArray[np.bool_]) -> tuple[pa.StringArray, NDArray[np.int32]]:
        """The labels that are used, in order, and the place of each label in it (-1: not used).

        The order is by number where all are integers, else (and among equal numbers) by text.
        """
        offsets, data = self.content()
        everything = pa.LargeStringArray.from_buffers(self._count, pa.py_buffer(offsets), pa.py_buffer(data))
        codes = np.flatnonzero(used)
        labels = everything.take(pa.array(codes))
        order: NDArray[np.int64] = pc.sort_indices(labels).to_numpy().astype(np.int64)
        with contextlib.suppress(pa.ArrowInvalid):  # not all are integers
            order = order[np.argsort(pc.cast(labels, pa.int64()).to_numpy()[order], kind="stable")]
        places = np.full(self._count, -1, np.int32)
        places[codes[order]] = np.arange(len(order), dtype=np.int32)
        return pc.cast(labels.take(pa.array(order)), pa.string()), places

    def _grow(self, label_size: int) -> None:
        """Room for twice as many labels, and for one more of the given size."""
        self._offsets = np.concatenate([self._offsets, np.zeros(len(self._table) // 2, np.int64)])
        self._store = np.concatenate([self._store, np.empty(len(self._store) + label_size, np.uint8)])
        larger = np.zeros((2 * len(self._table), 3), np.uint64)
        _move(self._table, larger)
        self._table = larger


@njit(cache=True)
def _intern(
    data: NDArray[np.uint8],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    done: Any,
    table: NDArray[np.uint64],
    offsets: NDArray[np.int64],
    store: NDArray[np.uint8],
    count: Any,
    codes: NDArray[np.int32],
) -> tuple[Any, Any]:
    """Look up or add labels from `done` on; returns (how far it came before room ran out, labels)."""
    mask = np.uint64(len(table) - 1)
    for token in range(done, len(starts)):
        start, size = starts[token], ends[token] - starts[token]
        if count + 1 == len(offsets) or offsets[count] + size > len(store):
            return token, count
        low, high = label_key(data, start, size)
        slot = _slot(data, start, size, low, high, table, offsets, store, mask)
        if table[slot, 2] == 0:
            table[slot, 0], table[slot, 1], table[slot, 2] = low, high, np.uint64(count + 1)
            for i in range(size):
                store[offsets[count] + i] = data[start + i]
            offsets[count + 1] = offsets[count] + size
            count += 1
        codes[token] = np.int64(table[slot, 2]) - 1
    return len(starts), count


@njit(cache=True)
def _find(
    data: NDArray[np.uint8],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    table: NDArray[np.uint64],
    offsets: NDArray[np.int64],
    store: NDArray[np.uint8],
) -> NDArray[np.int32]:
    codes = np.empty(len(starts), np.int32)
    mask = np.uint64(len(table) - 1)
    for token in range(len(starts)):
        start, size = starts[token], ends[token] - starts[token]
        low, high = label_key(data, start, size)
        slot = _slot(data, start, size, low, high, table, offsets, store, mask)
        codes[token] = np.int64(table[slot, 2]) - 1
    return codes


@njit(cache=True)
def _slot(
    data: NDArray[np.uint8],
    start: Any,
    size: Any,
    low: Any,
    high: Any,
    table: NDArray[np.uint64],
    offsets: NDArray[np.int64],
    store: NDArray[np.uint8],
    mask: Any,
) -> Any:
    """Where a label stands in the table, or the free slot where it would."""
    slot = _first_slot(low, high, mask)
    while table[slot, 2] != 0:
        if table[slot, 0] == low and table[slot, 1] == high:
            code = np.int64(table[slot, 2]) - 1
            if size <= 15 or _same(data, start, size, store, offsets[code], offsets[code + 1]):
                break
        slot = (slot + np.uint64(1)) & mask
    return slot


@njit(cache=True)
def label_key(data: NDArray[np.uint8], start: Any, size: Any) -> tuple[Any, Any]:
    """Two words: the bytes and their number up to 15 bytes; above that a hash, which can be the same for two labels."""
    low, high = np.uint64(0), np.uint64(0)
    if size <= 15:
        for i in range(min(size, 8)):
            low |= np.uint64(data[start + i]) << np.uint64(8 * i)
        for i in range(8, size):
            high |= np.uint64(data[start + i]) << np.uint64(8 * (i - 8))
        return low, high | np.uint64(size) << np.uint64(56)
    for word in range(0, size, 8):
        taken = np.uint64(0)
        for i in range(min(8, size - word)):
            taken |= np.uint64(data[start + word + i]) << np.uint64(8 * i)
        low = split_mix(low + np.uint64(0x9E3779B97F4A7C15) + taken)
    return low, np.uint64(0xFF) << np.uint64(56)


@njit(cache=True)
def _first_slot(low: Any, high: Any, mask: Any) -> Any:
    return split_mix(low ^ (high * np.uint64(0x9E3779B97F4A7C15))) & mask


@njit(cache=True)
def _same(data: NDArray[np.uint8], start: Any, size: Any, store: NDArray[np.uint8], begin: Any, end: Any) -> bool:
    if end - begin != size:
        return False
    for i in range(size):
        if store[begin + i] != data[start + i]:
            return False
    return True


@njit(cache=True)
def _move(table: NDArray[np.uint64], larger: NDArray[np.uint64]) -> None:
    """Put all entries into a larger table."""
    mask = np.uint64(len(larger) - 1)
    for old in range(len(table)):
        if table[old, 2] != 0:
            slot = _first_slot(table[old, 0], table[old, 1], mask)
            while larger[slot, 2] != 0:
                slot = (slot + np.uint64(1)) & mask
            larger[slot] = table[old]

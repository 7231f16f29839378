"""`Labels`: users' ids as they stand in files, numbered in the order in which they are met."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numba import njit
from numpy.typing import NDArray

from cascurve.formats.slices import gather
from cascurve.seeding import split_mix

DIGITS = 7
SMALL = 10**DIGITS
ZERO = ord("0")


class Labels:
    """A growing table of distinct labels; one table serves all files of an import.

    It is a hash table of our own, since Arrow's dictionaries, made block by block and then unified, took several
    times as long on a file with many users. A slot is three words: a key of two and the label's number plus one.
    A label of at most 15 bytes is its own key, so that one look into memory settles it. Most published files number
    their users; the number of a label that is a small number stands in an array at that place, a sixth of the size.
    """

    def __init__(self) -> None:
        self._numbered = np.zeros(SMALL, np.int32)  # number plus one; pages that are not written cost nothing
        self._table = np.zeros((1024, 3), np.uint64)
        self._offsets = np.zeros(513, np.int64)
        self._store = np.empty(4096, np.uint8)
        self._count = 0
        self._hashed = 0

    def __len__(self) -> int:
        return self._count

    def codes(self, data: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int32]:
        """The number of each label ``data[starts[i]:ends[i]]``; new labels get new numbers."""
        codes = np.empty(len(starts), np.int32)
        done = 0
        while True:
            room = (self._numbered, self._table, self._offsets, self._store)
            done, self._count, self._hashed = _intern(data, starts, ends, done, *room, self._count, self._hashed, codes)
            if done == len(starts):
                return codes
            self._grow(int(ends[done] - starts[done]))

    def find(self, data: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int32]:
        """The number of each label ``data[starts[i]:ends[i]]``, -1 for one that is not in the table."""
        return _find(data, starts, ends, self._numbered, self._table, self._offsets, self._store)

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
        codes = np.flatnonzero(used)
        order = _order(pa.LargeStringArray.from_buffers(self._count, pa.py_buffer(offsets), pa.py_buffer(data)), codes)
        places = np.full(self._count, -1, np.int32)
        places[order] = np.arange(len(order), dtype=np.int32)
        starts, content = gather(data, offsets[order], offsets[order + 1])
        return pa.StringArray.from_buffers(len(order), pa.py_buffer(starts), pa.py_buffer(content)), places

    def _grow(self, label_size: int) -> None:
        """Twice the room, where there is none left, and room for one more label of the given size."""
        if self._count + 1 == len(self._offsets):
            self._offsets = np.concatenate([self._offsets, np.zeros(len(self._offsets), np.int64)])
        if self._offsets[self._count] + label_size > len(self._store):
            self._store = np.concatenate([self._store, np.empty(len(self._store) + label_size, np.uint8)])
        if 2 * self._hashed == len(self._table):
            larger = np.zeros((2 * len(self._table), 3), np.uint64)
            _move(self._table, larger)
            self._table = larger


def _order(labels: pa.LargeStringArray, codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The codes in the order of their labels: by number where all are integers, else and among equals by text."""
    chosen = labels if len(codes) == len(labels) else labels.take(pa.array(codes))
    try:
        numbers = pc.cast(chosen, pa.int64()).to_numpy()
    except pa.ArrowInvalid:
        return codes[pc.sort_indices(chosen).to_numpy().astype(np.int64)]
    order = np.argsort(numbers)
    if len(order) > 1 and np.diff(numbers[order]).min() == 0:  # as 7 and 007
        order = pc.sort_indices(chosen).to_numpy().astype(np.int64)
        order = order[np.argsort(numbers[order], kind="stable")]
    return codes[order]


@njit(cache=True)
def _intern(
    data: NDArray[np.uint8],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    done: Any,
    numbered: NDArray[np.int32],
    table: NDArray[np.uint64],
    offsets: NDArray[np.int64],
    store: NDArray[np.uint8],
    count: Any,
    hashed: Any,
    codes: NDArray[np.int32],
) -> tuple[Any, Any, Any]:
    """Look up or add labels from `done` on; returns how far it came before room ran out, and the two counts.

    The small numbers are made out first: the look-ups that then stand alone in their loop wait for memory together.
    """
    mask = np.uint64(len(table) - 1)
    for token in range(done, len(starts)):
        codes[token] = _small(data, starts[token], ends[token] - starts[token])
    for token in range(done, len(starts)):
        start, size, small = starts[token], ends[token] - starts[token], codes[token]
        if small < 0 and token > done and _repeated(data, start, ends[token], starts[token - 1], ends[token - 1]):
            codes[token] = codes[token - 1]
            continue
        if count + 1 == len(offsets) or offsets[count] + size > len(store) or 2 * hashed == len(table):
            return token, count, hashed
        if small >= 0:
            code = np.int64(numbered[small])
            if code == 0:
                numbered[small] = count + 1
        else:
            low, high = label_key(data, start, size)
            slot = _slot(data, start, size, low, high, table, offsets, store, mask)
            code = np.int64(table[slot, 2])
            if code == 0:
                table[slot, 0], table[slot, 1], table[slot, 2] = low, high, np.uint64(count + 1)
                hashed += 1
        if code == 0:
            for i in range(size):
                store[offsets[count] + i] = data[start + i]
            offsets[count + 1] = offsets[count] + size
            count += 1
            code = count
        codes[token] = code - 1
    return len(starts), count, hashed


@njit(cache=True)
def _repeated(data: NDArray[np.uint8], start: Any, end: Any, earlier: Any, earlier_end: Any) -> bool:
    """Whether a label is that of the token before, as in tables where a cascade's rows stand together."""
    if end - start != earlier_end - earlier:
        return False
    while end > start and data[end - 1] == data[earlier_end - 1]:  # names often differ in their ends only
        end -= 1
        earlier_end -= 1
    return end == start


@njit(cache=True)
def _find(
    data: NDArray[np.uint8],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    numbered: NDArray[np.int32],
    table: NDArray[np.uint64],
    offsets: NDArray[np.int64],
    store: NDArray[np.uint8],
) -> NDArray[np.int32]:
    codes = np.empty(len(starts), np.int32)
    mask = np.uint64(len(table) - 1)
    for token in range(len(starts)):
        start, size = starts[token], ends[token] - starts[token]
        small = _small(data, start, size)
        if small >= 0:
            codes[token] = numbered[small] - 1
        else:
            low, high = label_key(data, start, size)
            slot = _slot(data, start, size, low, high, table, offsets, store, mask)
            codes[token] = np.int64(table[slot, 2]) - 1
    return codes


@njit(cache=True)
def _small(data: NDArray[np.uint8], start: Any, size: Any) -> Any:
    """A number below `SMALL` in its plain form, which no other label can have; else -1."""
    if size == 0 or size > DIGITS or (data[start] == ZERO and size > 1):
        return np.int64(-1)
    value = np.int64(0)
    for i in range(start, start + size):
        digit = np.int64(data[i]) - ZERO
        if digit < 0 or digit > 9:
            return np.int64(-1)
        value = 10 * value + digit
    return value


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

"""`Column`: values that come in pieces, as one array, without a moment at which they are held twice."""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


class Column:
    """A growing array. Its memory is extended in place; pieces put together in the end would need it twice."""

    def __init__(self, dtype: DTypeLike) -> None:
        self._values: NDArray[Any] = np.empty(0, dtype)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def add(self, piece: NDArray[Any]) -> None:
        """Put values at the end; they have to fit the column's type."""
        end = self._size + len(piece)
        if end > len(self._values):
            self._values.resize(end + end // 8, refcheck=False)
        self._values[self._size : end] = piece
        self._size = end

    def whole(self) -> NDArray[Any]:
        """All values. The column is left empty, so that it never grows under who holds them."""
        values = self._values
        values.resize(self._size, refcheck=False)
        self._values, self._size = np.empty(0, values.dtype), 0
        return values

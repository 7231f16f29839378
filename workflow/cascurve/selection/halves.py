"""Which cascades tell the truth and which are tests: a hold-out cut in two, and small test sets from one half."""

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int64]


def halves(n: int, rng: np.random.Generator) -> tuple[Indices, Indices]:
    """Half A, for the truth, and half B, that tests are drawn from; the odd one goes to B."""
    order = rng.permutation(n)
    return order[: n // 2], order[n // 2 :]


def draw_sets(pool: Indices, size: int, count: int, rng: np.random.Generator) -> Indices:
    """Test sets of `size` cascades of the pool; shape (count, size).

    No cascade twice in a set. Sets do not overlap as long as the pool lasts; then it is dealt out anew.

    Raises `ValueError` where the pool is smaller than one set.
    """
    per_deal = len(pool) // size
    if per_deal < 1:
        raise ValueError(f"a pool of {len(pool)} cascades holds no test set of {size}")
    deals = [rng.permutation(pool)[: per_deal * size].reshape(per_deal, size) for _ in range(-(-count // per_deal))]
    return np.concatenate(deals)[:count]

"""Ties in time: users of a cascade whose order the data do not tell."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cascurve import seeding
from cascurve.cascades import CascadeSet
from cascurve.empirical.places import random_words
from cascurve.formats.account import Step
from cascurve.formats.imported import Imported


def tied(cascades: CascadeSet) -> NDArray[np.bool_]:
    """Whether each participation has the time of the one before it in its cascade; shape (total,)."""
    if cascades.times is None:
        return np.zeros(len(cascades.users), np.bool_)
    same = np.append(False, cascades.times[1:] == cascades.times[:-1])
    same[cascades.offsets[:-1]] = False
    return same


def resolve(imported: Imported, *, rule: Literal["keep", "random", "drop"], rng: np.random.Generator) -> Imported:
    """Treat ties by a stated rule; the account says how many there were.

    Parameters
    ----------
    rule : "keep": the order of the file. "random": users at the same time in random order, the source still first.
        "drop": only the first of those at the same time stays.
    rng : for "random"; a cascade's order does not depend on the other cascades.
    """
    cascades = imported.cascades
    same = tied(cascades)
    count = int(np.count_nonzero(same))
    if rule == "drop":
        return imported.keep(~same, "users at the time of the one before left out")
    if rule == "keep" or cascades.times is None:
        note = f"{count} steps between users at the same time: file order kept"
        return imported.with_cascades(cascades, Step("ties in time", note=note))
    words = random_words(seeding.kernel_key(rng), np.arange(len(cascades)), cascades.offsets)
    words[cascades.offsets[:-1]] = 0
    row = np.repeat(np.arange(len(cascades)), cascades.lengths)
    order = np.lexsort((words, cascades.times, row))
    mixed = CascadeSet(cascades.n_users, cascades.offsets, cascades.users[order], cascades.times)
    note = f"{count} steps between users at the same time: random order"
    return imported.with_cascades(mixed, Step("ties in time", note=note))

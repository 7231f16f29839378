"""What is left out of imported cascades on purpose; each filter adds its row to the account."""

import numpy as np
from numpy.typing import NDArray

from cascurve.errors import ConfigError
from cascurve.formats.imported import Imported


def by_length(imported: Imported, shortest: int = 1, longest: int | None = None) -> Imported:
    """Only cascades of at least `shortest` and at most `longest` users, the source included."""
    lengths = imported.cascades.lengths
    kept = imported
    if shortest > 1:
        kept = kept.take(lengths >= shortest, f"cascades of fewer than {shortest} users left out")
    if longest is None:
        return kept
    return kept.take(kept.cascades.lengths <= longest, f"cascades of more than {longest} users left out")


def in_window(imported: Imported, start: float, end: float) -> Imported:
    """Only cascades that begin in [start, end), and of these only the participations before `end`."""
    times = imported.cascades.times
    if times is None:
        raise ConfigError("window", [start, end], "no window, since the cascades have no times")
    begins = times[imported.cascades.offsets[:-1]]
    kept = imported.take(
        (begins >= start) & (begins < end), f"cascades that begin outside {start:.15g} … {end:.15g} left out"
    )
    assert kept.cascades.times is not None
    return kept.keep(kept.cascades.times < end, f"participations from {end:.15g} on left out")


def in_network(imported: Imported) -> Imported:
    """Only users with a link; a cascade whose source has none begins with its first user who has."""
    if imported.graph is None:
        raise ConfigError("in_network", True, "false, since no network is given")
    linked = (imported.graph.out_degrees + imported.graph.in_degrees) > 0
    return imported.keep(linked[imported.cascades.users], "users without a link left out")


def seen_in_training(
    imported: Imported, test: NDArray[np.bool_], seen: NDArray[np.bool_]
) -> tuple[Imported, NDArray[np.bool_]]:
    """Test cascades without the users that are not seen in training.

    A test cascade whose source is not seen is left out as a whole: nothing is known of its query.

    Parameters
    ----------
    test : which cascades are for test; shape (m,).
    seen : which users are seen; shape (n_users,).

    Returns
    -------
    The rest, and which of the given cascades are in it; shape (m,).
    """
    known = seen[imported.cascades.sources] | ~test
    kept = imported.take(known, "test cascades with a source not seen in training left out")
    in_test = np.repeat(test[known], kept.cascades.lengths)
    return kept.keep(seen[kept.cascades.users] | ~in_test, "test users not seen in training left out"), known

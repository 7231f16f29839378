"""The grid: which data, models and lengths a study has, and which jobs make them.

A job takes one network × mechanism × replicate (or one real data set × replicate), one model, and a chunk of
the lengths. Chunks that earlier runs made are used again, so a new length runs only the new cells.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cascurve.storage import partition
from cascurve.study.config import Study


@dataclass(frozen=True)
class Data:
    """What one set of cascades is drawn for: a network × mechanism × replicate, or a real set [× grade] × replicate."""

    coordinates: tuple[tuple[str, str], ...]
    lengths: tuple[int, ...]

    @property
    def path(self) -> str:
        """Hive path of the coordinates."""
        return partition(dict(self.coordinates))


def data(study: Study) -> Iterator[Data]:
    """All data of the study, in a fixed order; lengths come per data."""
    for replicate in map(str, range(study.replicates)):
        for grid in study.grids:
            for topology in grid.topologies:
                for n in grid.n:
                    lengths = grid.lengths_for(n)
                    for degree in grid.degree if lengths else ():
                        for mechanism in grid.mechanisms:
                            names = ("topology", "n", "degree", "mechanism", "replicate")
                            values = (topology, str(n), f"{degree:g}", mechanism, replicate)
                            yield Data(tuple(zip(names, values, strict=True)), lengths)
        for name, entry in study.empirical.items():
            for grade in entry.grades or (None,):
                graded = (("grade", grade),) if grade else ()
                yield Data((("dataset", name), *graded, ("replicate", replicate)), entry.lengths)


def chunks(wanted: Sequence[int], per_job: int | None, own: Iterable[str], others: Iterable[str] = ()) -> list[str]:
    """Names of the chunks (``"10-20-50"``) whose lengths cover `wanted`.

    Parameters
    ----------
    wanted : lengths, ascending.
    per_job : lengths in a new chunk; None for all of them.
    own : chunks that this study made before; those that help are used first.
    others : chunks that other studies made of the same data; used where they hold nothing that is not wanted, so
        that both studies' jobs are the same, and a shared cache serves both.
    """
    left = set(wanted)
    made: list[str] = []
    for chunk in _longest_first(own, left):
        if left & set(parse_lengths(chunk)):
            made.append(chunk)
            left -= set(parse_lengths(chunk))
    for chunk in _longest_first(others, left):
        if left >= set(parse_lengths(chunk)):
            made.append(chunk)
            left -= set(parse_lengths(chunk))
    rest = [length for length in wanted if length in left]
    step = per_job or max(len(rest), 1)
    return made + [name_lengths(rest[start : start + step]) for start in range(0, len(rest), step)]


def _longest_first(names: Iterable[str], left: set[int]) -> list[str]:
    """Chunks in a fixed order, those first that hold most of what is left."""
    return sorted(set(names), key=lambda name: (-len(left & set(parse_lengths(name))), name))


def name_lengths(lengths: Iterable[int]) -> str:
    """``[10, 20]`` -> ``"10-20"``."""
    return "-".join(map(str, lengths))


def parse_lengths(chunk: str) -> list[int]:
    """Inverse of `name_lengths`."""
    return [int(length) for length in chunk.split("-")]


def covering(wanted: Iterable[int], available: Iterable[str]) -> list[str]:
    """Those of the available chunks that hold any of the wanted lengths, in the given order."""
    needed = set(wanted)
    return [chunk for chunk in available if needed & set(parse_lengths(chunk))]

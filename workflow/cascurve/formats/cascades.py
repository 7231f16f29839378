"""This project's own Parquet: a table of kind "cascades", and a table of kind "graph" as the network.

`CascadeSet.write` and `Graph.write` make them, and so does `Imported.write`, whose users keep their labels.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, TypeVar

import numpy as np
import pyarrow as pa

from cascurve.cascades import CascadeSet
from cascurve.errors import DataError
from cascurve.formats.assembly import assemble
from cascurve.formats.edges import Links
from cascurve.formats.imported import Imported
from cascurve.formats.interning import Labels
from cascurve.formats.raw import Raw
from cascurve.graph import Graph
from cascurve.storage import read_table

Read = TypeVar("Read")


def read(
    files: Mapping[str, str | Path],
    *,
    graph: str | Path | None = None,
    unit: Literal["as_given", "milliseconds", "seconds", "minutes", "hours", "days"] = "as_given",
) -> Imported:
    """Read cascades over users 0 … n - 1 and, if given, the network over the same users.

    Parameters
    ----------
    files : part ("train", "valid", "test", or "all") -> file of kind "cascades"; the parts share their users. Labels
        are the users' numbers, or those of a file ``users.parquet`` beside the first file.
    graph : a file of kind "graph".
    unit : of the times in the files. An import writes seconds, except where it did not know the unit.

    Raises
    ------
    DataError : a file that is not of its kind; parts or network over different numbers of users.
    """
    sets = {part: _whole(path, CascadeSet.read) for part, path in files.items()}
    network = None if graph is None else _whole(graph, Graph.read)
    sizes = {cascades.n_users for cascades in sets.values()} | ({network.n_nodes} if network else set())
    if len(sizes) > 1:
        raise DataError(f"expected parts and network over the same users, found {sorted(sizes)} users", file=graph)
    names = Path(next(iter(files.values()))).with_name("users.parquet")
    size = sizes.pop()
    numbers = pa.chunked_array([pa.array(map(str, range(size)))])
    texts = _whole(names, _labels) if names.is_file() else numbers
    users = Labels()
    codes = users.codes_of(texts.combine_chunks())
    if len(codes) != size or len(users) != size:
        raise DataError(f"expected {size} different labels, found {len(users)} in {len(codes)} rows", file=names)
    raws = [
        Raw(part, Path(path), cascades.users, cascades.times, cascades.lengths, np.arange(1, len(cascades) + 1))
        for (part, cascades), path in zip(sets.items(), files.values(), strict=True)
    ]
    links = Links(network.edge_sources, network.indices, f"{network.n_links} links") if network else None
    return assemble(raws, users, links, direction="forward", unit=unit)


def _labels(path: str | Path) -> pa.ChunkedArray:
    return read_table(path, "users")[0].column("label")


def _whole(path: str | Path, read: Callable[[str | Path], Read]) -> Read:
    """What `read` makes of a file; one whose metadata or columns are damaged is told as such."""
    try:
        return read(path)
    except DataError as error:
        if error.file is not None:
            raise
        raise DataError(str(error), file=path) from None
    except (ValueError, KeyError, TypeError, pa.ArrowException) as error:
        raise DataError(f"not a whole file of this project ({error})", file=path, remedy="make it anew") from None

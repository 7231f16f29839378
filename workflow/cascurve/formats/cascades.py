"""This project's own Parquet: a table of kind "cascades", and a table of kind "graph" as the network.

`CascadeSet.write` and `Graph.write` make them, and so does `Imported.write`, whose users keep their labels.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

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
    sets = {part: CascadeSet.read(path) for part, path in files.items()}
    network = None if graph is None else Graph.read(graph)
    sizes = {cascades.n_users for cascades in sets.values()} | ({network.n_nodes} if network else set())
    if len(sizes) > 1:
        raise DataError(f"expected parts and network over the same users, found {sorted(sizes)} users", file=graph)
    names = Path(next(iter(files.values()))).with_name("users.parquet")
    size = sizes.pop()
    numbers = pa.chunked_array([pa.array(map(str, range(size)))])
    texts = read_table(names, "users")[0].column("label") if names.is_file() else numbers
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

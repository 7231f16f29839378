"""`DataSet`: the cascades of one cell, split before anything is learned."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from cascurve.cascades import CascadeSet
from cascurve.errors import DataError
from cascurve.storage import read_table, write_table


@dataclass(frozen=True)
class DataSet:
    """Training and test cascades of one fixed length.

    Attributes
    ----------
    train, test : cascade sets over the same users; models see `train` only.
    """

    train: CascadeSet
    test: CascadeSet

    def __post_init__(self) -> None:
        if self.train.n_users != self.test.n_users:
            raise DataError(f"train has {self.train.n_users} users and test {self.test.n_users}; expected the same")

    @property
    def n_users(self) -> int:
        """N: size of the user population."""
        return self.train.n_users


def write_datasets(datasets: Mapping[int, DataSet], path: str | Path, n_users: int, provenance: str = "{}") -> None:
    """Write the data sets of one job, keyed by cascade length L, as one table.

    Columns ``length``, ``part`` (train | test), ``users``, ``times`` where known. An empty mapping is legal:
    then every cell of the job failed, and the cells table says why.
    """
    schema = pa.schema([("length", pa.int32()), ("part", pa.string()), ("users", pa.list_(pa.int32()))])
    tables = [schema.empty_table()]
    for length, dataset in datasets.items():
        for part, cascades in (("train", dataset.train), ("test", dataset.test)):
            table = cascades.to_table()
            keys = {"length": np.full(len(cascades), length, np.int32), "part": [part] * len(cascades)}
            tables.append(pa.table(keys | {name: table.column(name) for name in table.column_names}))
    table = pa.concat_tables(tables, promote_options="default")
    write_table(table, path, "dataset", provenance=provenance, n_users=n_users)


def read_datasets(path: str | Path) -> dict[int, DataSet]:
    """Read a file made by `write_datasets`; keys are cascade lengths, ascending."""
    table, header = read_table(path, "dataset")
    n_users = int(header["n_users"])

    def part(length: int, name: str) -> CascadeSet:
        chosen = pc.and_(pc.equal(table["length"], length), pc.equal(table["part"], name))
        return CascadeSet.from_table(table.filter(chosen), n_users)

    lengths = sorted(pc.unique(table["length"]).to_pylist())
    return {length: DataSet(part(length, "train"), part(length, "test")) for length in lengths}

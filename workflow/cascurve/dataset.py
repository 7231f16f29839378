"""`DataSet`: the cascades of one cell, split before anything is learned; `DataSets`: those of one job."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from cascurve.cascades import CascadeSet
from cascurve.errors import DataError
from cascurve.storage import read_table, run_of, write_table


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

    @property
    def train_sample(self) -> CascadeSet:
        """Training cascades to measure the fit on: at most as many as there are for test, evenly spaced."""
        count = min(len(self.train), len(self.test))
        return self.train.take(np.arange(count) * len(self.train) // max(count, 1))

    def limited(self, per_source: int | None) -> "DataSet":
        """With the first `per_source` training cascades of each source only; None for all."""
        if per_source is None:
            return self
        order = np.argsort(self.train.sources, kind="stable")
        sources = self.train.sources[order]
        places = np.arange(len(order)) - np.searchsorted(sources, sources)
        return DataSet(self.train.take(np.sort(order[places < per_source])), self.test)

    def part(self, name: str) -> CascadeSet:
        """The cascades of one part: "train", "test", or "all" (train first)."""
        if name != "all":
            return {"train": self.train, "test": self.test}[name]
        train, test = self.train, self.test
        times = None
        if train.times is not None and test.times is not None:
            times = np.concatenate([train.times, test.times])
        offsets = np.concatenate([train.offsets, train.offsets[-1] + test.offsets[1:]])
        return CascadeSet(self.n_users, offsets, np.concatenate([train.users, test.users]), times)


@dataclass(frozen=True)
class DataSets:
    """The data sets of one job, by cascade length L (the source included).

    Attributes
    ----------
    by_length : the data sets that could be made.
    failed : length -> why there is none.
    cells : length -> facts about how the data set came about (tries, filters, ...); JSON values.
    """

    by_length: Mapping[int, DataSet]
    failed: Mapping[int, str] = field(default_factory=dict)
    cells: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)

    def write(self, path: str | Path, provenance: str = "{}") -> None:
        """Write as one table: ``length``, ``part`` (train | test), ``users``, and ``times`` where known."""
        keys = pa.schema([("length", pa.int32()), ("part", pa.string()), ("users", pa.list_(pa.int32()))])
        tables = [keys.empty_table()]
        for length, dataset in self.by_length.items():
            for part, cascades in (("train", dataset.train), ("test", dataset.test)):
                table = cascades.to_table()
                table = table.add_column(0, "part", pa.array([part] * len(cascades), pa.string()))
                tables.append(table.add_column(0, "length", pa.array(np.full(len(cascades), length, np.int32))))
        facts = {
            "n_users": {length: dataset.n_users for length, dataset in self.by_length.items()},
            "failed": dict(self.failed),
            "cells": dict(self.cells),
        }
        write_table(
            pa.concat_tables(tables, promote_options="default"), path, "datasets", provenance=provenance, **facts
        )

    @classmethod
    def read(cls, *paths: str | Path) -> "DataSets":
        """Read one or several files made by `write`; of a length that stands twice, the first is taken."""
        return cls._merge([cls._read(path) for path in paths])

    @classmethod
    def _read(cls, path: str | Path) -> "DataSets":
        table, header = read_table(path, "datasets")

        rows = table.column("length").to_numpy()
        parts = table.column("part").to_numpy(zero_copy_only=False)

        def part(length: int, name: str) -> CascadeSet:
            chosen = run_of((rows == length) & (parts == name), table)
            return CascadeSet.from_table(chosen, header["n_users"][str(length)])

        lengths = sorted(map(int, header["n_users"]))
        return cls(
            {length: DataSet(part(length, "train"), part(length, "test")) for length in lengths},
            {int(length): reason for length, reason in header["failed"].items()},
            {int(length): facts for length, facts in header["cells"].items()},
        )

    @classmethod
    def _merge(cls, parts: Iterable["DataSets"]) -> "DataSets":
        merged: tuple[dict[int, Any], ...] = ({}, {}, {})
        for part in parts:
            for into, values in zip(merged, (part.by_length, part.failed, part.cells), strict=True):
                into.update({length: value for length, value in values.items() if length not in into})
        return cls(*merged)

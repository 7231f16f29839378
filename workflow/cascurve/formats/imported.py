"""`Imported`: foreign cascades in our form, with the original user ids and an account of what was left out."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.errors import DataError
from cascurve.formats import account as accounts
from cascurve.formats.account import Step
from cascurve.graph import Graph
from cascurve.storage import read_table, write_table


@dataclass(frozen=True)
class Imported:
    """Cascades from foreign files; users are numbered 0 … n - 1 in the order of `labels`.

    Attributes
    ----------
    cascades : with times where the format has them; ``n_users`` counts the network's nodes too.
    labels : Arrow string array, shape (n_users,). The original ids; sorted as numbers where all are integers,
        else as text, so that the numbering does not depend on the order of the lines.
    graph : the network over the same users, or None.
    parts : names of the parts that the files were given as ("all", "train", "valid", "test").
    part : int16, shape (m,). Index in `parts` of each cascade.
    lines : int64, shape (m,). Line of the part's file where each cascade stands or begins.
    account : adds up to what is here.
    in_seconds : whether the times are known to be seconds; else they are in the file's own unit.
    dated : whether they were dates in the files, and so are known to count from 1970.

    Raises
    ------
    DataError : where the pieces do not fit together, the account included.
    """

    cascades: CascadeSet
    labels: pa.StringArray
    graph: Graph | None
    parts: tuple[str, ...]
    part: NDArray[np.int16]
    lines: NDArray[np.int64]
    account: tuple[Step, ...]
    in_seconds: bool = False
    dated: bool = False

    def __post_init__(self) -> None:
        kept = accounts.total(self.account)
        links = 0 if self.graph is None else self.graph.n_links
        here = Step("kept", len(self.cascades), len(self.active_users), len(self.cascades.users), links)
        if kept != here:
            raise DataError(f"the account does not add up: it says {kept}, found {here}")
        sizes = {
            self.cascades.n_users,
            len(self.labels),
            len(self.labels) if self.graph is None else self.graph.n_nodes,
        }
        if len(sizes) > 1 or {len(self.part), len(self.lines)} != {len(self.cascades)}:
            raise DataError(f"cascades, labels and graph differ in their number of users: {sorted(sizes)}")

    @classmethod
    def of(cls, cascades: CascadeSet, graph: Graph | None = None) -> "Imported":
        """Cascades that are already in our form, as one part "all"; labels are the ids."""
        size = len(cascades)
        row = Step(
            "read", size, len(np.unique(cascades.users)), len(cascades.users), 0 if graph is None else graph.n_links
        )
        labels = pa.array(map(str, range(cascades.n_users)), pa.string())
        return cls(cascades, labels, graph, ("all",), np.zeros(size, np.int16), np.arange(1, size + 1), (row,))

    @property
    def active_users(self) -> NDArray[np.int32]:
        """Users who take part in a cascade, ascending."""
        return present(self.cascades.users, self.cascades.n_users)

    def in_part(self, name: str) -> NDArray[np.bool_]:
        """Which cascades came from the part's file; shape (m,)."""
        if name not in self.parts:
            return np.zeros(len(self.cascades), np.bool_)
        return self.part == self.parts.index(name)

    def take(self, chosen: NDArray[np.bool_], step: str) -> "Imported":
        """The chosen cascades (mask, shape (m,)); the others get a row in the account."""
        return self.keep(np.repeat(chosen, self.cascades.lengths), step)

    def keep(self, chosen: NDArray[np.bool_], step: str) -> "Imported":
        """The chosen participations (mask, shape (total,)); the others get a row in the account.

        The first one that stays is the source; a cascade that loses all is gone.
        """
        cascades = self.cascades
        lengths = np.diff(np.concatenate([[0], np.cumsum(chosen)])[cascades.offsets])
        left = lengths > 0
        row = accounts.removal(step, cascades.users, chosen, int(np.count_nonzero(~left)))
        offsets = np.concatenate([[0], np.cumsum(lengths[left])])
        times = None if cascades.times is None else cascades.times[chosen]
        kept = CascadeSet(cascades.n_users, offsets, cascades.users[chosen], times)
        return replace(self, part=self.part[left], lines=self.lines[left], cascades=kept, account=(*self.account, row))

    def with_cascades(self, cascades: CascadeSet, step: Step) -> "Imported":
        """Other cascades in the place of these, and a row that says why."""
        return replace(self, cascades=cascades, account=(*self.account, step))

    def write(self, folder: str | Path, provenance: str = "{}") -> None:
        """Write ``cascades``, ``users``, ``network`` and ``account`` (each ``.parquet``) into a folder."""
        place = Path(folder)
        table = self.cascades.to_table()
        table = table.append_column("part", pa.array([self.parts[part] for part in self.part], pa.string()))
        table = table.append_column("line", pa.array(self.lines))
        facts = {"n_users": self.cascades.n_users, "parts": list(self.parts), "has_network": self.graph is not None}
        write_table(table, place / "cascades.parquet", "cascades", provenance=provenance, **facts)
        write_table(pa.table({"label": self.labels}), place / "users.parquet", "users", provenance=provenance)
        rows = accounts.to_table(self.account)
        write_table(rows, place / "account.parquet", "account", provenance=provenance)
        network = Graph.from_edges(self.cascades.n_users, [], [], directed=True) if self.graph is None else self.graph
        network.write(place / "network.parquet", provenance)

    @classmethod
    def read(cls, folder: str | Path) -> "Imported":
        """Read a folder made by `write`."""
        place = Path(folder)
        table, header = read_table(place / "cascades.parquet", "cascades")
        parts = tuple(header["parts"])
        index = {name: position for position, name in enumerate(parts)}
        return cls(
            CascadeSet.from_table(table, header["n_users"]),
            read_table(place / "users.parquet", "users")[0].column("label").combine_chunks(),
            Graph.read(place / "network.parquet") if header["has_network"] else None,
            parts,
            np.array([index[name] for name in table.column("part").to_pylist()], np.int16),
            table.column("line").to_numpy(),
            accounts.from_table(read_table(place / "account.parquet", "account")[0]),
        )


def present(users: NDArray[np.int32], n_users: int) -> NDArray[np.int32]:
    """The distinct users, ascending; a mask, since a count would copy all entries to wider integers."""
    seen = np.zeros(n_users, np.bool_)
    seen[users] = True
    return np.flatnonzero(seen).astype(np.int32)

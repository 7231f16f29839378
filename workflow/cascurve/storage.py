"""Tables on disk: Parquet with the table's name and its provenance in the metadata, written atomically.

Paths carry a cell's coordinates as Hive partitions (``topology=er/n=500``).
"""

import errno
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from cascurve.errors import DataError
from cascurve.process import PARENT

FORMAT_VERSION = 1


def write_table(table: pa.Table, path: str | Path, kind: str, *, provenance: str = "{}", **facts: Any) -> None:
    """Write a table; nothing stands under `path` until the whole file does.

    Parameters
    ----------
    kind : the table's kind, such as ``"cascades"``; `read_table` checks it.
    provenance : the JSON string made by `cascurve.provenance.spec`.
    facts : further JSON values kept in the metadata, such as ``n_users``.
    """
    header = {"kind": kind, "format_version": FORMAT_VERSION, "provenance": json.loads(provenance), **facts}
    stamped = table.replace_schema_metadata({"cascurve": json.dumps(header, sort_keys=True)})
    with replacing(path) as partial:
        pq.write_table(stamped, partial, compression="zstd", write_page_checksum=True)


def write_text(text: str, path: str | Path) -> None:
    """Write UTF-8 text; nothing stands under `path` until the whole file does."""
    with replacing(path) as partial:
        partial.write_text(text, encoding="utf-8")


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A temporary path beside `path` that becomes `path` when the block ends well, and goes when it does not."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{os.getpid()}.{target.name}")
    for left in target.parent.glob(f".*.{target.name}"):  # a job that was killed could not take its own away
        left.unlink(missing_ok=True)
    try:
        yield partial
        PARENT.end_if_gone()
        partial.replace(target)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        remedy = "free some space and run again: what is finished is kept"
        raise DataError("there is no space left on the disk", file=target, remedy=remedy) from None
    finally:
        partial.unlink(missing_ok=True)


def read_table(path: str | Path, kind: str) -> tuple[pa.Table, dict[str, Any]]:
    """Read a table of the given kind; returns it and its metadata (`facts`, ``provenance``)."""
    try:
        # pq.read_table would import pandas: half a second in every job
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            table = file.read()
        header = _header(table.schema)
    except FileNotFoundError:
        raise DataError("file not found", file=path, remedy="check the path, or run the rule that makes it") from None
    except (pa.ArrowException, OSError, ValueError) as error:
        remedy = "delete it and rerun"
        if os.path.islink(path):  # into a cache between workflows, which would give it out again
            remedy = f"delete {os.path.realpath(path)}, which it links to, and rerun"
        raise DataError(f"not a readable Parquet file ({error})", file=path, remedy=remedy) from None
    if header.get("kind") != kind:
        raise DataError(
            f"expected a cascurve '{kind}' table, found kind {header.get('kind')!r}",
            file=path,
            remedy="delete it and rerun, or name the right file",
        )
    return table, header


def content(path: str | Path) -> bytes:
    """What a file says but for what was measured: its bytes, and for a table that notes a ``cost`` all the rest."""
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            header = _header(file.schema_arrow)
            table = file.read() if "cost" in header else None
    except (pa.ArrowException, OSError, ValueError):  # no table, or a broken one
        table = None
    if table is None:
        return Path(path).read_bytes()
    del header["cost"]
    sink = pa.BufferOutputStream()
    stamped = table.replace_schema_metadata({"cascurve": json.dumps(header, sort_keys=True)})
    with pa.ipc.new_file(sink, stamped.schema) as writer:
        writer.write_table(stamped)
    return sink.getvalue().to_pybytes()


def _header(schema: pa.Schema) -> dict[str, Any]:
    header: dict[str, Any] = json.loads((schema.metadata or {}).get(b"cascurve", b"{}"))
    return header


def run_of(mask: NDArray[np.bool_], table: pa.Table) -> pa.Table:
    """The rows where `mask` is true, which must be neighbours; without a copy and without `pyarrow.compute`."""
    chosen = np.flatnonzero(mask)
    if not len(chosen):
        return table.slice(0, 0)
    if chosen[-1] - chosen[0] + 1 != len(chosen):
        raise DataError("the rows of one cell do not stand together", remedy="delete the file and rerun")
    return table.slice(int(chosen[0]), len(chosen))


def values_of(lists: pa.ListArray) -> NDArray[Any]:
    """All values of lists, one list after the other; without `pyarrow.compute`, which `flatten` imports."""
    values: NDArray[Any] = lists.values.to_numpy(zero_copy_only=False)
    return values[lists.offsets[0].as_py() : lists.offsets[-1].as_py()]


def partition(values: Mapping[str, object]) -> str:
    """Hive path of a cell's coordinates: ``{"topology": "er", "n": 500}`` -> ``"topology=er/n=500"``."""
    return "/".join(f"{key}={value}" for key, value in values.items())


def parse_partition(path: str | Path) -> dict[str, str]:
    """The coordinates in a path: every ``key=value`` folder, as strings."""
    return dict(part.split("=", 1) for part in os.fspath(path).split("/") if "=" in part)

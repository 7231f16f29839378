"""Tables on disk: checked, stamped, and never half-written."""

import numpy as np
import pyarrow as pa
import pytest

from cascurve import storage
from cascurve.cascades import CascadeSet
from cascurve.errors import DataError

TABLE = pa.table({"a": [1, 2]})


def test_metadata_says_what_made_the_file(tmp_path) -> None:
    storage.write_table(TABLE, tmp_path / "t.parquet", "points", provenance='{"code": "c0"}', n_users=5)
    table, header = storage.read_table(tmp_path / "t.parquet", "points")
    assert table.to_pydict() == {"a": [1, 2]}
    assert header["provenance"] == {"code": "c0"}
    assert header["n_users"] == 5


def test_same_table_same_bytes(tmp_path) -> None:
    for name in ("x", "y"):
        storage.write_table(TABLE, tmp_path / name, "points", provenance="{}")
    assert (tmp_path / "x").read_bytes() == (tmp_path / "y").read_bytes()


def test_failed_write_leaves_the_old_file(tmp_path, monkeypatch) -> None:
    target = tmp_path / "t.parquet"
    storage.write_table(TABLE, target, "points")
    before = target.read_bytes()

    def full_disk(table, path, **options) -> None:
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(storage.pq, "write_table", full_disk)
    with pytest.raises(DataError, match=r"t\.parquet: there is no space left on the disk; free some space and run"):
        storage.write_table(TABLE, target, "points")
    assert target.read_bytes() == before
    assert list(tmp_path.iterdir()) == [target]


def test_faults_name_the_file(tmp_path) -> None:
    with pytest.raises(DataError, match=r"gone\.parquet: file not found"):
        storage.read_table(tmp_path / "gone.parquet", "points")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(DataError, match=r"broken\.parquet: not a readable Parquet file"):
        storage.read_table(tmp_path / "broken.parquet", "points")
    storage.write_table(TABLE, tmp_path / "t.parquet", "fits")
    with pytest.raises(DataError, match="expected a cascurve 'points' table, found kind 'fits'"):
        storage.read_table(tmp_path / "t.parquet", "points")


def test_a_byte_that_is_not_as_written_is_noticed(tmp_path) -> None:
    """Numbers that cannot be compressed stand in the file as they are: any others would be read as well."""
    path = tmp_path / "t.parquet"
    values = np.random.default_rng(0).integers(-(2**62), 2**62, 999)
    storage.write_table(pa.table({"a": values}), path, "points")
    data = bytearray(path.read_bytes())
    data[data.index(values[500].tobytes())] ^= 1
    path.write_bytes(data)
    with pytest.raises(DataError, match=r"t\.parquet: not a readable Parquet file .*CRC.*delete it and rerun"):
        storage.read_table(path, "points")


def test_no_byte_of_the_pages_and_no_damaged_metadata_passes_silently(tmp_path) -> None:
    """Each byte of the file in turn: never another error than ours, and from the pages never other cascades."""
    path, users = tmp_path / "c.parquet", np.random.default_rng(0).permutation(99)[:50].astype(np.int32)
    whole = CascadeSet(99, np.array([0, 3, 50]), users, np.concatenate([[1.0, 2, 3], np.arange(47) * 1.5]))
    whole.write(path)
    data = path.read_bytes()
    again = tmp_path / "again.parquet"
    whole.write(again)
    assert again.read_bytes() == data, "checksums are no noise"
    pages = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    noticed = 0
    for place in range(len(data)):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1 << place % 8]) + data[place + 1 :])
        try:
            found = CascadeSet.read(path)
        except DataError as error:
            assert str(error).startswith(f"{path}: ")
            noticed += 1
        else:
            same = all(
                np.array_equal(getattr(found, name), getattr(whole, name)) for name in ("offsets", "users", "times")
            )
            assert place >= pages or same, place
    assert noticed > 0.5 * len(data)


def test_partitions_round_trip() -> None:
    path = storage.partition({"topology": "er", "n": 500})
    assert path == "topology=er/n=500"
    assert storage.parse_partition(f"results/x/{path}/f.parquet") == {"topology": "er", "n": "500"}


@pytest.mark.parametrize(
    ("table", "facts", "same"),
    [
        (TABLE, {"failed": {}, "cost": [{"seconds": 2.0}]}, True),
        (TABLE, {"failed": {"1": "no cascades"}, "cost": [{"seconds": 1.0}]}, False),
        (TABLE, {"failed": {}}, False),
        (pa.table({"a": [1, 3]}), {"failed": {}, "cost": [{"seconds": 1.0}]}, False),
    ],
)
def test_measured_cost_is_not_content(tmp_path, table: pa.Table, facts: dict, same: bool) -> None:
    first, second = tmp_path / "a.parquet", tmp_path / "b.parquet"
    storage.write_table(TABLE, first, "rankings", failed={}, cost=[{"seconds": 1.0}])
    storage.write_table(table, second, "rankings", **facts)
    assert storage.read_table(first, "rankings")[1]["cost"] == [{"seconds": 1.0}]
    assert (storage.content(first) == storage.content(second)) is same


def test_the_content_of_a_broken_file_is_its_bytes(tmp_path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"half")
    assert storage.content(tmp_path / "a.parquet") == b"half"


def test_values_of_lists_are_those_between_the_offsets() -> None:
    lists = pa.chunked_array([pa.array([[1, 2], [], [3]]), pa.array([[4, 5]])])
    assert storage.values_of(lists.combine_chunks()).tolist() == [1, 2, 3, 4, 5]
    assert storage.values_of(lists.slice(1, 2).combine_chunks()).tolist() == [3]
    assert storage.values_of(lists.slice(0, 0).combine_chunks()).tolist() == []
    assert storage.values_of(pa.array([[1, 2], [3], [4, 5]]).slice(1, 1)).tolist() == [3]

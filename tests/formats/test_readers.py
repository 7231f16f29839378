"""Every importer on a file with the quirks of its format."""

import calendar
import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.formats.samples import SAMPLES

from cascurve import plugins
from cascurve.cascades import CascadeSet
from cascurve.errors import ConfigError, DataError
from cascurve.formats import account, cascades, table
from cascurve.formats.detection import detect
from cascurve.formats.imported import Imported
from cascurve.graph import Graph

TEXT = sorted(SAMPLES)


def imported(name: str, path: Path, **options: Any) -> Imported:
    return plugins.load("formats", name).read({"all": path}, **options)


def decoded(found: Imported) -> list[list[str]]:
    labels = found.labels.to_pylist()
    return [[labels[user] for user in cascade] for cascade in found.cascades]


def times(found: Imported) -> list[list[float]]:
    assert found.cascades.times is not None
    return [part.tolist() for part in np.split(found.cascades.times, found.cascades.offsets[1:-1])]


def links(found: Imported) -> set[tuple[str, str]]:
    assert found.graph is not None
    names = found.labels.to_pylist()
    pairs = zip(found.graph.edge_sources.tolist(), found.graph.indices.tolist(), strict=True)
    return {(names[u], names[v]) for u, v in pairs}


def changes(found: Imported, step: str) -> account.Step:
    return next(row for row in found.account if row.step.startswith(step))


def test_there_is_a_sample_of_every_format() -> None:
    assert {*SAMPLES, "cascades"} == set(plugins.names("formats"))


@pytest.mark.parametrize(
    "name", ["topolstm", "forest", "snidsa", "weng", "table", "echoflow", "digg2009", "twitter2010"]
)
def test_two_cascades(write, name) -> None:
    found = imported(name, write(SAMPLES[name]))
    assert decoded(found) == [["7", "3", "12"], ["3", "7"]]
    first, second = times(found)
    assert first[1:] == [10, 20] if name == "digg2009" else first[1:] == [10, 20.5]
    assert second[1:] == ([5] if name != "topolstm" else [4])
    assert found.labels.to_pylist() == ["3", "7", "12"]


@pytest.mark.parametrize("name", TEXT)
def test_detection(write, name) -> None:
    found = detect(write(SAMPLES[name]))
    assert found.format == name
    assert found.reason


@pytest.mark.parametrize("lines", ["7 3 1\n7 3\n", "7 a:b 1\n3 c:d 5\n", "7 3 soon\n"])
def test_a_file_that_fits_a_format_but_for_one_line_is_not_of_it(write, lines) -> None:
    with pytest.raises(DataError, match="cannot be told from the first"):
        detect(write(lines))


def test_a_lone_line_of_hashtags_is_not_taken_for_a_cut_one(write) -> None:
    assert detect(write(b"#tag\t10,7\t10,3\n")).format == "weng"


def test_it_is_known_whether_times_are_seconds(write) -> None:
    hours = write("7,1.5 3,2.5\n")
    assert not imported("forest", hours).in_seconds
    assert imported("forest", hours, unit="hours").in_seconds
    assert imported("table", write("cascade,user,time\na,1,2012-01-01\n", "dates.csv")).in_seconds
    assert not imported("table", write("cascade,user,time\na,1,7\n", "numbers.csv")).in_seconds


def test_a_packed_file_is_detected_and_read(write) -> None:
    for name in ("forest", "table"):
        path = write(gzip.compress(SAMPLES[name]), f"{name}.gz")
        assert detect(path).format == name
        assert decoded(imported(name, path)) == [["7", "3", "12"], ["3", "7"]]
    with pytest.raises(DataError, match="not a whole gzip file"):
        detect(write(SAMPLES["forest"], "plain.gz"))


def test_unit_and_zone_of_the_times_are_told(write, tmp_path) -> None:
    def told(found: Imported) -> str:
        return changes(found, "times checked").note

    dated = write("cascade,user,time\na,1,2012-01-31 08:00:00\na,2,2012-01-31T00:00:00Z\na,3,370000\n")
    found = imported("table", dated, unit="hours", utc_offset=8)
    day = calendar.timegm((2012, 1, 31, 0, 0, 0))
    assert times(found) == [[day, day, 370000 * 3600]]
    assert "times in seconds since 1970 UTC, numbers given in hours; 2 were dates, by a clock of UTC+8" in told(found)
    plain = imported("forest", write("a,1 b,2\n"), unit="milliseconds")
    assert "times in seconds, numbers given in milliseconds; no dates, so no time zone enters" in told(plain)
    assert "times in the unit of the file, which is not known" in told(imported("forest", write("a,1 b,2\n")))
    days = imported("casflow", write("1\ta\t3\t1\ta:0 a/b:2\n"), unit="days")
    assert times(days) == [[3 * 86400, 5 * 86400]]
    for name in ("topolstm", "table"):
        assert times(imported(name, write(SAMPLES[name]), unit="minutes"))[0][1:] == [600, 1230]
    with pytest.raises(ConfigError, match=r"utc_offset.*found 800, expected hours from -14 to 14"):
        imported("table", dated, utc_offset=800)
    zoned = pa.array([day * 10**6, day * 10**6], pa.timestamp("us", tz="Asia/Shanghai"))
    pq.write_table(pa.table({"cascade": [1, 1], "user": [1, 2], "time": zoned}), tmp_path / "zoned.parquet")
    assert times(imported("table", tmp_path / "zoned.parquet", utc_offset=5)) == [[day, day]]


def test_a_column_that_stands_twice(write) -> None:
    with pytest.raises(DataError, match="expected one column 'time', found 2"):
        imported("table", write("cascade,user,time,time\n1,2,3,4\n"))


def test_detection_of_what_is_no_cascade_file(write) -> None:
    with pytest.raises(DataError, match="the format cannot be told"):
        detect(write("It was a dark and stormy night\n"))
    with pytest.raises(DataError, match="empty"):
        detect(write(""))


def test_a_file_that_fits_two_formats_is_not_guessed(write, monkeypatch) -> None:
    monkeypatch.setattr(plugins.load("formats", "weng"), "sniff", lambda lines: "anything")
    with pytest.raises(DataError, match=r"it fits forest \(.*\); weng \(anything\); name the format"):
        detect(write(SAMPLES["forest"]))


def test_detection_of_real_files(shared_data) -> None:
    real = {"twitter_topolstm/train.txt": "topolstm", "android_infvae/test.txt": "topolstm"}
    real |= {"douban_mshgat/cascades.txt": "mshgat", "twitter_mshgat/cascades.txt": "mshgat"}
    assert {name: detect(shared_data / name).format for name in real} == real


def test_mshgat_exponents_root_trailing_comma_and_cut_end(write) -> None:
    found = imported("mshgat", write(SAMPLES["mshgat"]))
    assert decoded(found) == [["7", "3", "12"], ["3", "7"], ["12", "3"]]
    assert times(found)[1] == [1284967588, 1284967590]
    dropped = changes(found, "users without a time")
    assert (dropped.cascades, dropped.users, dropped.participations) == (0, -1, -1)
    with pytest.raises(DataError, match="expected an item of a user and a time, found 1 fields"):
        imported("mshgat", write(SAMPLES["mshgat"]), truncated="error")
    rooted = imported("mshgat", write("9 7 10,3 11\n"))
    assert decoded(rooted) == [["9", "7", "3"]]
    assert times(rooted) == [[np.nextafter(10, 0), 10, 11]]
    with pytest.raises(DataError, match="found 1 fields"):
        imported("mshgat", write("7 1,3\n3 4,7 5\n"))


def test_forest_units(write) -> None:
    path = write("7,1284967588001 3,1284967590000\n")
    assert times(imported("forest", path, unit="milliseconds")) == [[1284967588.001, 1284967590.0]]
    assert times(imported("forest", path, unit="hours"))[0][1] == 1284967590000 * 3600
    assert any("times in seconds" in row.note for row in imported("forest", path, unit="hours").account)


def test_weng_counts_the_first_use(write) -> None:
    found = imported("weng", write(SAMPLES["weng"]))
    assert changes(found, "repeated users").participations == -1


def test_table_without_order_or_times(write) -> None:
    path = write("b\tx\nb\ty\na\tx\nb\tz\n".join(["cascade\tuser\n", ""]))
    found = imported("table", path, time=None)
    assert decoded(found) == [["x", "y", "z"], ["x"]]
    assert found.cascades.times is None
    rows = write("cascade;user;time\na;x;3\na;y;1\nb;x;2\na;z;1\n", "rows.csv")
    assert decoded(imported("table", rows)) == [["y", "z", "x"], ["x"]]
    with pytest.raises(DataError, match="user y at 1 after 3") as caught:
        imported("table", rows, unsorted="error")
    assert caught.value.line == 3, "the line of the row, not of its cascade"


def test_table_dates_are_in_the_stated_zone(write) -> None:
    path = write("cascade,user,time\na,x,2012-09-28 08:00:00\na,y,2012-09-28T09:00:00\na,z,2012-09-29\n")
    day = calendar.timegm((2012, 9, 28, 0, 0, 0))
    assert times(imported("table", path, utc_offset=8)) == [[day, day + 3600, day + 16 * 3600]]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("cascade,user,time\na,x\n", 2, "expected 3 fields, found 2"),
        ("cascade,user,time\na,x,\n", 2, "expected a time .a finite number or a date., found ''"),
        ("cascade,user,time\na,,1\n", 2, "expected a user, found nothing"),
        ("cascade,person,time\na,x,1\n", 1, "expected a column 'user', found the columns: cascade, person, time"),
        ("cascade,user,time\n\na,x,1\na,y,2\na,x,3\n", 5, "user x stands twice"),
        ("cascade,user,time\n", None, "no rows"),
    ],
)
def test_table_faults(write, text, line, message) -> None:
    with pytest.raises(DataError, match=message) as caught:
        imported("table", write(text))
    assert caught.value.line == line


def test_table_in_parquet(tmp_path) -> None:
    path = tmp_path / "rows.parquet"
    rows = {"cascade": [2, 1, 2, 2], "user": ["x", "x", "z", "y"], "time": [1, 5, 3, 2]}
    pq.write_table(pa.table(rows), path)
    found = table.read({"all": path})
    assert decoded(found) == [["x", "y", "z"], ["x"]]
    assert detect(path).format == "table"
    stamps = pa.array([0, 1500, 500, 250], pa.timestamp("ms"))
    pq.write_table(pa.table(rows).set_column(2, "time", stamps), path)
    assert times(table.read({"all": path})) == [[0, 0.25, 0.5], [1.5]]
    pq.write_table(pa.table({"cascade": [1, 1], "user": ["x", None], "time": [1, 2]}), path)
    with pytest.raises(DataError, match="expected a value in column 'user', found none") as caught:
        table.read({"all": path})
    assert caught.value.line == 2


def parquet(path: Path, **columns) -> Path:
    """A table in Parquet; its usual columns, or others."""
    pq.write_table(pa.table({"cascade": [1, 1], "user": ["x", "y"], "time": [1, 2]} | columns), path)
    return path


def test_parquet_of_other_programs(tmp_path) -> None:
    """Categories, times in nanoseconds and any name, as pandas and its users write them."""
    stamps = pa.array([10**9 + 1, 2 * 10**9], pa.timestamp("ns"))
    path = parquet(tmp_path / "rows.pq", user=pa.array(["x", "y"]).dictionary_encode(), time=stamps)
    assert decoded(table.read({"all": path})) == [["x", "y"]]
    assert times(table.read({"all": path})) == [[1, 2]]
    assert detect(path).format == "table"


@pytest.mark.parametrize(
    ("columns", "line", "message"),
    [
        ({"user": ["x", ""]}, 2, "expected a value in column 'user', found an empty text"),
        ({"cascade": [1.0, float("nan")]}, 2, "expected a value in column 'cascade', found none"),
        ({"user": [[1], [2]]}, None, "expected numbers or texts in column 'user', found the type list"),
        ({"time": ["2012-01-01", "soon"]}, 2, "expected a time, found 'soon'"),
        ({"time": pa.array([1, 2], pa.duration("s"))}, None, "expected numbers, dates or texts in column 'time'"),
    ],
)
def test_parquet_faults(tmp_path, columns, line, message) -> None:
    with pytest.raises(DataError, match=message) as caught:
        table.read({"all": parquet(tmp_path / "rows.parquet", **columns)})
    assert caught.value.line == line


def test_a_cut_parquet_file(tmp_path) -> None:
    path = tmp_path / "cut.parquet"
    path.write_bytes(parquet(tmp_path / "rows.parquet").read_bytes()[:-9])
    for use in (detect, lambda path: table.read({"all": path})):
        with pytest.raises(DataError, match="not a whole Parquet file"):
            use(path)


def test_a_parquet_file_with_a_wrong_byte(tmp_path) -> None:
    path, users = tmp_path / "rows.parquet", np.arange(10**12, 10**12 + 9)
    rows = pa.table({"cascade": np.zeros(9, np.int64), "user": users, "time": np.arange(9)})
    pq.write_table(rows, path, compression=None, use_dictionary=False, write_page_checksum=True)
    assert len(table.read({"all": path}).labels) == 9
    data = bytearray(path.read_bytes())
    data[data.index(users[4].tobytes())] ^= 64
    path.write_bytes(data)
    with pytest.raises(DataError, match=r"rows\.parquet: not a whole Parquet file .*CRC"):
        table.read({"all": path})


def test_digg_friends(write) -> None:
    friends = write('"0","1","3","7"\r\n"1","5","7","12"\r\n', "digg_friends.csv")
    found = imported("digg2009", write(SAMPLES["digg2009"]), graph=friends)
    assert links(found) == {("7", "3"), ("12", "7"), ("7", "12")}
    assert "2 lines, of which 1 are mutual" in changes(found, "network read").note


def test_twitter2010_milliseconds_repeats_and_followers(write) -> None:
    dump = write(
        b"-- MySQL dump\nCREATE TABLE `f\xe9` (\n `a` int);\n"
        b"INSERT INTO `active_follower_real` VALUES (7,3),(3,12);\n"
        b"INSERT INTO `active_follower_real` VALUES\n(12,7);\n",
        "active_follower_real_sql",
    )
    found = imported("twitter2010", write(SAMPLES["twitter2010"]), graph=dump)
    assert links(found) == {("7", "3"), ("3", "12"), ("12", "7")}
    assert times(found) == [[10, 10, 20.5], [4, 5]]
    assert changes(found, "repeated users").participations == -1
    with pytest.raises(DataError, match="expected pairs") as caught:
        imported(
            "twitter2010",
            write(SAMPLES["twitter2010"]),
            graph=write("INSERT INTO `f` VALUES\n(7,3),\n(3);\n", "cut_sql"),
        )
    assert caught.value.line == 3


def test_casflow_paths_dates_and_order(write) -> None:
    found = imported("casflow", write(SAMPLES["casflow"]))
    assert decoded(found) == [["7", "3", "12"], ["7", "3"]]
    day = calendar.timegm((2010, 1, 2, 0, 0, 0))
    assert times(found) == [[1464745294, 1464745299, 1464745303], [day, day + 1]]
    days = imported("casflow", write("1\t-1\t2010-01-02\t2\t3:0 7:2\n"), unit="days")
    assert times(days) == [[day, day + 2 * 86400]]
    for bad in ("1\t7\t0\t1\n", "1\t7\t0\t1\t7/3\n", "1\t7\t0\t1\t7:0:1\n", "1\t7\t0\t1\t7:0 3\n", "1\t7\tx\t1\t7:0\n"):
        with pytest.raises(DataError, match="expected") as caught:
            imported("casflow", write(bad))
        assert caught.value.line == 1


def test_aminer_records_and_flags(write) -> None:
    network = write("3 7 1\n12 3 0\n", "graph_170w_1month.txt")
    found = imported("aminer", write(SAMPLES["aminer"]), graph=network)
    assert decoded(found) == [["7", "3", "12"], ["3"], ["3", "7"]]
    start = calendar.timegm((2012, 9, 28, 0, 0, 0))
    assert times(found)[0] == [start, start + 10, 1348790420]
    assert links(found) == {("7", "3")}
    assert found.lines.tolist() == [1, 3, 5]
    wrong = imported("aminer", write("55 2012-09-28-08:00:00 7 2\n3 2012-09-28-08:00:10\n"))
    assert "1 say another number of reposts" in wrong.account[0].note
    for bad, line in (("3 5\n", 1), (SAMPLES["aminer"].decode() + "3 1\n", 7), ("55 2012-09-28-08:00:00 7 1\n3\n", 2)):
        with pytest.raises(DataError) as caught:
            imported("aminer", write(bad))
        assert caught.value.line == line


def test_own_parquet(tmp_path) -> None:
    sets = CascadeSet.of([[0, 2], [3, 1, 0]], 5, [[1, 2], [0, 0, 5]])
    sets.write(tmp_path / "cascades.parquet")
    Graph.from_edges(5, [0, 4], [1, 0], directed=True).write(tmp_path / "network.parquet")
    found = cascades.read({"all": tmp_path / "cascades.parquet"}, graph=tmp_path / "network.parquet")
    assert decoded(found) == [["0", "2"], ["3", "1", "0"]]
    assert links(found) == {("0", "1"), ("4", "0")}
    assert detect(tmp_path / "cascades.parquet").format == "cascades"


def test_own_parquet_keeps_labels(write, tmp_path) -> None:
    first = imported("forest", write("b,1 a,2\n"))
    first.write(tmp_path / "imported")
    again = cascades.read({"all": tmp_path / "imported" / "cascades.parquet"})
    assert decoded(again) == [["b", "a"]]


def test_douban_and_twitter_of_mshgat(shared_data) -> None:
    """Counts of the data cards."""
    douban = shared_data / "douban_mshgat"
    found = imported("mshgat", douban / "cascades.txt", graph=douban / "edges_refined.txt")
    kept = account.total(found.account)
    assert (kept.cascades, kept.users, kept.participations, kept.links) == (3485, 12232, 83955, 2 * 145845)
    twitter = imported("mshgat", shared_data / "twitter_mshgat" / "cascades.txt")
    kept = account.total(twitter.account)
    assert (kept.cascades, kept.users, kept.participations) == (3454, 12627, 135472)
    assert any(row.note.startswith("12647 steps without a difference") for row in twitter.account)
    assert twitter.cascades.times is not None
    assert (twitter.cascades.times.min(), twitter.cascades.times.max()) == (1284967588, 1285967062)

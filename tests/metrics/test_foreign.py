"""Files of other programs: three formats, one result, and errors with file and line."""

import gzip

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cascurve.errors import DataError
from cascurve.metrics import average_precision, foreign
from cascurve.metrics.foreign import places, read_run, read_truth

RUN = [("q1", "a", 0.5), ("q1", "b", 0.25), ("q1", "c", 0.125), ("q2", "a", 1.0)]
TRUTH = [("q1", "c", 1), ("q1", "a", 2), ("q1", "b", 0), ("q1", "z", 1), ("q3", "a", 1)]


def write(folder, kind: str):
    run, truth = folder / f"run.{kind}", folder / f"truth.{kind}"
    if kind == "trec":
        run.write_text("".join(f"{q} Q0 {i} 1 {s} tag\n" for q, i, s in RUN))
        truth.write_text("".join(f"{q}\t0\t{i}\t{r}\n" for q, i, r in TRUTH) + "\n")
    elif kind == "parquet":
        for path, rows, value in ((run, RUN, "score"), (truth, TRUTH, "relevance")):
            columns = zip(*rows, strict=True)
            pq.write_table(pa.table(dict(zip(("query", "item", value), map(list, columns), strict=True))), path)
    else:
        comma = "\t" if kind == "tsv" else ","
        run.write_text(
            "\n".join([comma.join(("score", "qid", "docid"))] + [comma.join((str(s), q, i)) for q, i, s in RUN])
        )
        truth.write_text(
            "\n".join([comma.join(("query", "user", "rel"))] + [comma.join((q, i, str(r))) for q, i, r in TRUTH])
        )
    return run, truth


@pytest.mark.parametrize("kind", ["trec", "csv", "tsv"])
def test_compressed_text_is_the_same(tmp_path, kind) -> None:
    for plain, read in zip(write(tmp_path, kind), (read_run, read_truth), strict=True):
        packed = plain.with_name(plain.name + ".gz")
        packed.write_bytes(gzip.compress(plain.read_bytes()))
        assert read(packed) == read(plain)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("r.txt.gz", b"q1 Q0 a 1 0.5 t", r"r\.txt\.gz: not a whole gzip file"),
        ("r.csv.gz", gzip.compress(b"query,item,score\nq,a,1\n", mtime=0)[:-9], r"r\.csv\.gz: not a whole gzip file"),
        ("r.csv", b"\xff\xfe", r"r\.csv: not UTF-8 text"),
        ("r.csv.gz", gzip.compress(b"query,item,score\nq,a,x\n", mtime=0), r"r\.csv\.gz:2: expected a number"),
    ],
)
def test_files_that_are_no_text_are_named(tmp_path, name, content, message) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=message):
        read_run(tmp_path / name)


@pytest.mark.parametrize("kind", ["trec", "csv", "tsv", "parquet"])
def test_formats_agree(tmp_path, kind) -> None:
    run_file, truth_file = write(tmp_path, kind)
    run, truth = read_run(run_file), read_truth(truth_file)
    assert run == {"q1": {"a": 0.5, "b": 0.25, "c": 0.125}, "q2": {"a": 1.0}}
    assert truth == {"q1": ["c", "a", "z"], "q3": ["a"]}
    [(queries, ranks)] = places(run, truth)
    assert queries == ["q1", "q3"]
    np.testing.assert_allclose(average_precision.score(ranks), [(1 + 2 / 3) / 3, 0])


def test_blocks_give_the_same(monkeypatch) -> None:
    rng = np.random.default_rng(1)
    run = {f"q{i}": {f"u{j}": float(rng.random()) for j in range(rng.integers(1, 20))} for i in range(30)}
    truth = {query: [f"u{j}" for j in rng.choice(25, rng.integers(0, 6), replace=False)] for query in run}
    [(_, whole)] = places(run, truth)
    monkeypatch.setattr(foreign, "BLOCK", 60)
    parts = [average_precision.score(ranks) for _, ranks in places(run, truth)]
    assert len(parts) > 5
    np.testing.assert_array_equal(np.concatenate(parts), average_precision.score(whole))


def test_scores_that_only_float64_tells_apart_are_not_tied() -> None:
    run = {"q": {"a": 1.0, "b": 1.0 + 1e-12, "c": 0.0}}
    [(_, ranks)] = places(run, {"q": ["b"]})
    assert average_precision.score(ranks).tolist() == [1.0]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("r.txt", "q1 Q0 a 1 0.5 t\nq1 Q0 a 2 0.4 t\n", r"r\.txt:2: query 'q1' ranks item 'a' twice"),
        (
            "r.txt",
            "q1 Q0 a 1 0.5 t\n\nq1 Q0 b 2\n",
            r"r\.txt:3: expected 'query Q0 item rank score tag', found 4 columns",
        ),
        ("r.txt", "q1 Q0 a 1 high t\n", r"r\.txt:1: expected a number as score of item .* for query .*, found 'high'"),
        (
            "r.csv",
            "query,item,score\nq,a,nan\n",
            r"r\.csv:2: expected a number as score of item .* for query .*, found 'nan'",
        ),
        ("r.csv", "query,item,score\nq,a,1\nq,b\n", r"r\.csv:3: expected 3 fields as in the header, found 2"),
        ("r.csv", "query,item,value\nq,a,1\n", r"r\.csv:1: expected a column 'score', found: query, item, value"),
        ("r.csv", "", r"r\.csv:1: expected a column 'query' \(or query_id.*found: none"),
        ("r.parquet", "no", r"r\.parquet: not a readable Parquet file"),
    ],
)
def test_faults_name_file_and_line(tmp_path, name, text, message) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError, match=message):
        read_run(tmp_path / name)


def test_truth_faults(tmp_path) -> None:
    (tmp_path / "qrels").write_text("q 0 a 1\nq 0 a 0\n")
    with pytest.raises(DataError, match="qrels:2: query 'q' judges item 'a' twice"):
        read_truth(tmp_path / "qrels")
    with pytest.raises(DataError, match="gone: file not found"):
        read_truth(tmp_path / "gone")
    (tmp_path / "truth.csv").write_text("query,item\nq,a\n")
    assert read_truth(tmp_path / "truth.csv") == {"q": ["a"]}

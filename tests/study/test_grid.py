"""Cells, chunks and paths."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from cascurve.study import grid
from cascurve.study.config import load
from cascurve.study.layout import Layout

CONFIG = {
    "study": "t",
    "seed": 1,
    "replicates": 2,
    "synthetic": {
        "topologies": {"er": {}},
        "n": [100, 200],
        "degree": [4, 6.5],
        "mechanisms": {"ic": {}},
        "lengths": [10, 20],
    },
    "models": {"random": {}, "popularity": {}},
    "lengths_per_job": {"random": 1},
}


def test_data_covers_the_grid() -> None:
    lengths = {data.path: data.lengths for data in grid.data(load(CONFIG))}
    assert len(lengths) == 2 * 2 * 2
    assert lengths["topology=er/n=100/degree=6.5/mechanism=ic/replicate=1"] == (10,)
    assert lengths["topology=er/n=200/degree=4/mechanism=ic/replicate=0"] == (10, 20)


@given(st.sets(st.integers(2, 30), min_size=1), st.one_of(st.none(), st.integers(1, 5)))
def test_fresh_chunks_partition_the_lengths(wanted: set[int], per_job: int | None) -> None:
    chunks = [grid.parse_lengths(chunk) for chunk in grid.chunks(sorted(wanted), per_job, Path("/nowhere"))]
    assert sorted(length for chunk in chunks for length in chunk) == sorted(wanted)
    assert all(len(chunk) <= (per_job or len(wanted)) for chunk in chunks)


def test_a_new_length_makes_one_new_chunk(tmp_path) -> None:
    (tmp_path / "lengths=10-20").mkdir()
    assert grid.chunks([10, 15, 20], None, tmp_path) == ["10-20", "15"]
    (tmp_path / "lengths=15").mkdir()
    assert grid.chunks([10, 15, 20], None, tmp_path) == ["10-20", "15"]
    assert grid.chunks([10], None, tmp_path) == ["10-20"]


def test_layout_follows_lengths_per_job(tmp_path) -> None:
    layout = Layout(load(CONFIG), str(tmp_path))
    data = "topology=er/n=200/degree=4/mechanism=ic/replicate=0"
    assert layout.data_folders(data) == [f"{data}/lengths=10-20"]
    assert layout.model_folders(data, "popularity") == [f"{data}/model=popularity/lengths=10-20"]
    assert layout.model_folders(data, "random") == [f"{data}/model=random/lengths={n}" for n in (10, 20)]
    assert layout.cascades_of(data, "20") == [f"{tmp_path}/t/cascades/{data}/lengths=10-20/cascades.parquet"]
    network = f"{tmp_path}/t/networks/topology=er/n=200/degree=4/replicate=0/network.parquet"
    assert layout.network_of(data) == network
    assert layout.network_of("dataset=x/replicate=1") == f"{tmp_path}/t/imported/dataset=x/network.parquet"

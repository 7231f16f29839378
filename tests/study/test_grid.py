"""Cells, chunks and paths."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cascurve.errors import ConfigError
from cascurve.storage import parse_partition
from cascurve.study import grid
from cascurve.study.config import load
from cascurve.study.layout import Layout, parse_shard

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
    chunks = [grid.parse_lengths(chunk) for chunk in grid.chunks(sorted(wanted), per_job, [])]
    assert sorted(length for chunk in chunks for length in chunk) == sorted(wanted)
    assert all(len(chunk) <= (per_job or len(wanted)) for chunk in chunks)


def test_a_new_length_makes_one_new_chunk() -> None:
    assert grid.chunks([10, 15, 20], None, ["10-20"]) == ["10-20", "15"]
    assert grid.chunks([10, 15, 20], None, ["10-20", "15"]) == ["10-20", "15"]
    assert grid.chunks([10], None, ["10-20"]) == ["10-20"]


def test_chunks_of_other_studies_are_taken_where_they_hold_nothing_else() -> None:
    assert grid.chunks([10, 15, 20], None, [], ["10-20", "15-30"]) == ["10-20", "15"]
    assert grid.chunks([10, 15, 20], None, ["10-15"], ["10-20"]) == ["10-15", "20"]
    assert grid.chunks([10], None, [], ["10-20"]) == ["10"]


def test_shards_part_the_networks(tmp_path) -> None:
    layout = Layout(load(CONFIG), str(tmp_path))
    parts = [layout.shard(part, 3) for part in (1, 2, 3)]
    files = [file for part in parts for file in part]
    assert sorted(files) == sorted(
        layout.tables("difficulty", "difficulty.parquet") + layout.tables("scores", "scores.parquet")
    )
    names = ("topology", "n", "degree", "replicate")
    networks = [{tuple(parse_partition(file)[name] for name in names) for file in part} for part in parts]
    assert not networks[0] & networks[1]
    assert not networks[1] & networks[2]
    assert parse_shard("2/3") == (2, 3)
    for wrong in ("0/3", "4/3", "2", "a/b"):
        with pytest.raises(ConfigError, match="config key 'shard'"):
            parse_shard(wrong)


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


def test_a_figure_reads_what_it_needs(tmp_path) -> None:
    layout = Layout(
        load(CONFIG | {"figures": {"mine": {"use": "difference"}, "bands": {}, "fig2a": {}}}), str(tmp_path)
    )
    assert layout.figure_inputs("mine") == {"comparisons": f"{tmp_path}/t/comparisons.jsonl"}
    assert layout.figure_inputs("bands") == {"bands": f"{tmp_path}/t/bands.parquet"}
    assert layout.figure_inputs("fig2a") == {}

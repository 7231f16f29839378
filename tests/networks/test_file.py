"""Networks from files: edge lists, GraphML, and what is refused."""

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from cascurve.errors import ConfigError, DataError
from cascurve.graph import Graph
from cascurve.networks import file


def read(path: Path, n: int, degree: float, **parameters: Any) -> Graph:
    return file.generate(n, degree, path=str(path), **parameters, rng=np.random.default_rng(1))


def test_edge_list(tmp_path: Path) -> None:
    path = tmp_path / "links.txt"
    path.write_text("# a comment\n10 2 0.5\n2,3\n% another\n\n3\t2\n")
    graph = read(path, 3, 4 / 3)
    assert [graph.targets(node).tolist() for node in range(3)] == [[1, 2], [0], [0]]  # 2, 3, 10
    arcs = read(path, 3, 1.0, directed=True)
    assert [arcs.targets(node).tolist() for node in range(3)] == [[1], [0], [0]]


def test_names_are_sorted_as_text_unless_all_are_numbers(tmp_path: Path) -> None:
    path = tmp_path / "links.csv"
    path.write_text("bob,ann\n10,ann\n")
    assert read(path, 3, 2 / 3, directed=True).targets(0).tolist() == [1]  # 10 -> ann, before bob


@pytest.mark.parametrize("directed", [False, True])
def test_graphml(tmp_path: Path, directed: bool) -> None:
    network = nx.gnm_random_graph(20, 40, seed=1, directed=directed)
    nx.write_graphml(network, tmp_path / "net.graphml")
    graph = read(tmp_path / "net.graphml", 20, 2.0 if directed else 4.0)
    expected = Graph.from_networkx(network)
    assert np.array_equal(graph.indptr, expected.indptr)
    assert np.array_equal(graph.indices, expected.indices)


def test_giant_component_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "links.txt"
    path.write_text("1 2\n2 3\n8 9\n")
    assert read(path, 3, 4 / 3, giant=True).n_nodes == 3


def test_the_cell_must_name_the_networks_own_size(tmp_path: Path) -> None:
    path = tmp_path / "links.txt"
    path.write_text("1 2\n2 3\n")
    with pytest.raises(ConfigError, match="config key 'n': found 5, expected 3, the number of nodes"):
        read(path, 5, 4 / 3)
    with pytest.raises(ConfigError, match=r"expected 1\.333, the mean degree"):
        read(path, 3, 2.0)


def test_what_is_refused(tmp_path: Path) -> None:
    for name, content, message in [
        ("net.gpickle", b"", "a pickle can run any code"),
        ("empty.txt", b"# nothing\n", "no links"),
        ("short.txt", b"1 2\n3\n", "short.txt:2: expected two node names, found '3'"),
        ("binary.txt", b"\xff\xfe\x00", "not a text file"),
        ("bad.graphml", b"<graphml>", "not readable as GraphML"),
    ]:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(DataError, match=message):
            read(tmp_path / name, 2, 1.0)
    with pytest.raises(DataError, match="file not found"):
        read(tmp_path / "absent.txt", 2, 1.0)

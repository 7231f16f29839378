import numpy as np
import pyarrow as pa
import pytest
from tests.points_maker import make_points

from cascurve.curves.cells import cells, groups, is_synthetic
from cascurve.errors import DataError


def row(model: str, replicate: int, length: int, map_: float | None, **values: object) -> dict[str, object]:
    base = {"group": "er", "network": "er/100/4", "n": 100, "mechanism": "ic", "model": model, "replicate": replicate}
    base |= {"length": length, "apce": 0.5 + 0.1 * replicate, "n_users": 100, "chance": 0.1, "map": map_}
    return base | {"smap": None if map_ is None else map_ * 100 / length, "status": "ok" if map_ else "failed"} | values


def test_replicates_are_averaged_and_missing_ones_left_out() -> None:
    rows = [row("a", 0, 10, 0.2), row("a", 1, 10, 0.4), row("b", 0, 10, 0.1), row("b", 1, 10, None)]
    chosen = cells(pa.Table.from_pylist([*rows, row("a", 0, 5, 0.3), row("b", 0, 5, None)]), "er")
    assert chosen.models == ("a", "b")
    np.testing.assert_allclose(chosen.map, [[0.3, 0.1], [0.3, np.nan]])
    np.testing.assert_allclose(chosen.smap, [[3.0, 1.0], [6.0, np.nan]])
    np.testing.assert_allclose(chosen.x, [0.55, 0.5])
    np.testing.assert_allclose(chosen.chance, [1.0, 2.0])
    x, y = chosen.scores("b", "smap")
    assert (x.tolist(), y.tolist()) == ([0.55], [1.0])


def test_a_log_ratio_uses_shared_replicates_only() -> None:
    rows = [row("a", 0, 10, 0.2), row("a", 1, 10, 0.4), row("b", 0, 10, 0.1), row("b", 1, 10, None)]
    chosen = cells(pa.Table.from_pylist(rows), "er")
    np.testing.assert_allclose(chosen.log_ratio("a", "b"), [np.log(2)])
    np.testing.assert_allclose(chosen.log_ratio("b", "a"), [-np.log(2)])


def test_a_map_of_zero_has_no_log_ratio() -> None:
    rows = [row("a", 0, 10, 0.2), row("b", 0, 10, 0.0, status="ok")]
    assert np.isnan(cells(pa.Table.from_pylist(rows), "er").log_ratio("a", "b")).all()


def test_networks_and_blocks() -> None:
    points = make_points(degrees=(4, 8), sizes=(100, 200), lengths=(10, 20), replicates=3)
    chosen = cells(points, "er")
    assert chosen.networks == ("er/100/4", "er/100/8", "er/200/4", "er/200/8")
    assert chosen.map_all.shape == (6, 3, 3)
    blocks = {
        (size, length): block for size, length, block in zip(chosen.size, chosen.length, chosen.block, strict=True)
    }
    assert len(blocks) == len(set(blocks.values())) == 3


def test_real_data_are_told_from_simulated() -> None:
    points = make_points(empirical=("android",))
    assert groups(points) == ["er", "android"]
    assert is_synthetic(points, "er")
    assert not is_synthetic(points, "android")
    assert not is_synthetic(make_points(groups=(), empirical=("android",)).drop(["mechanism", "n"]), "android")


def test_unknown_columns_and_groups_are_named() -> None:
    with pytest.raises(DataError, match="no difficulty column 'entropy'"):
        cells(make_points(), "er", "entropy")
    with pytest.raises(DataError, match="no group 'ba'; they have er"):
        cells(make_points(), "ba")

import pyarrow as pa
import pytest
from tests.points_maker import make_points

from cascurve.metrics import chance
from cascurve.reproduction.table1 import KS, random_n, table1


def test_the_published_embedded_ic_of_digg_is_what_chance_gives_among_about_a_thousand_users() -> None:
    rows = table1(make_points()).to_pylist()
    row = next(row for row in rows if (row["dataset"], row["model"]) == ("digg", "embedded_ic"))
    users = [row[f"random_n@{k}"] for k in KS]
    assert all(800 <= n <= 1100 for n in users)
    assert len(rows) == 6


@pytest.mark.parametrize(("n", "k"), [(1400, 300), (1020, 900), (5000, 100)])
def test_random_n_inverts_the_exact_chance_level(n: int, k: int) -> None:
    assert random_n(100 * float(chance.average_precision(n, k, k)), k) == n


def test_a_studys_own_rows_come_from_its_longest_cascades() -> None:
    points = make_points(empirical=("twitter",))
    rows = [
        row | {f"ap@{k}": row["length"] * k / 1e6 for k in KS} | {f"chance:ap@{k}": k / 1e6 for k in KS}
        for row in points.to_pylist()
    ]
    own = [row for row in table1(pa.Table.from_pylist(rows)).to_pylist() if row["source"] == "this study"]
    assert {(row["dataset"], row["model"], row["length"]) for row in own} == {
        ("twitter", name, 40) for name in ("random", "cdk", "pae")
    }
    assert own[0]["map@300"] == pytest.approx(100 * 40 * 300 / 1e6)
    assert own[0]["chance@300"] == pytest.approx(100 * 300 / 1e6)

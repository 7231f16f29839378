import csv
from pathlib import Path

import pyarrow as pa
from tests.points_maker import make_points

from cascurve.curves.fitting import fit_points
from cascurve.stages import costs, tables
from cascurve.storage import read_table, write_table


def test_tables_are_written_for_people(tmp_path: Path) -> None:
    points = make_points()
    write_table(points, tmp_path / "points.parquet", "points")
    write_table(fit_points(points), tmp_path / "fits.parquet", "fits")
    tables.run([str(tmp_path / "points.parquet"), str(tmp_path / "fits.parquet")], tmp_path / "tables")
    with open(tmp_path / "tables/points.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["smap"]) for row in rows] == points.column("smap").to_pylist()
    assert r"\toprule" in (tmp_path / "tables/fits.tex").read_text()
    assert not (tmp_path / "tables/points.tex").exists()


def test_costs_of_all_fits_stand_in_one_table(tmp_path: Path) -> None:
    files = []
    for n in (100, 200):
        file = tmp_path / f"topology=er/n={n}/lengths=10-20/cost.parquet"
        table = {"model": ["cdk", "cdk"], "length": [10, 20], "seconds": [0.1, 0.2 * n], "peak_mb": [90.0, 91.0]}
        write_table(pa.table(table), file, "cost")
        files.append(str(file))
    made = costs.run(files)
    write_table(made, tmp_path / "costs.parquet", "costs")
    assert read_table(tmp_path / "costs.parquet", "costs")[0].num_rows == 4
    assert made.column("data").to_pylist() == ["topology=er/n=100"] * 2 + ["topology=er/n=200"] * 2
    assert made.column("seconds").to_pylist() == [0.1, 20.0, 0.1, 40.0]

"""`cascurve timeaware` on a small made-up input."""

import pytest

from cascurve.cli import main

JUDGED = "".join(
    f"N a {1326334731 + 86400 * day}-{day}{e} {e} 1000 {1 + day % 2} 1\n" for e in ("x", "y") for day in range(9)
)


@pytest.fixture
def files(tmp_path):
    (tmp_path / "judged.txt").write_text(JUDGED)
    (tmp_path / "runs").mkdir()
    for team, every in (("good", 1), ("poor", 3)):
        rows = [
            f"{team} one {1326334731 + 86400 * day + shift}-{day}{'n' if shift else e} {e} {900 - day - shift} 1 1\n"
            for e in ("x", "y")
            for day in range(0, 9, every)
            for shift in (0, 5)
        ]
        (tmp_path / "runs" / f"{team}.txt").write_text("# run\n" + "".join(rows))
    return tmp_path


def command(folder, *more: str) -> int:
    fixed = ["--runs", folder / "runs", "--judgments", folder / "judged.txt", "--out", folder / "out"]
    return main(["timeaware", *map(str, [*fixed, *more])])


def test_writes_tables_and_says_what_was_unjudged(files, capsys) -> None:
    assert command(files, "--no-plots", "--slices", "all", "week", "36h") == 0
    shown = capsys.readouterr()
    assert "good one: 36 predictions; 18 are of unjudged documents" in shown.err
    assert "MAP, relevant+central, 2 entities" in shown.out
    table = (files / "out/cr/overall_stats/MAP_total_stats_relevant+central_UNIFORM.tsv").read_text().splitlines()
    assert [line.split("\t")[:2] for line in table] == [["good", "one"], ["poor", "one"]]
    assert len(table[0].split("\t")) == 5
    assert (files / "out/c/entity_stats/nDCG@R_entity_stats_x_central_WEIGHTED.tsv").is_file()
    assert (files / "out/predictions.tsv").read_text().splitlines()[1] == "good\tone\t36\t0\t18\t18"
    assert not list((files / "out").rglob("*.pdf"))


def test_plots_stand_under_the_published_names(files) -> None:
    assert command(files, "--levels", "2", "--slices", "week", "--plot-metrics", "MAP") == 0
    out = files / "out"
    for name in (
        "metric-comparison",
        "c/perf-over-time/overview_week_MAP_teams_over_time_central_UNIFORM",
        "c/perf-over-time/overview_MAP_teams_over_time_central_WEIGHTED",
        "c/perf-over-time/good_week_MAP_teams_over_time_central_UNIFORM",
        "c/aggregation_weights/x__weights__week_weights_teams_over_time_central_WEIGHTED",
        "c/aggregation_weights/all_weights__week_weights_teams_over_time_central_WEIGHTED",
        "c/sidebyside/good_one-vs-poor_one_sidebyside_MAP_x",
    ):
        assert (out / f"{name}.pdf").stat().st_size > 1000, name


def test_definitions_of_the_text_differ(files) -> None:
    values = []
    for definitions in ("code", "text"):
        assert command(files, "--no-plots", "--definitions", definitions, "--slices", "all", "--levels", "1") == 0
        path = files / "out/cr/overall_stats/MAP_total_stats_relevant+central_UNIFORM.tsv"
        values.append({line.split("\t")[0]: float(line.split("\t")[2]) for line in path.read_text().splitlines()})
    assert values[1]["poor"] == pytest.approx(3 * values[0]["poor"])  # three of nine are found: over hits, not over R


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--slices", "fortnight"], "'--slices': found 'fortnight'"),
        (["--levels", "0"], "'--levels': found 0"),
        (["--start", "5", "--end", "3"], "'--end': found 3.0, expected seconds after --start, 5"),
        (["--no-plots", "--out", "{folder}/judged.txt"], "judged.txt: File exists"),
        (["--sidebyside-entities", "z"], "'--sidebyside-entities': found 'z'"),
        (["--entities", "absent.txt"], "absent.txt: cannot be read"),
    ],
)
def test_faults_are_told_in_one_message(files, capsys, more, words) -> None:
    assert command(files, *(word.format(folder=files) for word in more)) != 0
    told = capsys.readouterr().err
    assert words in told
    assert "Traceback" not in told


def test_judgments_that_do_not_count_and_levels_without_a_true_document_are_told(files, capsys) -> None:
    with (files / "judged.txt").open("a") as judged:
        judged.write("N a 1326334732-z x -1 1 1\nN a 1000000000-z x 1000 1 1\n")
    assert command(files, "--no-plots", "--levels", "1", "3") == 0
    told = capsys.readouterr().err
    assert "2 judgments are left out: without confidence, outside --start and --end" in told
    assert "no judged document has a label of 3 or more" in told
    assert "label of 1" not in told

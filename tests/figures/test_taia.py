from cascurve import seeding
from cascurve.figures.taia import robustness_figure, side_by_side_figure
from cascurve.timeaware.evaluation import evaluate
from cascurve.timeaware.judgments import read_judgments
from cascurve.timeaware.robustness import TRUTHS, experiment
from cascurve.timeaware.slices import slicing


def test_the_six_ground_truths_of_the_robustness_experiment_can_be_told_apart() -> None:
    figure = robustness_figure(list(experiment(seeding.generator(0, "timeaware"), 20)))
    (legend,) = figure.legends
    shown = [text.get_text() for text in legend.get_texts()]
    assert shown == ["1 - perturbation", *(f"{true} true, {other} not" for true, other in TRUTHS)]
    looks = {(line.get_color(), line.get_marker()) for line in figure.axes[0].lines if line.get_linestyle() == "None"}
    assert len(looks) == len(TRUTHS)
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()] == ["10%", "25%", "50%"]


def test_the_lines_between_the_points_are_named(tmp_path) -> None:
    names = [f"{day * 86400}-x" for day in range(6)]
    (tmp_path / "judged.txt").write_text("".join(f"N a {name} e 1000 2 1\n" for name in names))
    for run in "ab":
        (tmp_path / run).write_text("".join(f"t {run} {name} e 5 1 1\n" for name in names))
    judgments = read_judgments([tmp_path / "judged.txt"], start=0, end=6 * 86400)
    steps = [slicing("day", 0, 6 * 86400)]
    ((evaluation,), _) = evaluate([tmp_path / "a", tmp_path / "b"], judgments, steps, [1])
    (legend,) = side_by_side_figure(evaluation, ("t", "a"), ("t", "b"), "MAP", 0).legends
    assert [text.get_text() for text in legend.get_texts()] == ["t a", "t b", "lines: mean of 4 slices"]

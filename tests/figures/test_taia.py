from cascurve import seeding
from cascurve.figures.taia import robustness_figure
from cascurve.timeaware.robustness import TRUTHS, experiment


def test_the_six_ground_truths_of_the_robustness_experiment_can_be_told_apart() -> None:
    figure = robustness_figure(list(experiment(seeding.generator(0, "timeaware"), 20)))
    (legend,) = figure.legends
    shown = [text.get_text() for text in legend.get_texts()]
    assert shown == ["1 - perturbation", *(f"{true} true, {other} not" for true, other in TRUTHS)]
    looks = {(line.get_color(), line.get_marker()) for line in figure.axes[0].lines if line.get_linestyle() == "None"}
    assert len(looks) == len(TRUTHS)
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()] == ["10%", "25%", "50%"]

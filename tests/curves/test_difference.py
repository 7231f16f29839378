import numpy as np
import pytest
from tests.points_maker import MODELS, exp3, make_points

from cascurve.curves.cells import cells
from cascurve.curves.comparison import Comparison, compare
from cascurve.curves.difference import Crossing, Region, differences
from cascurve.curves.resampling import network_weights
from cascurve.errors import DataError

TRUE_CROSSING = np.log(9.0) / 4
CROSSING = {"a": exp3(1.0, 60.0, 4.0), "b": exp3(2.0, 51.0, 4.0)}  # equal where 9 exp(-4 x) = 1
TOPOLOGY = {"degrees": (3, 4, 5, 6, 7, 8, 9, 10), "sizes": (100, 200, 300, 400, 500), "lengths": (10, 20, 30)}


def found(seed: int = 1, **options: object) -> Comparison:
    return compare(make_points(seed, **{"network_noise": 0.02} | options), "er", seed=seed)  # type: ignore[arg-type]


def test_crossing_models_have_regions_on_both_sides_and_a_crossing_between() -> None:
    comparison = found(models=CROSSING)
    verdicts = [region.verdict for region in comparison.regions("a", "b")]
    assert verdicts[0] == "above"
    assert verdicts[-1] == "below"
    (crossing,) = comparison.crossings("a", "b")
    assert crossing.low < TRUE_CROSSING < crossing.high
    assert crossing.low < crossing.x < crossing.high
    assert f"they cross at {crossing.x:.2f}" in comparison.verdict()[0]


def test_the_band_holds_the_true_difference() -> None:
    comparison = found(models=CROSSING)
    for x in (0.3, 0.5, 0.8):
        band = comparison.band("a", "b", x)
        assert band is not None
        assert band[1] < np.log((1 + 60 * np.exp(-4 * x)) / (2 + 51 * np.exp(-4 * x))) < band[2]


def test_the_area_is_that_under_the_difference() -> None:
    difference = found(models=CROSSING).pair("a", "b").difference
    assert difference is not None
    value, low, high = difference.area
    assert value == pytest.approx(np.trapezoid(difference.mean, difference.x))
    grid = np.linspace(difference.x[0], difference.x[-1], 200)
    true = np.log((1 + 60 * np.exp(-4 * grid)) / (2 + 51 * np.exp(-4 * grid)))
    assert low < np.trapezoid(true, grid) < high < 0.2


def test_nothing_is_said_outside_the_common_difficulties() -> None:
    comparison = found()
    first, last = comparison.pairs[0].difference.x[0], comparison.pairs[0].difference.x[-1]  # type: ignore[union-attr]
    chosen = cells(make_points(1, network_noise=0.02), "er")
    assert (first, last) == (chosen.x.min(), chosen.x.max())
    assert comparison.band("cdk", "pae", first - 0.01) is None
    assert comparison.band("cdk", "pae", last + 0.01) is None


def test_equal_models_cross_nowhere_and_differ_nowhere() -> None:
    comparison = found(models=dict.fromkeys("ab", MODELS["cdk"]), network_noise=0.1)
    assert comparison.crossings("a", "b") == ()
    assert {region.verdict for region in comparison.regions("a", "b")} == {"undecided"}
    assert comparison.pairs[0].difference.p_value > 0.05  # type: ignore[union-attr]
    assert "no crossing established" in comparison.verdict()[0]


def test_equivalence_needs_the_whole_band_within_the_margin() -> None:
    comparison = found(models=dict.fromkeys("ab", MODELS["cdk"]), network_noise=0.001, noise=0.002)
    assert "equivalent" in {region.verdict for region in comparison.regions("a", "b")}


def test_a_clear_difference_has_the_smallest_p_value() -> None:
    assert found().pair("cdk", "random").difference.p_value == pytest.approx(1 / 2001)  # type: ignore[union-attr]


def test_the_p_value_by_a_slow_twin() -> None:
    """Refit on flipped data, flip by flip."""
    chosen = cells(make_points(3, models=dict.fromkeys("ab", MODELS["cdk"]), network_noise=0.05), "er")
    flips = np.random.default_rng(5).choice([-1.0, 1.0], size=(300, 18))
    weights = network_weights(18, 300, np.random.default_rng(0))
    (difference,) = differences(chosen, [("a", "b")], weights, np.random.default_rng(5))
    ratio, x = chosen.log_ratio("a", "b"), chosen.x
    grid = np.linspace(x.min(), x.max(), 61)
    curves = np.array([np.polyval(np.polyfit(x, ratio * flip[chosen.network], 2), grid) for flip in flips])
    each = np.array([np.polyval(np.polyfit(x, ratio * (chosen.network == k), 2), grid) for k in range(18)])
    error = np.sqrt((each**2).sum(axis=0))
    statistic = np.abs(each.sum(axis=0) / error).max()
    expected = (1 + (np.abs(curves / error).max(axis=1) >= statistic).sum()) / 301
    assert difference is not None
    assert difference.p_value == pytest.approx(expected)


def test_few_networks_give_no_band_but_the_thirds() -> None:
    comparison = found(degrees=(4, 8))
    assert all(pair.difference is None for pair in comparison.pairs)
    assert comparison.regions("cdk", "pae") == ()
    assert "they cross" not in comparison.verdict()[0]


def test_fitted_curves_that_disagree_with_the_cells_are_flagged() -> None:
    assert found().pair("cdk", "pae").difference.curves_agree is True  # type: ignore[union-attr]
    wavy = {"a": lambda x: 4 + 3 * np.sin(12 * x), "b": lambda x: (4 + 3 * np.sin(12 * x)) * np.exp(1.5 * (x - 0.5))}
    assert found(models=wavy).pairs[0].difference.curves_agree is False  # type: ignore[union-attr]


def test_the_models_that_may_be_best_in_a_third() -> None:
    comparison = found(models=CROSSING | {"random": MODELS["random"]})
    assert comparison.unbeaten(0) == ["a"]
    assert comparison.unbeaten(2) == ["b"]
    with pytest.raises(DataError, match=r"expected a third of difficulty, 0 to 2 \(easy, middle, hard\), found 3"):
        comparison.unbeaten(3)


def test_json_keeps_regions_and_crossings() -> None:
    again = Comparison.from_json(found(models=CROSSING).to_json())
    assert again == found(models=CROSSING)
    assert isinstance(again.crossings("a", "b")[0], Crossing)
    assert isinstance(again.regions("a", "b")[0], Region)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("degrees", "replicates"),
    [((5,), 1), ((4, 8), 1), (TOPOLOGY["degrees"], 1), (TOPOLOGY["degrees"], 5)],
    ids=["9 networks", "18", "40: 120 cells", "120 cells of 5 seeds"],
)
def test_equal_models_are_seldom_told_apart_anywhere(degrees: tuple[int, ...], replicates: int) -> None:
    """Share of 300 studies of two equal models with any region or a p-value below 5 %; s.e. 1.3 points."""
    sizes = (100, 200, 300, 400, 500, 600, 700, 800, 900) if len(degrees) < 3 else TOPOLOGY["sizes"]
    claims, rejections = 0, 0
    for seed in range(300):
        points = make_points(
            seed,
            models=dict.fromkeys("ab", MODELS["cdk"]),
            degrees=degrees,
            sizes=sizes,
            network_noise=0.05,
            replicates=replicates,
        )
        difference = compare(points, "er", seed=seed, resamples=500).pairs[0].difference
        assert difference is not None
        claims += any(region.verdict in ("above", "below") for region in difference.regions)
        rejections += difference.p_value <= 0.05
    print(f"{claims / 300:.3f} claim a region, {rejections / 300:.3f} reject")
    assert claims / 300 <= 0.075
    assert rejections / 300 <= 0.09


@pytest.mark.slow
def test_crossing_models_are_told_rightly() -> None:
    """200 studies of 40 networks: wrong sign anywhere, and the interval of the crossing."""
    wrong, established, covered = 0, 0, 0
    for seed in range(200):
        points = make_points(seed, models=CROSSING, **TOPOLOGY, network_noise=0.05, replicates=1)  # type: ignore[arg-type]
        comparison = compare(points, "er", seed=seed, resamples=500)
        for region in comparison.regions("a", "b"):
            wrong += (region.verdict == "below" and region.start < TRUE_CROSSING) or (
                region.verdict == "above" and region.stop > TRUE_CROSSING
            )
        for crossing in comparison.crossings("a", "b"):
            established += 1
            covered += crossing.low <= TRUE_CROSSING <= crossing.high
    print(
        f"{wrong / 200:.3f} wrong sign, {established / 200:.3f} established, {covered / max(established, 1):.3f} cover"
    )
    assert wrong / 200 <= 0.02
    assert established >= 100
    assert covered / established >= 0.92

import re

import numpy as np
import pyarrow as pa
import pytest
from tests.points_maker import MODELS, exp3, make_points

from cascurve.curves.comparison import Comparison, compare, compare_all
from cascurve.errors import DataError


def contrast(comparison: Comparison, a: str, b: str) -> object:
    return next(pair for pair in comparison.pairs if {pair.a, pair.b} == {a, b})


def test_the_mean_log_ratio_by_hand() -> None:
    points = make_points(noise=0.0, models={"a": lambda _: 3.0, "b": lambda _: 2.0})
    found = compare(points, "er", seed=1).pairs[0].overall
    assert found.mean == pytest.approx(np.log(1.5))
    assert (found.n_cells, found.n_networks) == (36, 18)


def test_a_better_model_is_found_in_every_third() -> None:
    found = compare(make_points(network_noise=0.01), "er", seed=1)
    pair = contrast(found, "cdk", "pae")
    assert pair.overall.verdict == "below"
    assert pair.overall.low < -np.log(1.1) < pair.overall.high
    sentence = next(line for line in found.verdict() if "pae ranks better than cdk" in line)
    assert "the MAP of pae is 1.092 times [1.075, 1.11] that of cdk" in sentence
    assert "36 cells on 18 networks" in sentence


def test_crossing_models_are_told_apart_by_difficulty() -> None:
    models = {"a": exp3(1.0, 60.0, 4.0), "b": exp3(2.0, 51.0, 4.0)}  # cross at x = .55
    pair = compare(make_points(models=models, network_noise=0.01), "er", seed=1).pairs[0]
    assert [third.verdict for third in pair.terciles] == ["above", "undecided", "below"]


def test_a_pair_can_be_asked_for_in_either_order() -> None:
    models = {"a": exp3(1.0, 60.0, 4.0), "b": exp3(2.0, 51.0, 4.0)}
    found = compare(make_points(models=models, network_noise=0.01), "er", seed=1)
    forth, back = found.regions("a", "b"), found.regions("b", "a")
    turned = {"above": "below", "below": "above"}
    assert forth[0].verdict == "above" and forth[-1].verdict == "below"
    assert [one.verdict for one in back] == [turned.get(one.verdict, one.verdict) for one in forth]
    assert [(one.start, one.stop) for one in back] == [(one.start, one.stop) for one in forth]
    x = found.regions("a", "b")[0].start
    mean, low, high = found.band("a", "b", x) or (0.0, 0.0, 0.0)
    assert 0 < low < mean < high
    assert found.band("b", "a", x) == (-mean, -high, -low)


def test_equal_models_are_not_distinguishable_or_equivalent() -> None:
    equal = {"a": MODELS["cdk"], "b": MODELS["cdk"]}
    noisy = compare(make_points(models=equal, network_noise=0.1), "er", seed=1)
    assert "are not distinguishable on average" in noisy.verdict()[0]
    quiet = compare(make_points(models=equal, network_noise=0.002, noise=0.005), "er", seed=1)
    assert "are equivalent within 3%" in quiet.verdict()[0]


def test_too_few_networks_are_said_so() -> None:
    found = compare(make_points(groups=(), empirical=("android",)), "android", seed=1)
    assert all("too few networks" in line and "1 network, at least 5 needed" in line for line in found.verdict())
    assert all(pair.overall.low is None and pair.overall.mean is not None for pair in found.pairs)


def test_one_real_data_set_is_judged_by_its_test_cascades() -> None:
    """Half-width: the Bonferroni quantile for three pairs, 2.394, times the mean error."""
    points = make_points(groups=(), empirical=("android",))
    rows = [
        {"group": "android", "replicate": 0, "length": length, "a": "cdk", "b": "pae", "log_ratio_se": error}
        for length, error in ((10, 0.02), (20, 0.04), (50, 0.03))
    ]
    found = compare(points, paired=pa.Table.from_pylist(rows), seed=1)
    same = found.pair("cdk", "pae").same_data
    assert same is not None
    assert same.high - same.mean == pytest.approx(2.394 * 0.03, rel=1e-3)
    sentence = next(line for line in found.verdict() if "pae" in line and "cdk" in line and "random" not in line)
    assert "on these data" in sentence and "one network says nothing about others" in sentence
    assert found.pair("cdk", "random").same_data is None
    assert Comparison.from_json(found.to_json()) == found


def test_a_group_must_be_named_where_there_are_several() -> None:
    with pytest.raises(DataError, match="name one of them"):
        compare(make_points(empirical=("android",)))


def test_a_cell_that_one_model_lacks_counts_for_neither() -> None:
    rows = make_points().to_pylist()
    for row in rows:
        if row["model"] == "pae" and row["length"] == 10:
            row.update(status="failed", map=None, smap=None)
    pair = contrast(compare(pa.Table.from_pylist(rows), "er", seed=1), "cdk", "pae")
    assert (pair.overall.n_cells, pair.left_out) == (18, 18)


def test_models_without_a_common_cell() -> None:
    rows = make_points(models={"a": MODELS["cdk"], "b": MODELS["pae"]}).to_pylist()
    for row in rows:
        if (row["model"] == "a") == (row["length"] == 10):
            row.update(status="failed", map=None, smap=None)
    found = compare(pa.Table.from_pylist(rows), "er", seed=1)
    assert "no cell in common" in found.verdict()[0]


def test_a_group_without_any_result_is_said_so() -> None:
    rows = [row | {"status": "failed", "map": None, "smap": None} for row in make_points().to_pylist()]
    found = compare(pa.Table.from_pylist(rows), "er", seed=1)
    assert found.edges == ()
    assert all("no cell in common" in line for line in found.verdict())


def test_one_model_gives_no_pairs() -> None:
    assert compare(make_points(models={"a": MODELS["cdk"]}), "er", seed=1).verdict() == []


def test_json_round_trip() -> None:
    for found in compare_all(make_points(empirical=("android",)), seed=1):
        assert Comparison.from_json(found.to_json()) == found


def test_the_seed_decides() -> None:
    first, again, other = (compare(make_points(), "er", seed=seed).to_json() for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.slow
@pytest.mark.parametrize("degrees", [(4, 6), (3, 4, 5, 6, 7, 8, 9, 10)], ids=["6 networks", "24 networks"])
def test_equal_models_are_seldom_told_apart(degrees: tuple[int, ...]) -> None:
    """False claims over three models, overall and in thirds, at a nominal 5 %; 400 runs, s.e. 1.1 points."""
    equal = dict.fromkeys("abc", MODELS["cdk"])
    wrong = 0
    for seed in range(400):
        found = compare(
            make_points(seed, models=equal, degrees=degrees, network_noise=0.05), "er", seed=seed, resamples=500
        )
        contrasts = [c for pair in found.pairs for c in pair.terciles]
        wrong += any(c.verdict in ("above", "below") for c in contrasts)
    assert wrong / 400 <= 0.075


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{}", "expected a comparison as JSON, found '{}' (no key 'pairs'); read lines of a comparisons.jsonl"),
        ("[]", "found '[]'"),
        ("not JSON", "found 'not JSON' (Expecting value"),
        ('{"pairs": [], "edges": [], "more": 1}', "'more'"),
    ],
)
def test_text_that_is_no_comparison_is_told(text, words) -> None:
    with pytest.raises(DataError, match=re.escape(words)):
        Comparison.from_json(text)

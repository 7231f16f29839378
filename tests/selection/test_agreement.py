"""MSA against its definition in loops, hand-checked cases, and laws of normal scores."""

import numpy as np
import pytest
from scipy.stats import norm, ttest_rel

from cascurve.selection.agreement import msa, outcomes, pairs, right_picks, significant
from cascurve.selection.few_cascades import few_cascades
from cascurve.selection.halves import draw_sets, halves
from cascurve.selection.small_tests import small_tests
from cascurve.selection.tolerance import tolerance_ratios


def msa_twin(truth, seen, ties: str) -> float:
    """2/(N(N-1)) Σ p_ij in loops; pairs of equal truth are left out."""
    n_models, n_tests = seen.shape
    found = []
    for i in range(n_models):
        for j in range(i + 1, n_models):
            if truth[i] == truth[j]:
                continue
            better, worse = (i, j) if truth[i] > truth[j] else (j, i)
            right = 0.0
            for test in range(n_tests):
                if seen[better, test] > seen[worse, test]:
                    right += 1
                elif seen[better, test] == seen[worse, test] and ties == "half":
                    right += 0.5
            found.append(right / n_tests)
    return float(np.mean(found)) if found else np.nan


@pytest.mark.parametrize("ties", ["wrong", "half"])
@pytest.mark.parametrize("seed", range(3))
def test_equals_the_double_loop(ties, seed) -> None:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, (2, 6)).astype(float)
    seen = rng.integers(0, 3, (3, 6, 20)).astype(float)
    ability = msa(right_picks(truth, *outcomes(seen), ties=ties))
    for f in range(2):
        for g in range(3):
            assert ability[f, g] == pytest.approx(msa_twin(truth[f], seen[g], ties), abs=1e-12)


def test_hand_checked() -> None:
    seen = np.array([[[1.0, 2.0, 3.0, 3.0], [0.0, 2.0, 4.0, 1.0]]])  # first ahead, tie, behind, ahead
    assert [x[0, 0] for x in outcomes(seen)] == [0.5, 0.25]
    for truth, ties, expected in (([1, 0], "wrong", 0.5), ([1, 0], "half", 0.625), ([0, 1], "half", 0.375)):
        assert msa(right_picks(np.array([truth], float), *outcomes(seen), ties=ties))[0, 0] == expected
    assert np.isnan(msa(right_picks(np.array([[1.0, 1.0]]), *outcomes(seen), ties="half")))[0, 0]


def test_a_measure_without_values_has_no_msa_and_spoils_no_other() -> None:
    seen = np.array([[[1.0, 2.0], [0.0, 1.0], [3.0, 3.0]], [[1.0, 2.0], [0.0, 3.0], [np.nan, np.nan]]])
    right = right_picks(np.array([[2.0, 1.0, np.nan]]), *outcomes(seen), ties="half")
    assert right[0, :, 0].tolist() == [1.0, 0.5]
    assert np.isnan(right[0, :, 1:]).all()  # the third model has no truth


def test_significance_is_the_paired_t_test() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(0, 1, (1, 5, 30)) + np.array([0, 0.2, 0.5, 0.9, 1.0])[None, :, None]
    ours = significant(values, np.arange(30))
    theirs = [ttest_rel(values[0, i], values[0, j]).pvalue < 0.05 for i, j in zip(*pairs(5), strict=True)]
    assert ours[0].tolist() == theirs
    assert 0 < ours.sum() < ours.size
    # The same cascades counted ten times say no more than once, when each counts as one cluster.
    again = significant(np.repeat(values, 10, axis=2), np.repeat(np.arange(30), 10))
    assert again.tolist() == ours.tolist()


def test_halves_and_test_sets_do_not_overlap() -> None:
    rng = np.random.default_rng(0)
    own, pool = halves(41, rng)
    assert sorted([*own, *pool]) == list(range(41))
    sets = draw_sets(pool, 4, 12, rng)  # five sets a deal
    assert sets.shape == (12, 4)
    assert len(np.unique(sets[:5])) == 20
    assert all(len(set(row)) == 4 for row in sets.tolist())
    with pytest.raises(ValueError, match="21 cascades holds no test set of 22"):
        draw_sets(pool, 22, 1, rng)


def test_few_cascades_follow_the_law_of_normal_scores() -> None:
    """Two models one unit apart in the mean: the mean of m differences of variance 2σ² has the better one ahead with
    probability Φ(√m / (σ√2)). A measure that knows nothing picks at random; the goal's gain over itself is 0."""
    rng = np.random.default_rng(1)
    n, sigma = 4000, 3.0
    goal = rng.normal(0, sigma, (2, n)) + np.array([1.0, 0.0])[:, None]
    values = np.stack([goal, rng.normal(0, 1, (2, n)), np.full((2, n), np.nan)])
    found = few_cascades(
        values, [0], np.arange(n), sizes=[1, 4, 16, 9999], tests=400, repeats=8, ties="half",
        rng=np.random.default_rng(2),
    )  # fmt: skip
    for k, m in enumerate((1, 4, 16)):
        assert found.ability[k, 0, 0] == pytest.approx(norm.cdf(np.sqrt(m) / (sigma * np.sqrt(2))), abs=0.03)
        assert found.ability[k, 0, 1] == pytest.approx(0.5, abs=0.04)
        assert found.ability_se[k, 0, 0] < 0.06
    assert (found.gain[:3, 0, 0] == 0).all()
    assert np.isnan(found.ability[:, 0, 2]).all()
    assert np.isnan(found.ability[3]).all()  # half the cascades cannot fill such a set
    assert found.n_clear[0] == 1
    assert found.best[0].tolist() == [1, 0]


@pytest.mark.parametrize("seed", range(2))
def test_the_papers_process_equals_loops(seed) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 5, (3, 2, 4, 10)).astype(float)
    found = {v[:3]: v for v in small_tests(values, [1], np.random.default_rng(5))}
    assert len(found) == 8
    for ties in ("wrong", "half"):
        expected = [msa_twin(repeat[1].mean(axis=1).round(9), repeat[0], ties) for repeat in values]
        variant = found["same", ties, "all"]
        assert variant.ability[0, 0] == pytest.approx(np.mean(expected))
        assert variant.ability_se[0, 0] == pytest.approx(np.std(expected, ddof=1) / np.sqrt(3))
        assert found["same", ties, "significant"].n_pairs[0] <= variant.n_pairs[0] == 6
    order = np.random.default_rng(5).permutation(10)
    expected = [msa_twin(r[1][:, order[:5]].mean(axis=1).round(9), r[0][:, order[5:]], "half") for r in values]
    assert found["half", "half", "all"].ability[0, 0] == pytest.approx(np.mean(expected))


def test_tolerance_ratios_by_hand() -> None:
    ability = np.array([[0.80, 0.77, 0.9], [0.60, 0.594, 0.3], [np.nan, 0.5, 0.1], [np.nan, np.nan, 0.5]])
    contenders = np.array([True, True, False])  # the control is better in the first case, and counts for no maximum
    ratios = tolerance_ratios(ability, [1, 5], contenders)
    assert ratios == pytest.approx(np.array([[2 / 3, 2 / 3, 1 / 3], [2 / 3, 1, 1 / 3]]))
    assert np.isnan(tolerance_ratios(np.full((2, 3), np.nan), [1])).all()

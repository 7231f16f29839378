"""Learners against scikit-learn's, Quinlan's numbers, and loops; the measures against their definitions."""

import numpy as np
import pytest
from scipy.stats import binom

from cascurve import plugins
from cascurve.selection.error_pruning import leaf_probabilities, upper_limit
from cascurve.selection.examples import Examples, encode
from cascurve.selection.learners import bayes, knn
from cascurve.selection.measures import MEASURES
from cascurve.selection.measuring import measured, sign
from cascurve.selection.platt import platt


def problem(n: int = 400, seed: int = 0, nominal: tuple[bool, ...] = (False, False, True, False)) -> Examples:
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < 0.4
    columns = [
        rng.integers(0, 3, n) * (1 - positive) + rng.integers(0, 4, n) * positive
        if flag
        else rng.normal(positive, 1 + k)
        for k, flag in enumerate(nominal)
    ]
    return Examples(np.column_stack(columns).astype(float), np.array(nominal), positive)


def test_naive_bayes_equals_scikit_learns() -> None:
    naive = pytest.importorskip("sklearn.naive_bayes", exc_type=ImportError)
    numbers, codes = problem(nominal=(False,) * 5), problem(nominal=(True,) * 3)
    for examples, theirs in ((numbers, naive.GaussianNB), (codes, naive.CategoricalNB)):
        train, test = examples.take(np.arange(300)), examples.take(np.arange(300, 400))
        counts = [1, examples.attributes.shape[1]]
        ours = bayes.Model(attributes=tuple(counts)).predict(train, test, 0)
        prior = np.array([(~train.positive).sum() + 1, train.positive.sum() + 1]) / (len(train) + 2)
        for count, found in zip(counts, ours.values(), strict=True):
            key = "priors" if theirs is naive.GaussianNB else "class_prior"
            model = theirs(**{key: prior}).fit(train.attributes[:, :count], train.positive)
            expected = model.predict_proba(test.attributes[:, :count])[:, 1]
            np.testing.assert_allclose(found, expected, atol=1e-6)


def test_default_attribute_counts() -> None:
    assert bayes.attribute_counts(16) == (1, 2, 4, 6, 8, 10, 12, 14, 15, 16)
    assert bayes.attribute_counts(5) == (1, 2, 3, 4, 5)
    assert len(bayes.attribute_counts(40)) == 10


def test_nearest_neighbours_equal_a_loop_with_ties_by_place() -> None:
    rng = np.random.default_rng(1)
    values = rng.integers(0, 4, (120, 3)).astype(float)  # many equal distances
    examples = Examples(values, np.zeros(3, bool), rng.random(120) < 0.5)
    train, test = examples.take(np.arange(80)), examples.take(np.arange(80, 120))
    found = knn.Model(neighbours=(1, 7, 80, 100)).predict(train, test, 0)
    assert list(found) == ["k=1", "k=7", "k=80"]
    known, asked = encode(train, test)
    for row, point in enumerate(asked):
        order = sorted(range(80), key=lambda i: (round(float(np.sum((known[i] - point) ** 2)), 9), i))
        for k in (1, 7, 80):
            assert found[f"k={k}"][row] == pytest.approx(train.positive[order[:k]].mean())


def test_platt_finds_the_sigmoid_and_survives_separation() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(0, 3, 20000)
    positive = rng.random(20000) < 1 / (1 + np.exp(-(0.8 * x - 1)))
    asked = np.array([-2.0, 0.0, 3.0])
    np.testing.assert_allclose(platt(x, positive, asked), 1 / (1 + np.exp(-(0.8 * asked - 1))), atol=0.02)
    apart = platt(np.array([-2.0, -1, 1, 2]), np.array([False, False, True, True]), np.array([-3.0, 3.0]))
    assert 0 < apart[0] < 0.3 and 0.7 < apart[1] < 1
    assert platt(np.ones(4), np.array([True, False, False, False]), np.ones(2)) == pytest.approx((2 / 3 + 3 / 5) / 4)


def test_upper_limits_are_quinlans() -> None:
    """C4.5 (1993), section 4.2, at its default confidence of 25 %; with errors they are the binomial's own."""
    limits = upper_limit(np.zeros(3), np.array([6.0, 9, 1]), 0.25)
    np.testing.assert_allclose(limits, [0.206, 0.143, 0.750], atol=0.0006)
    for errors, n in ((1, 16), (7, 40)):
        limit = upper_limit(np.array([errors]), np.array([n]), 0.25)[0]
        assert binom.cdf(errors, n, limit) == pytest.approx(0.25)
    assert upper_limit(np.array([3.0]), np.array([3.0]), 0.25) == [1.0]


def test_pruning_takes_away_what_does_not_pay() -> None:
    class Tree:
        """A root with 16 examples, a leaf, and below it a split into two leaves, as in Quinlan's example."""

        children_left = np.array([1, -1, 3, -1, -1])
        children_right = np.array([2, -1, 4, -1, -1])
        n_node_samples = np.array([16, 6, 10, 9, 1])
        value = np.array([[[15, 1]], [[6, 0]], [[9, 1]], [[9, 0]], [[0, 1]]]) / n_node_samples[:, None, None]

    leaves = np.array([1, 3, 4])
    # 6·.206 + 9·.143 + 1·.750 = 3.273 errors are expected of the leaves, 16·.160 = 2.554 of the root as a leaf.
    np.testing.assert_allclose(leaf_probabilities(Tree, leaves, 0.25), 1 / 16)
    Tree.n_node_samples = Tree.n_node_samples * 100  # with a hundred times the examples the splits pay
    np.testing.assert_allclose(leaf_probabilities(Tree, leaves, 0.25), [0, 0, 1])


@pytest.mark.parametrize("name", ["svm", "tree"])
def test_learners_of_scikit_learn_learn(name) -> None:
    pytest.importorskip("sklearn", exc_type=ImportError)
    examples = problem(600)
    train, test = examples.take(np.arange(300)), examples.take(np.arange(300, 600))
    model = plugins.load("selection/learners", name).Model
    found = model().predict(train, test, 0)
    assert len(found) == {"svm": 10, "tree": 9}[name]
    for p in found.values():
        assert p.shape == (300,) and (p >= 0).all() and (p <= 1).all()
    best = max(np.mean((p > 0.5) == test.positive) for p in found.values())
    assert best > 0.65  # the majority class has 0.6
    again = model().predict(train, test, 0)
    assert all((found[key] == again[key]).all() for key in found)


def test_an_unpruned_tree_is_scikit_learns() -> None:
    tree = pytest.importorskip("sklearn.tree", exc_type=ImportError)
    examples = problem(600)
    train, test = examples.take(np.arange(300)), examples.take(np.arange(300, 600))
    known, asked = encode(train, test)
    grown = tree.DecisionTreeClassifier(criterion="entropy", min_samples_leaf=20, random_state=0)
    grown.fit(known, train.positive)
    ours = leaf_probabilities(grown.tree_, grown.apply(asked), 0.9999999)  # so sure of itself that nothing is pruned
    np.testing.assert_allclose(ours, grown.predict_proba(asked)[:, 1])


def definitions(p: np.ndarray, y: np.ndarray) -> dict[str, float]:
    """The paper's measures as its text defines them, for scores without ties."""
    n, order = len(p), np.argsort(-p)
    hits = y[order]
    margins = p[y][:, None] - p[~y][None]
    predicted = p >= 0.5
    precision = np.cumsum(hits) / np.arange(1, n + 1)
    first = round(n / 4)
    return {
        "ACC": np.mean(predicted == y),
        "FSC": 2 * np.sum(predicted & y) / (predicted.sum() + y.sum()),
        "LFT": hits[:first].mean() / y.mean(),
        "BEP": precision[y.sum() - 1],
        "AUC": np.mean(margins > 0),
        "APR": precision[hits].mean(),
        "SAUC": np.maximum(margins, 0).mean(),
        "RMS": np.sqrt(np.mean((p - y) ** 2)),
        "MXE": -np.mean(np.where(y, np.log(p), np.log(1 - p))),
        "control": np.mean([abs(a - b) for i, a in enumerate(p) for b in p[:i]]),
    }


def test_measures_are_the_papers() -> None:
    rng = np.random.default_rng(4)
    probabilities, tests = rng.uniform(0.01, 0.99, (3, 60)), rng.permutation(60).reshape(2, 30)
    found = measured(probabilities, tests, 8)
    assert list(found) == list(MEASURES)
    truth = np.arange(30) < 8
    for model in range(3):
        for test in range(2):
            for name, expected in definitions(probabilities[model, tests[test]], truth).items():
                assert found[name][model, test] == pytest.approx(expected, abs=1e-12), name


def test_measures_agree_with_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics", exc_type=ImportError)
    rng = np.random.default_rng(5)
    p, y = rng.uniform(0.01, 0.99, 40), np.arange(40) < 13
    found = {name: values[0, 0] for name, values in measured(p[None], np.arange(40)[None], 13).items()}
    expected = {
        "ACC": metrics.accuracy_score(y, p >= 0.5),
        "FSC": metrics.f1_score(y, p >= 0.5),
        "AUC": metrics.roc_auc_score(y, p),
        "APR": metrics.average_precision_score(y, p),
        "RMS": metrics.root_mean_squared_error(y, p),
        "MXE": metrics.log_loss(y, p),
    }
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=1e-9), name


def test_less_is_better_for_errors_alone() -> None:
    less = {name for name, given in MEASURES.items() if sign(given["use"]) < 0}
    assert less == {"RMS", "MXE"}

"""Grading: what each method changes and leaves, and whether the wanted difficulties are reached."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from cascurve import plugins
from cascurve.cascades import CascadeSet
from cascurve.disorder import apce
from cascurve.empirical import grading
from cascurve.empirical.grading import Part, Sample
from cascurve.empirical.subsample import Subsample, subsample
from cascurve.errors import CellError
from cascurve.formats import account, mshgat, topolstm
from cascurve.formats.imported import Imported

KEY = np.uint64(7)
L = 8


def measure(cascades: CascadeSet) -> float:
    return apce.measure(cascades, rng=np.random.default_rng(0)).apce_bayes


@pytest.fixture(scope="module")
def sample() -> Sample:
    """300 + 60 cascades of 8 out of 40 users, in an order with noise, from ten sources that differ in it."""
    rng = np.random.default_rng(1)

    def part(count: int, start: int) -> Part:
        sources = rng.integers(10, size=count)
        noise = 4.0 * sources[:, None]
        drawn = np.array([10 + rng.choice(30, L - 1, replace=False) for _ in range(count)])
        order = np.argsort(drawn + noise * rng.standard_normal(drawn.shape), axis=1)
        users = np.column_stack([sources, np.take_along_axis(drawn, order, 1)]).astype(np.int32)
        return Part(users, np.sort(rng.random((count, L)), axis=1), np.arange(start, start + count))

    return Sample(40, part(300, 0), part(60, 300))


def graded(name: str, sample: Sample, strength: float, **parameters: float) -> Sample:
    return plugins.load("empirical/graded", name).grade(sample, strength, measure=measure, key=KEY, **parameters)


def difficulty(sample: Sample) -> float:
    return measure(sample.train.cascades(sample.n_users))


@pytest.mark.parametrize("strength", [-1.0, -0.3, 0.0, 0.4, 1.0])
def test_swap_keeps_sources_users_and_times(sample: Sample, strength: float) -> None:
    changed = graded("swap", sample, strength)
    for old, new in ((sample.train, changed.train), (sample.test, changed.test)):
        assert np.array_equal(np.sort(old.users, axis=1), np.sort(new.users, axis=1))
        assert np.array_equal(old.users[:, 0], new.users[:, 0])
        assert new.times is old.times
        assert np.array_equal(old.users, new.users) == (strength == 0)
    one = replace(sample, train=sample.train.take(np.arange(300) == 17))
    if strength >= 0:
        assert np.array_equal(graded("swap", one, strength).train.users[0], changed.train.users[17]), (
            "a stream of its own"
        )


def test_swap_makes_order_or_chance(sample: Sample) -> None:
    values = [difficulty(graded("swap", sample, strength)) for strength in (-1.0, -0.5, 0.0, 0.5, 1.0)]
    assert all(a < b for a, b in pairwise(values))
    recipients = graded("swap", sample, -1.0).train.users[:, 1:]
    assert measure(CascadeSet.of(recipients.tolist(), 40)) < 1e-6
    recipients = graded("swap", sample, 1.0).train.users[:, 1:]
    assert measure(CascadeSet.of(recipients.tolist(), 40)) > 0.95
    assert values[-1] < 1 - 2 / L + 0.05, "sources are no recipients here: they come first for certain"
    alike = Part(np.tile(np.arange(L, dtype=np.int32), (20000, 1)), None, np.arange(20000))
    fair = graded("swap", replace(sample, train=alike), 1.0)
    counts = np.array([np.bincount(fair.train.users[:, place], minlength=L) for place in range(1, L)])[:, 1:]
    assert np.abs(counts / 20000 - 1 / 7).max() < 5 * np.sqrt(1 / 7 * 6 / 7 / 20000), (
        "every user is alike in every place"
    )


def test_mix_keeps_what_stands_at_a_place_and_breaks_company(sample: Sample) -> None:
    changed = graded("mix", sample, 1.0)
    for old, new in ((sample.train.users, changed.train.users), (sample.test.users, changed.test.users)):
        assert all(len(set(row)) == L for row in new.tolist())
        assert np.array_equal(np.sort(old, axis=0), np.sort(new, axis=0))
    moved = np.mean(sample.train.users[:, 1:] != changed.train.users[:, 1:])
    assert moved > 0.5
    assert np.array_equal(graded("mix", sample, 0.0).train.users, sample.train.users)


def test_sources_come_from_easy_to_hard(sample: Sample) -> None:
    easy, middle, hard = (graded("sources", sample, strength) for strength in (0.0, 0.5, 1.0))
    assert difficulty(easy) < difficulty(middle) < difficulty(hard)
    for kept in (easy, hard):
        assert set(kept.test.users[:, 0]) <= set(kept.train.users[:, 0])
        assert 90 <= len(kept.train.users) <= 150, "0.3 of 300, rounded up to whole sources"


def drawn_from(imported: Imported, length: int) -> Subsample:
    return subsample(imported, length, rng=np.random.default_rng(1))


def reached(drawn: Subsample, name: str, targets: list[float], tolerance: float) -> list[float]:
    method = plugins.load("empirical/graded", name)
    known: dict[bytes, float] = {}

    def remembered(cascades: CascadeSet) -> float:
        content = cascades.users.tobytes()
        if content not in known:
            known[content] = measure(cascades)
        return known[content]

    found = []
    for target in targets:
        result, facts = grading.reach(
            drawn,
            lambda sample, strength: method.grade(sample, strength, measure=remembered, key=KEY),
            remembered,
            strengths=method.STRENGTHS,
            target=target,
            tolerance=tolerance,
            name=name,
        )
        train, test = result.dataset.train, result.dataset.test
        kept = account.total(result.account)
        assert kept.participations == len(train.users) + len(test.users)
        assert (kept.cascades, kept.users) == (len(train) + len(test), len(result.users))
        assert len(result.train_origin) == len(train)
        assert facts["grade_reached"] == pytest.approx(measure(train), abs=1e-12)
        found.append(facts["grade_reached"])
    return found


@pytest.mark.parametrize("name", ["twitter", "douban"])
def test_real_data_cover_a_range_evenly(shared_data, name: str) -> None:
    """APCE 0.1, 0.3, … 0.7 from one draw of real cascades, each within a hundredth."""
    folder = shared_data / ("twitter_topolstm" if name == "twitter" else "douban_mshgat")
    reader, file = (topolstm, "train.txt") if name == "twitter" else (mshgat, "cascades.txt")
    drawn = drawn_from(reader.read({"all": folder / file}), 10)
    targets = [0.1, 0.3, 0.5, 0.7] if name == "twitter" else [0.3, 0.5, 0.7, 0.9]
    assert reached(drawn, "swap", targets, 0.05) == pytest.approx(targets, abs=0.01)
    with pytest.raises(CellError, match=r"difficulty 0.990 is out of reach: method mix gives 0\.\d+ to 0\.\d+ here"):
        reached(drawn, "mix", [0.99], 0.02)


def test_real_sources_cover_a_range(shared_data) -> None:
    drawn = drawn_from(topolstm.read({"all": shared_data / "twitter_topolstm" / "train.txt"}), 10)
    targets = [0.1, 0.3, 0.5]
    assert reached(drawn, "sources", targets, 0.05) == pytest.approx(targets, abs=0.05)

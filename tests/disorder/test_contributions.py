from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from tests.disorder import twins

from cascurve.cascades import CascadeSet
from cascurve.disorder.contributions import contributions


@given(twins.cascade_sets)
def test_contributions_equal_the_twin_and_add_up_to_apce(cascades: CascadeSet) -> None:
    counts = twins.pairs(cascades)
    users: dict[int, list[float]] = {}
    positions: dict[int, list[float]] = {}
    for cascade in cascades:
        for (s, u), (t, v) in combinations(enumerate(cascade.tolist()), 2):
            n, a = counts[min(u, v), max(u, v)]
            for into, members in ((users, (u, v)), (positions, (s, t))):
                for member in members:
                    into.setdefault(member, []).append(twins.entropy(a / n))
    total = sum(map(len, users.values()))
    for found, expected in zip(contributions(cascades), (users, positions), strict=True):
        for member in range(len(found.share)):
            values = expected.get(member, [])
            assert found.mean[member] == pytest.approx(np.mean(values) if values else np.nan, abs=1e-12, nan_ok=True)
            if total:
                assert found.share[member] == pytest.approx(sum(values) / total, abs=1e-12)
        if total:
            assert found.share.sum() == pytest.approx(twins.apce(cascades))

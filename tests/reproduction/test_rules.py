"""What each finding makes of a claim: the rules of docs/paper.md, case by case."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cascurve.curves.comparison import Pair
from cascurve.curves.contrast import Contrast
from cascurve.reproduction import claims
from cascurve.reproduction.claims import CLAIMS

NO = Contrast(None, None, None, 0, 0)


def verdicts(claim: str, **evidence: Any) -> list[str]:
    """Of a judge that asks for this evidence only."""
    known = {
        "regimes": [""],
        "xs": ["apce"],
        "x": "apce",
        "real": [],
        "group": lambda topology, _: topology,
        "drawn_by": lambda *_: "fig",
    }
    judge = next(judge for name, _, judge in CLAIMS if name.startswith(claim))
    return [verdict for *_, verdict in judge(SimpleNamespace(**known | evidence))]  # type: ignore[arg-type]


def contrast(sign: int) -> Contrast:
    """Ahead (1), undecided (0) or behind (-1) by ten percent."""
    mean = 0.1 * sign
    return Contrast(mean, mean - 0.05, mean + 0.05, 9, 8)


def pair(a: str, b: str, *signs: int) -> Pair:
    return Pair(a, b, NO, tuple(map(contrast, signs)), 0, None, None)


@pytest.mark.parametrize(
    ("signs", "said"),
    [
        ([1, 1], "agrees"),
        ([1, 0], "partly"),
        ([1, -1], "partly"),
        ([0, -1], "does not"),
        ([0, 0], "undecided"),
        ([0, np.nan], "undecided"),
    ],
)
def test_order_relations_together(signs: list[float], said: str) -> None:
    assert claims._joint(signs) == said


def test_a_pair_may_be_stored_either_way_round() -> None:
    sign, words = claims._ahead(pair("pae", "iae", 0, 0, -1), "iae", 2)
    assert (sign, words) == (1, "= 1.11 [1.05, 1.16]")
    assert claims._ahead(pair("iae", "pae", 0, 0, 1), "iae", 2) == (sign, words)


@pytest.mark.parametrize(
    ("signs", "said"),
    [
        ((-1, 1, 1), "agrees"),
        ((0, 1, 1), "agrees"),
        ((1, 1, 1), "partly"),  # ahead, but also where it should not be
        ((-1, 1, 0), "partly"),
        ((-1, -1, 0), "does not"),
        ((1, 0, 0), "undecided"),
    ],
)
def test_topo_lstm_is_to_be_ahead_but_in_the_easy_third(signs: tuple[int, ...], said: str) -> None:
    found = pair("topo_lstm", "embedded_ic", *signs)
    assert verdicts("Topo-LSTM", pair=lambda *_: found) == [said]


@pytest.mark.parametrize(
    ("r2", "alone", "said"),
    [
        (0.96, 0.40, "agrees"),
        (0.96, 0.92, "partly"),  # as published, but N and L alone give it
        (0.96, None, "partly"),
        (0.80, 0.40, "partly"),  # a curve, but not the published one
        (0.42, 0.40, "does not"),
    ],
)
def test_r2_is_to_be_as_published_and_more_than_n_and_l_give(r2: float, alone: float | None, said: str) -> None:
    row = {"r2": r2, "r2_permuted": alone, "within_correlation": None}
    assert verdicts("CDK's points", null=lambda *_: row) == [said]


@pytest.mark.parametrize(("r2_map", "said"), [(0.55, "agrees"), (0.65, "partly"), (0.77, "does not")])
def test_smap_is_to_collapse_what_map_scatters(r2_map: float, said: str) -> None:
    row = {"r2": 0.8, "r2_map": r2_map, "r2_permuted": 0.1}
    assert verdicts("MAP shows no pattern", null_under=lambda *_: row) == [said]


@pytest.mark.parametrize(
    ("offsets", "left_out", "said"),
    [
        (["one curve", "one curve"], 0, "agrees"),
        (["one curve", "one curve"], 1, "undecided"),
        (["one curve", "undecided"], 0, "undecided"),
        (["one curve", "two curves"], 0, "partly"),
        (["undecided", "two curves"], 1, "does not"),
        ([], 1, "undecided"),
    ],
)
def test_mechanisms_are_to_overlap(
    offsets: list[str], left_out: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [SimpleNamespace(verdict=name, words=lambda: "words") for name in offsets]
    absent = [SimpleNamespace(a="ic", b="lt", why="why")] * left_out
    monkeypatch.setattr(claims, "_offsets", lambda *_: (found, absent))
    assert verdicts("IC, LT and SI overlap on ER", samples=lambda *_: []) == [said]


@pytest.mark.parametrize(
    ("offsets", "said"),
    [(["two curves"], "agrees"), (["one curve"], "does not"), (["undecided"], "undecided"), ([], "undecided")],
)
def test_topologies_are_to_differ(offsets: list[str], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [SimpleNamespace(verdict=name, words=lambda: "words") for name in offsets]
    absent = [] if offsets else [SimpleNamespace(a="er", b="ba", why="why")]
    monkeypatch.setattr(claims, "_offsets", lambda *_: (found, absent))
    whole = SimpleNamespace(name="er")
    assert verdicts("The curve on BA", whole=lambda *_: whole) == [said]

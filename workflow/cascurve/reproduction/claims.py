"""The paper's claims (arXiv 2309.09537), held against a study's results: agrees, partly, or does not, with numbers."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from cascurve import seeding
from cascurve.curves.comparison import Pair
from cascurve.curves.nulls import WORTHLESS
from cascurve.reproduction.evidence import Evidence
from cascurve.reproduction.overlap import LeftOut, Offset, Sample, offsets

Verdict = Literal["agrees", "partly", "does not", "undecided", "no data"]

LARGEST = 1000
"""The paper's largest N."""
WIDEST = 1.0
"""An exponent whose interval is wider than this is not known well enough to agree with the paper's."""


@dataclass(frozen=True)
class Finding:
    """One claim under one regime (or on one real data set).

    Attributes
    ----------
    claim, published : what the paper says, and where.
    where : the group of cells that it is held against.
    found : what the study finds, with numbers.
    figure : label of the figure that shows it; "" for none.
    """

    claim: str
    published: str
    where: str
    found: str
    figure: str
    verdict: Verdict


def findings(evidence: Evidence) -> list[Finding]:
    """Every claim under every regime that can speak to it; one "no data" where none can."""
    made: list[Finding] = []
    for claim, published, judge in CLAIMS:
        found = [Finding(claim, published, *item) for item in judge(evidence)]
        made += found or [Finding(claim, published, "", "the study has no data for this", "", "no data")]
    return made


def as_table(found: Iterable[Finding]) -> pa.Table:
    """Kind "reproduction"."""
    names = list(Finding.__dataclass_fields__)
    return pa.Table.from_pylist([asdict(item) for item in found], pa.schema([(name, pa.string()) for name in names]))


Item = tuple[str, str, str, Verdict]  # where, found, figure, verdict


def _scaling(evidence: Evidence) -> Iterator[Item]:
    """MAP is scattered, SMAP is not; on the cells of Fig. 2a and b, which are those of IC."""
    for regime in evidence.regimes:
        group = evidence.group("er", regime)
        for x in evidence.xs if group else ():
            row = evidence.null_under("ic", group or "", "cdk", x)
            if row is not None and row["r2_map"] is not None:
                gain = row["r2"] - row["r2_map"]
                found = f"under IC, against {x}, R² is {row['r2_map']:.2f} for MAP and {row['r2']:.2f} for SMAP"
                verdict: Verdict = "agrees" if gain > 0.2 else "partly" if gain > WORTHLESS else "does not"
                yield group or "", found + _alone(row), evidence.drawn_by("fig2b", regime), verdict


def _r2(evidence: Evidence, *, model: str, reached: float) -> Iterator[Item]:
    """R² as published, and above what N and L alone give."""
    for regime in evidence.regimes:
        group = evidence.group("er", regime)
        for x in evidence.xs if group else ():
            row = evidence.null(group or "", model, x)
            if row is None:
                continue
            within, real = row["within_correlation"], _is_real(row)
            found = f"R² against {x} is {row['r2']:.2f}{_alone(row)}"
            if within is not None:
                found += f"; within equal N and L the correlation is {within:.2f}"
            high = round(row["r2"], 2) >= reached
            verdict: Verdict = "agrees" if high and real else "partly" if high or real else "does not"
            yield group or "", found, evidence.drawn_by("fig3", regime), verdict


def _is_real(row: Mapping[str, Any]) -> bool:
    """Whether the R² of a row of the nulls table is above what N and L alone give."""
    return row["r2_permuted"] is not None and row["r2"] - row["r2_permuted"] >= WORTHLESS


def _alone(row: Mapping[str, Any]) -> str:
    """What N and L alone give, to follow an R²."""
    if row["r2_permuted"] is None:
        return "; no two cells share N and L, so what these alone give is unknown"
    return f"; N and L alone give {row['r2_permuted']:.2f}" + ("" if _is_real(row) else ": no evidence of a curve")


def _mechanisms(evidence: Evidence, *, topology: str, figure: str) -> Iterator[Item]:
    for regime in evidence.regimes:
        group = evidence.group(topology, regime)
        if group:
            samples = evidence.samples(group, "cdk", evidence.x)
            yield from _one_curve(evidence, group, samples, evidence.drawn_by(figure, regime))


def _probabilities(evidence: Evidence) -> Iterator[Item]:
    for regime in evidence.other_regimes:
        group = evidence.group("er", regime)
        if group:
            row = evidence.null(group, "cdk", evidence.x)
            more = "" if row is None else f"R² pooled is {row['r2']:.2f}{_alone(row)}; "
            for where, found, figure, verdict in _one_curve(
                evidence, group, evidence.samples(group, "cdk", evidence.x), evidence.drawn_by("fig2c", regime)
            ):
                yield where, more + found, figure, verdict


def _one_curve(evidence: Evidence, group: str, samples: list[Sample], figure: str) -> Iterator[Item]:
    """Whether all samples lie on one curve; a pair that is left out may not."""
    found, left_out = _offsets(evidence, group, samples)
    if found or left_out:
        verdicts = {item.verdict for item in found}
        verdict: Verdict = "undecided"
        if verdicts == {"one curve"} and not left_out:
            verdict = "agrees"
        elif "two curves" in verdicts:
            verdict = "partly" if "one curve" in verdicts else "does not"
        yield group, _ratios(found, left_out, evidence.x), figure, verdict


def _topologies(evidence: Evidence) -> Iterator[Item]:
    for regime in evidence.regimes:
        places = [evidence.group(name, regime) for name in ("er", "ba")]
        samples = [evidence.whole(place, "cdk", evidence.x) for place in places if place]
        known = [item for item in samples if item is not None]
        found, left_out = _offsets(evidence, f"topology@{regime}", known)
        if found or left_out:
            apart = found[0].verdict if found else ""
            verdict: Verdict = (
                "agrees" if apart == "two curves" else "does not" if apart == "one curve" else "undecided"
            )
            where = f"{known[0].name} and {known[1].name}"
            yield where, _ratios(found, left_out, evidence.x), evidence.drawn_by("figa2", regime), verdict


def _offsets(evidence: Evidence, place: str, samples: list[Sample]) -> tuple[list[Offset], list[LeftOut]]:
    if len(samples) < 2:
        return [], []
    return offsets(samples, seeding.generator(evidence.seed, "overlap", place=place))


def _ratios(found: list[Offset], left_out: list[LeftOut], x: str) -> str:
    said = [", ".join(item.words() for item in found)] if found else []
    for why in dict.fromkeys(item.why for item in left_out):
        pairs = ", ".join(f"{item.a} / {item.b}" for item in left_out if item.why == why)
        said.append(f"not compared: {pairs} ({why})")
    return f"SMAP at equal {x}: " + "; ".join(said)


def _order(
    evidence: Evidence, *, topology: str, third: int, pairs: list[tuple[str, str]], figure: str
) -> Iterator[Item]:
    """The first of each pair is ahead in a third of difficulty."""
    for regime in evidence.regimes:
        group = evidence.group(topology, regime)
        found = [(a, b, evidence.pair(group, a, b)) for a, b in pairs] if group else []
        signs = [(a, b, _ahead(pair, a, third)) for a, b, pair in found if pair and pair.terciles]
        if group and len(signs) == len(pairs):
            words = "; ".join(f"{a} / {b} {text}" for a, b, (_, text) in signs)
            name = ("easy", "middle", "hard")[third]
            said = f"MAP in the {name} third by {evidence.x}: {words}"
            yield group, said, evidence.drawn_by(figure, regime), _joint([sign for _, _, (sign, _) in signs])


def _real_order(evidence: Evidence) -> Iterator[Item]:
    for group in evidence.real:
        signs = []
        for a, b in (("iae", "pae"), ("pae", "cdk")):
            pair = evidence.pair(group, a, b)
            if pair:
                signs.append((f"{a} / {b}", _ahead(pair, a, None)))
        if len(signs) == 2:
            words = "MAP over all lengths: " + "; ".join(f"{name} {text}" for name, (_, text) in signs)
            yield group, words, evidence.drawn_by("figa3"), _joint([sign for _, (sign, _) in signs])


def _topo_lstm(evidence: Evidence) -> Iterator[Item]:
    """Topo-LSTM is ahead, but not in the easy third."""
    simulated = [evidence.group("er", regime) for regime in evidence.regimes]
    for group in [*(name for name in simulated if name), *evidence.real]:
        pair = evidence.pair(group, "topo_lstm", "embedded_ic")
        figure = evidence.drawn_by("fig4", group.partition("@")[2])
        if pair and pair.terciles and group not in evidence.real:
            signs = [_ahead(pair, "topo_lstm", third) for third in range(3)]
            words = "; ".join(
                f"{name} {text}" for name, (_, text) in zip(("easy", "middle", "hard"), signs, strict=True)
            )
            hard = _joint([sign for sign, _ in signs[1:]])
            verdict: Verdict = hard if hard != "agrees" or signs[0][0] <= 0 else "partly"
            yield group, f"MAP of topo_lstm / embedded_ic by third of {evidence.x}: {words}", figure, verdict
        elif pair:
            sign, text = _ahead(pair, "topo_lstm", None)
            yield group, f"MAP over all lengths: topo_lstm / embedded_ic {text}", figure, _joint([sign])


def _ahead(pair: Pair, a: str, third: int | None) -> tuple[float, str]:
    """1, 0, -1 or NaN (no interval) for `a` ahead, undecided, behind; and the ratio with its interval."""
    contrast = pair.terciles[third] if third is not None else pair.same_data or pair.overall
    contrast = contrast if pair.a == a else contrast.turned()
    if contrast.mean is None:
        return np.nan, "has no cell in common"
    ratio = f"= {np.exp(contrast.mean):.2f}"
    if contrast.low is None or contrast.high is None:
        return np.nan, f"{ratio} (too few networks for an interval)"
    sign = 1.0 if contrast.low > 0 else -1.0 if contrast.high < 0 else 0.0
    return sign, f"{ratio} [{np.exp(contrast.low):.2f}, {np.exp(contrast.high):.2f}]"


def _joint(signs: list[float]) -> Verdict:
    """What several order relations together say."""
    if all(sign == 1 for sign in signs):
        return "agrees"
    if any(sign == 1 for sign in signs):
        return "partly"
    return "does not" if any(sign == -1 for sign in signs) else "undecided"


def _lowest(evidence: Evidence) -> Iterator[Item]:
    """The easiest cells; the minimum falls with N, so that a grid of smaller networks than the paper's cannot tell."""
    for regime in evidence.regimes:
        places = [evidence.group(topology, regime) for topology in ("er", "ba")]
        known = [place for place in places if place]
        for x in evidence.xs if len(known) == 2 else ():
            both = [evidence.cells(place, x) for place in known]
            if not all(np.isfinite(chosen.x).any() for chosen in both):
                continue
            er, ba = (float(np.nanmin(chosen.x)) for chosen in both)
            largest = min(float(np.nanmax(chosen.size[np.isfinite(chosen.x)])) for chosen in both)
            near = abs(er - 0.1) <= 0.05 and abs(ba - 0.3) <= 0.05
            verdict: Verdict = "agrees" if near else "partly" if ba - er >= 0.1 else "does not"
            found = f"lowest {x}: ER {er:.2f}, BA {ba:.2f}"
            if largest < LARGEST:
                verdict = "undecided"
                found += f"; the largest N is {largest:.0f}, the paper's {LARGEST}, and the minimum falls with N"
            yield " and ".join(known), found, evidence.drawn_by("figa2", regime), verdict


def _exponents(evidence: Evidence) -> Iterator[Item]:
    for regime in evidence.regimes:
        group = evidence.group("er", regime)
        for x in evidence.xs if group else ():
            row = evidence.exponents(group or "", "cdk", x)
            if row is None:
                continue
            found = f"MAP·N^a/L^b against {x}: a = {row['a']:.2f}, b = {row['b']:.2f}"
            verdict: Verdict = "undecided"
            if row["holds_paper"] is not None:
                found += f" [{row['a_low']:.2f}, {row['a_high']:.2f}], [{row['b_low']:.2f}, {row['b_high']:.2f}]"
                found += f"; (1, 1) lies {'inside' if row['holds_paper'] else 'outside'} their joint 95 % region"
                wide = max(row["a_high"] - row["a_low"], row["b_high"] - row["b_low"]) > WIDEST
                # a wide region that leaves (1, 1) out still speaks against it
                if row["holds_paper"] and wide:
                    found += f", but an interval is wider than {WIDEST:.0f}"
                else:
                    verdict = "agrees" if row["holds_paper"] else "does not"
            yield group or "", found, evidence.drawn_by("collapse", regime), verdict


_HIGH = [("iae", "pae"), ("pae", "cdk")]
_LOW = [("cdk", "pae"), ("cdk", "iae")]
CLAIMS: list[tuple[str, str, Callable[[Evidence], Iterator[Item]]]] = [
    ("MAP shows no pattern, SMAP collapses", "Fig. 2a, b", _scaling),
    ("CDK's points lie on one exponential on ER", "R² = .94, Fig. 2c and 3", partial(_r2, model="cdk", reached=0.94)),
    ("PAE's points lie on one exponential on ER", "R² = .97, Fig. 3", partial(_r2, model="pae", reached=0.97)),
    ("IAE's points lie on one exponential on ER", "R² = .97, Fig. 3", partial(_r2, model="iae", reached=0.97)),
    ("IC, LT and SI overlap on ER", "“almost overlap”, Fig. 2c", partial(_mechanisms, topology="er", figure="fig2c")),
    ("IC, LT and SI overlap on BA", "Fig. A2a", partial(_mechanisms, topology="ba", figure="figa2")),
    ("One curve for all infection probabilities", "one curve whatever the data, section 6", _probabilities),
    ("The curve on BA differs from that on ER", "Fig. A2a", _topologies),
    ("N/L is the scaling", "SMAP = MAP·N/L, eq. 7", _exponents),
    (
        "IAE > PAE > CDK at high APCE on ER",
        "Fig. 3",
        partial(_order, topology="er", third=2, pairs=_HIGH, figure="fig3"),
    ),
    ("CDK on top at low APCE on ER", "Fig. 3", partial(_order, topology="er", third=0, pairs=_LOW, figure="fig3")),
    (
        "IAE > PAE > CDK at high APCE on BA",
        "Fig. A2b",
        partial(_order, topology="ba", third=2, pairs=_HIGH, figure="figa2"),
    ),
    ("IAE > PAE > CDK on real data", "“in most instances”, Fig. A3", _real_order),
    ("Topo-LSTM is ahead of Embedded-IC except at low APCE", "Fig. 4", _topo_lstm),
    ("The lowest APCE is lower on ER than on BA", "about 0.1 and 0.3, Fig. A2", _lowest),
]
"""Claim, the paper's value and place, and what judges it."""

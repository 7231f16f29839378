"""The section on verdicts: who ranks better, at a glance and in words; pairs with a control after."""

from collections.abc import Iterable, Sequence

from cascurve.curves.cells import CONTROLS
from cascurve.curves.comparison import TERCILES, Comparison, Pair, times
from cascurve.report.html import bullets, folded, paragraph, table

FEW = 6
"""Up to this many sentences stand open; more are folded, by group."""


def verdicts(comparisons: Sequence[Comparison]) -> str:
    """The section's content, as HTML: a table of pairs and groups, what is unbeaten, a sentence for each pair."""
    between = [kept for comparison in comparisons if (kept := _said(comparison, control=False))[1]]
    against = [sentence for comparison in comparisons for sentence in _said(comparison, control=True)[1]]
    if not between and not against:
        return paragraph("A comparison needs at least two models.")
    if not between:
        return bullets(against)
    sentences = [sentence for _, said in between for sentence in said]
    in_words = (
        bullets(sentences)
        if len(sentences) <= FEW
        else "".join(folded(f"{group}, pair by pair in words", bullets(said)) for group, said in between)
    )
    controls = folded(f"{len(against)} comparisons with a control", bullets(against)) if against else ""
    return _at_a_glance(comparisons) + bullets(map(_unbeaten, filter(_has_thirds, comparisons))) + in_words + controls


def _said(comparison: Comparison, *, control: bool) -> tuple[str, list[str]]:
    """The group, and the sentences on its pairs with a control, or on those without."""
    pairs = zip(comparison.pairs, comparison.verdict(), strict=True)
    return comparison.group, [sentence for pair, sentence in pairs if _controlled(pair) == control]


def _controlled(pair: Pair) -> bool:
    return pair.a in CONTROLS or pair.b in CONTROLS


def _at_a_glance(comparisons: Sequence[Comparison]) -> str:
    """A row for each pair of models, a column for each group."""
    cells = {
        (frozenset((pair.a, pair.b)), comparison.group): _in_short(comparison, pair)
        for comparison in comparisons
        for pair in comparison.pairs
    }
    pairs = dict.fromkeys(
        frozenset((pair.a, pair.b)) for one in comparisons for pair in one.pairs if not _controlled(pair)
    )
    groups = [comparison.group for comparison in comparisons]
    names = _order(comparisons)
    rows = [
        (" / ".join(sorted(pair, key=names.index)), *(cells.get((pair, group)) for group in groups)) for pair in pairs
    ]
    caption = (
        f"Which model of a pair has the higher MAP, how many times the other's on average over all cells, and the "
        f"simultaneous {comparisons[0].level:.0%} interval. A question mark: not established."
    )
    return table(("pair", *groups), rows, caption)


def _order(comparisons: Iterable[Comparison]) -> list[str]:
    return list(dict.fromkeys(name for one in comparisons for pair in one.pairs for name in (pair.a, pair.b)))


def _in_short(comparison: Comparison, pair: Pair) -> str:
    """What a pair's sentence says on the average, without its numbers of cells and networks."""
    contrast = pair.same_data or pair.overall
    ahead = pair.a
    if contrast.mean is not None and contrast.mean < 0:
        ahead, contrast = pair.b, contrast.turned()
    mean, low, high = contrast.mean, contrast.low, contrast.high
    if mean is None:
        return "no cell in common"
    if low is None or high is None:
        return f"? {ahead} {times(mean)} (too few networks)"
    numbers = f"{times(mean)} [{times(low)}, {times(high)}]"
    if low > 0:
        return f"{ahead} {numbers}"
    return f"equivalent: {numbers}" if comparison.equivalent(contrast) else f"? {ahead} {numbers}"


def _has_thirds(comparison: Comparison) -> bool:
    """Whether something is established by third of difficulty."""
    found = {third.verdict for pair in comparison.pairs for third in pair.terciles}
    return bool(found & {"above", "below", "undecided"})


def _unbeaten(comparison: Comparison) -> str:
    """The sets of models that may be the best, by third of difficulty."""
    parts = [f"{', '.join(comparison.unbeaten(third))} in the {name} third" for third, name in enumerate(TERCILES)]
    return f"{comparison.group}: not established to be beaten by any other: {'; '.join(parts)}."

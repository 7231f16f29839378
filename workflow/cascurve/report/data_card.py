"""The card of a real data set: where it comes from, and what became of every cascade."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cascurve.report.html import folded, paragraph, table

COLUMNS = ("step", "cascades", "users", "participations", "links", "note")
Row = Mapping[str, Any]
"""One step of an account."""


@dataclass(frozen=True)
class DataCard:
    """One data set.

    Attributes
    ----------
    account : steps of the import, and what they leave as the last row.
    draws : name of each data set that was drawn from it -> its account, likewise.
    source : what is known of its publisher (page, licence, note).
    """

    name: str
    account: Sequence[Row]
    draws: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    source: Mapping[str, str] = field(default_factory=dict)

    @property
    def warnings(self) -> Iterator[str]:
        """What a reader must know; a warning of many draws is told once."""
        yield from (f"{self.name}: {row['note']}" for row in self.account if row.get("warning"))
        warned = {name: row["note"] for name, account in self.draws.items() for row in account if row.get("warning")}
        if warned:
            first = next(iter(warned))
            share = f"{len(warned)} of its {len(self.draws)} data sets"
            yield f"{self.name}: the split leaks in {share}; in {first}, {warned[first]}"

    def html(self) -> str:
        """The account of the import, and folded below it those of the draws."""
        about = "; ".join(f"{key}: {value}" for key, value in self.source.items() if value)
        caption = f"{self.name}: what was read, what each step changed, and what is left."
        whole = table(COLUMNS, ([row.get(key) for key in COLUMNS] for row in self.account), caption)
        rows = [[name, *map(row.get, COLUMNS)] for name, account in self.draws.items() for row in account]
        drawn = table(("data set", *COLUMNS), rows, f"{self.name}: from the import to each data set.") if rows else ""
        return (paragraph(about) if about else "") + whole + (folded("what was drawn from it", drawn) if drawn else "")

"""The text formats read line by line, in plain Python: slow, and easy to see through.

Each twin takes a file's text and gives its cascades as they stand in it, users with their times; a time that is not
known is None. It raises ValueError where the file is malformed.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa

from cascurve.formats.times import Clock, is_number

Cascade = tuple[list[str], list[float | None]]


def require(holds: bool) -> None:
    if not holds:
        raise ValueError


def number(text: str) -> float:
    require(is_number(text))
    return float(text)


def moment(text: str, unit: str = "seconds", utc_offset: float = 0.0) -> float:
    found = float(Clock(unit, utc_offset).read(pa.array([text], pa.string()))[0])  # type: ignore[arg-type]
    require(not math.isnan(found))
    return found


def lines_of(content: str, blanks: str = " \t") -> list[tuple[int, str]]:
    """Line numbers and lines that are not blank, without the blanks around them."""
    lines = enumerate(re.split(r"\r\n|\r|\n", content.removeprefix("\ufeff")), 1)
    return [(place, line.strip(blanks)) for place, line in lines if line.strip(blanks)]


def topolstm(content: str) -> list[Cascade]:
    found: list[Cascade] = []
    for _, line in lines_of(content):
        source, *rest = re.split("[ \t]+", line)
        require(len(rest) % 2 == 0)
        found.append(([source, *rest[0::2]], [None, *map(number, rest[1::2])]))
    return found


def mshgat(content: str) -> list[Cascade]:
    rows = [line for _, line in lines_of(content)]
    found: list[Cascade] = []
    for place, row in enumerate(rows):
        items = [item.strip(" \t") for item in row.split(",")]
        items = items[:-1] if len(items) > 1 and not items[-1] else items
        users: list[str] = []
        times: list[float | None] = []
        for k, item in enumerate(items):
            fields = re.split("[ \t]+", item)
            cut = place == len(rows) - 1 and k == len(items) - 1 and len(fields) == 1
            require(len(fields) == 2 or (len(fields) == 3 and k == 0) or cut)
            users += fields if cut else fields[:-1]
            times += [None] if cut else [*[None] * (len(fields) - 2), number(fields[-1])]
        found.append((users, times))
    return found


def forest(content: str) -> list[Cascade]:
    found: list[Cascade] = []
    for _, line in lines_of(content):
        pairs = [item.split(",") for item in re.split("[ \t]+", re.sub("[ \t]*,[ \t]*", ",", line))]
        require(all(len(pair) == 2 for pair in pairs))
        found.append(([user for user, _ in pairs], [number(time) for _, time in pairs]))
    return found


def snidsa(content: str) -> list[Cascade]:
    found: list[Cascade] = []
    for _, line in lines_of(content):
        users, times = (re.split("[ \t]*,[ \t]*", half.strip(" \t")) for half in line.split(":"))
        require(len(users) == len(times) and not any(re.search("[ \t]", user) for user in users))
        found.append((users, [number(time) for time in times]))
    return found


def weng(content: str) -> list[Cascade]:
    found: list[Cascade] = []
    for _, line in lines_of(content):
        tag, *items = re.split("[ \t]+", re.sub("[ \t]*,[ \t]*", ",", line))
        pairs = [item.split(",") for item in items]
        require("," not in tag and bool(pairs) and all(len(pair) == 2 for pair in pairs))
        found.append(([user for _, user in pairs], [number(time) for time, _ in pairs]))
    return found


def casflow(content: str) -> list[Cascade]:
    found: list[Cascade] = []
    for _, line in lines_of(content, " "):
        fields = re.sub(" *([\t/:]) *", r"\1", line).split("\t")
        require(len(fields) == 5 and not any(re.search("[ /:]", field) for field in fields[:4]))
        items = [re.fullmatch("(?:[^/:]*/)*([^/:]+):([^/:]+)", item) for item in re.split(" +", fields[4])]
        pairs = [item.groups() for item in items if item]
        require(len(pairs) == len(items))
        start = moment(fields[2])
        found.append(([user for user, _ in pairs], [start + number(time) for _, time in pairs]))
    return found


def aminer(content: str) -> list[Cascade]:
    found: list[Cascade] = []
    head_at = -1
    for place, line in lines_of(content):
        fields = re.split("[ \t]+", line)
        if len(fields) == 4 and not is_number(fields[1]) and is_number(fields[3]):
            head_at = place
            found.append(([fields[2]], [moment(fields[1], utc_offset=8)]))
        else:
            require(len(fields) % 2 == 0 and place == head_at + 1)
            found[-1][0].extend(fields[0::2])
            found[-1][1].extend(moment(time, utc_offset=8) for time in fields[1::2])
    return found


def fields_of(line: str, mark: str) -> list[str]:
    """A row of a table; a quote hides marks until the next one."""
    fields, quoted = [""], False
    for character in line:
        quoted ^= character == '"'
        if character == mark and not quoted:
            fields.append("")
        else:
            fields[-1] += character
    bare = [field.strip(" ") for field in fields]
    return [field[1:-1] if len(field) > 1 and field[0] == field[-1] == '"' else field for field in bare]


def of_table(content: str, columns: tuple[str, str, str], header: list[str] | None = None, unit: str = "seconds"):
    """Rows by cascade, in the order in which the cascades begin."""
    lines = [line for _, line in lines_of(content, "")]
    wanted = set(columns)
    overlap = [len(wanted & {f.strip().strip('"') for f in lines[0].strip().split(mark)}) for mark in ",\t;"]
    mark = ",\t;"[overlap.index(max(overlap))] if columns == TABLE else ","
    rows = [fields_of(line, mark) for line in lines]
    names = header or rows.pop(0)
    require(all(names.count(name) == 1 for name in columns) and all(len(row) == len(names) for row in rows))
    found: dict[str, Cascade] = {}
    for row in rows:
        cascade, user, time = (row[names.index(name)] for name in columns)
        require(cascade != "")
        users, times = found.setdefault(cascade, ([], []))
        users.append(user)
        times.append(moment(time, unit))
    return list(found.values())


TABLE = ("cascade", "user", "time")


@dataclass(frozen=True)
class Twin:
    """What reads a format, and how its reader repairs by default."""

    read: Callable[[str], list[Cascade]]
    sorts: bool = False
    takes_first: bool = False
    encoding: str = "utf-8"


TWINS = {
    "topolstm": Twin(topolstm),
    "mshgat": Twin(mshgat),
    "forest": Twin(forest),
    "snidsa": Twin(snidsa),
    "weng": Twin(weng, takes_first=True),
    "casflow": Twin(casflow, sorts=True, takes_first=True),
    "aminer": Twin(aminer, sorts=True, takes_first=True),
    "table": Twin(lambda content: of_table(content, TABLE, unit="as_given"), sorts=True),
    "echoflow": Twin(lambda content: of_table(content, ("topic_id", "user_id", "timestamp")), sorts=True),
    "digg2009": Twin(lambda content: of_table(content, ("s", "u", "t"), ["t", "u", "s"]), sorts=True),
    "twitter2010": Twin(
        lambda content: of_table(content, ("link", "user_id", "create_at_long"), unit="milliseconds"),
        sorts=True,
        takes_first=True,
        encoding="latin-1",
    ),
}


def expected(name: str, data: bytes) -> tuple[list[Cascade], int]:
    """What the reader of the format has to make of a file, and how many participations the file has.

    Raises
    ------
    ValueError : where it has to refuse the file.
    """
    twin = TWINS[name]
    require(b"\0" not in data)
    read = twin.read(data.removeprefix(b"\xef\xbb\xbf").decode(twin.encoding))
    left: list[Cascade] = []
    for users, times in read:
        require(all(users))
        pairs = list(zip(users, times, strict=True))
        if pairs[0][1] is None and len(pairs) > 1 and pairs[1][1] is not None:
            earliest = min(time for _, time in pairs if time is not None)
            pairs[0] = (pairs[0][0], math.nextafter(earliest, -math.inf))  # the source's
        timed = [(user, time) for user, time in pairs if time is not None]
        in_order = sorted(timed, key=lambda pair: pair[1])
        require(twin.sorts or in_order == timed)
        once = [pair for k, pair in enumerate(in_order) if pair[0] not in {user for user, _ in in_order[:k]}]
        require(twin.takes_first or len(once) == len(in_order))
        if once:
            left.append(([user for user, _ in once], [time for _, time in once]))
    require(bool(left))
    return left, sum(len(users) for users, _ in read)

"""Import speed against pandas.read_csv and groupby, and memory; files are made on the fly, one format at a time.

Run: ``python -m pytest tests/benchmarks/bench_formats.py -n 0 -s``; with ``CASCURVE_BENCH_FULL=1`` each file has 10⁷
participations, else 2 · 10⁶.

The peer reads the same file where pandas can (the formats that are tables), else a CSV of the same participations,
which is easier than the format at hand. It ends with one list of users and one of times per cascade. It numbers no
users and checks nothing, where the importer refuses a repeated user, a time that decreases and a malformed line.

Memory is the peak of a process above what it held once it had imported two cascades, in units of the data both ways:
of the file on the disk, and of what comes out of it, which is labels and 12 bytes a participation for user and time.
"""

import datetime
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cascurve import plugins

FULL = bool(os.environ.get("CASCURVE_BENCH_FULL"))
SIZE = 10_000_000 if FULL else 2_000_000
LENGTH = 50
USERS = 1_000_000
REPEATS = 1 if FULL else 3
START = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)

HEADS = {
    "table": "cascade,user,time\n",
    "tsv": "cascade\tuser\ttime\n",
    "echoflow": "user_id,topic_id,timestamp\n",
    "twitter2010": "link,id,create_at,create_at_long,inreplyto_screen_name,inreplyto_user_id,source,bad_user_id,"
    "user_screen_name,order_of_users,user_id\n",
}
PLAIN = ("table", "tsv", "echoflow", "topolstm", "mshgat", "forest", "snidsa", "weng")
"""Formats that are nothing but users and times; the others carry quotes, paths, dates or further columns."""
PEER: dict[str, dict[str, Any]] = {
    "table": {},
    "tsv": {"sep": "\t"},
    "echoflow": {},
    "digg2009": {"header": None, "names": ["time", "user", "cascade"], "lineterminator": "\r"},
    "twitter2010": {"encoding": "latin-1", "usecols": ["link", "create_at_long", "user_id"]},
}
NAMES = {"topic_id": "cascade", "user_id": "user", "timestamp": "time", "link": "cascade", "create_at_long": "time"}

MEMORY = """
import re, sys
from pathlib import Path
from cascurve import plugins
peak = lambda: int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1])
reader = plugins.load("formats", sys.argv[1])
reader.read({"all": sys.argv[2]})
before = peak()
reader.read({"all": sys.argv[3]})
print(peak() - before)
"""


def line(name: str, cascade: int, users: list[int], times: list[int]) -> str:
    """One cascade in the format."""
    pairs = list(zip(users, times, strict=True))
    match name:
        case "topolstm":
            return f"{users[0]} " + " ".join(f"{u} {t}" for u, t in pairs[1:]) + "\n"
        case "mshgat":
            return ",".join(f"{u} {t}" for u, t in pairs) + "\n"
        case "forest":
            return " ".join(f"{u},{t}" for u, t in pairs) + "\n"
        case "snidsa":
            return ",".join(map(str, users)) + ":" + ",".join(map(str, times)) + "\n"
        case "weng":
            return f"tag{cascade}\t" + "\t".join(f"{t},{u}" for u, t in pairs) + "\n"
        case "table":
            return "".join(f"{cascade},{u},{t}\n" for u, t in pairs)
        case "tsv":
            return "".join(f"{cascade}\t{u}\t{t}\n" for u, t in pairs)
        case "echoflow":
            return "".join(f"{u},{cascade},{t}\n" for u, t in pairs)
        case "digg2009":
            return "".join(f'"{t}","{u}","{cascade}"\r' for u, t in pairs)
        case "twitter2010":
            link = f"http://bit.ly/{cascade}"
            return "".join(
                f"{link},{cascade}{k},2010-10-05 12:00:00,{t}000,,,web,{u},name{u},{k},{u}\n"
                for k, (u, t) in enumerate(pairs)
            )
        case "casflow":
            path = " ".join([f"{users[0]}:0", *(f"{users[0]}/{u}:{t - times[0]}" for u, t in pairs[1:])])
            return f"{cascade}\t{users[0]}\t{times[0]}\t{len(users)}\t{path}\n"
        case "aminer":
            date = (START + datetime.timedelta(seconds=times[0] + 8 * 3600)).strftime("%Y-%m-%d-%H:%M:%S")
            rest = " ".join(f"{u} {t}" for u, t in pairs[1:])
            return f"{cascade} {date} {users[0]} {len(users) - 1}\n{rest}\n"
    raise KeyError(name)


@pytest.fixture(scope="module")
def cascades() -> list[tuple[list[int], list[int]]]:
    """Cascades of fifty users with their times; how often users appear follows Zipf's law, whatever their number."""
    rng = np.random.default_rng(0)
    names = rng.permutation(USERS)
    made = []
    for _ in range(SIZE // LENGTH):
        drawn = np.unique((USERS ** rng.random(LENGTH * 2)).astype(np.int64))
        users = names[rng.permutation(drawn)[:LENGTH]]
        made.append((users.tolist(), np.sort(rng.integers(10**9, 2 * 10**9, len(users))).tolist()))
    return made


@pytest.fixture(scope="module")
def write(cascades, tmp_path_factory) -> Callable[[str, int | None], Path]:
    folder = tmp_path_factory.mktemp("bench")

    def write(name: str, count: int | None = None) -> Path:
        path = folder / f"{name}{count or ''}.txt"
        if not path.exists():
            with path.open("w") as file:
                file.write(HEADS.get(name, ""))
                file.writelines(line(name, k, *cascade) for k, cascade in enumerate(cascades[:count]))
        return path

    return write


@pytest.fixture
def files(request, write) -> Iterator[tuple[str, Path, Path]]:
    """(reader, its file, the peer's file); the first is gone afterwards."""
    name = request.param
    path = write(name)
    yield name, path, path if name in PEER else write("table")
    if name != "table":
        path.unlink()


def timed(run: Callable[[], object]) -> tuple[float, float]:
    """(CPU, wall clock) seconds."""
    cpu, wall = time.process_time(), time.perf_counter()
    run()
    return time.process_time() - cpu, time.perf_counter() - wall


def pandas_lists(path: Path, options: dict[str, Any]) -> object:
    """The long table as one list of users and one of times per cascade, in order of time."""
    import pandas as pd

    table = pd.read_csv(path, **options).rename(columns=NAMES)
    return table.sort_values(["cascade", "time"], kind="stable").groupby("cascade", sort=False).agg(list)


def pandas_arrays(path: Path) -> object:
    """The same work as the importer's, in the fewest steps: arrays, numbered users, no user twice, order of time."""
    import pandas as pd

    table = pd.read_csv(path)
    assert not table.duplicated(["cascade", "user"]).any()
    table = table.sort_values(["cascade", "time"], kind="stable")
    return pd.factorize(table["user"], sort=True), table.groupby("cascade", sort=False).size()


@pytest.mark.parametrize("files", [*PLAIN, "digg2009", "twitter2010", "casflow", "aminer"], indirect=True)
def test_against_pandas(files, write) -> None:
    name, path, table = files
    reader = "table" if name == "tsv" else name
    read = lambda: plugins.load("formats", reader).read({"all": path})  # noqa: E731
    small = write(name, 2)
    plugins.load("formats", reader).read({"all": small})  # compile
    options = PEER.get(name, {})
    ours, peer = [], []
    for _ in range(REPEATS):
        ours.append(timed(read))
        peer.append(timed(lambda: pandas_lists(table, options)))
    (mine, my_wall), (theirs, their_wall) = np.median(ours, axis=0), np.median(peer, axis=0)
    found = read()
    cascades, participations = found.cascades, len(found.cascades.users)
    data = sum(column.nbytes for column in (cascades.users, cascades.times, cascades.offsets, found.labels))
    del found, cascades
    command = [sys.executable, "-c", MEMORY, reader, str(small), str(path)]
    grown = 1024 * int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    print(
        f"\nimport {name}: CPU {mine:.2f} s, peer {theirs:.2f} s, ratio {theirs / mine:.1f} (goal ≥ 3); "
        f"wall {my_wall:.2f} s, peer {their_wall:.2f} s, ratio {their_wall / my_wall:.1f}; "
        f"{participations / mine / 1e6:.2f} M participations/s of CPU"
        + (" (goal ≥ 1)" if name in PLAIN else "")
        + f"; memory {grown / path.stat().st_size:.1f} × the file, {grown / data:.1f} × what comes out (goal < 3)"
    )


def test_against_the_leanest_pandas(write) -> None:
    """No goal: a peer that makes no lists and does what the importer does."""
    path = write("table")
    read = lambda: plugins.load("formats", "table").read({"all": path})  # noqa: E731
    pairs = [(timed(read)[0], timed(lambda: pandas_arrays(path))[0]) for _ in range(REPEATS)]
    mine, theirs = np.median(pairs, axis=0)
    print(f"\nimport table: CPU {mine:.2f} s, pandas without lists {theirs:.2f} s, ratio {theirs / mine:.1f}")

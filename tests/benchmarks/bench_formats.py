"""Import speed against pandas.read_csv and groupby, on the same participations; files are made on the fly.

Run: ``python -m pytest tests/benchmarks/bench_formats.py -n 0 -s``.
"""

import os
import resource
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from cascurve import plugins

SIZE = int(os.environ.get("CASCURVE_BENCH_PARTICIPATIONS", "2000000"))
LENGTH = 50
USERS = 1_000_000
REPEATS = 3


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> dict[str, Path]:
    """Cascades of fifty users; how often users appear follows Zipf's law."""
    folder = tmp_path_factory.mktemp("bench")
    names = ("topolstm", "forest", "mshgat", "snidsa", "table")
    paths = {name: folder / f"{name}.txt" for name in names}
    rng = np.random.default_rng(0)
    opened = {name: path.open("w") for name, path in paths.items()}
    opened["table"].write("cascade,user,time\n")
    for cascade in range(SIZE // LENGTH):
        drawn = np.unique((USERS ** rng.random(LENGTH * 2)).astype(np.int64))
        users = rng.permutation(drawn)[:LENGTH].tolist()
        moments = np.sort(rng.integers(10**9, 2 * 10**9, len(users))).tolist()
        pairs = list(zip(users, moments, strict=True))
        opened["topolstm"].write(f"{users[0]} " + " ".join(f"{u} {t}" for u, t in pairs[1:]) + "\n")
        opened["forest"].write(" ".join(f"{u},{t}" for u, t in pairs) + "\n")
        opened["mshgat"].write(",".join(f"{u} {t}" for u, t in pairs) + "\n")
        opened["snidsa"].write(",".join(map(str, users)) + ":" + ",".join(map(str, moments)) + "\n")
        opened["table"].write("".join(f"{cascade},{u},{t}\n" for u, t in pairs))
    for file in opened.values():
        file.close()
    return paths


def seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def pandas_lists(path: Path) -> object:
    """The long table as one list of users and one of times per cascade."""
    import pandas as pd

    table = pd.read_csv(path)
    return table.sort_values(["cascade", "time"], kind="stable").groupby("cascade", sort=False).agg(list)


@pytest.mark.parametrize("name", ["table", "topolstm", "forest", "mshgat", "snidsa"])
def test_against_pandas(files, name, tmp_path) -> None:
    module = plugins.load("formats", name)
    read = lambda: module.read({"all": files[name]})  # noqa: E731
    read()  # compile
    ours, peer = [], []
    for _ in range(REPEATS):
        ours.append(seconds(read))
        peer.append(seconds(lambda: pandas_lists(files["table"])))
    mine, theirs = float(np.median(ours)), float(np.median(peer))
    rate = SIZE / mine / 1e6
    print(
        f"\nimport {name}: ours {mine * 1e3:.0f} ms, peer {theirs * 1e3:.0f} ms, ratio {theirs / mine:.1f} (goal ≥ 3); "
        f"{rate:.2f} M participations/s of CPU (goal ≥ 1)"
    )


def test_memory(files) -> None:
    """Peak above what was there before, in units of the file; run alone for a true figure."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    plugins.load("formats", "topolstm").read({"all": files["topolstm"]})
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    print(f"\nimport topolstm: peak grows by {grown / files['topolstm'].stat().st_size:.1f} × the file (goal < 3)")

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cascurve.forking import client, owner

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="jobs are forked on Linux only")


@pytest.fixture
def server(monkeypatch) -> Iterator[subprocess.Popen[bytes]]:
    """A server with few libraries, which clients of this test find."""
    monkeypatch.setattr(owner, "MODULES", ("decimal",))
    monkeypatch.setenv(client.ADDRESS, "")
    started = owner.start()
    assert started is not None and started.stdin is not None
    yield started
    started.stdin.close()
    assert started.wait(10) == 0
    assert not Path(os.environ[client.ADDRESS]).parent.exists()


def ask(tmp_path: Path, code: str | None, **options) -> subprocess.Popen[str]:
    """A client that asks for a script, the last one again without `code`."""
    script = tmp_path / "script.py"
    if code is not None:
        script.write_text(code)
    command = [sys.executable, "-I", "-S", client.__file__, str(script)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def gone(pid: int) -> bool:
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_a_script_runs_as_in_a_python_of_its_own(tmp_path, server) -> None:
    code = (
        "import json, os, sys\n"
        "print(json.dumps([os.getppid(), os.getcwd(), os.environ.get('OF_THE_CLIENT'), 'PATH' in os.environ,\n"
        "                  __name__, sys.argv, __file__, sys.stdin.read(), 'decimal' in sys.modules]))\n"
        "print('told', file=sys.stderr)\n"
    )
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    environment = {key: value for key, value in os.environ.items() if key != "PATH"} | {"OF_THE_CLIENT": "é"}
    asked = ask(tmp_path, code, cwd=folder, env=environment, stdin=subprocess.PIPE)
    out, err = asked.communicate("typed")
    script = str(tmp_path / "script.py")
    assert json.loads(out) == [server.pid, str(folder), "é", False, "__main__", [script], script, "typed", True]
    assert (asked.returncode, err) == (0, "told\n")


def test_scripts_do_not_see_each_other(tmp_path, server) -> None:
    code = "import sys, decimal\nassert not hasattr(decimal, 'mark')\ndecimal.mark = 1\n"
    for _ in range(3):
        assert ask(tmp_path, code).wait(10) == 0


@pytest.mark.parametrize(
    ("code", "status", "told"),
    [
        ("import sys; sys.exit(7)", 7, ""),
        ("import sys; sys.exit('a reason')", 1, "a reason\n"),
        ("import sys; sys.exit()", 0, ""),
        ("1 / 0", 1, "ZeroDivisionError: division by zero\n"),
        ("import os; os.abort()", 128 + signal.SIGABRT, ""),
        ("def", 1, "SyntaxError: invalid syntax\n"),
    ],
)
def test_how_a_script_ends_is_told(tmp_path, server, code, status, told) -> None:
    asked = ask(tmp_path, code)
    out, err = asked.communicate()
    assert (asked.returncode, out) == (status, "")
    assert err.endswith(told) and bool(err) == bool(told)


WAITS = "import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(60)\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_script_ends_with_its_client(tmp_path, server, number) -> None:
    asked = ask(tmp_path, WAITS)
    pid = int(asked.stdout.readline())
    asked.send_signal(number)
    assert asked.wait(10) == -number
    assert gone(pid)
    assert asked.communicate() == ("", "")
    assert ask(tmp_path, "").wait(10) == 0  # and the server goes on


def test_scripts_end_with_the_owner(tmp_path, server) -> None:
    asked = [ask(tmp_path, WAITS), *(ask(tmp_path, None) for _ in range(2))]
    pids = [int(one.stdout.readline()) for one in asked]
    server.stdin.close()
    assert all(map(gone, pids))
    for one in asked:
        assert "has ended" in one.communicate()[1]
        assert one.returncode == 1


def test_a_killed_server_is_noticed(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(owner, "MODULES", ())
    monkeypatch.setenv(client.ADDRESS, "")
    server = owner.start()
    asked = ask(tmp_path, "from cascurve.process import PARENT\nPARENT.watch()\n" + WAITS)
    pid = int(asked.stdout.readline())
    server.kill()
    server.wait()
    assert asked.wait(10) == 1
    assert gone(pid)
    assert ask(tmp_path, "import sys; sys.exit(3)").wait(10) == 3  # without a server the script runs by itself
    left = Path(os.environ[client.ADDRESS])
    left.unlink()
    left.parent.rmdir()


def test_a_script_that_was_not_taken_runs_by_itself(tmp_path, monkeypatch) -> None:
    """A server that ends before it has forked, as one does that cannot import its libraries."""
    monkeypatch.setenv(client.ADDRESS, str(tmp_path / "s"))
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s"))
        listener.listen()
        asked = ask(tmp_path, "import os; print(os.getpid())")
        listener.accept()[0].close()
        out, err = asked.communicate()
    assert (int(out), err, asked.returncode) == (asked.pid, "", 0)


def test_a_request_that_makes_no_sense_harms_nobody(tmp_path, server) -> None:
    with socket.socket(socket.AF_UNIX) as bad:
        bad.connect(os.environ[client.ADDRESS])
        bad.sendall((5).to_bytes(8, "big") + b"{")
    assert ask(tmp_path, "import sys; sys.exit(4)").wait(10) == 4


def test_many_at_once(tmp_path, server) -> None:
    asked = [ask(tmp_path, "import sys, time; time.sleep(.2); sys.exit(5)")]
    asked += [ask(tmp_path, None) for _ in range(30)]
    assert {one.wait(30) for one in asked} == {5}


def test_it_can_be_turned_off(monkeypatch) -> None:
    monkeypatch.setenv(owner.OFF, "0")
    assert owner.start() is None


@pytest.mark.parametrize("own", ["edit", "container_img", "conda_env", "env_modules"])
def test_scripts_with_an_environment_of_their_own_are_left_to_snakemake(own) -> None:
    class Script:
        container_img = conda_env = env_modules = None

        def __init__(self) -> None:
            self.direct: list[tuple[str, bool]] = []
            self.commands: list[str] = []

        def execute_script(self, fname: str, edit: bool = False) -> None:
            self.direct.append((fname, edit))

        def _execute_cmd(self, command: str, **paths: object) -> None:
            self.commands.append(command)

    owner.take_over(Script)
    script = Script()
    script.execute_script("x.py")
    assert (script.direct, len(script.commands)) == ([], 1)
    setattr(script, own, True)
    script.execute_script("x.py", own == "edit")
    assert (script.direct, len(script.commands)) == ([("x.py", own == "edit")], 1)

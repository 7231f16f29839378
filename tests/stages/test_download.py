"""A download goes on where it broke off, and what is wrong is never taken."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.http_server import Site, serving

from cascurve.errors import DataError
from cascurve.stages import download

CONTENT = bytes(range(256)) * 2000
RIGHT = {"size": len(CONTENT), "sha256": hashlib.sha256(CONTENT).hexdigest()}
UNKNOWN = {"size": None, "sha256": None}


@pytest.fixture
def site(monkeypatch) -> Iterator[Site]:
    monkeypatch.setattr(download, "WAIT", 0.0)
    with serving({"/a.txt": CONTENT}) as site:
        yield site


@pytest.mark.parametrize("spec", [RIGHT, UNKNOWN], ids=["known", "unknown"])
def test_a_transfer_that_breaks_goes_on(site: Site, tmp_path: Path, spec) -> None:
    site.breaks = [100_000, 50_000]
    path = tmp_path / "sets" / "a.txt"
    download.run(spec, f"{site.url}/a.txt", path)
    assert path.read_bytes() == CONTENT
    assert [asked[2] for asked in site.asked] == ["", "bytes=100000-", "bytes=150000-"]
    assert list(path.parent.iterdir()) == [path], "nothing else is left"


def test_a_later_run_goes_on(site: Site, tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "a.txt"
    monkeypatch.setattr(download, "TRIES", 0)
    site.breaks = [100_000]
    with pytest.raises(DataError, match=r"broke off.*100000 bytes are kept; run again to go on"):
        download.run(RIGHT, f"{site.url}/a.txt", path)
    assert not path.exists()
    download.run(RIGHT, f"{site.url}/a.txt", path)
    assert site.asked[-1][2] == "bytes=100000-"
    assert path.read_bytes() == CONTENT


def test_a_file_that_changed_meanwhile_begins_anew(site: Site, tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "a.txt"
    monkeypatch.setattr(download, "TRIES", 0)
    site.breaks = [100_000]
    with pytest.raises(DataError):
        download.run(UNKNOWN, f"{site.url}/a.txt", path)
    site.files["/a.txt"] = CONTENT[::-1]
    download.run(UNKNOWN, f"{site.url}/a.txt", path)
    assert path.read_bytes() == CONTENT[::-1]
    assert site.asked[-1][2] == "bytes=100000-"


def test_without_a_version_or_a_hash_nothing_is_pieced_together(site: Site, tmp_path: Path) -> None:
    site.breaks, site.tagged = [100_000], False
    path = tmp_path / "a.txt"
    download.run(UNKNOWN, f"{site.url}/a.txt", path)
    assert [asked[2] for asked in site.asked] == ["", ""]
    assert path.read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ({**RIGHT, "sha256": "0" * 64}, f"expected the SHA-256 {'0' * 64}, found {RIGHT['sha256']}"),
        ({**RIGHT, "size": 1000}, "expected 1000 bytes, found at least"),
        ({**RIGHT, "size": 10**7}, "expected 10000000 bytes, found 512000"),
    ],
)
def test_a_wrong_file_is_not_taken(site: Site, tmp_path: Path, spec, words) -> None:
    with pytest.raises(DataError, match="is not the expected file") as caught:
        download.run(spec, f"{site.url}/a.txt", tmp_path / "a.txt")
    assert words in str(caught.value)
    assert not list(tmp_path.iterdir()), "neither the file nor a part of it is left"


def test_a_missing_file_is_told_at_once(site: Site, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"answered 404 .*nowhere.txt; check the address"):
        download.run(RIGHT, f"{site.url}/nowhere.txt", tmp_path / "a.txt")
    assert len(site.asked) == 1

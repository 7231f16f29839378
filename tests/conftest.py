"""Shared fixtures."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from cascurve import provenance

settings.register_profile("cascurve", deadline=None, max_examples=50, derandomize=True)
settings.load_profile("cascurve")
PROJECT = Path(__file__).parents[1]
# The workflow's own cache of machine code, so that nothing is compiled twice; numba reads it when it is imported.
os.environ.setdefault("NUMBA_CACHE_DIR", str(PROJECT / ".cache" / "numba" / provenance.kernel_digest()))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real cascades; tests that need it are skipped where it is absent."""
    folder = Path(os.environ.get("CASCURVE_TEST_DATA", PROJECT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real cascades at {folder}; set CASCURVE_TEST_DATA to run this test")
    return folder


@pytest.fixture
def forget() -> Callable[[], None]:
    """Call it after an edit: the digests of a running program do not see one."""

    def clear() -> None:
        for name in ("code_digest", "kernel_digest", "_imported", "_facts"):
            getattr(provenance, name).cache_clear()

    return clear

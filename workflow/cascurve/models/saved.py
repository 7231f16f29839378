"""Fitted models on disk: one .npz file of their arrays, and the rest as JSON in it. No code is read back."""

import dataclasses
import importlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cascurve.errors import DataError
from cascurve.models.interface import Fitted
from cascurve.storage import replacing

HEADER = "cascurve"


def save(fitted: Fitted, path: str | Path) -> None:
    """Write a fitted model.

    Its fields may be arrays, numbers, text, None, NumPy generators, and tuples, lists, dictionaries, named tuples and
    dataclasses of these; fields whose name starts with '_' are left out, and must have a default.

    Raises
    ------
    DataError : for a field of another type.
    """
    arrays: list[NDArray[Any]] = []
    header = json.dumps(_packed(fitted, arrays))
    named = {f"array{place}": array for place, array in enumerate(arrays)}
    with replacing(path) as partial, partial.open("wb") as file:
        np.savez_compressed(file, **named, **{HEADER: np.array(header)})  # type: ignore[arg-type]


def load(path: str | Path) -> Fitted:
    """Read a file made by `save`; the model scores as it did, bit for bit.

    A model of the user's own comes from a file that `cascurve.plugins.load` has loaded before.

    Raises
    ------
    DataError : the file is none of these, or what it names is not there.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        fitted: Fitted = _unpacked(json.loads(str(arrays.pop(HEADER))), arrays)
    except FileNotFoundError:
        raise DataError("file not found", file=path, remedy="check the path") from None
    except (ValueError, KeyError, OSError, TypeError, AttributeError) as error:
        raise DataError(f"not a model that this version can read ({error})", file=path, remedy="fit it again") from None
    return fitted


def _packed(value: Any, arrays: list[NDArray[Any]]) -> Any:
    """The value as JSON; arrays go to `arrays`."""
    match value:
        case None | bool() | int() | float() | str():
            return value.item() if isinstance(value, np.generic) else value
        case np.ndarray() | np.generic() if value.dtype != object:
            arrays.append(np.asarray(value))
            return {"array": f"array{len(arrays) - 1}", "scalar": isinstance(value, np.generic)}
        case np.random.Generator():
            seed: Any = value.bit_generator.seed_seq
            return {"pcg64": _packed(seed.entropy, arrays), "spawn_key": list(map(int, seed.spawn_key))}
        case dict():
            return {"dict": [[_packed(key, arrays), _packed(item, arrays)] for key, item in value.items()]}
    kind = f"{type(value).__module__}:{type(value).__qualname__}"
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value) if not field.name.startswith("_")]
        return {"class": kind, "fields": {name: _packed(getattr(value, name), arrays) for name in names}}
    if isinstance(value, list | tuple):
        items = [_packed(item, arrays) for item in value]
        return {"class": kind, "items": items} if hasattr(value, "_fields") else {type(value).__name__: items}
    raise DataError(f"a fitted model cannot be saved with a {kind} in it", remedy="keep arrays and numbers instead")


def _unpacked(value: Any, arrays: dict[str, NDArray[Any]]) -> Any:
    """Inverse of `_packed`."""
    match value:
        case {"array": name, "scalar": scalar}:
            return arrays[name][()] if scalar else arrays[name]
        case {"pcg64": entropy, "spawn_key": spawn_key}:
            sequence = np.random.SeedSequence(_unpacked(entropy, arrays), spawn_key=tuple(spawn_key))
            return np.random.Generator(np.random.PCG64(sequence))
        case {"dict": pairs}:
            return {_unpacked(key, arrays): _unpacked(item, arrays) for key, item in pairs}
        case {"class": kind, "fields": fields}:
            return _class(kind)(**{name: _unpacked(item, arrays) for name, item in fields.items()})
        case {"class": kind, "items": items}:
            return _class(kind)(*(_unpacked(item, arrays) for item in items))
        case {"list": items}:
            return [_unpacked(item, arrays) for item in items]
        case {"tuple": items}:
            return tuple(_unpacked(item, arrays) for item in items)
    return value


def _class(kind: str) -> Any:
    """A class of this package, or of a user's file that is loaded already."""
    module, name = kind.split(":")
    if module.startswith("cascurve."):
        importlib.import_module(module)
    found = getattr(sys.modules[module], name)
    if not isinstance(found, type) or not (dataclasses.is_dataclass(found) or hasattr(found, "_fields")):
        raise ValueError(f"{kind} is no class of data")
    return found

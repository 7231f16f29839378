"""Measures by name: from scores and true cascades to one column per measure."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cascurve import plugins
from cascurve.cascades import CascadeSet
from cascurve.errors import ConfigError
from cascurve.metrics.relevant_ranks import RelevantRanks, relevant_ranks

Measures = Mapping[str, Mapping[str, Any]]
"""Label -> parameters. The label is the measure's module, unless the key ``use`` names it (two of one kind)."""


def score_cascades(
    scores: NDArray[Any], test: CascadeSet, query_rows: ArrayLike, measures: Measures, *, known: ArrayLike = 1
) -> dict[str, NDArray[np.float64]]:
    """Column name -> one value per cascade, shape (len(test),); NaN where the measure is not defined.

    Parameters
    ----------
    scores, test, query_rows, known : as in `relevant_ranks`.
    measures : as in the configuration, such as ``{"average_precision": {}, "p10": {"use": "precision", "k": 10}}``.
    """
    return score_ranks(relevant_ranks(scores, test, query_rows, known=known), measures)


def score_ranks(ranks: RelevantRanks, measures: Measures) -> dict[str, NDArray[np.float64]]:
    """As `score_cascades`, from the places of the recipients."""
    values: dict[str, NDArray[np.float64]] = {}
    for label, given in measures.items():
        parameters = {key: value for key, value in given.items() if key != "use"}
        module = plugins.load("metrics", given.get("use", label), where=f"measures.{label}")
        _require_all(module.score, parameters, f"measures.{label}")
        name = module.column(**parameters)
        if name in values:
            raise ConfigError(f"measures.{label}", name, "a measure that no other label asks for", "drop one of them")
        values[name] = module.score(ranks, **parameters)
    return values


def conventions(measures: Measures) -> dict[str, dict[str, Any]]:
    """Column name -> everything that its values depend on: the measure, all of its parameters, how ties count."""
    stated = {}
    for label, given in measures.items():
        module = plugins.load("metrics", given.get("use", label), where=f"measures.{label}")
        chosen = {key: value for key, value in given.items() if key != "use"}
        known = inspect.signature(module.score).parameters.values()
        defaults = {p.name: p.default for p in known if p.kind is p.KEYWORD_ONLY and p.default is not p.empty}
        stated[module.column(**chosen)] = {
            "measure": module.__name__.rpartition(".")[2],
            "parameters": defaults | chosen,
            "ties": "expectation over all orders",
        }
    return stated


def _require_all(score: Callable[..., Any], parameters: Mapping[str, Any], where: str) -> None:
    """Every parameter without a default is given, and no other than the measure's own."""
    known = {name: p for name, p in inspect.signature(score).parameters.items() if p.kind is p.KEYWORD_ONLY}
    for name, parameter in known.items():
        if parameter.default is parameter.empty and name not in parameters:
            raise ConfigError(f"{where}.{name}", None, "a value; this measure has no default for it")
    for name in parameters:
        if name not in known:
            raise ConfigError(f"{where}.{name}", parameters[name], f"one of {sorted(known)}")

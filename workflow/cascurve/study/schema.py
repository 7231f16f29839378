"""JSON schemas: checks told in words that name the key, and the schema of a study with its defaults."""

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, cast

import jsonschema
import yaml

from cascurve.errors import ConfigError
from cascurve.plugins import KINDS

TYPES = {"integer": KINDS["int"], "number": KINDS["float"], "string": KINDS["str"], "boolean": KINDS["bool"]}
TYPES |= {"array": "a list", "object": "keys and their values", "null": "nothing (null)"}
"""JSON's types in words."""
LIMITS = {"minimum": "at least {}", "maximum": "at most {}", "exclusiveMinimum": "above {}"}
SCHEMA = Path(__file__).resolve().parents[2] / "schemas" / "config.schema.yaml"
_TYPES = jsonschema.Draft202012Validator.TYPE_CHECKER.redefine_many(
    {
        "integer": lambda _, value: isinstance(value, int) and not isinstance(value, bool),  # 2.0 is none
        "number": lambda _, value: (
            isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        ),
    }
)
VALIDATOR = jsonschema.validators.extend(jsonschema.Draft202012Validator, type_checker=_TYPES)  # type: ignore[no-untyped-call]


@cache
def schema() -> dict[str, Any]:
    """The JSON schema of a study's configuration."""
    loaded: dict[str, Any] = yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))
    return loaded


def check(raw: Mapping[str, Any], schema: Mapping[str, Any], where: str = "") -> None:
    """Check keys and values; errors name keys under `where`, a regime's place, instead of under "synthetic".

    Raises
    ------
    ConfigError : naming the key, the value and what is allowed.
    """
    errors = VALIDATOR(schema).iter_errors(raw)
    error = jsonschema.exceptions.best_match(errors)
    if error is None:
        return
    key = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path).lstrip(".")
    key = where + key.removeprefix("synthetic") if where else key
    match error.validator:
        case "additionalProperties":
            unknown = sorted(set(error.instance) - set(error.schema["properties"]))[0]
            allowed = ", ".join(sorted(error.schema["properties"]))
            raise ConfigError(".".join(filter(None, [key, unknown])), error.instance[unknown], f"a key among {allowed}")
        case "required":
            missing = next(name for name in error.validator_value if name not in error.instance)
            raise ConfigError(".".join(filter(None, [key, missing])), None, "a value; the key is required")
        case "anyOf" if "required" in error.schema["anyOf"][0]:
            choices = " or ".join(
                " and ".join(f"'{name}'" for name in way["required"]) for way in error.validator_value
            )
            known = error.schema.get("properties", {})
            given = [name for name in error.instance if "default" not in known.get(name, {})]  # others may be filled in
            raise ConfigError(key or "(top level)", given, f"the keys {choices}")
    raise ConfigError(key or "(top level)", error.instance, _allowed(error))


def _allowed(error: jsonschema.ValidationError) -> str:
    """What the schema allows, in words."""
    limits = {
        "pattern": "text that matches {}",
        "minItems": "a list of at least {} values",
        "minProperties": "at least {} entries",
    } | LIMITS
    name, value = str(error.validator), cast(Any, error.validator_value)
    if error.schema is False:
        return "nothing; the key must not stand here"
    if name == "uniqueItems":
        return "no value twice"
    return limits[name].format(value) if name in limits else _in_words(cast(Any, error.schema))


def _in_words(schema: Mapping[str, Any]) -> str:
    """What a schema of a single value allows."""
    if "enum" in schema:
        return "one of " + ", ".join(map(str, schema["enum"]))
    if "anyOf" in schema:
        return ", or ".join(map(_in_words, schema["anyOf"]))
    if "type" not in schema:
        return f"a value that satisfies {json.dumps(schema)}"
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    bounds = " and ".join(words.format(schema[key]) for key, words in LIMITS.items() if key in schema)
    return " or ".join(TYPES[kind] for kind in kinds) + (f", {bounds}" if bounds else "")


def with_defaults(config: Mapping[str, Any]) -> dict[str, Any]:
    """A deep copy with the schema's defaults filled in."""
    raw: dict[str, Any] = json.loads(json.dumps(config, default=str))
    properties = schema()["properties"]
    fill(raw, properties)
    if raw.get("timeaware", "empirical" in raw) is True:
        raw["timeaware"] = {}
    for key in ("synthetic", "difficulty", "novelty", "timeaware", "tuning"):
        if isinstance(raw.get(key), dict):
            fill(raw[key], properties[key]["properties"])
    if isinstance(raw.get("selection"), dict):
        for part in filter(lambda part: isinstance(raw["selection"].get(part), dict), raw["selection"]):
            fill(raw["selection"][part], properties["selection"]["properties"].get(part, {}).get("properties", {}))
    if isinstance(raw.get("empirical"), dict):
        for entry in filter(lambda value: isinstance(value, dict), raw["empirical"].values()):
            fill(entry, properties["empirical"]["additionalProperties"]["properties"])
    if isinstance(raw.get("timeaware"), dict):
        raw["timeaware"].setdefault("data", "real" if "empirical" in raw else "all")
    return raw


def fill(values: dict[str, Any], properties: Mapping[str, Any]) -> None:
    """Give each key that is missing its default."""
    for key, rule in properties.items():
        if "default" in rule:
            values.setdefault(key, json.loads(json.dumps(rule["default"])))

"""What a JSON Schema refuses, as findings."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import jsonschema_rs

from mcp_django.schema.validating.describing import describe, schema_at
from mcp_django.schema.validating.findings import Finding, Path, shown, unknown_member

_MOST = 200  # errors of a validator that are looked at


def of_schema(
    validator: jsonschema_rs.Validator, data: Any, schema: dict[str, Any]
) -> list[Finding]:
    """The findings for what a JSON Schema refuses."""
    errors = itertools.islice(validator.iter_errors(data), _MOST)
    found = [finding for error in errors for finding in _explained(error, data, schema)]
    return list(dict.fromkeys(found))


def _explained(
    error: jsonschema_rs.ValidationError, data: Any, schema: dict[str, Any]
) -> Iterator[Finding]:
    path: Path = tuple(error.instance_path)
    kind: Any = error.kind
    unknown = _unknown(error, data)
    closest = _closest(kind.context, path) if kind.name in _ALTERNATIVES else []
    if unknown:
        known = (schema_at(path, schema) or {}).get("properties", {})
        yield from (unknown_member((*path, name), known) for name in unknown)
    elif kind.name == "required":
        yield _missing((*path, kind.property), schema)
    elif closest:
        for inner in closest:
            yield from _explained(inner, data, schema)
    else:
        yield _wrong(error, path, schema)


def _unknown(error: jsonschema_rs.ValidationError, data: Any) -> list[str]:
    """The members of an object that its schema does not let in, if that is the error."""
    kind: Any = error.kind
    if kind.name in ("additionalProperties", "unevaluatedProperties"):
        return list(kind.unexpected)
    if kind.name == "falseSchema" and error.schema_path[-1:] == ["additionalProperties"]:
        for step in error.instance_path:  # of an object without any properties
            data = data[step]
        return list(data)
    return []


_ALTERNATIVES = ("anyOf", "oneOf")


def _closest(
    branches: Sequence[Sequence[jsonschema_rs.ValidationError]], path: Path
) -> Sequence[jsonschema_rs.ValidationError]:
    """What is wrong inside of the alternative that a value seems to be meant for."""
    inside = [
        branch
        for branch in branches
        if all(len(error.instance_path) > len(path) or _is_of_members(error) for error in branch)
    ]
    return min(inside, key=len, default=[])


def _is_of_members(error: jsonschema_rs.ValidationError) -> bool:
    return error.kind.name in ("required", "additionalProperties", "unevaluatedProperties")


def _missing(path: Path, schema: dict[str, Any]) -> Finding:
    return Finding(path, "This is missing.", describe(schema_at(path, schema), schema))


def _wrong(error: jsonschema_rs.ValidationError, path: Path, schema: dict[str, Any]) -> Finding:
    here = schema_at(path, schema)
    secret = _is_secret_at(path, schema)
    value = "This value" if secret else shown(error.instance)
    is_choice = _is_choice(here)
    problem = _PROBLEMS["enum"] if is_choice else _problem(error)
    is_vague = error.kind.name in _ALTERNATIVES and not is_choice
    return Finding(path, f"{value} {problem}.", describe(here, schema), is_vague)


def _is_choice(schema: Any) -> bool:
    """Whether the alternatives are values with titles."""
    branches = schema.get("oneOf", ()) if isinstance(schema, Mapping) else ()
    consts = [isinstance(branch, Mapping) and "const" in branch for branch in branches]
    return bool(consts) and all(consts)


def _is_secret_at(path: Path, schema: dict[str, Any]) -> bool:
    for length in range(1, len(path) + 1):
        here = schema_at(path[:length], schema)
        if isinstance(here, Mapping) and (
            here.get("writeOnly") is True or here.get("format") == "password"
        ):
            return True
    return False


_PROBLEMS: dict[str, str] = {
    "anyOf": "is not accepted",
    "const": "is not accepted",
    "enum": "is not one of the choices",
    "exclusiveMaximum": "is not below {limit}",
    "exclusiveMinimum": "is not above {limit}",
    "maxItems": "is longer than {limit}",
    "maxLength": "is longer than {limit} characters",
    "maxProperties": "has more than {limit} members",
    "maximum": "is more than {limit}",
    "minItems": "is shorter than {limit}",
    "minLength": "is shorter than {limit} characters",
    "minProperties": "has fewer than {limit} members",
    "minimum": "is less than {limit}",
    "multipleOf": "is no multiple of {multiple_of}",
    "oneOf": "is not accepted",
    "pattern": "does not have the right form",
    "uniqueItems": "has the same item twice",
}


def _problem(error: jsonschema_rs.ValidationError) -> str:
    kind: Any = error.kind
    if kind.name == "type":
        return "is not accepted" if error.instance is None else _not_of(kind.types)
    if kind.name == "format":
        return f"is not a valid {kind.format}"
    template = _PROBLEMS.get(kind.name)
    return template.format(**kind.as_dict()) if template else f"does not satisfy {kind.name}"


def _not_of(types: list[str]) -> str:
    articles = {"array": "a list", "boolean": "true or false", "null": "null", "string": "a string"}
    types = sorted(types, key=lambda name: name == "null")
    named = [
        articles.get(name, f"an {name}" if name[0] in "aio" else f"a {name}") for name in types
    ]
    return f"is not {' or '.join(named)}"

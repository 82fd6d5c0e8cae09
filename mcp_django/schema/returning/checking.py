"""Values held to their JSON Schema, and what is wrong with them in plain words."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NoReturn

import jsonschema_rs
import orjson

from mcp_django.schema.conversion import to_json
from mcp_django.schema.effort import Effort
from mcp_django.schema.errors import DeclarationError, InvalidResult, json_path
from mcp_django.schema.plain import sure_of

_MOST = 3  # problems told at once
_WIDTH = 60  # characters shown of a value


def check_of(schema: dict[str, Any], *, formats: bool) -> Callable[[Any], None]:
    """A function that raises ``InvalidResult`` for a value that the schema refuses.

    ``formats``: hold strings to their ``format`` too. Nothing is fetched from a network.
    """
    plain = to_json(schema)  # titles and descriptions may be lazy translations
    text, effort = json.dumps(plain, sort_keys=True), Effort(schema)

    def refuse(value: Any) -> None:
        if not effort.is_small(value):
            raise InvalidResult("it does not satisfy its schema, and is too deep to tell where")
        _explain(_validator(plain, formats, mask="it"), value)

    surely = sure_of(plain)
    is_valid = None if surely else _valid_by(text, formats)

    def check(value: Any) -> None:
        if surely and surely(value):
            return
        if not (is_valid or _valid_by(text, formats))(value):
            refuse(value)

    return check


def _valid_by(schema: str, formats: bool) -> Callable[[Any], bool]:
    """The judgement of the library, which knows all of JSON Schema."""
    try:
        return _shared_validator(schema, formats).is_valid
    except jsonschema_rs.ValidationError as error:
        raise DeclarationError(
            f"The schema of its result is no valid JSON Schema: {error.message}.",
            "Correct what extend_schema_field or extend_schema_serializer says.",
        ) from error


# A validator takes some 40 KiB, and many tools return the same.
@lru_cache(maxsize=256)
def _shared_validator(schema: str, formats: bool) -> jsonschema_rs.Draft202012Validator:
    return _validator(json.loads(schema), formats)


def _validator(
    schema: dict[str, Any], formats: bool, mask: str | None = None
) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(
        schema, validate_formats=formats, offline=True, mask=mask
    )


def _explain(validator: jsonschema_rs.Draft202012Validator, value: Any) -> NoReturn:
    errors = list(itertools.islice(validator.iter_errors(value), _MOST + 1))
    first, *others = errors[:_MOST]
    lines = [_problem(first), *(f"{json_path(e.instance_path)}: {_problem(e)}" for e in others)]
    if len(errors) > _MOST:
        lines.append("(and more)")
    raise InvalidResult("\n".join(lines), first.instance_path)


def _problem(error: jsonschema_rs.ValidationError) -> str:
    kind: Any = error.kind
    if kind.name == "required":
        return f"{shown(kind.property)} is missing"
    if kind.name == "falseSchema":
        return f"nothing is expected here, got {shown(error.instance)}"
    if kind.name == "type":
        return f"expected {_listed(kind.types)}, got {shown(error.instance)}"
    if kind.name in ("enum", "const"):
        options = kind.options if kind.name == "enum" else [kind.expected_value]
        return f"expected {_listed([shown(o) for o in options])}, got {shown(error.instance)}"
    if kind.name in ("anyOf", "oneOf") and hasattr(kind, "context"):
        return f"{shown(error.instance)} fits no alternative: {_alternatives(error)}"
    return f"{error.message}, got {shown(error.instance)}"


def _alternatives(error: jsonschema_rs.ValidationError) -> str:
    """The first problem with each alternative."""
    texts = []
    context: Any = error.kind
    for first, *_others in context.context:
        problem, where = _problem(first), first.instance_path
        is_inside = len(where) > len(error.instance_path)
        texts.append(f"{json_path(where)}: {problem}" if is_inside else problem)
    return "; ".join(dict.fromkeys(texts))


def _listed(words: Sequence[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def shown(value: Any) -> str:
    """A value of JSON, short enough for a message."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    try:
        text = orjson.dumps(value).decode()
    except TypeError:
        text = str(value)
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"

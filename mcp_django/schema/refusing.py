"""From the errors of DRF and of a JSON Schema validator to findings."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import jsonschema_rs
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.settings import api_settings

from mcp_django.schema.describing import describe, schema_at
from mcp_django.schema.findings import Finding, Path, shown, unknown_member
from mcp_django.schema.model_fields import ModelField
from mcp_django.schema.trees import AnyField
from mcp_django.schema.union_fields import UnionField

_MOST = 200  # errors of a validator that are looked at


def flattened(detail: Any, path: Path = ()) -> Iterator[tuple[Path, ErrorDetail]]:
    """The messages inside of a DRF ``ValidationError.detail``, each with its path."""
    if isinstance(detail, Mapping):
        for key, inner in detail.items():
            here = key == api_settings.NON_FIELD_ERRORS_KEY
            yield from flattened(inner, path if here else (*path, key))
    elif isinstance(detail, list):
        for index, inner in enumerate(detail):
            # A list of messages of this field; or, in an older form, a place for each item.
            nested = isinstance(inner, (Mapping, list))
            yield from flattened(inner, (*path, index) if nested else path)
    else:
        yield path, detail


def of_serializer(
    detail: Any,
    serializer: serializers.BaseSerializer[Any],
    data: Any,
    schema: dict[str, Any],
    errors_in: Callable[[Any], list[Finding]],
) -> list[Finding]:
    """The findings for what a serializer refused.

    Messages of DRF's own are said anew, with the value and with what the schema wants;
    those of the project are kept as they are. ``errors_in`` gives the findings of the
    schema itself, from which the words for the former come.
    """
    said: dict[Path, Finding] = {}
    for finding in errors_in(data):
        said.setdefault(finding.path, finding)
    found = []
    for path, message in flattened(detail):
        field, value, secret = _found(path, serializer, data)
        if not any(_is_stock(owner, message) for owner in _owners(field, value)):
            found.append(Finding(path, str(message)))
            continue
        expected = describe(schema_at(path, schema), schema)
        if path in said and not said[path].is_vague and not secret:
            found.append(Finding(path, said[path].problem, expected))
        else:
            # Words of DRF's may repeat the value, which a secret forbids.
            text = _sayable(message, secret)
            found.append(Finding(path, text, expected if message.code != "does_not_exist" else ""))
    return found


def _sayable(message: ErrorDetail, secret: bool) -> str:
    if message.code in ("required", "null"):
        return "This is missing." if message.code == "required" else "Null is not accepted."
    return "This value is not valid." if secret else str(message)


def _found(path: Path, root: AnyField, data: Any) -> tuple[AnyField | None, Any, bool]:
    """The field at a path, its value, and whether that is a secret."""
    field: AnyField | None = root
    secret = False
    for step in path:
        field = _inside(field, step, data)
        data = _member(data, step)
        secret = secret or is_secret(field)
    return field, data, secret


def _owners(field: AnyField | None, value: Any) -> Iterator[AnyField]:
    """The fields that a message about this value may come from."""
    if isinstance(field, UnionField):
        yield from _owners(field.branch(value), value)
    if field is not None:
        yield field
    if isinstance(field, ModelField):
        yield field.key


def _member(data: Any, step: str | int) -> Any:
    try:
        return data[step]
    except (IndexError, KeyError, TypeError):
        return None


def _inside(field: AnyField | None, step: str | int, data: Any) -> AnyField | None:
    if isinstance(field, UnionField):
        field = field.branch(data)
    if isinstance(field, serializers.Serializer):
        return field.fields.get(step) if isinstance(step, str) else None
    children = getattr(field, "children", None)
    if children is not None and isinstance(step, int):
        found: AnyField | None = children[step]
        return found
    return getattr(field, "child", None) or getattr(field, "child_relation", None)


def is_secret(field: AnyField | None) -> bool:
    """Whether the values of a field must not be repeated."""
    return field is not None and (field.write_only or field.style.get("input_type") == "password")


def _is_stock(field: AnyField, message: ErrorDetail) -> bool:
    """Whether a message is DRF's (or ours) as it comes, and not an author's."""
    code = message.code
    template = field.error_messages.get(code) if isinstance(code, str) else None
    if template is None or code in (getattr(field, "_kwargs", {}).get("error_messages") or {}):
        return False
    for cls in type(field).__mro__:
        if code in vars(cls).get("default_error_messages", {}):
            head, filled, _tail = str(template).partition("{")
            ours = cls.__module__.startswith(("rest_framework.", "mcp_django.schema."))
            return ours and (str(message).startswith(head) if filled else str(message) == head)
    return False


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


_ALTERNATIVES = ("anyOf", "oneOfNotValid")


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
    problem = f"{value} {_problem(error)}."
    return Finding(path, problem, describe(here, schema), error.kind.name in _ALTERNATIVES)


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

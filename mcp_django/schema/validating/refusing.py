"""What a serializer refuses, as findings."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, TypeAlias

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.settings import api_settings

from mcp_django.schema.blocking import is_known
from mcp_django.schema.fields import TupleField
from mcp_django.schema.model_fields import ModelField
from mcp_django.schema.trees import AnyField
from mcp_django.schema.union_fields import UnionField
from mcp_django.schema.validating.describing import describe, kinds_taken, schema_at
from mcp_django.schema.validating.findings import Finding, Path

Message: TypeAlias = tuple[Path, ErrorDetail]

_MOST = 1_000  # messages that are looked at


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
    messages = list(itertools.islice(flattened(detail), _MOST))
    said: dict[Path, Finding] = {}
    for finding in errors_in(_with_numbers(data, messages, schema)):
        said.setdefault(finding.path, finding)
    found = []
    for path, message in messages:
        field, value, secret = _found(path, serializer, data)
        if not any(_is_stock(owner, message) for owner in _owners(field, value)):
            found.append(Finding(path, str(message)))
            continue
        expected = describe(schema_at(path, schema), schema)
        is_said = path in said and not said[path].is_vague
        if is_said and not secret and not _is_of_range(message, value, schema, path):
            found.append(Finding(path, said[path].problem, expected))
        else:
            # Words of DRF's may repeat the value, which a secret forbids.
            text = _sayable(message, secret)
            found.append(Finding(path, text, expected if message.code != "does_not_exist" else ""))
    return found


def _with_numbers(data: Any, messages: list[Message], schema: dict[str, Any]) -> Any:
    """The data with numbers where DRF read one out of a text, and refused that number.

    Of the text the schema would say no more than that it is one.
    """
    read = (path for path, message in messages if message.code != "invalid")
    numbers = {path: _number(_at(data, path), path, schema) for path in read}
    found = {path: number for path, number in numbers.items() if number is not None}
    return _replaced(data, found) if found else data


def _number(value: Any, path: Path, schema: dict[str, Any]) -> int | float | None:
    """The number that a text stands for, where a number is wanted and no text."""
    kinds = kinds_taken(schema_at(path, schema), schema)
    if not isinstance(value, str) or "string" in kinds or not kinds & {"integer", "number"}:
        return None
    with suppress(ValueError):
        return int(value)
    with suppress(ValueError):
        number = float(value)
        if "number" in kinds and math.isfinite(number):
            return number
        if number.is_integer():
            return int(number)
    return None


def _replaced(data: Any, numbers: Mapping[Path, int | float], path: Path = ()) -> Any:
    if path in numbers:
        return numbers[path]
    if isinstance(data, dict):
        return {name: _replaced(item, numbers, (*path, name)) for name, item in data.items()}
    if isinstance(data, list):
        return [_replaced(item, numbers, (*path, index)) for index, item in enumerate(data)]
    return data


def _at(data: Any, path: Path) -> Any:
    return functools.reduce(_member, path, data)


def _is_of_range(message: ErrorDetail, value: Any, schema: dict[str, Any], path: Path) -> bool:
    """Whether it tells of the amount of a text that no number can be read from.

    A duration is such a text. The schema says no more of it than that it is one.
    """
    is_text = isinstance(value, str) and _number(value, path, schema) is None
    return is_text and message.code in ("max_value", "min_value")


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
    if isinstance(field, TupleField):
        place = step if isinstance(step, int) else len(field.children)
        return dict(enumerate(field.children)).get(place)
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
    head, filled, _tail = str(template).partition("{")
    if not (str(message).startswith(head) if filled else str(message) == head):
        return False
    sayers = (c for c in type(field).__mro__ if code in vars(c).get("default_error_messages", ()))
    return all(is_known(cls) for cls in itertools.islice(sayers, 1))

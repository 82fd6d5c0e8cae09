"""How values become JSON where an annotation says more than the value itself.

A value that is not of the annotated kind is left to ``to_native``; the schema judges it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from rest_framework.serializers import BaseSerializer

from mcp_django.schema.conversion import (
    Convert,
    array_of,
    attributes_of,
    decimal_text,
    is_named_tuple,
    object_of,
    set_of,
    to_native,
)
from mcp_django.schema.errors import InvalidResult

# Iterable, but no arrays; bytes and serializers have an answer of their own.
_NO_ARRAYS = (str, bytes, Mapping, BaseSerializer)


def as_decimal(value: Any) -> Any:
    """A string, also of an int or a float: ``sum()`` of no decimals is the int 0."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = Decimal(str(value))
    return decimal_text(value) if isinstance(value, Decimal) else to_native(value)


def as_float(value: Any) -> Any:
    """A number, also of a Decimal: what an aggregate gives depends on the database."""
    return to_native(float(value) if isinstance(value, Decimal) else value)


def optional(convert: Convert) -> Convert:
    """None, or what ``convert`` makes."""
    if convert is to_native:
        return convert
    return lambda value: None if value is None else convert(value)


def either(branches: Sequence[tuple[type, Convert]]) -> Convert:
    """The converter of the class that a value is of, the most special one first.

    ``to_native`` where none fits, and for mappings where several would.
    """
    classes = [cls for cls, _convert in branches]
    if classes.count(Mapping) > 1:
        branches = [branch for branch in branches if branch[0] is not Mapping]
    known = sorted(
        branches,
        key=lambda branch: sum(issubclass(branch[0], cls) for cls in classes),
        reverse=True,
    )
    if not known:
        return to_native

    def convert(value: Any) -> Any:
        for cls, branch in known:
            if isinstance(value, cls):
                return branch(value)
        return to_native(value)

    return convert


def as_array(item: Convert, *, ordered: bool = True) -> Convert:
    """A list of any iterable; of a set, in a stable order."""
    inner = array_of(item) if ordered else set_of(item)

    def convert(value: Any) -> Any:
        if type(value) is list:
            return inner(value)
        if isinstance(value, _NO_ARRAYS) or not isinstance(value, Iterable):
            return to_native(value)
        return inner(value)

    return convert


def as_object(item: Convert) -> Convert:
    """An object of any mapping."""
    inner = object_of(item)
    return lambda value: inner(value) if isinstance(value, Mapping) else to_native(value)


def as_tuple(items: Sequence[Convert]) -> Convert:
    """A list with a converter for each place."""

    def convert(value: Any) -> Any:
        if not isinstance(value, tuple | list) or len(value) != len(items):
            return to_native(value)
        converted: list[Any] = []
        try:
            for item, member in zip(items, value, strict=True):
                converted.append(item(member))
        except InvalidResult as error:
            raise error.under(len(converted)) from error.__cause__
        return converted

    return convert


def as_members(cls: type, members: Mapping[str, Convert]) -> Convert:
    """The attributes of a dataclass or NamedTuple, those of a subclass left out."""
    inner = attributes_of(members)
    row = as_tuple(tuple(members.values())) if is_named_tuple(cls) else None

    def convert(value: Any) -> Any:
        if isinstance(value, cls):
            return inner(value)
        if row is not None and isinstance(value, tuple) and len(value) == len(members):
            return dict(zip(members, row(value), strict=True))
        return to_native(value)

    return convert


def as_keys(keys: Mapping[str, Convert]) -> Convert:
    """A TypedDict: a converter for each key that it declares."""

    def convert(value: Any) -> Any:
        if not isinstance(value, Mapping):
            return to_native(value)
        converted: dict[str, Any] = {}
        for key, item in value.items():
            if (member := keys.get(key)) is None:
                converted.update(to_native({key: item}))
                continue
            try:
                converted[key] = member(item)
            except InvalidResult as error:
                raise error.under(key) from error.__cause__
        return converted

    return convert

"""Checks of whole trees of fields, once all of it is there: at start-up."""

from __future__ import annotations

import datetime
from typing import Any

from rest_framework import serializers
from rest_framework.fields import empty

from mcp_django.schema.blocking import may_block
from mcp_django.schema.deriving.structures import DerivedSerializer, StructSerializer
from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.fields import SetField, TupleField, TupleListField
from mcp_django.schema.model_fields import ModelField
from mcp_django.schema.trees import AnyField, children, walk
from mcp_django.schema.union_fields import UnionField, refuse_overlaps


def settle(field: AnyField) -> None:
    """Refuse what only shows in the whole: ambiguous unions, sets of lists, wrong defaults."""
    for inner in walk(field):
        if isinstance(inner, UnionField):
            refuse_overlaps(inner.branches, inner.names)
        if isinstance(inner, SetField) and not _is_hashable(inner.child):
            raise DeclarationError(
                "A set can't hold what is made of lists or objects.",
                "Write a list, or a set of tuples or of frozen dataclasses.",
            )
        refuse_default(inner, strictly=True)


def _is_hashable(field: AnyField) -> bool:
    if isinstance(field, StructSerializer):
        return field.struct.__hash__ is not None and all(map(_is_hashable, children(field)))
    if isinstance(field, (TupleField, TupleListField)):
        return all(map(_is_hashable, children(field)))
    if isinstance(field, SetField):
        return field.frozen
    if isinstance(field, UnionField):
        return all(map(_is_hashable, field.branches))
    lists = (serializers.ListField, serializers.DictField, serializers.JSONField)
    return not isinstance(field, (*lists, serializers.BaseSerializer))


def refuse_defaults(serializer: AnyField) -> None:
    """Refuse the defaults of a serializer that its own fields would refuse."""
    for field in walk(serializer):
        if not isinstance(field.parent, DerivedSerializer):  # those are settled already
            refuse_default(field, strictly=False)


def refuse_default(field: AnyField, *, strictly: bool) -> None:
    """Raise ``DeclarationError`` for a default that the field itself refuses.

    ``strictly``: the default has to be a value as the field gives it, not merely one that
    it can read. What is called for each value isn't called here. In serializers that are
    written for DRF, None and "" are its idiom for "left out", and pass.
    """
    default: Any = field.default
    if default is empty or callable(default) or _is_internal(field):
        return
    if default is None:
        if strictly and not field.allow_null:
            raise _refusal(field, "None is not accepted", "Write `| None` after its type.")
        return
    if isinstance(field, ModelField):
        raise _refusal(field, "a row is looked up anew for each call")
    if may_block(field) or (default == "" and not strictly):
        return  # only the database or the project's own code could tell
    try:
        read = field.run_validation(field.to_representation(default))
    except serializers.ValidationError as error:
        raise _refusal(field, _first(error.detail)) from error
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise _refusal(field, f"it is a {type(default).__name__}") from error
    if strictly and not _is_same(default, read):
        raise _refusal(field, f"it is a {type(default).__name__}")


def _is_internal(field: AnyField) -> bool:
    """Whether no caller ever sends a value for it."""
    return field.read_only or isinstance(field, serializers.HiddenField)


def _first(detail: Any) -> str:
    while isinstance(detail, (dict, list)) and detail:
        detail = next(iter(detail.values())) if isinstance(detail, dict) else detail[0]
    return str(detail).rstrip(".")


def _is_same(default: Any, read: Any) -> bool:
    if isinstance(default, bool) != isinstance(read, bool):
        return False
    if isinstance(read, datetime.datetime):  # which has a time zone now, if USE_TZ says so
        return isinstance(default, datetime.datetime)
    if isinstance(read, list) and isinstance(default, (list, tuple)):
        return list(default) == read
    return bool(default == read) or _is_incomparable(default, read)


def _is_incomparable(default: Any, read: Any) -> bool:
    """Whether equality is identity, as in ``@dataclass(eq=False)``: a copy never equals."""
    equality: Any = type(read).__eq__
    return type(default) is type(read) and equality is object.__eq__


def _refusal(field: AnyField, why: str, fix: str = "") -> DeclarationError:
    where = f" of {field.field_name}" if field.field_name else ""
    return DeclarationError(
        f"The default{where}, {field.default!r}, is refused by its own field: {why}.",
        fix or "Correct the default, or what the field accepts.",
    )

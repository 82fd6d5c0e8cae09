"""Rows of a table as completions: the query for what begins with what was typed."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import FieldError
from django.db.models import (
    CharField,
    DateField,
    DateTimeField,
    F,
    Field,
    IntegerField,
    QuerySet,
    TextField,
    UUIDField,
)
from django.db.models.functions import Length
from django.db.models.lookups import GreaterThan
from django.db.models.query import FlatValuesListIterable

from mcp_django.features.completers import Rows

_TEXT = (CharField, TextField)
# What databases compare as the text that clients are shown.
_KINDS = (*_TEXT, IntegerField, DateField, UUIDField)


def rows_of(queryset: QuerySet[Any], field: str) -> Rows:
    """Check, without a query, that a field can be completed.

    ``FieldError`` for one that does not exist, ``TypeError`` for one that cannot be.
    """
    if queryset.query.is_sliced or queryset.query.combinator:
        raise TypeError("a queryset that is sliced or combined cannot be narrowed")
    kind: Field[Any, Any] = F(field).resolve_expression(queryset.all().query).output_field
    if isinstance(kind, DateTimeField) or not isinstance(kind, _KINDS):
        raise TypeError(f"a {type(kind).__name__} is neither text nor a whole number nor a date")
    rows = Rows(queryset, field, isinstance(kind, _TEXT))
    matching(rows, "x")
    return rows


def matching(rows: Rows, typed: str) -> QuerySet[Any]:
    """The values that begin with this, without case: in order, each once, none empty."""
    if "\0" in typed:  # no text has it, and PostgreSQL refuses to look
        return rows.queryset.none()
    if typed:
        found = rows.queryset.filter(**{f"{rows.field}__istartswith": typed})
    elif rows.is_text:
        found = rows.queryset.filter(GreaterThan(Length(rows.field), 0))  # of null it is null
    else:
        found = rows.queryset.filter(**{f"{rows.field}__isnull": False})
    return found.order_by(rows.field).values_list(rows.field, flat=True).distinct()


def flat_field(queryset: QuerySet[Any]) -> str:
    """The one field of ``values_list("isbn", flat=True)``; empty for any other queryset."""
    given: Any = queryset  # its fields are kept by Django, and unknown to its stubs
    is_flat = given._iterable_class is FlatValuesListIterable
    return str(given._fields[0]) if is_flat and given._fields else ""


def flat_rows(queryset: QuerySet[Any]) -> Rows | None:
    """A queryset of values as rows, where the database can narrow it."""
    try:
        return rows_of(queryset, flat_field(queryset))
    except (FieldError, TypeError):
        return None

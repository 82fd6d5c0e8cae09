"""A queryset over objects held in memory, so that the admin can list what has no table.

It filters and sorts in Python and never makes a query. It knows what the admin's list,
search and filters ask for, and refuses the rest in words.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn, Self, TypeVar

from django.core.exceptions import FieldError
from django.db import models
from django.db.models.constants import LOOKUP_SEP

M = TypeVar("M", bound=models.Model)
Predicate = Callable[[models.Model], bool]


def _both(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    """Compare where both sides are there, as SQL does."""
    return lambda held, wanted: held is not None and wanted is not None and compare(held, wanted)


def _fold(compare: Callable[[str, str], bool]) -> Callable[[Any, Any], bool]:
    return _both(lambda held, wanted: compare(str(held).casefold(), str(wanted).casefold()))


LOOKUPS: dict[str, Callable[[Any, Any], bool]] = {
    "exact": operator.eq,
    "iexact": _fold(operator.eq),
    "contains": _both(lambda held, wanted: str(wanted) in str(held)),
    "icontains": _fold(operator.contains),
    "startswith": _both(lambda held, wanted: str(held).startswith(str(wanted))),
    "istartswith": _fold(str.startswith),
    "in": lambda held, wanted: held in wanted,
    "isnull": lambda held, wanted: (held is None) is bool(wanted),
}


def _converted(field: models.Field[Any, Any], lookup: str, value: Any) -> Any:
    """The value as the field holds it: what comes from a URL is text."""
    if lookup == "isnull":
        return value
    if lookup == "in":
        return {field.to_python(getattr(item, "pk", item)) for item in value}
    return field.to_python(value)


def _field(model: type[models.Model], name: str) -> models.Field[Any, Any]:
    opts = model._meta
    by_name = {"pk": opts.pk, **{field.name: field for field in opts.concrete_fields}}
    if name not in by_name:
        raise FieldError(f"{model.__name__} has no field {name!r} to compare.")
    return by_name[name]


def _combined(model: type[models.Model], condition: models.Q) -> Predicate:
    """A ``Q`` as a function of an object; an empty one lets everything pass."""
    parts = [_predicate(model, child) for child in condition.children]
    combine = any if condition.connector == models.Q.OR and parts else all
    negated = condition.negated
    return lambda row: combine(part(row) for part in parts) is not negated


def _predicate(model: type[models.Model], condition: Any) -> Predicate:
    """A ``Q``, or one ``("field__lookup", value)`` of it, as a function of an object."""
    if isinstance(condition, models.Q):
        return _combined(model, condition)
    if not isinstance(condition, tuple):
        raise FieldError(f"{model.__name__} is held in memory: {condition!r} is not a condition.")
    path, value = condition
    name, _, lookup = path.partition(LOOKUP_SEP)
    compare = LOOKUPS.get(lookup or "exact")
    if compare is None:
        raise FieldError(f"{model.__name__} is held in memory: it has no lookup {lookup!r}.")
    field = _field(model, name)
    wanted = _converted(field, lookup, value)
    read = operator.attrgetter(field.attname)
    return lambda row: compare(read(row), wanted)


def _sort_key(name: str) -> Callable[[models.Model], tuple[bool, Any]]:
    """None sorts first, and text without regard to case."""

    def key(row: models.Model) -> tuple[bool, Any]:
        value = getattr(row, name)
        return value is not None, value.casefold() if isinstance(value, str) else value

    return key


class RowQuerySet(models.QuerySet[M]):
    """A queryset whose rows are given by ``holding(rows)``; empty until then."""

    # The rows always have an order, and the admin asks (Django 6.1 for both).
    ordered = True
    totally_ordered = True

    _rows: tuple[M, ...] = ()

    def holding(self, rows: Iterable[M]) -> Self:
        """The same queryset over these objects."""
        clone = self._chain()
        clone._rows = tuple(rows)
        return clone

    def _clone(self) -> Self:
        clone: Self = super()._clone()  # type: ignore[misc]
        clone._rows = self._rows
        return clone

    def _chain(self) -> Self:
        return self._clone()

    def _filter_or_exclude(self, negate: bool, args: Any, kwargs: Any) -> Self:
        holds = _predicate(self.model, models.Q(*args, **kwargs))
        return self.holding(row for row in self._rows if holds(row) is not negate)

    def order_by(self, *field_names: Any) -> Self:
        rows = list(self._rows)
        for name in reversed(field_names):
            descending = name.startswith("-")
            rows.sort(key=_sort_key(name.removeprefix("-")), reverse=descending)
        return self.holding(rows)

    def reverse(self) -> Self:
        return self.holding(reversed(self._rows))

    def none(self) -> Self:
        return self.holding(())

    def distinct(self, *field_names: Any) -> Self:
        return self._clone()

    def count(self) -> int:
        return len(self._rows)

    def exists(self) -> bool:
        return bool(self._rows)

    def iterator(self, chunk_size: int | None = None) -> Iterator[M]:
        return iter(self._rows)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self.holding(self._rows[index])
        return self._rows[index]

    def _fetch_all(self) -> None:
        self._result_cache = list(self._rows)

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise NotImplementedError(
            f"{self.model.__name__} has no table: its rows are held in memory, to read."
        )

    aggregate = annotate = values = values_list = _refuse
    update = delete = create = bulk_create = _refuse

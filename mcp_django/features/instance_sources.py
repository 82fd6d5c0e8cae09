"""``instances=`` of a template: where the resources that lists show come from."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Collection
from typing import Any

from django.db.models import Manager, Model, QuerySet
from django.db.models.query import (
    FlatValuesListIterable,
    ModelIterable,
    NamedValuesListIterable,
    ValuesIterable,
    ValuesListIterable,
)
from django.db.models.signals import post_init

from mcp_django.features.base import Binding, Parameter
from mcp_django.features.compiling import Started
from mcp_django.features.matching import have, named
from mcp_django.protocol.uritemplates import UriTemplate
from mcp_django.schema.errors import DeclarationError

_WRITE = "write a function that returns the values of the variables, one mapping a resource"


def instances_binding(parts: Started, template: UriTemplate) -> Binding | None:
    """``instances=``, a function whose parameters are injected, or a queryset.

    Raises ``DeclarationError``, also where the rows of a queryset lack a variable.
    """
    given = parts.options.get("instances")
    if given is None:
        return None
    parameter = Parameter("instances", Any, feature=parts.name)
    if isinstance(given, Manager | QuerySet):
        rows = given.all()
        _refuse_lacking(rows, template)
        return parts.binder.calling(lambda: rows.all(), parameter)
    if inspect.isclass(given) and issubclass(given, Model) and not given._meta.abstract:
        manager = given._default_manager.name
        raise DeclarationError(
            f"instances={given.__name__} is a model.", f"Give {given.__name__}.{manager}."
        )
    if not callable(given) or inspect.isclass(given):
        raise DeclarationError(
            f"instances={given!r} is neither a function nor a queryset.",
            "Give a function that returns the values of the variables, one mapping a resource.",
        )
    return parts.binder.calling(given, parameter)


def _refuse_lacking(rows: QuerySet[Any], template: UriTemplate) -> None:
    """Refuse a queryset whose rows are known to lack a variable that every URI has."""
    given: Any = rows
    needed = [name for name in template.names if name not in template.optional]
    if needed and given._iterable_class in (FlatValuesListIterable, ValuesListIterable):
        raise DeclarationError(
            "instances= gives values without names.",
            f"Write values({', '.join(map(repr, needed))}) in place of values_list().",
        )
    lacking = [name for name in needed if _is_lacking(given, name)]
    if lacking:
        raise DeclarationError(
            f"{named('variable', lacking)} of {template.text!r} {have(lacking)} no value in the "
            f"rows of {rows.model.__name__} that instances= gives.",
            f"{_fix(given, lacking[0])}, or {_WRITE}.",
        )


def _fix(rows: Any, name: str) -> str:
    model = rows.model.__name__
    if rows._iterable_class is not ModelIterable:
        return f"Add {name!r} to values()"
    if hasattr(rows.model, name):
        return f"{model}.{name} is a method: make it a property"
    return f"Annotate the queryset with {name!r}, give {model} a property of that name"


def _is_lacking(rows: Any, name: str) -> bool:
    """Whether rows are known not to have it; False where only a row itself could tell."""
    if rows.query.combinator or type(rows)._fetch_all is not QuerySet._fetch_all:
        return False
    if rows._iterable_class in (ValuesIterable, NamedValuesListIterable):
        return name not in _selected(rows)
    if rows._iterable_class is not ModelIterable or _is_open(rows.model):
        return False
    prefetched = {getattr(one, "to_attr", "") for one in rows._prefetch_related_lookups}
    if name in {*rows.query.annotation_select, *rows.query.extra_select, *prefetched}:
        return False
    # Not asked for: what is computed for a row may fail for a class.
    found = inspect.getattr_static(rows.model, name, None)
    return found is None or inspect.isfunction(found) or isinstance(found, _METHODS)


_METHODS = (classmethod, staticmethod, functools.partialmethod)


def _selected(rows: Any) -> Collection[str]:
    """The names of ``values()``, or of ``values_list(named=True)``."""
    query = rows.query
    return {
        *(rows._fields or ()),
        *query.extra_select,
        *query.values_select,
        *query.annotation_select,
    }


def _is_open(model: Any) -> bool:
    """Whether code of the author's may give its rows attributes that the class does not have."""
    return (
        any(getattr(model, name) is not getattr(Model, name) for name in _MAKING)
        or hasattr(model, "__getattr__")
        or model.from_db.__func__ is not _FROM_DB
        or post_init.has_listeners(model)
    )


_MAKING = ("__init__", "__getattribute__")
_FROM_DB = vars(Model)["from_db"].__func__

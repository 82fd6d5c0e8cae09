"""What an author gives to complete an argument, and where its values then come from."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable
from typing import Any

from django.core.exceptions import FieldError
from django.db.models import Manager, Model, QuerySet

from mcp_django.features.base import Parameter
from mcp_django.features.choices import choices_of_enum, choices_of_list
from mcp_django.features.compiling import Started
from mcp_django.features.completers import VALUE, Asked, Completion, Rows
from mcp_django.features.completion_rows import flat_field, rows_of
from mcp_django.features.declarations import origin_of_function
from mcp_django.features.handlers import read_handler
from mcp_django.schema.errors import DeclarationError, Unfilled
from mcp_django.schema.trees import named

_GIVE = "Give a function, a queryset with the name of a field, a list of values, or an Enum class."


def source_of(name: str, given: Any, parts: Started) -> tuple[str, ...] | Rows | Asked:
    """What the argument of this name is completed from; raises ``DeclarationError``."""
    source, field = _with_field(given)
    if inspect.isroutine(source) or isinstance(source, staticmethod | classmethod):
        source = _bound(source, parts)
    if isinstance(source, Manager | QuerySet):
        return _rows(name, source.all(), field)
    if field:
        raise DeclarationError(
            f"The completer of {name!r} names the field {field!r} of {named(source)}, which is "
            "no queryset.",
            _GIVE,
        )
    if isinstance(source, list | tuple):
        return choices_of_list(name, source)
    if inspect.isclass(source) and issubclass(source, enum.Enum):
        return choices_of_enum(source)
    if not callable(source) or inspect.isclass(source):
        is_model = inspect.isclass(source) and issubclass(source, Model)
        fix = f"Give {source.__name__}.objects, and the name of a field." if is_model else _GIVE
        raise DeclarationError(f"{named(source)} cannot complete {name!r}.", fix)
    return _function(name, source, parts)


def _with_field(given: Any) -> tuple[Any, str]:
    """``Completion(source, field)``, or a queryset and its field as a pair."""
    if isinstance(given, Completion):
        return given.source, given.field
    is_pair = isinstance(given, tuple) and len(given) == 2
    if is_pair and isinstance(given[0], Manager | QuerySet) and isinstance(given[1], str):
        return given[0], given[1]
    return given, ""


def _rows(name: str, queryset: QuerySet[Any], field: str) -> Rows:
    model = queryset.model.__name__
    wanted = field or flat_field(queryset) or name
    where = f"{name!r} cannot be completed from the field {wanted!r} of {model}"
    try:
        return rows_of(queryset, wanted)
    except FieldError as error:
        fix = "Correct the name; that of a related model is such as author__name."
        if not field:
            fix = 'Say which one, such as Completion(queryset, "isbn").'
        raise DeclarationError(f"{where}: {str(error).rstrip('.')}.", fix) from error
    except TypeError as error:
        fix = "Give a function that returns the values."
        raise DeclarationError(f"{where}: {error}.", fix) from error


def _bound(function: Any, parts: Started) -> Any:
    """A function that stands in the class of the handler is a method of its instance."""
    instance = getattr(parts.handler.call, "__self__", None)
    for base in type(instance).__mro__:
        for attribute, value in vars(base).items():
            if value is function:
                return getattr(instance, attribute)
    return function


def _function(name: str, function: Callable[..., Any], parts: Started) -> Asked:
    parameter = Parameter(name, Any, feature=parts.name)
    try:
        binding = parts.binder.calling(function, parameter, given=(VALUE,))
    except Unfilled as error:
        raise Unfilled(
            error.problem, f"{error.fix} What was typed so far arrives as {VALUE}."
        ) from error
    handler = read_handler(function, origin_of_function(function).namespace)
    return Asked(binding, narrows=any(one.name == VALUE for one in handler.parameters))

"""What decorators leave on what they stand on, which is returned unchanged otherwise."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from typing import Any

from mcp_django.features.declarations import DecoratedMethod
from mcp_django.features.errors import InvalidFeature

METHOD_MARK = "__mcp_method__"
CLASS_MARK = "__mcp_options__"


def mark(function: Any, method: DecoratedMethod) -> None:
    """Note that a function in the body of a class is to be a feature."""
    setattr(function, METHOD_MARK, (*getattr(function, METHOD_MARK, ()), method))


def marks_of(value: Any) -> tuple[DecoratedMethod, ...]:
    """What decorators noted on a member of a class."""
    if isinstance(value, staticmethod | classmethod):
        value = value.__func__
    if not inspect.isroutine(value):
        return ()
    marks: tuple[DecoratedMethod, ...] = getattr(value, METHOD_MARK, ())
    return marks


def marks_in(cls: type) -> Iterator[tuple[str, DecoratedMethod]]:
    """The marks on all members of a class and its bases, by the member's name."""
    for base in cls.__mro__:
        for name, value in list(vars(base).items()):
            for found in marks_of(value):
                yield name, found


def decorated_methods(cls: type) -> list[tuple[str, DecoratedMethod]]:
    """The methods of a toolset that are features, inherited ones first, then as they stand.

    A method that is overridden is one only if it is decorated again.
    """
    found = []
    for name, method in marks_in(cls):
        current = inspect.getattr_static(cls, name)
        if method in marks_of(current) and (name, method) not in found:
            found.append((name, method))
    return sorted(found, key=lambda item: item[1].origin.order)


def refuse_stray(methods: Iterable[DecoratedMethod]) -> None:
    """Stop start-up for a method that nobody calls: no toolset has it."""
    for method in methods:
        if not method.claimed:
            raise InvalidFeature(
                f"{method.origin.source}: @{method.kind} stands on a method of a class that is "
                "no Toolset, or another decorator hides it. Derive the class from "
                f"mcp_django.Toolset, and let @{method.kind} be the topmost decorator."
            )

"""``@tool``: says that a function, a method or a class is a tool, and leaves it as it is."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, Unpack, overload

from mcp_django.features import registry
from mcp_django.features.classes import CLASS_MARK, METHOD_MARK, Tool, Toolset, origin_of
from mcp_django.features.declarations import (
    Declaration,
    DecoratedMethod,
    ToolOptions,
    checked_options,
    declared_function,
    is_method,
    origin_of_function,
)
from mcp_django.features.errors import Misuse

F = TypeVar("F")


@overload
def tool(target: F, /, **options: Unpack[ToolOptions]) -> F: ...
@overload
def tool(**options: Unpack[ToolOptions]) -> Callable[[F], F]: ...
def tool(target: Any = None, /, **options: Any) -> Any:
    """Publish a function, a method of a ``Toolset``, or a subclass of ``Tool``.

    Bare or with options (see ``ToolOptions``); what is decorated is returned unchanged.
    Mistakes are found at start-up, once everything is imported.
    """
    given = checked_options(options, "@tool")
    if target is None:
        return lambda decorated: declare(decorated, given, registry.default)
    return declare(target, given, registry.default)


def declare(target: Any, options: dict[str, Any], owner: registry.Registry) -> Any:
    """Note in a registry what ``@tool`` stands on."""
    if inspect.isclass(target):
        if issubclass(target, Toolset):
            raise Misuse(
                f"@tool stands on the Toolset {target.__qualname__}. Decorate its methods instead."
            )
        if not issubclass(target, Tool):
            raise Misuse(
                f"@tool stands on the class {target.__qualname__}, which is no Tool. Derive it "
                "from mcp_django.Tool and give it call(); or derive it from mcp_django.Toolset "
                "and decorate its methods instead."
            )
        setattr(target, CLASS_MARK, options)
        origin = origin_of(target)
        owner.declare(Declaration(target, options, origin, target.__module__, (origin.order, 0)))
    elif is_method(target):
        _mark(target, options, owner)
    elif callable(target):
        owner.declare(declared_function(target, options))
    else:
        raise _no_target(target)
    return target


def _no_target(target: Any) -> Misuse:
    what, fix = repr(target), "Decorate a function, a method or a class."
    if isinstance(target, str):
        fix = f"Write @tool(name={target!r})."
    if isinstance(target, property):
        what, fix = "a property", "Make it a method: without @property."
    return Misuse(f"@tool takes a function or a class, not {what}. {fix}")


def _mark(target: Any, options: dict[str, Any], owner: registry.Registry) -> None:
    function = target.__func__ if isinstance(target, staticmethod | classmethod) else target
    mark = DecoratedMethod(options, origin_of_function(function))
    setattr(function, METHOD_MARK, (*getattr(function, METHOD_MARK, ()), mark))
    owner.expect(mark)

"""``@tool``, ``@resource`` and ``@prompt``: they say what something is, and leave it as it is."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, Unpack, overload

from mcp_django.features import owners
from mcp_django.features.classes import base_of, method_of
from mcp_django.features.components import Toolset, origin_of
from mcp_django.features.declarations import (
    Declaration,
    DecoratedMethod,
    declared_function,
    is_method,
    origin_of_function,
)
from mcp_django.features.errors import Misuse
from mcp_django.features.kinds import (
    Kind,
    PromptOptions,
    ResourceOptions,
    ToolOptions,
    checked_options,
)
from mcp_django.features.marks import CLASS_MARK, mark
from mcp_django.features.owners import registries_of

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
    given = checked_options("tool", options, "@tool")
    if target is None:
        return lambda decorated: declare("tool", decorated, given)
    return declare("tool", target, given)


def resource(uri: str = "", /, **options: Unpack[ResourceOptions]) -> Callable[[F], F]:
    """Publish what a function, a method of a ``Toolset`` or a ``Resource`` reads.

    ``uri`` is its URI, or with variables in braces a template (RFC 6570) of many; a
    ``Resource`` may have it as an attribute instead. For the options see
    ``ResourceOptions``. What is decorated is returned unchanged.
    """
    if not isinstance(uri, str):
        raise Misuse('@resource needs a URI. Write @resource("scheme://path").')
    named = {**options, "uri": uri} if uri else options
    given = checked_options("resource", named, "@resource")
    return lambda decorated: declare("resource", decorated, given)


@overload
def prompt(target: F, /, **options: Unpack[PromptOptions]) -> F: ...
@overload
def prompt(**options: Unpack[PromptOptions]) -> Callable[[F], F]: ...
def prompt(target: Any = None, /, **options: Any) -> Any:
    """Publish a function, a method of a ``Toolset``, or a subclass of ``Prompt``.

    Bare or with options (see ``PromptOptions``); what is decorated is returned unchanged.
    """
    given = checked_options("prompt", options, "@prompt")
    if target is None:
        return lambda decorated: declare("prompt", decorated, given)
    return declare("prompt", target, given)


def declare(kind: Kind, target: Any, options: dict[str, Any]) -> Any:
    """Note what a decorator stands on, for the servers that are to have it."""
    registries_of(options.get("server"))  # refused here, where it stands
    if inspect.isclass(target):
        _refuse_class(kind, target)
        setattr(target, CLASS_MARK, options)
        origin = origin_of(target)
        at = (origin.order, 0)
        owners.declare(Declaration(kind, target, options, origin, target.__module__, at))
    elif is_method(target):
        _mark(kind, target, options)
    elif callable(target):
        owners.declare(declared_function(kind, target, options))
    else:
        raise _no_target(kind, target)
    return target


def _refuse_class(kind: Kind, target: type) -> None:
    if issubclass(target, Toolset):
        raise Misuse(
            f"@{kind} stands on the Toolset {target.__qualname__}. Decorate its methods instead."
        )
    base = base_of(kind)
    if not issubclass(target, base):
        raise Misuse(
            f"@{kind} stands on the class {target.__qualname__}, which is no {base.__name__}. "
            f"Derive it from mcp_django.{base.__name__} and give it {method_of(kind)}(); or derive "
            "it from mcp_django.Toolset and decorate its methods instead."
        )


def _no_target(kind: Kind, target: Any) -> Misuse:
    what, fix = repr(target), "Decorate a function, a method or a class."
    if isinstance(target, str):
        fix = f"Write @{kind}(name={target!r})."
    if isinstance(target, property):
        what, fix = "a property", "Make it a method: without @property."
    return Misuse(f"@{kind} takes a function or a class, not {what}. {fix}")


def _mark(kind: Kind, target: Any, options: dict[str, Any]) -> None:
    function = target.__func__ if isinstance(target, staticmethod | classmethod) else target
    method = DecoratedMethod(kind, options, origin_of_function(function))
    mark(function, method)
    for owner in registries_of(options.get("server")):
        owner.expect(method)

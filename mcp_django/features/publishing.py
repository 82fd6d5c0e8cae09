"""Which declarations a class or an instance of ours stands for."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from weakref import WeakSet

from mcp_django.features.classes import class_of, is_abstract, kind_of
from mcp_django.features.components import Toolset, origin_of
from mcp_django.features.declarations import Declaration, declaring_module, next_order
from mcp_django.features.errors import Misuse
from mcp_django.features.marks import CLASS_MARK, decorated_methods
from mcp_django.features.naming import kebab_case

# Classes that were registered by hand: discovery does not publish them as well.
_registered: WeakSet[type] = WeakSet()
_instantiated: WeakSet[type] = WeakSet()


def remember(target: Any) -> None:
    """Note that this class, or an instance of it, was registered by hand."""
    if inspect.isclass(target):
        _registered.add(target)
    else:
        _instantiated.add(type(target))


def is_left_out(declaration: Declaration) -> bool:
    """Whether a class is not published: it is a base class, or it is published by hand.

    An instance takes the place of its class; the class, registered by hand, that of the
    class as it was found.
    """
    target = declaration.target
    if not inspect.isclass(target) or declaration.by_hand:
        return False
    if is_abstract(target) or target in _instantiated:
        return True
    if issubclass(target, Toolset) and not declaration.method:  # none of its methods is one
        return True
    return declaration.found and target in _registered


def declared_by_hand(target: Any, options: Mapping[str, Any]) -> list[Declaration]:
    """What ``register(target, **options)`` publishes."""
    cls = class_of(target)
    module, order = declaring_module(cls.__module__), next_order()
    kind = kind_of(cls)
    if kind is not None:
        given = {**vars(cls).get(CLASS_MARK, {}), **options}
        at = (order, 0)
        return [Declaration(kind, target, given, origin_of(cls), module, order=at, by_hand=True)]
    return [
        replace(declaration, module=module, order=(order, declaration.order[1]), by_hand=True)
        for declaration in _of_toolset(target, cls, options)
    ]


def declared_by_itself(cls: type) -> list[Declaration]:
    """What a class that is found in a module publishes: nothing if it is decorated."""
    origin, kind = origin_of(cls), kind_of(cls)
    at = (origin.order, 0)
    if kind is None:
        found = [replace(declaration, found=True) for declaration in _of_toolset(cls, cls, {})]
        # One for the class itself where there is none, so that checks see it.
        return found or [Declaration("tool", cls, {}, origin, cls.__module__, order=at, found=True)]
    if CLASS_MARK in vars(cls):
        return []
    return [Declaration(kind, cls, {}, origin, cls.__module__, order=at, found=True)]


def _of_toolset(target: Any, cls: type, options: Mapping[str, Any]) -> Iterator[Declaration]:
    prefix = options.get("name") or vars(cls).get("name") or kebab_case(cls.__name__)
    shared = {name: value for name, value in options.items() if name != "name"}
    if shared:
        raise Misuse(
            f"register() takes no {', '.join(shared)} for the Toolset {cls.__qualname__}. "
            "Give it to the decorators of its methods."
        )
    outer = origin_of(cls).order
    for name, method in decorated_methods(cls):
        yield Declaration(
            method.kind,
            target,
            method.options,
            method.origin,
            cls.__module__,
            order=(outer, method.origin.order),
            method=name,
            prefix=prefix,
        )

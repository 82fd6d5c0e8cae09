"""What ``register()`` takes, and the declarations that it makes of it."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from mcp_django.features import publishing
from mcp_django.features.class_rules import refuse_abstract
from mcp_django.features.classes import base_of, class_of, kind_of
from mcp_django.features.components import Component, origin_of
from mcp_django.features.declarations import Declaration, declared_function
from mcp_django.features.errors import Misuse, located
from mcp_django.features.kinds import OPTION_NAMES, Kind, checked_options

_TAKER = "register()"


def declared(target: Any, kind: Kind | None, options: Mapping[str, Any]) -> list[Declaration]:
    """What ``register(target, kind=…, **options)`` declares; ``Misuse`` for what is neither."""
    if "server" in options:
        raise Misuse("register() takes no server=: call it on the server that is to have it.")
    if kind is not None and kind not in OPTION_NAMES:
        raise Misuse(f"register() knows no kind {kind!r}. It is one of {', '.join(OPTION_NAMES)}.")
    component = class_of(target)
    if issubclass(component, Component):
        _refuse_other_kind(component, kind)
        given = checked_options(kind_of(component) or "tool", options, _TAKER)
        with located(origin_of(component).source):
            refuse_abstract(component)
        publishing.remember(target)
        return publishing.declared_by_hand(target, given)
    if not callable(target) or inspect.isclass(target):
        raise Misuse(
            f"register() takes a function, a Tool, Resource or Prompt, or a Toolset, not "
            f"{target!r}. Derive the class from one of these of mcp_django."
        )
    kind = kind or ("resource" if "uri" in options else "tool")
    return [declared_function(kind, target, checked_options(kind, options, _TAKER))]


def _refuse_other_kind(component: type, kind: Kind | None) -> None:
    """A class is of the kind that it was derived for."""
    own = kind_of(component)
    if kind not in (None, own):
        base = "Toolset" if own is None else base_of(own).__name__
        raise Misuse(
            f"{component.__qualname__} is a {base}, so it cannot be registered as a {kind}."
        )

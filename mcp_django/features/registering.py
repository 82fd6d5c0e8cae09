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
from mcp_django.features.kinds import OPTION_NAMES, REGISTER, Kind, checked_options


def declared(target: Any, kind: Kind | None, options: Mapping[str, Any]) -> list[Declaration]:
    """What ``register(target, kind=…, **options)`` declares; ``Misuse`` for what is neither."""
    if "server" in options:
        raise Misuse("register() takes no server=: call it on the server that is to have it.")
    if kind is not None and kind not in OPTION_NAMES:
        raise Misuse(f"register() knows no kind {kind!r}. It is one of {', '.join(OPTION_NAMES)}.")
    component = class_of(target)
    if issubclass(component, Component):
        _refuse_other_kind(component, kind)
        given = _options_of(component, options)
        with located(origin_of(component).source):
            refuse_abstract(component)
        publishing.remember(target)
        return publishing.declared_by_hand(target, given)
    if not callable(target) or inspect.isclass(target):
        raise Misuse(
            f"register() takes a function, a Tool, Resource or Prompt, or a Toolset, not "
            f"{target!r}. Derive the class from one of these of mcp_django."
        )
    if kind not in (None, "resource") and "uri" in options:
        raise Misuse(
            f"register() has uri=, which makes a resource, and kind={kind!r}. Leave one out."
        )
    kind = kind or ("resource" if "uri" in options else "tool")
    return [declared_function(kind, target, checked_options(kind, options, REGISTER))]


def _options_of(component: type, options: Mapping[str, Any]) -> dict[str, Any]:
    """Those of its kind; those that a ``Toolset`` does not take are refused with it."""
    known = {name for names in OPTION_NAMES.values() for name in names}
    kind = kind_of(component)
    if kind is None and known.issuperset(options):
        return {name: value for name, value in options.items() if value is not None}
    return checked_options(kind or "tool", options, REGISTER)


def _refuse_other_kind(component: type, kind: Kind | None) -> None:
    """A class is of the kind that it was derived for."""
    own = kind_of(component)
    if kind not in (None, own):
        base = "Toolset" if own is None else base_of(own).__name__
        raise Misuse(
            f"{component.__qualname__} is a {base}, so it cannot be registered as a {kind}."
        )

"""What every kind of feature is made of, on the way from a declaration to a record."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections

from mcp_django.features.arguments import Accepted, Wanted
from mcp_django.features.base import Binder, Binding, Enabled, Feature
from mcp_django.features.caller_only import CALLER_ONLY
from mcp_django.features.declarations import Declaration
from mcp_django.features.handlers import Handler, HandlerParameter, is_async, read_handler
from mcp_django.features.naming import checked_meta
from mcp_django.features.options import (
    checked_flag,
    checked_icons,
    checked_permission_classes,
    checked_permissions,
    checked_sequence,
    checked_strings,
    checked_text,
)
from mcp_django.features.param_headers import refuse_header
from mcp_django.features.places import app_label_of
from mcp_django.features.subjects import described, options_given, subject_of
from mcp_django.features.texts import with_filled_texts
from mcp_django.schema.errors import DeclarationError

F = TypeVar("F", bound=Feature)


@dataclass(frozen=True, slots=True)
class Started:
    """A declaration whose handler is read and whose parameters are bound.

    ``left`` are the parameters that nobody but the caller can fill.
    """

    declaration: Declaration
    options: Mapping[str, Any]
    name: str
    handler: Handler
    binder: Binder
    bindings: tuple[Binding, ...]
    left: tuple[HandlerParameter, ...]
    description: Any
    descriptions: Mapping[str, str] = field(repr=False)

    @property
    def wanted(self) -> Wanted:
        """What the signature leaves to be sent by callers."""
        injected = {binding.name for binding in self.bindings}
        return Wanted(self.name, self.handler, self.left, injected, self.descriptions)


def started(declaration: Declaration, binder: Binder, checked: Callable[[Any], str]) -> Started:
    """Read the handler and bind what the server fills; ``checked`` judges the name."""
    subject = subject_of(declaration)
    options = options_given(declaration)
    name = checked(options.get("name", subject.name))
    handler = read_handler(subject.call, declaration.origin.namespace, subject.fallback)
    own = binder.preferring(checked_sequence("resolvers", options))
    bindings, left = [], []
    for parameter in handler.parameters:
        binding = own(parameter.asked(name))
        if binding is None:
            left.append(parameter)
        else:
            refuse_header(parameter)
            bindings.append(binding)
    description, descriptions = described(subject, options)
    return Started(
        declaration,
        options,
        name,
        handler,
        own,
        tuple(bindings),
        tuple(left),
        description,
        descriptions,
    )


def finished(record: type[F], parts: Started, takes: Accepted, *, blocks: bool, **more: Any) -> F:
    """The record of a feature; ``blocks`` says whether its conversions may block."""
    handler, options = parts.handler, parts.options
    said = {
        "title": checked_text("title", options),
        "icons": checked_icons(options),
        "meta": checked_meta(options.get("meta", {})),
        "tags": checked_strings("tags", options),
        "permissions": checked_permissions(options),
        "permission_classes": checked_permission_classes(options),
        "enabled": _enabled(options),
    }
    blocks = blocks or takes.rule.blocks or _blocks(parts.bindings, said)
    given = {
        "handler": handler.call,
        "arguments": with_filled_texts(takes.rule),
        **said,
        **more,
    }
    return record(
        name=parts.name,
        description=parts.description,
        source=parts.declaration.source,
        app_label=app_label_of(parts.declaration.module),
        bindings=parts.bindings,
        is_async=handler.is_async,
        blocks=not handler.is_async or blocks,
        atomic=_atomic(handler, options),
        whole_parameter=takes.whole_parameter,
        taken=takes.taken,
        **given,
    )


def _blocks(bindings: tuple[Binding, ...], said: Mapping[str, Any]) -> bool:
    """Whether what goes around an async function may block: all but what is known not to."""
    return (
        any(binding.blocks for binding in bindings)
        or bool(said["permissions"])  # has_perms() queries
        or said["enabled"] is not None
        # Others may; these look at the user alone, who is there already.
        or any(one not in CALLER_ONLY for one in said["permission_classes"])
    )


def _enabled(options: Mapping[str, Any]) -> Enabled | None:
    """``enabled=``, a function of the context or of nothing."""
    function = options.get("enabled")
    if function is None:
        return None
    if not callable(function):
        raise DeclarationError(
            f"enabled={function!r} is no function.",
            "Give one that returns True or False; what is never there is not declared.",
        )
    if is_async(function):
        raise DeclarationError("enabled= is async, and lists await nothing.", "Write it with def.")
    parameters = inspect.signature(function).parameters.values()
    needed = [
        one
        for one in parameters
        if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    ]
    if len(needed) > 1 or any(one.kind is one.KEYWORD_ONLY for one in needed):
        names = ", ".join(one.name for one in needed)
        raise DeclarationError(
            f"enabled= needs {names}, and is given the context alone.",
            "Let it take one positional parameter, or none.",
        )
    takes_any = any(one.kind is one.VAR_POSITIONAL for one in parameters)
    return Enabled(function, takes_context=bool(needed) or takes_any)


def _atomic(handler: Handler, options: Mapping[str, Any]) -> tuple[str, ...]:
    """The databases with a transaction around each call; an async one cannot have any.

    Those with ATOMIC_REQUESTS; with ``atomic=True`` the default one in any case.
    """
    wanted = checked_flag("atomic", options)
    asked = [alias for alias, one in connections.settings.items() if one["ATOMIC_REQUESTS"]]
    aliases = [] if wanted is False else asked
    if not handler.is_async:
        wanted_too = [DEFAULT_DB_ALIAS] if wanted and DEFAULT_DB_ALIAS not in aliases else []
        return (*aliases, *wanted_too)
    if aliases:
        raise DeclarationError(
            f"It is async, and no transaction can span what it awaits, but the database "
            f"{aliases[0]!r} has ATOMIC_REQUESTS.",
            "Say atomic=False, or write it with def.",
        )
    if wanted:
        raise DeclarationError(
            "It is async, and no transaction can span what it awaits, but atomic=True asks for "
            "one.",
            "Remove atomic=True, or write it with def.",
        )
    return ()

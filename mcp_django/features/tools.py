"""From a declaration to the frozen record of a tool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections

from mcp_django.features.arguments import Wanted, accepted
from mcp_django.features.base import Binder, Binding, ToolFeature
from mcp_django.features.caller_only import CALLER_ONLY
from mcp_django.features.declarations import Declaration
from mcp_django.features.handlers import Handler, HandlerParameter, read_handler
from mcp_django.features.naming import checked_meta, checked_name
from mcp_django.features.options import (
    checked_flag,
    checked_icons,
    checked_mapping,
    checked_permission_classes,
    checked_permissions,
    checked_sequence,
    checked_strings,
    checked_text,
)
from mcp_django.features.param_headers import refuse_header, with_headers
from mcp_django.features.places import app_label_of
from mcp_django.features.subjects import described, options_given, subject_of
from mcp_django.protocol.types import ToolAnnotations
from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.results import ResultRule, result_rule
from mcp_django.schema.validation import ArgumentsRule

_HINTS = ("read_only", "destructive", "idempotent", "open_world")


def compile_tool(declaration: Declaration, binder: Binder) -> ToolFeature:
    """Check a declaration and fix all that can be known of the tool at start-up.

    Raises ``DeclarationError``.
    """
    options, subject = options_given(declaration), subject_of(declaration)
    name = checked_name(options.get("name", subject.name))
    handler = read_handler(subject.call, declaration.origin.namespace, subject.fallback)
    resolvers = checked_sequence("resolvers", options)
    bindings, left = _bound(name, handler, binder.preferring(resolvers))
    description, descriptions = described(subject, options)
    wanted = Wanted(name, handler, left, {b.name for b in bindings}, descriptions)
    takes = accepted(wanted, options)
    rule, headers = with_headers(takes, left, checked_mapping("headers", options))
    result = result_rule(handler.returns, options.get("returns"), name=name)
    said = _said(options)
    return ToolFeature(
        name=name,
        description=description,
        source=declaration.source,
        app_label=app_label_of(declaration.module),
        handler=handler.call,
        bindings=bindings,
        is_async=handler.is_async,
        blocks=not handler.is_async or _blocks(rule, result, bindings, said),
        atomic=_atomic(handler, options),
        arguments=rule,
        result=result,
        whole_parameter=takes.whole_parameter,
        taken=takes.taken,
        headers=headers,
        **said,
    )


def _said(options: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of the record that options say alone."""
    return {
        "title": checked_text("title", options),
        "icons": checked_icons(options),
        "meta": checked_meta(options.get("meta", {})),
        "tags": checked_strings("tags", options),
        "permissions": checked_permissions(options),
        "permission_classes": checked_permission_classes(options),
        "annotations": ToolAnnotations(**{hint: checked_flag(hint, options) for hint in _HINTS}),
    }


def _blocks(
    rule: ArgumentsRule, result: ResultRule, bindings: Sequence[Binding], said: Mapping[str, Any]
) -> bool:
    """Whether what goes around an async function may block: all but what is known not to."""
    return (
        rule.blocks
        or result.blocks
        or any(binding.blocks for binding in bindings)
        or bool(said["permissions"])  # has_perms() queries
        # Others may; these look at the user alone, who is there already.
        or any(one not in CALLER_ONLY for one in said["permission_classes"])
    )


def _bound(
    feature: str, handler: Handler, binder: Binder
) -> tuple[tuple[Binding, ...], tuple[HandlerParameter, ...]]:
    """The parameters that the server fills, and those that are left to callers."""
    bindings, left = [], []
    for parameter in handler.parameters:
        binding = binder(parameter.asked(feature))
        if binding is None:
            left.append(parameter)
        else:
            refuse_header(parameter)
            bindings.append(binding)
    return tuple(bindings), tuple(left)


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

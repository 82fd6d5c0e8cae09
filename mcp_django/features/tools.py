"""From a declaration to the frozen record of a tool."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import connections
from rest_framework.permissions import (
    AllowAny,
    IsAdminUser,
    IsAuthenticated,
    IsAuthenticatedOrReadOnly,
)

from mcp_django.features.arguments import Wanted, accepted
from mcp_django.features.base import Binder, Binding, ToolAnnotations, ToolFeature
from mcp_django.features.classes import Tool, Toolset, docstring_of, instance_of, options_of
from mcp_django.features.declarations import Declaration, underlying
from mcp_django.features.handlers import Handler, HandlerParameter, read_handler
from mcp_django.features.naming import checked_meta, checked_name, kebab_case
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
from mcp_django.schema.docstrings import parse
from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.results import ResultRule, result_rule
from mcp_django.schema.validation import ArgumentsRule

_HINTS = ("read_only", "destructive", "idempotent", "open_world")

# These look at the user alone, who is there already.
_NEVER_BLOCK = (AllowAny, IsAuthenticated, IsAdminUser, IsAuthenticatedOrReadOnly)


@dataclass(frozen=True, slots=True)
class Subject:
    """What is called, the name it has of itself, and what is written about it."""

    call: Callable[..., Any]
    name: str
    docstrings: Sequence[str]  # the nearest first
    fallback: Mapping[str, Any] = field(default_factory=dict)  # names inside of its class


def compile_tool(declaration: Declaration, binder: Binder) -> ToolFeature:
    """Check a declaration and fix all that can be known of the tool at start-up.

    Raises ``DeclarationError``.
    """
    options = options_given(declaration)
    subject = _subject(declaration)
    name = checked_name(options.get("name", subject.name))
    handler = read_handler(subject.call, declaration.origin.namespace, subject.fallback)
    resolvers = checked_sequence("resolvers", options)
    bindings, left = _bound(name, handler, binder.preferring(resolvers))
    description, descriptions = _described(subject, options)
    wanted = Wanted(name, handler, left, {b.name for b in bindings}, descriptions)
    takes = accepted(wanted, options)
    rule, headers = with_headers(takes.rule, left, checked_mapping("headers", options))
    result = result_rule(handler.returns, options.get("returns"), name=name)
    access = {
        "permissions": checked_permissions(options),
        "permission_classes": checked_permission_classes(options),
    }
    return ToolFeature(
        name=name,
        title=checked_text("title", options),
        description=description,
        source=declaration.source,
        app_label=app_label_of(declaration.module),
        handler=handler.call,
        bindings=bindings,
        is_async=handler.is_async,
        blocks=not handler.is_async or _blocks(rule, result, bindings, access),
        atomic=_atomic(handler, options),
        icons=checked_icons(options),
        meta=checked_meta(options.get("meta", {})),
        tags=checked_strings("tags", options),
        arguments=rule,
        result=result,
        annotations=ToolAnnotations(**{hint: checked_flag(hint, options) for hint in _HINTS}),
        whole_parameter=takes.whole_parameter,
        taken=takes.taken,
        headers=headers,
        **access,
    )


def _blocks(
    rule: ArgumentsRule,
    result: ResultRule,
    bindings: Sequence[Binding],
    access: Mapping[str, tuple[Any, ...]],
) -> bool:
    """Whether anything around an async function may block: only what is known not to, does not."""
    return (
        rule.blocks
        or result.blocks
        or any(binding.blocks for binding in bindings)
        or bool(access["permissions"])  # has_perms() queries
        or any(rule not in _NEVER_BLOCK for rule in access["permission_classes"])
    )


def options_given(declaration: Declaration) -> dict[str, Any]:
    """The options that the author gave: of the declaration, before those of its class."""
    target = declaration.target
    cls = target if inspect.isclass(target) else type(target)
    own = options_of(cls) if issubclass(cls, Tool) else {}
    return {**own, **declaration.options}


def _subject(declaration: Declaration) -> Subject:
    target = declaration.target
    cls = target if inspect.isclass(target) else type(target)
    if issubclass(cls, Toolset):
        call = getattr(instance_of(target), declaration.method)
        own_name = f"{declaration.prefix}.{kebab_case(declaration.method)}"
        return Subject(call, own_name, [call.__doc__ or ""], _members(cls))
    if issubclass(cls, Tool):
        call = instance_of(target).call
        docstrings = [docstring_of(base) for base in cls.__mro__]
        return Subject(
            call, kebab_case(cls.__name__), [*docstrings, call.__doc__ or ""], _members(cls)
        )
    function = underlying(target)
    if inspect.isroutine(target) or getattr(target, "__name__", None):
        return Subject(target, target.__name__, [target.__doc__ or function.__doc__ or ""])
    if isinstance(target, functools.partial):
        return Subject(target, function.__name__, [function.__doc__ or ""])
    docstrings = [docstring_of(cls), function.__doc__ or ""]
    return Subject(target, kebab_case(cls.__name__), docstrings)


def _members(cls: type) -> dict[str, Any]:
    """The names inside of a class and its bases: an annotation may speak of them."""
    return {name: value for base in reversed(cls.__mro__) for name, value in vars(base).items()}


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


def _described(subject: Subject, options: Mapping[str, Any]) -> tuple[str, Mapping[str, str]]:
    """The description, and those of arguments: the option, else the nearest docstring."""
    parsed = [parse(text) for text in subject.docstrings if text]
    arguments: dict[str, str] = {}
    for docstring in reversed(parsed):
        arguments |= docstring.arguments
    given = checked_text("description", options)
    if given is not None:
        return given, arguments
    return next((one.description for one in parsed if one.description), ""), arguments


def _atomic(handler: Handler, options: Mapping[str, Any]) -> bool:
    """Whether a transaction goes around a call; an async one cannot have one."""
    wanted = checked_flag("atomic", options)
    if not handler.is_async:
        return wanted is not False
    aliases = [alias for alias, one in connections.settings.items() if one["ATOMIC_REQUESTS"]]
    if aliases and wanted is not False:
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
    return False

"""From a declaration to the frozen record of a prompt."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import NoneType
from typing import Any, get_origin

from asgiref.sync import sync_to_async

from mcp_django.features.arguments import Accepted, accepted
from mcp_django.features.base import Binder
from mcp_django.features.compiling import Started, finished, started
from mcp_django.features.completing import completers_of
from mcp_django.features.declarations import Declaration
from mcp_django.features.handlers import EMPTY, taken_apart
from mcp_django.features.naming import checked_name
from mcp_django.features.records import PromptFeature
from mcp_django.schema.annotations import awaited
from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.returning.messages import messages_rule
from mcp_django.schema.returning.presentation import alternatives
from mcp_django.schema.returning.templates import template_renderer
from mcp_django.schema.validating.raw import compiled


def compile_prompt(declaration: Declaration, binder: Binder) -> PromptFeature:
    """Check a declaration and fix all that can be known of the prompt at start-up.

    Raises ``DeclarationError``.
    """
    parts = started(declaration, binder, checked_name)
    takes = accepted(parts.wanted, parts.options)
    template = parts.options.get("template")
    messages = messages_rule(
        str if template is not None else parts.handler.returns, name=parts.name
    )
    return finished(
        PromptFeature,
        parts,
        takes,
        blocks=messages.blocks or template is not None,  # loading one reads a file
        messages=messages,
        completers=completers_of(parts, takes),
        blank=_blank(takes.rule.schema),
        **({} if template is None else {"handler": _rendering(parts, takes, template)}),
    )


def _blank(schema: Mapping[str, Any]) -> frozenset[str]:
    """The optional arguments that "" is no value for."""
    required, shared = schema.get("required", ()), {"$defs": schema.get("$defs", {})}
    return frozenset(
        name
        for name, one in schema.get("properties", {}).items()
        if name not in required and not _takes_blank({**shared, **one})
    )


def _takes_blank(schema: dict[str, Any]) -> bool:
    try:
        return bool(compiled(schema).is_valid(""))
    except DeclarationError:  # a pattern of the author's, say, that only Python reads
        return True


def _rendering(parts: Started, takes: Accepted, name: Any) -> Callable[..., Any]:
    """The handler, and then the template: with the arguments, and what the handler adds."""
    if not isinstance(name, str):
        raise DeclarationError(f"template={name!r} is no name of a template.", "Give a string.")
    _refuse_other_result(parts)
    render, call = template_renderer(name), parts.handler.call
    injected = {binding.name for binding in parts.bindings}

    def written(values: Mapping[str, Any], added: Any) -> str:
        sent = {key: value for key, value in values.items() if key not in injected}
        whole = sent.get(takes.whole_parameter) if takes.whole_parameter else None
        if isinstance(whole, Mapping):  # each of them has its own name in the template too
            sent = {**whole, **sent}
        return render({**sent, **_mapping(added)})

    async def written_later(values: Mapping[str, Any], coming: Any) -> str:
        while inspect.isawaitable(coming):
            coming = await coming
        return await sync_to_async(written)(values, coming)  # a template may query

    def rendered(**values: Any) -> Any:
        added = call(**values)
        if inspect.isawaitable(added):
            return written_later(values, added)
        return written(values, added)

    return rendered


def _mapping(added: Any) -> Mapping[str, Any]:
    if added is None:
        return {}
    if not isinstance(added, Mapping):
        raise TypeError(
            f"it has template= and returned {type(added).__name__}: return a dict that the "
            "template gets beside the arguments, or nothing"
        )
    return added


def _refuse_other_result(parts: Started) -> None:
    members = alternatives(awaited(taken_apart(parts.handler.returns)[0]))
    if not all(_is_mapping(member) for member in members):
        raise DeclarationError(
            "It has template=, and returns what no template takes.",
            "Return a dict that the template gets beside the arguments, or nothing.",
        )


def _is_mapping(annotation: Any) -> bool:
    kind = get_origin(annotation) or annotation
    if kind in (EMPTY, None, NoneType, Any, object):
        return True
    return isinstance(kind, type) and issubclass(kind, Mapping)

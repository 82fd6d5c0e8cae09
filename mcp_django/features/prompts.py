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


def compile_prompt(declaration: Declaration, binder: Binder) -> PromptFeature:
    """Check a declaration and fix all that can be known of the prompt at start-up.

    Raises ``DeclarationError``.
    """
    parts = started(declaration, binder, checked_name)
    takes = accepted(parts.wanted, parts.options)
    completers = completers_of(parts, takes)
    template = parts.options.get("template")
    if template is None:
        messages = messages_rule(parts.handler.returns, name=parts.name)
        return finished(
            PromptFeature,
            parts,
            takes,
            blocks=messages.blocks,
            messages=messages,
            completers=completers,
        )
    return finished(
        PromptFeature,
        parts,
        takes,
        blocks=True,  # loading a template reads a file
        messages=messages_rule(str, name=parts.name),
        completers=completers,
        handler=_rendering(parts, takes, template),
    )


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

"""``completion/complete``. Specification: server/utilities/completion."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from mcp_django.dispatch.methods.prompts import unknown_prompt
from mcp_django.features.base import Feature
from mcp_django.features.completers import Completer
from mcp_django.invocation.admission import admit
from mcp_django.invocation.authentication import unauthenticated
from mcp_django.invocation.completing import MOST, complete
from mcp_django.invocation.context import Context
from mcp_django.invocation.flows import Flow
from mcp_django.protocol import types
from mcp_django.protocol.errors import MCPError, invalid_params

_NOTHING: Mapping[str, str] = MappingProxyType({})


def judged_complete(params: Mapping[str, Any], context: Context) -> Flow[Flow[dict[str, Any]]]:
    """Find the feature whose argument is completed, as this caller.

    ``ref/resource`` names a template by its text, as lists show it, or by a URI that it has.
    """
    name, typed = _argument(params)
    filled = _filled(params, context)
    feature = yield from _referred(params, context)
    if name not in feature.arguments.names:
        raise _unknown_argument(name, feature)
    completers: Mapping[str, Completer] = getattr(feature, "completers", {})
    completer = completers.get(name)
    if completer is not None and completer.requires_user and context.user is None:
        # The feature is open to all, and what completes it is not.
        if context.server.authentication_classes:
            raise unauthenticated(context)
        raise invalid_params(f"{name!r} is completed for signed-in users alone.")
    context.arguments = filled
    return _complete(feature, completer, typed, context)


def _complete(
    feature: Feature, completer: Completer | None, typed: str, context: Context
) -> Flow[dict[str, Any]]:
    if completer is None:
        return types.complete_result((), 0, has_more=False)
    values, total = yield from complete(feature, completer, typed, context)
    return types.complete_result(values, total, has_more=total > MOST)


def _argument(params: Mapping[str, Any]) -> tuple[str, str]:
    """The argument that is completed, and what was typed of it."""
    argument = params.get("argument")
    if not isinstance(argument, dict):
        raise invalid_params("completion/complete needs argument, an object.")
    return _string(argument, "name", "argument"), _string(argument, "value", "argument")


def _string(holder: Mapping[str, Any], key: str, where: str) -> str:
    value = holder.get(key)
    if not isinstance(value, str):
        raise invalid_params(f"completion/complete needs {where}.{key}, a string.")
    return value


def _filled(params: Mapping[str, Any], context: Context) -> Mapping[str, str]:
    """What the client has filled already; 2025-03-26 knows nothing of it."""
    given = params.get("context")
    if given is None or not context.revision.completion_context:
        return _NOTHING
    if not isinstance(given, dict):
        raise invalid_params("context is an object.")
    arguments = given.get("arguments")
    if arguments is None:
        return _NOTHING
    if not isinstance(arguments, dict) or not all(isinstance(v, str) for v in arguments.values()):
        raise invalid_params("context.arguments is an object of strings.")
    return MappingProxyType(arguments)


def _referred(params: Mapping[str, Any], context: Context) -> Flow[Feature]:
    ref = params.get("ref")
    if not isinstance(ref, dict):
        raise invalid_params("completion/complete needs ref, an object.")
    kind = _string(ref, "type", "ref")
    if kind == "ref/prompt":
        name = _string(ref, "name", "ref")
        prompt: Feature | None = context.server.registry.prompts.get(name)
        if prompt is None:
            raise unknown_prompt(name)
        yield from admit(prompt, context, lambda: unknown_prompt(name))
        return prompt
    if kind != "ref/resource":
        raise invalid_params(f"ref.type is ref/prompt or ref/resource, not {kind[:200]!r}.")
    uri = _string(ref, "uri", "ref")
    readable = _readable(uri, context)
    if readable is None:
        raise _unknown_resource(uri)
    yield from admit(readable, context, lambda: _unknown_resource(uri))
    return readable


def _readable(uri: str, context: Context) -> Feature | None:
    """The template of this text, else what ``resources/read`` would read at this URI."""
    registry = context.server.registry
    template = registry.templates.get(uri)
    if template is not None:
        return template
    found = registry.readable_at(uri)
    return None if found is None else found[0]


def _unknown_resource(uri: str) -> MCPError:
    return invalid_params(f"Unknown resource template: {uri[:200]}")


def _unknown_argument(name: str, feature: Feature) -> MCPError:
    names = feature.arguments.names
    has = f"It has {', '.join(names)}." if names else "It has none."
    return invalid_params(f"The {feature.noun} {feature.key} has no argument {name[:200]!r}. {has}")

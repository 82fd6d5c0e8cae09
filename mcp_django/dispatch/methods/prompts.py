"""``prompts/get``. Specification: server/prompts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp_django.dispatch.asking import name_and_arguments
from mcp_django.dispatch.encoding import encoded_within_limit
from mcp_django.features.records import PromptFeature
from mcp_django.invocation.admission import admit
from mcp_django.invocation.calls import Ending, Written, call
from mcp_django.invocation.context import Context
from mcp_django.invocation.flows import Flow
from mcp_django.invocation.refusals import refusal_of
from mcp_django.protocol.errors import MCPError, invalid_params


def judged_get(params: Mapping[str, Any], context: Context) -> Flow[Flow[dict[str, Any]]]:
    """Find the prompt as this caller: its rendering, which has not begun."""
    name, arguments = name_and_arguments(params, "prompts/get")
    prompt: PromptFeature | None = context.server.registry.prompts.get(name)
    if prompt is None:
        raise unknown_prompt(name)
    yield from admit(prompt, context, lambda: unknown_prompt(name))
    if prompt.blank:
        arguments = {
            key: value for key, value in arguments.items() if value != "" or key not in prompt.blank
        }
    return call(prompt, arguments, context, _ENDING)


def unknown_prompt(name: str) -> MCPError:
    """-32602, the same for a prompt that is hidden from the caller."""
    return invalid_params(f"Unknown prompt: {name[:200]}")


def _written(prompt: PromptFeature, returned: Any, context: Context) -> Written:
    result = prompt.messages.convert(returned).to_wire(context.revision)
    messages = result.pop("messages")
    return Written({**result, "messages": encoded_within_limit(messages, result)}, is_error=False)


def _failed(error: BaseException, prompt: PromptFeature, context: Context) -> dict[str, Any]:
    raise refusal_of(error, prompt, context) from error


_ENDING = Ending(_written, _failed)

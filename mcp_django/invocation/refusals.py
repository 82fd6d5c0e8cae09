"""What a client is told when a resource or a prompt fails: a JSON-RPC error.

The author's own words reach it, a database's never, and with ``MASK_ERRORS`` nothing that
was not written for it. Specification: server/resources and server/prompts, "Error Handling".
"""

from __future__ import annotations

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404

from mcp_django.features.base import Feature
from mcp_django.features.records import PromptFeature, TemplateFeature
from mcp_django.invocation.context import Context
from mcp_django.invocation.faults import flattened, told
from mcp_django.protocol.errors import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    RESOURCE_NOT_FOUND,
    MCPError,
    invalid_params,
)
from mcp_django.schema.errors import InvalidArguments


def refusal_of(error: BaseException, feature: Feature, context: Context) -> MCPError:
    """The error for whatever was raised while a resource was read or a prompt rendered."""
    found = list(flattened(error))
    first = found[0]
    if isinstance(feature, TemplateFeature):
        if isinstance(first, InvalidArguments):
            return not_found(
                context.uri or "", context, f"{feature.key} does not fit: {first.text}"
            )
        if isinstance(first, Http404 | ObjectDoesNotExist):
            return not_found(context.uri or "", context)
    if isinstance(first, InvalidArguments) and isinstance(feature, PromptFeature):
        return invalid_params(first.text)
    return MCPError(INTERNAL_ERROR, "\n".join(told(one, feature) for one in found))


def not_found(uri: str, context: Context, why: str = "") -> MCPError:
    """No such resource, or none for this caller: in the same words."""
    code = INVALID_PARAMS if context.revision.modern else RESOURCE_NOT_FOUND
    text = f"Resource not found: {uri[:200]}"
    return MCPError(code, f"{text}. {why}" if why else text, {"uri": uri})

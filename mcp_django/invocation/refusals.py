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
from mcp_django.invocation.faults import parts_of, told_of_all
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
    found = parts_of(error)
    if len(found) == 1:  # beside another error, "not found" would hide that one
        special = _special(found[0], feature, context)
        if special is not None:
            return special
    return MCPError(INTERNAL_ERROR, told_of_all(found, feature))


def _special(error: BaseException, feature: Feature, context: Context) -> MCPError | None:
    """The answer to what is no failure: a resource that is not there, arguments that are wrong."""
    if isinstance(feature, TemplateFeature):
        uri = context.uri or ""
        if isinstance(error, InvalidArguments):
            return not_found(uri, context, f"{feature.key} does not fit: {error.text}")
        if isinstance(error, Http404 | ObjectDoesNotExist):
            return not_found(uri, context)
    if isinstance(error, InvalidArguments) and isinstance(feature, PromptFeature):
        return invalid_params(error.text)
    return None


def not_found(uri: str, context: Context, why: str = "") -> MCPError:
    """No such resource, or none for this caller: in the same words."""
    code = INVALID_PARAMS if context.revision.modern else RESOURCE_NOT_FOUND
    text = f"Resource not found: {uri[:200]}"
    return MCPError(code, f"{text}. {why}" if why else text, {"uri": uri})

"""``resources/read``. Specification: server/resources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp_django.dispatch.caching import hint_read
from mcp_django.dispatch.encoding import encoded_within_limit
from mcp_django.features.records import ReadableFeature
from mcp_django.invocation.admission import admit
from mcp_django.invocation.calls import Ending, Written, call
from mcp_django.invocation.context import Context
from mcp_django.invocation.flows import Flow
from mcp_django.invocation.refusals import not_found, refusal_of
from mcp_django.protocol import types
from mcp_django.protocol.errors import invalid_params


def judged_read(params: Mapping[str, Any], context: Context) -> Flow[Flow[dict[str, Any]]]:
    """Find what this caller asks for: the reading, which has not begun.

    What a URI means is the same for every caller (``Registry.readable_at``): who may not read
    that is told of nothing, and gets nothing else that would match.
    """
    uri = params.get("uri")
    if not isinstance(uri, str):
        raise invalid_params("resources/read needs uri, a string.")
    context.uri = uri
    found = context.server.registry.readable_at(uri)
    if found is None:
        raise not_found(uri, context)
    feature, variables = found
    yield from admit(feature, context, lambda: not_found(uri, context))
    return _read(feature, variables, params, context)


def _read(
    feature: ReadableFeature,
    variables: dict[str, Any],
    params: Mapping[str, Any],
    context: Context,
) -> Flow[dict[str, Any]]:
    result = yield from call(feature, variables, context, _ENDING)
    hint_read(result, feature, params, context)
    return result


def _written(feature: ReadableFeature, returned: Any, context: Context) -> Written:
    contents = feature.contents.convert(returned, context.serializer_context)
    uri, mime_type = context.uri or "", feature.contents.mime_type
    wire = [one.to_wire(uri, mime_type, context.revision) for one in contents]
    return Written(types.read_resource_result(encoded_within_limit(wire)), is_error=False)


def _failed(error: BaseException, feature: ReadableFeature, context: Context) -> dict[str, Any]:
    raise refusal_of(error, feature, context) from error


_ENDING = Ending(_written, _failed)

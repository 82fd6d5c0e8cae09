"""``server/discover`` (modern), ``initialize`` and ``ping`` (legacy)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp_django.dispatch.caching import hint_list, is_list_private
from mcp_django.invocation.context import Context
from mcp_django.invocation.flows import Flow
from mcp_django.protocol import types
from mcp_django.protocol.errors import invalid_params
from mcp_django.protocol.versions import LATEST_LEGACY, LEGACY, MODERN, Revision

_LEGACY_BY_VERSION = {revision.version: revision for revision in LEGACY}


def capabilities(context: Context) -> dict[str, Any]:
    """What this server has, the same for every caller."""
    return {name: {} for name in context.server.capabilities}


def discover(params: Mapping[str, Any], context: Context) -> Flow[dict[str, Any]]:
    """Specification (2026-07-28): server/discover."""
    yield from ()
    result = types.discover_result(
        [revision.version for revision in MODERN],
        capabilities(context),
        context.server.instructions,
    )
    hint_list(result, "discover", context, private=is_list_private("discover", context.server))
    return result


def negotiate(asked: str) -> Revision:
    """The revision for a handshake: the one asked for, else the newest of that era."""
    return _LEGACY_BY_VERSION.get(asked, LATEST_LEGACY)


def initialize(params: Mapping[str, Any], context: Context) -> Flow[dict[str, Any]]:
    """Specification (2025-11-25): basic/lifecycle, "Initialization"."""
    yield from ()
    asked = types.asked_version(params)
    if asked is None:
        raise invalid_params("initialize needs protocolVersion, a string.")
    revision = negotiate(asked)
    return types.initialize_result(
        revision.version,
        capabilities(context),
        context.server.info(revision),
        context.server.instructions,
    )


def ping(params: Mapping[str, Any], context: Context) -> Flow[dict[str, Any]]:
    """Specification (2025-11-25): basic/utilities/ping."""
    yield from ()
    return {}

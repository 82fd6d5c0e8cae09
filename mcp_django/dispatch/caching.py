"""How long an answer may be kept, and by whom. Specification: server/utilities/caching."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp_django.features.records import ReadableFeature
from mcp_django.invocation.context import Context
from mcp_django.protocol import types


def hint_list(result: dict[str, Any], listed: str, context: Context, *, private: bool) -> None:
    """The hints of a list, or of ``server/discover``, where the revision has them.

    ``listed`` is the key of ``TTL_MS``: "tools", "resources", "resource_templates",
    "prompts" or "discover"; one that they do not name is as "lists" says.
    """
    if context.revision.modern:
        server = context.server
        ttl_ms, scope = server.ttl_ms, server.cache_scope
        is_private = scope.get(listed, scope["lists"]) == "private"
        types.cacheable(
            result,
            ttl_ms.get(listed, ttl_ms["lists"]),
            private=private or is_private or server.is_private,
        )


def hint_read(
    result: dict[str, Any], feature: ReadableFeature, params: Mapping[str, Any], context: Context
) -> None:
    """The hints of what was read: the feature's own, else the server's.

    What a client's answers went into is not for keeping: they are no part of the cache's key.
    """
    if context.revision.modern:
        is_again = types.is_retry(params)
        ttl_ms = context.server.ttl_ms["read"] if feature.ttl_ms is None else feature.ttl_ms
        private = is_again or not _is_public(feature, context)
        types.cacheable(result, 0 if is_again else ttl_ms, private=private)


def _is_public(feature: ReadableFeature, context: Context) -> bool:
    """Whether caches may share it: the feature says so, or the server of what cannot differ."""
    server = context.server
    if server.is_private or server.depends_on_caller(feature) or feature.uses_tenant:
        return False
    if feature.is_public is None:
        return _is_the_same_for_all(feature) and server.cache_scope["read"] == "public"
    return feature.is_public


def _is_the_same_for_all(feature: ReadableFeature) -> bool:
    """Known of few: code of the author's that sees the context may ask who calls."""
    return feature.is_shared and not feature.arguments.blocks and not feature.has_serializer

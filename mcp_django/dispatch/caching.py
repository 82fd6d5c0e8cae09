"""How long an answer may be kept, and by whom. Specification: server/utilities/caching."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings as django_settings

from mcp_django.features.records import ReadableFeature
from mcp_django.invocation.context import Context
from mcp_django.invocation.serving import Server
from mcp_django.protocol import types


def is_list_private(listed: str, server: Server) -> bool:
    """Whether a list is for one caller, whatever stands in it: by the settings or the endpoint.

    ``listed`` is the key of ``TTL_MS`` and ``CACHE_SCOPE``: "tools", "resources",
    "resource_templates", "prompts" or "discover"; one that they do not name is as "lists" says.
    A list with pages has cursors, which are for one caller wherever callers sign in.
    """
    scope = server.cache_scope
    has_cursors = listed != "discover" and server.page_size is not None
    return (
        server.is_private
        or scope.get(listed, scope["lists"]) == "private"
        or (has_cursors and bool(server.authentication_classes))
    )


def hint_list(result: dict[str, Any], listed: str, context: Context, *, private: bool) -> None:
    """The hints of a list, or of ``server/discover``, where the revision has them."""
    if context.revision.modern:
        ttl_ms = context.server.ttl_ms
        types.cacheable(result, ttl_ms.get(listed, ttl_ms["lists"]), private=private)


def hint_read(
    result: dict[str, Any], feature: ReadableFeature, params: Mapping[str, Any], context: Context
) -> None:
    """The hints of what was read: the feature's own, else the server's.

    What a client's answers went into is not for keeping: they are no part of the cache's key.
    """
    if context.revision.modern:
        ttl_ms, private = hints_of_read(feature, context.server)
        is_again = types.is_retry(params)
        types.cacheable(result, 0 if is_again else ttl_ms, private=private or is_again)


def hints_of_read(feature: ReadableFeature, server: Server) -> tuple[int, bool]:
    """For how many milliseconds what is read may be kept, and whether by one caller alone."""
    ttl_ms = server.ttl_ms["read"] if feature.ttl_ms is None else feature.ttl_ms
    return ttl_ms, not _is_public(feature, server)


def _is_public(feature: ReadableFeature, server: Server) -> bool:
    """Whether caches may share it: the feature says so, or the server of what cannot differ."""
    if server.is_private or server.depends_on_caller(feature) or feature.uses_tenant:
        return False
    if feature.is_public is None:
        return _is_the_same_for_all(feature) and server.cache_scope["read"] == "public"
    return feature.is_public


def _is_the_same_for_all(feature: ReadableFeature) -> bool:
    """Known of few: code of the author's may ask who calls, and in which language."""
    is_shared = feature.is_shared and not feature.arguments.blocks and not feature.has_serializer
    return is_shared and not _has_languages()


def _has_languages() -> bool:
    """Whether requests may differ in their language, which any code can ask Django for."""
    return django_settings.USE_I18N and len(django_settings.LANGUAGES) > 1

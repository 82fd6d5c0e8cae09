"""The results of the methods: what each revision calls their members, and which it has.

Specification: schema, ``Implementation`` and the results of the methods.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mcp_django.protocol.content import Icon
from mcp_django.protocol.versions import Revision


def implementation(
    name: str,
    version: str,
    revision: Revision,
    *,
    title: str = "",
    description: str = "",
    website_url: str = "",
    icons: Sequence[Icon] = (),
) -> dict[str, Any]:
    """An ``Implementation``: what ``serverInfo`` says of a server."""
    wire: dict[str, Any] = {"name": name, "version": version}
    if title and revision.title:
        wire["title"] = title
    if revision.icons:
        optional = {
            "description": description,
            "websiteUrl": website_url,
            "icons": [icon.to_wire() for icon in icons],
        }
        wire.update((key, value) for key, value in optional.items() if value)
    return wire


def text_content(text: str) -> list[dict[str, str]]:
    """Content that is one text, which holds no characters that ``clean`` would take out."""
    return [{"type": "text", "text": text}]


def call_tool_result(
    content: Any, structured: Any, is_error: bool, meta: Mapping[str, Any] | None
) -> dict[str, Any]:
    """A ``CallToolResult``; ``structured`` is JSON in a fragment, None if there is none."""
    wire: dict[str, Any] = {"content": content}
    if structured is not None:
        wire["structuredContent"] = structured
    if is_error:
        wire["isError"] = True
    if meta:
        wire["_meta"] = dict(meta)
    return wire


# The member of a list's result that holds the definitions.
LISTED_AS = {
    "tool": "tools",
    "resource": "resources",
    "resource_template": "resourceTemplates",
    "prompt": "prompts",
}


def list_result(kind: str, definitions: Any, next_cursor: str | None) -> dict[str, Any]:
    """The result of a list method; ``next_cursor`` is None on the last page."""
    wire = {LISTED_AS[kind]: definitions}
    return wire if next_cursor is None else {**wire, "nextCursor": next_cursor}


def read_resource_result(contents: Any) -> dict[str, Any]:
    """A ``ReadResourceResult``."""
    return {"contents": contents}


def complete_result(values: Sequence[str], total: int, *, has_more: bool) -> dict[str, Any]:
    """A ``CompleteResult``; ``total`` counts all that match."""
    return {"completion": {"values": list(values), "total": total, "hasMore": has_more}}


def discover_result(
    versions: Sequence[str], capabilities: Mapping[str, Any], instructions: str | None
) -> dict[str, Any]:
    """A ``DiscoverResult``."""
    wire: dict[str, Any] = {"supportedVersions": list(versions), "capabilities": capabilities}
    return {**wire, "instructions": instructions} if instructions else wire


def asked_version(params: Mapping[str, Any]) -> str | None:
    """The revision that an ``initialize`` request asks for, None where it says none."""
    asked = params.get("protocolVersion")
    return asked if isinstance(asked, str) else None


def initialize_result(
    version: str,
    capabilities: Mapping[str, Any],
    server: Mapping[str, Any],
    instructions: str | None,
) -> dict[str, Any]:
    """An ``InitializeResult`` of the legacy revisions."""
    wire: dict[str, Any] = {
        "protocolVersion": version,
        "capabilities": capabilities,
        "serverInfo": server,
    }
    return {**wire, "instructions": instructions} if instructions else wire


def is_retry(params: Mapping[str, Any]) -> bool:
    """Whether a request carries answers of a client, or what it was given to keep for them."""
    return "inputResponses" in params or "requestState" in params


def cacheable(result: dict[str, Any], ttl_ms: int, *, private: bool) -> dict[str, Any]:
    """The same result with its caching hints, which only modern revisions have."""
    result["ttlMs"] = ttl_ms
    result["cacheScope"] = "private" if private else "public"
    return result


def complete(result: dict[str, Any], encoded_meta: Any, meta: Mapping[str, Any]) -> dict[str, Any]:
    """A modern result: complete, with the server's ``_meta`` beside the author's."""
    result["resultType"] = "complete"
    result["_meta"] = {**result["_meta"], **meta} if "_meta" in result else encoded_meta
    return result

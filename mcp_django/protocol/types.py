"""The records of the wire: what each revision calls their members, and which it has.

Specification: schema, ``Tool``, ``ToolAnnotations``, ``Implementation``, and the results of
the methods. The camelCase names of the protocol are written here and nowhere above.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcp_django.protocol.content import Icon
from mcp_django.protocol.versions import Revision


@dataclass(frozen=True, slots=True)
class ToolAnnotations:
    """Hints for clients; None leaves a hint out."""

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None

    def to_wire(self) -> dict[str, bool]:
        """The hints that are given."""
        hints = {
            "readOnlyHint": self.read_only,
            "destructiveHint": self.destructive,
            "idempotentHint": self.idempotent,
            "openWorldHint": self.open_world,
        }
        return {key: value for key, value in hints.items() if value is not None}


def tool(
    name: str,
    input_schema: Mapping[str, Any],
    revision: Revision,
    *,
    title: str = "",
    description: str = "",
    output_schema: Mapping[str, Any] | None = None,
    annotations: ToolAnnotations,
    icons: Sequence[Icon] = (),
    meta: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A ``Tool``; ``output_schema`` is as this revision can hold it."""
    wire: dict[str, Any] = {"name": name}
    hints: dict[str, Any] = dict(annotations.to_wire())
    if title and revision.title:
        wire["title"] = title
    elif title:
        hints = {"title": title, **hints}
    if description:
        wire["description"] = description
    wire["inputSchema"] = input_schema
    if output_schema is not None and revision.structured_content:
        wire["outputSchema"] = output_schema
    if hints:
        wire["annotations"] = hints
    if icons and revision.icons:
        wire["icons"] = [icon.to_wire() for icon in icons]
    if meta and revision.meta:
        wire["_meta"] = dict(meta)
    return wire


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


def call_tool_result(
    content: Any, *, structured: Any = None, is_error: bool = False, meta: Any = None
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


def list_tools_result(tools: Any) -> dict[str, Any]:
    """A ``ListToolsResult`` on one page."""
    return {"tools": tools}


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


def cacheable(result: dict[str, Any], ttl_ms: int, *, private: bool) -> dict[str, Any]:
    """The same result with its caching hints, which only modern revisions have."""
    result["ttlMs"] = ttl_ms
    result["cacheScope"] = "private" if private else "public"
    return result


def complete(result: dict[str, Any], encoded_meta: Any, meta: Mapping[str, Any]) -> dict[str, Any]:
    """A modern result: complete, with the server's ``_meta`` beside the author's."""
    result["resultType"] = "complete"
    given = result.get("_meta")
    result["_meta"] = encoded_meta if given is None else {**given, **meta}
    return result

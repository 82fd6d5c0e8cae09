"""What lists show of each kind of feature, as each revision has it.

Specification: schema, ``Tool``, ``ToolAnnotations``, ``Resource``, ``ResourceTemplate``,
``Prompt`` and ``PromptArgument``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcp_django.protocol.content import Annotations, Icon
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
    output_schema: Mapping[str, Any] | None = None,
    annotations: ToolAnnotations,
    **said: Any,
) -> dict[str, Any]:
    """A ``Tool``; ``output_schema`` is as this revision can hold it."""
    wire = _described({"name": name}, revision, title=title, **said)
    wire["inputSchema"] = input_schema
    if output_schema is not None and revision.structured_content:
        wire["outputSchema"] = output_schema
    hints: dict[str, Any] = dict(annotations.to_wire())
    if title and not revision.title:
        hints = {"title": title, **hints}
    if hints:
        wire["annotations"] = hints
    return wire


def _described(
    wire: dict[str, Any],
    revision: Revision,
    *,
    title: str = "",
    description: str = "",
    icons: Sequence[Icon] = (),
    meta: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The members that all definitions have in common, of those that are given."""
    if title and revision.title:
        wire["title"] = title
    if description:
        wire["description"] = description
    if icons and revision.icons:
        wire["icons"] = [icon.to_wire() for icon in icons]
    if meta and revision.meta:
        wire["_meta"] = dict(meta)
    return wire


def resource(
    name: str,
    revision: Revision,
    *,
    uri: str,
    mime_type: str | None = None,
    size: int | None = None,
    annotations: Annotations | None = None,
    **said: Any,
) -> dict[str, Any]:
    """A ``Resource``; ``size`` is in bytes."""
    wire = _described({"uri": uri, "name": name}, revision, **said)
    if size is not None:
        wire["size"] = size
    return _readable(wire, revision, mime_type, annotations)


def resource_template(
    name: str,
    revision: Revision,
    *,
    uri_template: str,
    mime_type: str | None = None,
    annotations: Annotations | None = None,
    **said: Any,
) -> dict[str, Any]:
    """A ``ResourceTemplate``."""
    wire = _described({"uriTemplate": uri_template, "name": name}, revision, **said)
    return _readable(wire, revision, mime_type, annotations)


def _readable(
    wire: dict[str, Any],
    revision: Revision,
    mime_type: str | None,
    annotations: Annotations | None,
) -> dict[str, Any]:
    if mime_type:
        wire["mimeType"] = mime_type
    told = annotations.to_wire(revision) if annotations else None
    if told:
        wire["annotations"] = told
    return wire


def prompt(
    name: str, revision: Revision, *, arguments: Sequence[Mapping[str, Any]] = (), **said: Any
) -> dict[str, Any]:
    """A ``Prompt``."""
    wire = _described({"name": name}, revision, **said)
    return {**wire, "arguments": list(arguments)} if arguments else wire


def prompt_argument(
    name: str, revision: Revision, *, title: str = "", description: str = "", required: bool
) -> dict[str, Any]:
    """A ``PromptArgument``."""
    wire = _described({"name": name}, revision, title=title, description=description)
    if required:
        wire["required"] = True
    return wire

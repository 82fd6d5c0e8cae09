"""Protocol revisions, and what each of them has.

A key that a revision does not define is never sent to a client that speaks it, so
everything that differs on the wire asks a ``Revision`` and nothing compares dates.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Revision:
    """One revision of the protocol: its date on the wire, and its features."""

    version: str
    modern: bool = False
    structured_content: bool = False  # structuredContent, outputSchema
    any_structured: bool = False  # structuredContent may be any JSON value
    title: bool = False  # else annotations.title, tools only
    icons: bool = False  # with serverInfo.description and websiteUrl
    meta: bool = False  # _meta on definitions and content blocks
    last_modified: bool = False  # annotations.lastModified
    resource_links: bool = False
    completion_context: bool = False  # completion/complete has context.arguments
    batches: bool = False


V2026_07_28 = Revision(
    "2026-07-28",
    modern=True,
    structured_content=True,
    any_structured=True,
    title=True,
    icons=True,
    meta=True,
    last_modified=True,
    resource_links=True,
    completion_context=True,
)
V2025_11_25 = Revision(
    "2025-11-25",
    structured_content=True,
    title=True,
    icons=True,
    meta=True,
    last_modified=True,
    resource_links=True,
    completion_context=True,
)
V2025_06_18 = Revision(
    "2025-06-18",
    structured_content=True,
    title=True,
    meta=True,
    last_modified=True,
    resource_links=True,
    completion_context=True,
)
V2025_03_26 = Revision("2025-03-26", batches=True)

MODERN = (V2026_07_28,)
LEGACY = (V2025_11_25, V2025_06_18, V2025_03_26)
REVISIONS = {revision.version: revision for revision in (*MODERN, *LEGACY)}
LATEST = MODERN[0]
LATEST_LEGACY = LEGACY[0]

PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion"
CLIENT_INFO = "io.modelcontextprotocol/clientInfo"
CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
LOG_LEVEL = "io.modelcontextprotocol/logLevel"
PROGRESS_TOKEN = "progressToken"  # noqa: S105 - a name on the wire, no secret
SERVER_INFO = "io.modelcontextprotocol/serverInfo"
SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId"

LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")

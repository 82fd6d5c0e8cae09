"""Which era and revision a request belongs to, and the envelope of a modern one.

Specification (2026-07-28): basic/versioning, and basic, "_meta".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp_django.dispatch.methods.lifecycle import negotiate
from mcp_django.protocol.errors import (
    UNSUPPORTED_PROTOCOL_VERSION,
    MCPError,
    invalid_params,
)
from mcp_django.protocol.jsonrpc import Message
from mcp_django.protocol.mirroring import (
    METHOD_HEADER,
    Header,
    check_standard_headers,
    mismatch,
)
from mcp_django.protocol.types import asked_version
from mcp_django.protocol.versions import (
    CLIENT_CAPABILITIES,
    CLIENT_INFO,
    LOG_LEVEL,
    LOG_LEVELS,
    MODERN,
    PROGRESS_TOKEN,
    PROTOCOL_VERSION,
    REVISIONS,
    V2025_03_26,
    Revision,
)

VERSION_HEADER = "MCP-Protocol-Version"

_MODERN: Mapping[str | None, Revision] = {revision.version: revision for revision in MODERN}
_MODERN_NAMES = [revision.version for revision in MODERN]


def meta_of(params: Mapping[str, Any]) -> Mapping[str, Any]:
    """``params._meta`` where it is an object, else an empty one."""
    meta = params.get("_meta")
    return meta if isinstance(meta, dict) else {}


def is_modern(message: Message) -> bool:
    """Whether the message itself says that it is of the modern era."""
    return _has_envelope(meta_of(message.params))


def _has_envelope(meta: Mapping[str, Any]) -> bool:
    return PROTOCOL_VERSION in meta or CLIENT_CAPABILITIES in meta or CLIENT_INFO in meta


def revision_of(message: Message, meta: Mapping[str, Any], header: Header) -> Revision:
    """The revision that this request speaks; a modern one has passed its envelope."""
    told = header(VERSION_HEADER)
    told = told.strip(" \t") if told is not None else None
    if _has_envelope(meta):
        return _modern(message, meta, told, header)
    if message.method == "initialize":
        return negotiate(asked_version(message.params) or "")
    if told is None:
        return V2025_03_26  # older clients do not send the header
    if told in _MODERN:
        return _modern(message, meta, told, header)
    revision = REVISIONS.get(told)
    if revision is None:
        raise _unsupported(told)
    return revision


def _modern(
    message: Message, meta: Mapping[str, Any], told: str | None, header: Header
) -> Revision:
    if message.id is None:
        return _modern_notification(message, meta, told, header)
    revision = _MODERN.get(told) if told == meta.get(PROTOCOL_VERSION) else None
    if revision is None:
        asked = _asked(meta)
        raise _unsupported(asked) if told == asked else _differs(told, asked)
    if not isinstance(meta.get(CLIENT_CAPABILITIES), dict):
        raise _no_capabilities()
    _check_envelope(meta)
    check_standard_headers(message.method, message.params, header)
    return revision


def _modern_notification(
    message: Message, meta: Mapping[str, Any], told: str | None, header: Header
) -> Revision:
    """It needs no headers, and with the version there no envelope; what it has must be right."""
    if told in _MODERN and PROTOCOL_VERSION not in meta:
        revision = _MODERN[told]
    else:
        asked = _asked(meta)
        if told is not None and told != asked:
            raise _differs(told, asked)
        if asked not in _MODERN:
            raise _unsupported(asked)
        revision = _MODERN[asked]
    if not isinstance(meta.get(CLIENT_CAPABILITIES, {}), dict):
        raise _no_capabilities()
    _check_envelope(meta)
    if header(METHOD_HEADER) is not None:
        check_standard_headers(message.method, message.params, header)
    return revision


def _differs(told: str | None, asked: str) -> MCPError:
    return mismatch(
        f"{VERSION_HEADER} is missing; it repeats {asked[:200]!r} of the body."
        if told is None
        else f"{VERSION_HEADER} is {told[:200]!r}, the body says {asked[:200]!r}."
    )


def _asked(meta: Mapping[str, Any]) -> str:
    asked = meta.get(PROTOCOL_VERSION)
    if not isinstance(asked, str):
        raise invalid_params(f"_meta needs {PROTOCOL_VERSION}, a string.", status=400)
    return asked


def _no_capabilities() -> MCPError:
    return invalid_params(f"_meta needs {CLIENT_CAPABILITIES}, an object.", status=400)


def _check_envelope(meta: Mapping[str, Any]) -> None:
    """What may be left out, and has a type where it is there."""
    if CLIENT_INFO in meta and not _is_implementation(meta[CLIENT_INFO]):
        raise invalid_params(
            f"_meta {CLIENT_INFO} is an object with name and version, both strings.", status=400
        )
    if LOG_LEVEL in meta and meta[LOG_LEVEL] not in LOG_LEVELS:
        raise invalid_params(f"_meta {LOG_LEVEL} is one of {', '.join(LOG_LEVELS)}.", status=400)
    if PROGRESS_TOKEN in meta:
        token = meta[PROGRESS_TOKEN]
        if isinstance(token, bool) or not isinstance(token, str | int):
            raise invalid_params(f"_meta {PROGRESS_TOKEN} is a string or an integer.", status=400)


def _is_implementation(client: Any) -> bool:
    return (
        isinstance(client, dict)
        and isinstance(client.get("name"), str)
        and isinstance(client.get("version"), str)
    )


def _unsupported(asked: str) -> MCPError:
    """-32022. ``supported`` is what a modern client may choose; the message names all."""
    legacy = ", ".join(version for version in REVISIONS if version not in _MODERN)
    return MCPError(
        UNSUPPORTED_PROTOCOL_VERSION,
        f"Unsupported protocol version {asked[:200]!r}. This server speaks "
        f"{', '.join(_MODERN_NAMES)}, and, through initialize, {legacy}.",
        data={"supported": _MODERN_NAMES, "requested": asked},
        status=400,
    )

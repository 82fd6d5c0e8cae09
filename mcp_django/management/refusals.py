"""Why a call from the command line was refused: what callers are told, and what they are not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from mcp_django.catalog import words
from mcp_django.catalog.features import close_names
from mcp_django.dispatch.server import MCPServer
from mcp_django.features.base import ToolFeature
from mcp_django.protocol.errors import MCPError


def explained(error: MCPError, server: MCPServer, name: str, user: Any) -> str:
    """What the caller was told, and what an operator may know beside it."""
    if "is no JSON-RPC answer" in error.message:
        return f"HTTP {error.status} is no answer of an MCP endpoint. Say where it is by --url."
    if error.status == 401:
        return f"{error.message} Call as a user by --user, or send credentials by --header."
    if error.message.startswith("Unknown tool"):
        tool = server.registry.tools.get(name)
        if tool is None:
            return unknown(name, [server])
        return f"{error.message}. It exists, but {_reason(tool, server, user)}"
    return str(error)


def unknown(name: str, chosen: Sequence[MCPServer]) -> str:
    """There is no such tool; the names that may have been meant."""
    names = [known for server in chosen for known in server.registry.tools]
    near = close_names(name, names)
    hint = f"Did you mean {' or '.join(near)}?" if near else "'mcp list' shows all tools."
    return f"There is no tool {name!r}. {hint}"


def _reason(tool: ToolFeature, server: MCPServer, user: Any) -> str:
    """Why this user, or (None) whoever the headers signed in, may not use the tool."""
    if user is None:
        return f"this caller may not use it. {_rules(tool, server)}"
    who = f"the user {user.get_username()!r}"
    if not getattr(user, "is_active", True):
        return f"{who} may not use it, for this user is not active."
    missing = [codename for codename in tool.permissions if _lacks(user, codename)]
    if missing:
        noun = "permission" if len(missing) == 1 else "permissions"
        return f"{who} may not use it without the {noun} {_named(missing)}."
    return f"{who} may not use it. {_rules(tool, server)}"


def _rules(tool: ToolFeature, server: MCPServer) -> str:
    return f"Who may: {' '.join(words.access(tool, server))}"


def _lacks(user: Any, codename: str) -> bool:
    try:
        return not user.has_perm(codename)
    except Exception:  # noqa: BLE001 - a rule that raises, denies
        return True


def _named(codenames: Iterable[str]) -> str:
    return " and ".join(f"“{words.permission_name(name)}” ({name})" for name in codenames)

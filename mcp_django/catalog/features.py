"""All that the project's servers publish, as rows of the catalog."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from mcp_django.dispatch.server import MCPServer, servers
from mcp_django.features.base import ToolFeature
from mcp_django.models import Feature


def published() -> Iterator[tuple[MCPServer, ToolFeature]]:
    """Every record with the server that publishes it, in the order of the lists."""
    for server in servers():
        for tool in server.registry.tools.values():
            yield server, tool


def feature_rows() -> list[Feature]:
    """Every record as a row, in the language that is active now. Makes no query."""
    return [Feature.of(server, record) for server, record in published()]


def feature_row(key: str) -> Feature | None:
    """The one row of this key."""
    for server, record in published():
        if key == Feature.key_of(server, record):
            return Feature.of(server, record)
    return None


def close_names(name: str, names: list[str]) -> list[str]:
    """The names that a mistyped one may have meant, nearest first."""
    folded = {known.casefold(): known for known in names}
    near = difflib.get_close_matches(name.casefold(), folded, n=3)
    inside = [known for fold, known in folded.items() if name and name.casefold() in fold]
    return list(dict.fromkeys([*(folded[fold] for fold in near), *inside]))[:3]

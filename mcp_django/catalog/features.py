"""All that the project's servers publish, as rows of the catalog."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from typing import Any

from mcp_django.dispatch.server import MCPServer, servers
from mcp_django.features.base import Feature as Record
from mcp_django.features.declarations import Declaration
from mcp_django.features.subjects import options_given
from mcp_django.models import Feature


def published() -> Iterator[tuple[MCPServer, Record]]:
    """Every record with the server that publishes it, in the order of the lists."""
    for server in servers():
        for record in server.registry.features:
            yield server, record


def feature_rows() -> list[Feature]:
    """Every record as a row, in the language that is active now. Makes no query."""
    return [Feature.of(server, record) for server, record in published()]


def feature_row(key: str) -> Feature | None:
    """The one row of this key."""
    for server, record in published():
        if key == Feature.key_of(server, record):
            return Feature.of(server, record)
    return None


def declared_option(server: MCPServer, record: Record, name: str) -> Any:
    """An option as its author gave it, of which the record keeps only what it came to."""
    declaration = declaration_of(server, record)
    return options_given(declaration).get(name) if declaration else None


def declaration_of(server: MCPServer, record: Record) -> Declaration | None:
    """What a record was made of; None where it is not (or no longer) on the server."""
    entries = server.registry.entries
    return next((declaration for declaration, known in entries if known is record), None)


def names_of(record: Record) -> tuple[str, ...]:
    """What a person may call it by: its URI or template, and its name."""
    return tuple(dict.fromkeys((record.key, record.name)))


def close_names(name: str, names: Iterable[str]) -> list[str]:
    """The names that a mistyped one may have meant, nearest first."""
    folded = {known.casefold(): known for known in names}
    # URIs have much in common that tells nothing apart.
    cutoff = 0.8 if "://" in name else 0.6
    near = difflib.get_close_matches(name.casefold(), folded, n=3, cutoff=cutoff)
    inside = [known for fold, known in folded.items() if name and name.casefold() in fold]
    return list(dict.fromkeys([*(folded[fold] for fold in near), *inside]))[:3]

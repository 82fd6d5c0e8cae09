"""Pages of lists, and the cursors that lead from one to the next.

A cursor is signed, and good for one server, kind of list and caller. It names the last row
that was sent, so that what is added or removed before it neither repeats nor hides a row.
Specification: server/utilities/pagination.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.core import signing

from mcp_django.invocation.context import Context
from mcp_django.protocol.errors import MCPError, invalid_params

logger = logging.getLogger("mcp_django")


class Item(NamedTuple):
    """One row of a list: what it is asked for by, and its definition in JSON."""

    key: str
    definition: bytes


class Page(NamedTuple):
    """Rows, and the cursor of the page that follows; None on the last one."""

    items: Sequence[Item]
    next_cursor: str | None


def page_of(items: Sequence[Item], kind: str, cursor: Any, context: Context) -> Page:
    """The page that a cursor asks for, the first one for None; -32602 for any other cursor."""
    start = 0 if cursor is None else _position(items, _read(cursor, kind, context))
    size = context.server.page_size
    if size is None or start + size >= len(items):
        return Page(items[start:], None)
    last = start + size - 1
    return Page(items[start : start + size], _written(items[last].key, last, kind, context))


def _position(items: Sequence[Item], at: tuple[str, int]) -> int:
    """Where the page begins: behind the row that was the last, or where that one stood."""
    key, index = at
    for place, item in enumerate(items):
        if item.key == key:
            return place + 1
    return min(index, len(items))


def _written(key: str, index: int, kind: str, context: Context) -> str:
    return signing.dumps([key, index], salt=_salt(kind, context), compress=True)


def _read(cursor: Any, kind: str, context: Context) -> tuple[str, int]:
    try:
        if not isinstance(cursor, str):
            raise TypeError(f"it is {type(cursor).__name__}")
        key, index = signing.loads(cursor, salt=_salt(kind, context))
    except Exception as error:
        logger.info("A cursor for %s was refused: %s", kind, error)
        raise _invalid() from error
    return key, index


def _salt(kind: str, context: Context) -> str:
    """Part of the signature: what a cursor is good for."""
    user = context.user
    caller = "" if user is None else f"{type(user).__qualname__}:{getattr(user, 'pk', user)}"
    return f"mcp_django.cursor/{context.server.name}/{kind}/{caller}"


def _invalid() -> MCPError:
    return invalid_params("The cursor is not one of this server's.")

"""Pages of lists, and the cursors that lead from one to the next.

A cursor is signed, and good for one server, kind of list and caller, so a list with pages is
private where callers sign in. It names the last row that was sent, so that what is added or
removed before it neither repeats nor hides a row, unless that row is removed as well.
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


class Paging(NamedTuple):
    """How one list is paged: ``after`` is the last row that was sent, with its number.

    ``salt`` is part of the signature of cursors: what they are good for.
    """

    after: tuple[str, int] | None
    size: int | None
    salt: str


def paging_of(kind: str, cursor: Any, context: Context) -> Paging:
    """Judge a cursor, before anything is looked up for it; -32602 for one that is not ours.

    None asks for the first page.
    """
    salt = f"mcp_django.cursor/{context.server.name}/{kind}/{_caller(context.user)}"
    after = None if cursor is None else _read(cursor, kind, salt)
    return Paging(after, context.server.page_size, salt)


def page_of(items: Sequence[Item], paging: Paging) -> Page:
    """The page of a list that was asked for."""
    after, size, salt = paging
    start = 0 if after is None else _position(items, *after)
    if size is None or start + size >= len(items):
        return Page(items[start:], None)
    last = start + size - 1
    cursor = signing.dumps([items[last].key, last], salt=salt, compress=True)
    return Page(items[start : start + size], cursor)


def _position(items: Sequence[Item], key: str, index: int) -> int:
    """Where the page begins: behind the row that was the last, or where that one stood."""
    for place, item in enumerate(items):
        if item.key == key:
            return place + 1
    return min(index, len(items))


def _read(cursor: Any, kind: str, salt: str) -> tuple[str, int]:
    try:
        if not isinstance(cursor, str):
            raise TypeError(f"it is {type(cursor).__name__}")
        key, index = signing.loads(cursor, salt=salt)
    except Exception as error:
        logger.info("A cursor for %s was refused: %s", kind, error)
        raise _invalid() from error
    return key, index


def _caller(user: Any) -> str:
    return "" if user is None else f"{type(user).__qualname__}:{getattr(user, 'pk', user)}"


def _invalid() -> MCPError:
    return invalid_params("The cursor is not one of this server's.")

"""Queries while a module of tools is imported: refused, whatever the database holds by then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from django.db import connections

_WIDTH = 60  # characters shown of a query


class QueryAtImport(RuntimeError):
    """A query that would fail where the tables do not exist yet, and be out of date later."""


@contextmanager
def without_queries() -> Iterator[None]:
    """Refuse every query of this thread, also where the refusal is caught and passed over."""
    refused: list[QueryAtImport] = []

    def refuse(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
        text = " ".join(str(sql).split())
        shown = text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"
        refused.append(QueryAtImport(shown))
        raise refused[0]

    with ExitStack() as stack:
        for connection in connections.all():
            stack.enter_context(connection.execute_wrapper(refuse))
        yield
    if refused:
        raise refused[0]

"""From what a user has typed of an argument to the values that complete it.

Specification: server/utilities/completion.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

import orjson
from django.db.models import QuerySet
from django.db.models.constants import LOOKUP_SEP
from django.db.models.functions import Length
from django.db.models.lookups import GreaterThan

from mcp_django.conf import settings
from mcp_django.features.base import Feature
from mcp_django.features.completers import VALUE, Asked, Completer, Rows, text_of
from mcp_django.features.completion_rows import flat_field, flat_rows, matching
from mcp_django.invocation.context import Context
from mcp_django.invocation.faults import CAUGHT, goes_through, parts_of, told_of_all
from mcp_django.invocation.flows import BLOCKING, Flow, settle
from mcp_django.invocation.tenants import meet_tenant
from mcp_django.protocol.errors import INTERNAL_ERROR, MCPError, invalid_params
from mcp_django.schema.returning.unsendable import Unsendable, too_long

MOST = 100  # values in one answer
# Values that a generator, or a queryset that the database cannot narrow, is read for at each
# key that is typed. Beyond them the author is told: fewer would be believed to be all.
MOST_READ = 10_000
# SQLite refuses patterns over 50,000 bytes; nobody waits for completions of much less.
MOST_TYPED = 1_000

_READY = (list, tuple, set, frozenset)


class Completed(NamedTuple):
    """At most ``MOST`` values, and how many there are in all."""

    values: list[str]
    total: int


def complete(
    feature: Feature, completer: Completer, typed: str, context: Context
) -> Flow[Completed]:
    """The values for an argument; whatever is raised on the way is an ``MCPError``."""
    context.feature = feature
    if completer.blocks:
        yield BLOCKING
    try:
        if not completer.in_list:
            return _sendable((yield from _found(completer.source, typed, context)))
        before, item = _last_item(typed)
        if not _is_list(f"{before}null]"):  # no value makes it one
            return Completed([], 0)
        values, total = yield from _found(completer.source, item, context)
        whole = [f"{before}{orjson.dumps(value).decode()}]" for value in values]
        return _sendable(Completed(whole, total))
    except MCPError:
        raise
    except CAUGHT as error:
        if goes_through(error):
            raise
        raise MCPError(INTERNAL_ERROR, told_of_all(parts_of(error), feature)) from error


def _sendable(found: Completed) -> Completed:
    size = sum(len(value.encode()) for value in found.values)
    limit = settings.MAX_RESULT_BYTES
    if size > limit:
        raise too_long("The completions have", size, limit)
    return found


def _last_item(typed: str) -> tuple[str, str]:
    """What stands before the last item of a list that is being written, and that item.

    A list is sent as JSON in a string: ``["open", "ret`` has ``["open", `` and ``ret``.
    """
    if not typed.startswith("["):
        return "[", typed
    if typed.count('"') % 2:
        before, _, item = typed.rpartition('"')
        return before, item
    item = typed[max(typed.rfind("["), typed.rfind(",")) + 1 :].lstrip()
    return typed[: len(typed) - len(item)], item


def _is_list(text: str) -> bool:
    try:
        return isinstance(orjson.loads(text), list)
    except ValueError:
        return False


def _found(source: tuple[str, ...] | Rows | Asked, typed: str, context: Context) -> Flow[Completed]:
    if isinstance(source, tuple):
        return _beginning(source, typed)
    if isinstance(source, Rows):
        return _of_rows(source, typed)
    if source.binding.uses_tenant:
        yield from meet_tenant(source.binding, context)
    given = yield from settle(source.binding.resolve(context, {VALUE: typed}))
    if not isinstance(given, _READY):
        yield BLOCKING  # reading it may query
    if isinstance(given, QuerySet):
        return _of_queryset(given, typed, narrowed=source.narrows)
    if not isinstance(given, Iterable) or isinstance(given, str | bytes | Mapping):
        raise TypeError(f"the completer gave {type(given).__name__}: let it return a list")
    values = given if isinstance(given, _READY) else _bounded(given)
    return _counted(values) if source.narrows else _beginning(values, typed)


def _of_rows(rows: Rows, typed: str) -> Completed:
    if len(typed) > MOST_TYPED:
        raise invalid_params(
            f"argument.value has {len(typed):,} characters; at most {MOST_TYPED:,} are completed."
        )
    return _page(matching(rows, typed))


def _of_queryset(given: QuerySet[Any], typed: str, *, narrowed: bool) -> Completed:
    """What a function returned: narrowed by the database where the function did not.

    ``all()``, for a queryset that lives longer than the call would keep its rows.
    """
    given = given.all()
    if not flat_field(given) and not getattr(given, "_fields", None):
        raise TypeError(
            f"the completer gave rows of {given.model.__name__}, not values: let it return "
            '….values_list("field", flat=True)'
        )
    rows = flat_rows(given)
    if narrowed:
        return _all_of(given, rows)
    if rows is None:
        return _beginning(_bounded(given[: MOST_READ + 1]), typed)
    return _of_rows(rows, typed)


def _all_of(given: QuerySet[Any], rows: Rows | None) -> Completed:
    """Each row but the null and the empty ones, which complete nothing.

    The database leaves them out where that is sure to change no other row: a condition on a
    related table might join it once more. Else they are read, ``MOST_READ`` at most; what is
    beyond is counted as it is.
    """
    if rows is not None and LOOKUP_SEP not in rows.field:
        return _page(_filled(given, rows))
    read = [text_of(value) for value in given[: MOST_READ + 1]]
    texts = [text for text in read if text]
    unread = given.count() - len(read) if len(read) > MOST_READ else 0
    return Completed(texts[:MOST], len(texts) + max(unread, 0))


def _filled(given: QuerySet[Any], rows: Rows) -> QuerySet[Any]:
    if rows.is_text:
        return given.filter(GreaterThan(Length(rows.field), 0))  # of null it is null
    return given.filter(**{f"{rows.field}__isnull": False})


def _bounded(values: Iterable[Any]) -> Iterator[Any]:
    """The values, of which there are at most ``MOST_READ``."""
    read = iter(values)
    yield from islice(read, MOST_READ)
    for _ in read:
        raise Unsendable(
            f"The completer gave more than {MOST_READ:,} values: let it take what was typed, as "
            "value, and return fewer."
        )


def _page(found: QuerySet[Any]) -> Completed:
    """The first values, in one query.

    ``total`` is true at the price of a second one, which counts what was found where that is
    more than can be sent: each time, while little is typed of what many rows begin with.
    """
    values = [text_of(value) for value in found[: MOST + 1]]
    total = max(found.count(), len(values)) if len(values) > MOST else len(values)
    return Completed(values[:MOST], total)


def _beginning(values: Iterable[Any], typed: str) -> Completed:
    """Those that begin with what was typed, without case."""
    wanted = typed.casefold()
    texts = map(text_of, values)
    return _counted(text for text in texts if text.casefold().startswith(wanted))


def _counted(values: Iterable[Any]) -> Completed:
    texts = [text for text in map(text_of, values) if text]
    return Completed(texts[:MOST], len(texts))

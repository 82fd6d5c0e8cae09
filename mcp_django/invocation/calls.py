"""From a record and what a caller sent to a result: one way for every kind of feature."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import transaction

from mcp_django.features.base import Feature
from mcp_django.invocation.context import Context
from mcp_django.invocation.faults import CAUGHT, goes_through
from mcp_django.invocation.flows import BLOCKING, Flow, is_awaitable, run, settle
from mcp_django.invocation.tenants import meet_tenant
from mcp_django.schema.returning.presentation import has_files
from mcp_django.schema.validation import Arguments


@dataclass(slots=True)  # not frozen: each call makes one, and that would treble its price
class Written:
    """A result as it goes over the wire, and whether it tells of an error."""

    result: dict[str, Any]
    is_error: bool


class Ending(NamedTuple):
    """How calls of one kind of feature end.

    ``written(feature, returned, context)`` converts and writes what the handler returned.
    ``failed(error, feature, context)`` is the result for what was raised on the way, or
    raises the ``MCPError`` for it.
    """

    written: Callable[[Any, Any, Context], Written]
    failed: Callable[[BaseException, Any, Context], dict[str, Any]]


def call(
    feature: Feature, raw: dict[str, Any], context: Context, ending: Ending
) -> Flow[dict[str, Any]]:
    """Validate, inject, call, convert, write; all that is raised ends in ``ending.failed``."""
    context.feature = feature
    if feature.blocks:
        yield BLOCKING
    try:
        if feature.uses_tenant:
            # Before the arguments: looking one of them up may be narrowed by the tenant.
            yield from meet_tenant(feature, context)
        if feature.atomic:
            return _in_transaction(feature, raw, context, ending).result
        returned = feature.handler(**(yield from _filled(feature, raw, context)))
        if is_awaitable(returned):
            returned = yield from settle(returned)
        if not feature.blocks and has_files(returned):
            yield BLOCKING
        return ending.written(feature, returned, context).result
    except CAUGHT as error:
        if goes_through(error):
            raise
        if not feature.blocks:
            yield BLOCKING  # an error too may hold files, and run code of the author's
        return ending.failed(error, feature, context)


def _filled(feature: Feature, raw: dict[str, Any], context: Context) -> Flow[dict[str, Any]]:
    """The keyword arguments of the handler: what the caller sent, and what the server fills."""
    arguments = feature.arguments.validate(raw, context.serializer_context)
    values = feature.handler_arguments(arguments, raw)
    if feature.bindings:
        given: Mapping[str, Any] = Arguments(arguments, raw)
        for binding in feature.bindings:
            values[binding.name] = yield from settle(binding.resolve(context, given))
    return values


class _RolledBack(Exception):
    """Carries an error out of a transaction that must not be committed."""

    def __init__(self, written: Written) -> None:
        super().__init__(written)
        self.written = written


def _in_transaction(
    feature: Feature, raw: dict[str, Any], context: Context, ending: Ending
) -> Written:
    """All that a call does, in a transaction, as ATOMIC_REQUESTS or ``atomic=True`` asks.

    The HTTP status of a tool's error is 200, so Django's own transaction around a view would
    commit the work of a tool that failed: the endpoint opts out of it, and this stands in.
    """
    try:
        with ExitStack() as transactions:
            for alias in feature.atomic:
                transactions.enter_context(transaction.atomic(using=alias))
            # Nothing is yielded while a transaction is open: an async function that is
            # injected runs in an event loop of this thread, on this thread's connection.
            returned = _returned(feature, run(_filled(feature, raw, context)))
            written = ending.written(feature, returned, context)
            if written.is_error:
                raise _RolledBack(written)
            return written
    except _RolledBack as rolled_back:
        return rolled_back.written


def _returned(feature: Feature, values: Mapping[str, Any]) -> Any:
    returned = feature.handler(**values)
    if is_awaitable(returned):
        close = getattr(returned, "close", None)
        if close is not None:
            close()  # nobody will await it
        raise TypeError("it returned an awaitable, which no transaction can span: say atomic=False")
    return returned

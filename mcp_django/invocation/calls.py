"""From a tool's record and a caller's arguments to an outcome."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any, NamedTuple

from django.db import transaction

from mcp_django.features.base import ToolFeature
from mcp_django.invocation.context import Context, NoTenant
from mcp_django.invocation.faults import is_interrupt, outcome_of
from mcp_django.invocation.flows import BLOCKING, ENDINGS, Flow, run, settle
from mcp_django.protocol.versions import Revision
from mcp_django.schema.results import Outcome
from mcp_django.schema.validation import Arguments


class Written(NamedTuple):
    """A result as it goes over the wire, and whether it tells of an error."""

    result: dict[str, Any]
    is_error: bool


Write = Callable[[Outcome, ToolFeature, Revision], Written]


def call_tool(
    feature: ToolFeature, raw: dict[str, Any], context: Context, write: Write
) -> Flow[dict[str, Any]]:
    """Validate, inject, call, convert, write. Whatever the tool raises becomes a result."""
    context.feature = feature
    if feature.blocks:
        yield BLOCKING
    try:
        if feature.uses_tenant:
            # Before the arguments: looking one of them up may be narrowed by the tenant.
            yield from _find_tenant(feature, context)
        if feature.atomic:
            return _in_transaction(feature, raw, context, write).result
        returned = feature.handler(**(yield from _filled(feature, raw, context)))
        if inspect.isawaitable(returned):
            returned = yield from settle(returned)
        return _written(feature, returned, context, write).result
    except (Exception, BaseExceptionGroup, *ENDINGS) as error:
        if is_interrupt(error):
            raise
        return write(outcome_of(error, feature), feature, context.revision).result


def _written(feature: ToolFeature, returned: Any, context: Context, write: Write) -> Written:
    outcome = feature.result.convert(returned, context.serializer_context)
    return write(outcome, feature, context.revision)


def _filled(feature: ToolFeature, raw: dict[str, Any], context: Context) -> Flow[dict[str, Any]]:
    """The keyword arguments of the handler: what the caller sent, and what the server fills."""
    arguments = feature.arguments.validate(raw, context.serializer_context)
    values = feature.handler_arguments(arguments, raw)
    if feature.bindings:
        given: Mapping[str, Any] = Arguments(arguments, raw)
        for binding in feature.bindings:
            values[binding.name] = yield from settle(binding.resolve(context, given))
    return values


def _find_tenant(feature: ToolFeature, context: Context) -> Flow[None]:
    """Look the tenant up; refuse where one must be there and is not."""
    tenant = yield from context.find_tenant()
    if tenant is None and feature.requires_tenant:
        raise NoTenant


class _RolledBack(Exception):
    """Carries an error out of a transaction that must not be committed."""

    def __init__(self, written: Written) -> None:
        super().__init__(written)
        self.written = written


def _in_transaction(
    feature: ToolFeature, raw: dict[str, Any], context: Context, write: Write
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
            written = _written(feature, returned, context, write)
            if written.is_error:
                raise _RolledBack(written)
            return written
    except _RolledBack as rolled_back:
        return rolled_back.written


def _returned(feature: ToolFeature, values: Mapping[str, Any]) -> Any:
    returned = feature.handler(**values)
    if inspect.isawaitable(returned):
        close = getattr(returned, "close", None)
        if close is not None:
            close()  # nobody will await it
        raise TypeError("it returned an awaitable, which no transaction can span: say atomic=False")
    return returned

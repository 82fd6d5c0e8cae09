"""From a tool's record and a caller's arguments to an outcome."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from django.db import transaction

from mcp_django.features.base import ToolFeature
from mcp_django.invocation.context import Context, NoTenant
from mcp_django.invocation.faults import outcome_of
from mcp_django.invocation.flows import BLOCKING, Flow, settle
from mcp_django.schema.results import Outcome
from mcp_django.schema.validation import Arguments


def call_tool(feature: ToolFeature, raw: dict[str, Any], context: Context) -> Flow[Outcome]:
    """Validate, inject, call, convert. Whatever the tool raises becomes an outcome."""
    context.feature = feature
    if feature.blocks:
        yield BLOCKING
    try:
        if feature.uses_tenant:
            # Before the arguments: looking one of them up may be narrowed by the tenant.
            yield from _find_tenant(feature, context)
        arguments = feature.arguments.validate(raw, context.serializer_context)
        values = yield from _handler_values(feature, arguments, raw, context)
        if feature.is_async:
            returned = yield from settle(feature.handler(**values))
            return feature.result.convert(returned, context.serializer_context)
        return (yield from _call_sync(feature, values, context))
    except Exception as error:  # noqa: BLE001 - whatever a tool raises is its answer
        return outcome_of(error, feature)
    except BaseExceptionGroup as group:
        # A task group wraps whatever ended it; only what is wholly of ours to answer.
        ours, others = group.split(Exception)
        if others is not None or ours is None:
            raise
        return outcome_of(ours, feature)


def _handler_values(
    feature: ToolFeature, arguments: dict[str, Any], raw: dict[str, Any], context: Context
) -> Flow[dict[str, Any]]:
    """The keyword arguments of the handler: the caller's and the injected ones."""
    values = feature.handler_arguments(arguments, raw)
    if not feature.bindings:
        return values
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
    """Carries an error outcome out of a savepoint that must not be committed."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome)
        self.outcome = outcome


def _call_sync(feature: ToolFeature, values: Mapping[str, Any], context: Context) -> Flow[Outcome]:
    """Call and convert inside one transaction, which an error outcome rolls back."""
    returned = _called(feature, values, context)
    if isinstance(returned, Outcome):
        return returned
    # A transaction never spans a yield, so what is awaited runs outside of it.
    returned = yield from settle(returned)
    return feature.result.convert(returned, context.serializer_context)


def _called(feature: ToolFeature, values: Mapping[str, Any], context: Context) -> Any:
    """The outcome, or the awaitable that a sync handler has returned.

    In a transaction where ATOMIC_REQUESTS or ``atomic=True`` asks for one. The HTTP status
    of a tool's error is 200, so Django's own transaction around a view would commit the
    work of a tool that failed: the endpoint opts out of it, and this stands in.
    """
    if not feature.atomic:
        return _outcome(feature, feature.handler(**values), context)
    try:
        with ExitStack() as transactions:
            for alias in feature.atomic:
                transactions.enter_context(transaction.atomic(using=alias))
            outcome = _outcome(feature, feature.handler(**values), context)
            if isinstance(outcome, Outcome) and outcome.is_error:
                raise _RolledBack(outcome)
            return outcome
    except _RolledBack as rolled_back:
        return rolled_back.outcome


def _outcome(feature: ToolFeature, returned: Any, context: Context) -> Any:
    if inspect.isawaitable(returned):
        return returned
    return feature.result.convert(returned, context.serializer_context)

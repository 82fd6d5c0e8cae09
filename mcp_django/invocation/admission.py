"""Letting a caller to a feature, or refusing it in the words for one that is not there."""

from __future__ import annotations

from collections.abc import Callable

from mcp_django.features.base import Feature
from mcp_django.invocation.authentication import unauthenticated
from mcp_django.invocation.context import Context
from mcp_django.invocation.flows import BLOCKING, Flow
from mcp_django.invocation.permissions import Decision, decide
from mcp_django.protocol.errors import MCPError


def admit(feature: Feature, context: Context, unknown: Callable[[], MCPError]) -> Flow[None]:
    """Refuse who may not use it: what is hidden is unknown; 401 where signing in may open it."""
    if not context.server.depends_on_caller(feature):
        return
    yield BLOCKING
    decision = decide(feature, context)
    if decision is Decision.SIGN_IN and context.server.authentication_classes:
        raise unauthenticated(context)
    if decision is not Decision.ALLOWED:
        raise unknown()

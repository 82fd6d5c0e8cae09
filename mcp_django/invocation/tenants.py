"""The tenant that a feature needs, or code that fills one of its parameters."""

from __future__ import annotations

from mcp_django.features.base import Binding, Feature
from mcp_django.invocation.context import Context, NoTenant
from mcp_django.invocation.flows import Flow


def meet_tenant(needed_by: Feature | Binding, context: Context) -> Flow[None]:
    """Look the tenant up; ``NoTenant`` where one must be there and is not.

    To be asked of what ``uses_tenant`` alone.
    """
    tenant = yield from context.find_tenant()
    if tenant is None and needed_by.requires_tenant:
        raise NoTenant

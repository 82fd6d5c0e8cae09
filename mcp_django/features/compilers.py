"""From a declaration of any kind to its record."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mcp_django.features.base import Binder, Feature
from mcp_django.features.declarations import Declaration
from mcp_django.features.errors import located
from mcp_django.features.kinds import Kind
from mcp_django.features.prompts import compile_prompt
from mcp_django.features.resources import compile_resource
from mcp_django.features.tools import compile_tool

_COMPILERS: Mapping[Kind, Callable[[Declaration, Binder], Feature]] = {
    "tool": compile_tool,
    "resource": compile_resource,
    "prompt": compile_prompt,
}


def compiled(declaration: Declaration, binder: Binder) -> Feature:
    """The record of a declaration; mistakes raise ``ImproperlyConfigured`` with their place."""
    with located(declaration.source):
        return _COMPILERS[declaration.kind](declaration, binder)

"""``@tool``, for a registry of the test's own."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from mcp_django.features.decorators import tool
from mcp_django.features.registry import Registry


def tool_in(registry: Registry, target: Any = None, /, **options: Any) -> Any:
    """``@tool(server=…)``, for a server of which nothing but the registry matters."""
    decorate = tool(server=SimpleNamespace(registry=registry), **options)
    return decorate if target is None else decorate(target)

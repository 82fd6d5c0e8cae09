"""``@tool``, for a registry of the test's own."""

from __future__ import annotations

from typing import Any

from mcp_django.features.declarations import checked_options
from mcp_django.features.decorators import declare
from mcp_django.features.registry import Registry


def tool_in(registry: Registry, target: Any = None, /, **options: Any) -> Any:
    """What ``@tool`` does, in another registry than the default one."""
    given = checked_options(options, "@tool")
    if target is None:
        return lambda decorated: declare(decorated, given, registry)
    return declare(target, given, registry)

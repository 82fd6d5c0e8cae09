"""What a server advertises. Specification: basic/lifecycle and server/discover."""

from __future__ import annotations

from mcp_django.features.records import COMPLETED
from mcp_django.features.registry import Registry


def capabilities_of(registry: Registry) -> frozenset[str]:
    """The families of methods that it has features of."""
    found = {
        "tools": bool(registry.tools),
        "resources": bool(registry.resources or registry.templates),
        "prompts": bool(registry.prompts),
        "completions": any(
            isinstance(one, COMPLETED) and one.completers for one in registry.features
        ),
    }
    return frozenset(name for name, is_there in found.items() if is_there)

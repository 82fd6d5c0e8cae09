"""The protocol's camelCase names stand on floor 0, so that the wire is written in one place."""

from __future__ import annotations

import ast
import re

from tests.architecture.sources import modules

CAMEL = re.compile(r"[a-z]+(?:[A-Z][a-z]+)+")
PIPELINE = ("mcp_django/invocation/", "mcp_django/dispatch/", "mcp_django/transports/")


def test_the_wire_is_written_on_floor_0() -> None:
    found = [
        f"{module.place}:{node.lineno} {node.value}"
        for module in modules("mcp_django")
        if module.place.startswith(PIPELINE)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and CAMEL.fullmatch(node.value)
    ]
    assert found == []

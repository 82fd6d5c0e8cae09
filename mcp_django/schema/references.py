"""Where the local references of a schema lead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_MOST = 20  # references to references: one to itself ends somewhere


def resolved(schema: Any, root: Mapping[str, Any]) -> Any:
    """A schema, or what its local ``$ref`` points to."""
    for _step in range(_MOST):
        reference = schema.get("$ref") if isinstance(schema, Mapping) else None
        if reference == "#":
            return root
        if not str(reference).startswith("#/"):
            break
        target: Any = root
        for key in str(reference)[2:].split("/"):
            name = key.replace("~1", "/").replace("~0", "~")
            target = target.get(name) if isinstance(target, Mapping) else None
        schema = target
    return schema

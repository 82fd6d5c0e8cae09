"""Keywords of JSON Schema, and marks that stand for some until a schema is complete."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

Schema: TypeAlias = dict[str, Any]
Direction: TypeAlias = Literal["request", "response"]

# Keywords that describe and do not constrain; beside an alternative they stay outside of it.
DESCRIPTIVE = frozenset(["title", "description", "default", "deprecated", "examples"])

# Null is allowed. How to say so depends on all that the schema has beside it.
NULL = "x-nullable"
# A sentence that goes after the author's description.
NOTE = "x-note"

# A key of a field's ``style``: null is accepted, and the schema says nothing of it.
UNSPOKEN_NULL = "unspoken_null"


def types_of(schema: Schema) -> list[str]:
    """The values of ``type``, of which there may be one, several or none."""
    types: str | list[str] = schema.get("type", [])
    return [types] if isinstance(types, str) else list(types)

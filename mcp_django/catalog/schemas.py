"""A JSON Schema as the rows of a table that a person can read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from mcp_django.catalog.limits import limits
from mcp_django.catalog.types import (
    Schema,
    branches,
    json_text,
    reference_name,
    resolved,
    type_of,
)

_DEEPEST = 8  # levels of a nested schema that a table shows


@dataclass(frozen=True, slots=True)
class SchemaRow:
    """One value that a schema describes: an argument, a member of one, an item of a list.

    ``path`` is where it stands (``lines[].quantity``), ``default`` its JSON text or "",
    ``completion`` what completes it, in words, which no schema tells.
    """

    path: str
    depth: int
    type: str
    required: bool
    default: str
    limits: tuple[str, ...]
    description: str
    completion: str = ""


def schema_rows(schema: Schema) -> list[SchemaRow]:
    """The members of a schema, nested ones below their parents; none for a bare value."""
    return list(_members(schema, schema, "", 0, ()))


def _members(
    schema: Schema | Any, root: Schema, path: str, depth: int, inside: tuple[str, ...]
) -> Iterator[SchemaRow]:
    """The rows below one schema. ``inside`` are the references that led here."""
    if not isinstance(schema, Mapping) or depth > _DEEPEST:
        return
    reference = str(schema.get("$ref", ""))
    if reference and reference in inside:
        name = reference_name(schema)
        yield SchemaRow(f"{path}…", depth, name, False, "", (_("nested like the rows above"),), "")
        return
    inside = (*inside, reference) if reference else inside
    schema = resolved(schema, root)
    required = schema.get("required", ())
    prefix = f"{path}." if path else ""
    for name, member in schema.get("properties", {}).items():
        at = prefix + name
        yield _row(member, root, at, depth, name in required)
        yield from _members(member, root, at, depth + 1, inside)
    extra = schema.get("additionalProperties")
    if isinstance(extra, Mapping):
        yield _row(extra, root, f"{prefix}*", depth, False)
        yield from _members(extra, root, f"{prefix}*", depth + 1, inside)
    yield from _members(schema.get("items"), root, f"{path}[]", depth, inside)
    for branch in (*branches(schema), *schema.get("allOf", ())):
        yield from _members(branch, root, path, depth, inside)


def _row(member: Schema | bool, root: Schema, path: str, depth: int, required: bool) -> SchemaRow:
    if isinstance(member, bool):
        return SchemaRow(path, depth, type_of(member), required, "", (), "")
    schema = resolved(member, root)
    return SchemaRow(
        path=path,
        depth=depth,
        type=type_of(member, root),
        required=required,
        default=json_text(schema["default"]) if "default" in schema else "",
        limits=tuple(dict.fromkeys(limits(schema, root))),
        description=str(schema.get("description", "")),
    )

"""The last pass over a schema: references put in place, OpenAPI's dialect taken out.

``$defs`` holds only what contains itself. Until here null is the keyword ``nullable``,
because what it means depends on the schema beside it.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Any

import orjson
from django.utils.functional import Promise

from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.keywords import DESCRIPTIVE, NULL, Schema, types_of
from mcp_django.schema.rendering.constraints import json_number
from mcp_django.schema.rendering.patterns import portable

COMPONENTS = "#/components/schemas/"
DEFINITIONS = "#/$defs/"

# Keywords that hold a schema, several, or some by name; and those that hold a text.
ONE = frozenset(["items", "additionalProperties", "not", "if", "then", "else", "contains"]) | {
    *("propertyNames", "unevaluatedItems", "unevaluatedProperties")
}
SEVERAL = frozenset(["allOf", "anyOf", "oneOf", "prefixItems"])
NAMED = frozenset(["properties", "patternProperties", "dependentSchemas"])
WORDS = frozenset(["title", "description"])
_VALUES = frozenset(["default", "const", "enum", "examples"]) | WORDS
_DROPPED = frozenset(["$ref", "nullable", "readOnly", "writeOnly", "example"]) | {
    *("discriminator", "xml", "externalDocs")
}
_OPENAPI_FORMAT = re.compile(r"u?int\d+|float|double|decimal|byte|binary|password")
_BOUNDS = (("minimum", "exclusiveMinimum", math.inf), ("maximum", "exclusiveMaximum", -math.inf))


class Inliner:
    """One document: the components that references name, and the definitions it needs."""

    def __init__(self, components: dict[str, Schema]) -> None:
        self.components = components
        self.definitions: dict[str, Schema] = {}
        self._open: list[str] = []
        self._recursive: set[str] = set()

    def document(self, root: Schema) -> Schema:
        """The whole schema, its root in place even where it contains itself."""
        schema = self.schema(root)
        if schema.get("$ref", "").startswith(DEFINITIONS):
            name = schema.pop("$ref").removeprefix(DEFINITIONS)
            schema = {**self.definitions[name], **schema}
        return {**schema, "$defs": self.definitions} if self.definitions else schema

    def schema(self, node: Any) -> Any:
        """A schema in JSON Schema's own words."""
        if isinstance(node, bool):
            return node
        schema = _alone(self._keywords(node))
        if "$ref" in node:
            schema = _beside(self._resolved(node["$ref"]), schema)
        _mend(schema)
        return accept_null(schema) if node.get("nullable") or node.get(NULL) else schema

    def _keywords(self, node: Schema) -> Schema:
        schema: Schema = {}
        for key, value in node.items():
            if key in ONE:
                schema[key] = self.schema(value)
            elif key in SEVERAL:
                schema[key] = [self.schema(item) for item in value]
            elif key in NAMED:
                schema[key] = {str(name): self.schema(item) for name, item in value.items()}
            elif key in WORDS and isinstance(value, Promise):
                schema[key] = value  # for ``translation`` to take out
            elif key in _VALUES:
                schema[key] = json_value(value)
            elif key not in _DROPPED and not _is_extension(key):
                schema[key] = value
        return schema

    def _resolved(self, reference: str) -> Schema:
        name = reference.removeprefix(COMPONENTS)
        if name == reference or name not in self.components:
            raise DeclarationError(
                f"A schema refers to {reference}, which it does not contain.",
                "Write that schema in place, or name a serializer instead.",
            )
        if name in self.definitions:
            return {"$ref": DEFINITIONS + name}
        if name in self._open:
            self._recursive.add(name)
            return {"$ref": DEFINITIONS + name}
        self._open.append(name)
        schema: Schema = self.schema(self.components[name])
        self._open.pop()
        if name not in self._recursive:
            return schema
        self.definitions[name] = schema
        return {"$ref": DEFINITIONS + name}


def accept_null(schema: Schema) -> Schema:
    """The schema of the same or null."""
    if _takes_null(schema):
        return schema
    if schema.keys().isdisjoint(["type", "enum", "const"]):
        return _with_null_branch(schema)
    schema = dict(schema)
    if "type" in schema:
        schema["type"] = [*types_of(schema), "null"]
    if "const" in schema:
        schema["enum"] = [schema.pop("const")]
    if "enum" in schema:
        schema["enum"] = [*schema["enum"], None]
    for key in ("oneOf", "anyOf"):
        if key in schema and not any(map(_takes_null, schema[key])):
            schema[key] = [*schema[key], {"const": None}]
    return schema


def _with_null_branch(schema: Schema) -> Schema:
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return {**schema, key: [*schema[key], {"type": "null"}]}
    outer = {key: value for key, value in schema.items() if key in DESCRIPTIVE}
    inner = {key: value for key, value in schema.items() if key not in DESCRIPTIVE}
    return {"anyOf": [inner, {"type": "null"}], **outer}


def _takes_null(schema: Any) -> bool:
    """Whether null satisfies the schema, as far as its own keywords tell."""
    if isinstance(schema, bool):
        return schema
    if "type" in schema and "null" not in types_of(schema):
        return False
    if "const" in schema and schema["const"] is not None:
        return False
    if "enum" in schema and None not in schema["enum"]:
        return False
    if "$ref" in schema:
        return False
    if "anyOf" in schema and not any(map(_takes_null, schema["anyOf"])):
        return False
    if "oneOf" in schema and sum(map(_takes_null, schema["oneOf"])) != 1:
        return False
    return all(map(_takes_null, schema.get("allOf", ())))


def _alone(schema: Schema) -> Schema:
    """A single schema inside ``allOf`` and annotations around it, as one schema."""
    if len(schema.get("allOf", ())) != 1:
        return schema
    outer = {key: value for key, value in schema.items() if key != "allOf"}
    return _beside(schema["allOf"][0], outer)


def _beside(schema: Schema, others: Schema) -> Schema:
    """A schema with further keywords; those that it has itself may only describe."""
    shared = schema.keys() & others.keys()
    if shared <= DESCRIPTIVE:
        return {**schema, **others}
    return {"allOf": [schema, others]}


def _mend(schema: Schema) -> None:
    """Make single keywords right, in place."""
    _mend_bounds(schema)
    if _OPENAPI_FORMAT.fullmatch(schema.get("format", "")):
        del schema["format"]
    if "pattern" in schema and (pattern := portable(schema.pop("pattern"))) is not None:
        schema["pattern"] = pattern
    if "array" in types_of(schema):
        # How drf-spectacular counts the items of a tuple; JSON Schema counts letters by it.
        schema.pop("minLength", None)
        schema.pop("maxLength", None)
    if schema.get("additionalProperties") == {}:
        schema["additionalProperties"] = True
    if sum(map(_takes_null, schema.get("oneOf", ()))) > 1:
        schema["anyOf"] = schema.pop("oneOf")


def _mend_bounds(schema: Schema) -> None:
    for plain, exclusive, inward in _BOUNDS:
        if isinstance(schema.get(exclusive), bool) and schema.pop(exclusive) and plain in schema:
            schema[exclusive] = schema.pop(plain)
        for key in (plain, exclusive):
            if key in schema and not isinstance(schema[key], int):
                schema[key] = json_number(schema[key], inward)


def _is_extension(key: str) -> bool:
    return key.startswith("x-") and not key.startswith("x-mcp-")


def json_value(value: Any) -> Any:
    """The value in JSON's own types; raises ``TypeError`` where it has none."""
    if value is None or type(value) in (str, int, bool):
        return value
    return orjson.loads(orjson.dumps(value, default=_foreign))


def _foreign(value: Any) -> Any:
    if isinstance(value, Promise):
        return str(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if isinstance(value, Decimal):
        return json_number(value)
    raise TypeError(f"{type(value).__name__} is not JSON.")

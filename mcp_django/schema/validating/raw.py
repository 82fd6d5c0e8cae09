"""Arguments by a raw JSON Schema: shown to the letter, and enforced.

Specification: server/tools, "inputSchema". Nothing is ever fetched: a ``$ref`` has to lead
into the schema itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import jsonschema_rs

from mcp_django.protocol.measuring import measured
from mcp_django.schema.effort import Effort, unfolded
from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.references import resolved
from mcp_django.schema.validating.decoding import from_text
from mcp_django.schema.validating.describing import kinds_taken
from mcp_django.schema.validating.findings import Finding, invalid_arguments
from mcp_django.schema.validating.violations import of_schema
from mcp_django.schema.writing import refuse_unwritable

MAX_DEPTH = 40
MAX_VALUES = 5_000
MAX_UNFOLDED = 100_000  # with all references written out
_SOMEWHERE = (
    "The arguments do not satisfy the schema, and it would take too long to tell where. "
    "Send less at once, or compare them with the schema level by level."
)
# A pattern that tries more than this on one string counts as not matching.
_PATTERNS = jsonschema_rs.FancyRegexOptions(backtrack_limit=100_000)


class RawValidator:
    """Decodes and validates by a JSON Schema alone."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = schema
        self._validator = compiled(schema)
        self._effort = Effort(schema)
        self._decode: Any = _decoder(schema, schema, {})

    def __call__(self, raw: dict[str, Any], context: Mapping[str, Any]) -> dict[str, Any]:
        data: dict[str, Any] = self._decode(without_nul(raw))
        if self._validator.is_valid(data):
            return data
        if not self._effort.is_small(data):
            raise invalid_arguments([Finding((), _SOMEWHERE)])
        raise invalid_arguments(of_schema(self._validator, data, self.schema))


def without_nul(value: Any) -> Any:
    """JSON with U+FFFD in place of U+0000, which no database takes, as in derived arguments."""
    if isinstance(value, str):
        return value.replace("\0", "\ufffd")
    if isinstance(value, list):
        return [without_nul(item) for item in value]
    if isinstance(value, dict):
        return {name: without_nul(item) for name, item in value.items()}
    return value


def checked(schema: Any) -> dict[str, Any]:
    """A copy of a raw schema that may be shown; raises ``DeclarationError``."""
    try:
        text = json.dumps(schema, allow_nan=False)
    except (RecursionError, TypeError, ValueError) as error:
        raise DeclarationError(
            f"input_schema is not JSON ({error}).", "Give a dict of JSON values."
        ) from error
    if not isinstance(schema, dict) or schema.get("type") != "object":
        raise DeclarationError(
            "The root of input_schema is not of type object, and arguments are one.",
            'Write {"type": "object", "properties": {...}}.',
        )
    depth, values = measured(schema)
    if depth > MAX_DEPTH or values > MAX_VALUES:
        raise DeclarationError(
            f"input_schema is {depth} levels deep and has {values} values; "
            f"at most {MAX_DEPTH} and {MAX_VALUES} are served.",
            "Make it smaller, or take a part of it as any JSON value and check that in the tool.",
        )
    refuse_unwritable("input_schema", schema)
    copied: dict[str, Any] = json.loads(text)
    if unfolded(copied, MAX_UNFOLDED) >= MAX_UNFOLDED:
        raise DeclarationError(
            f"The references of input_schema, written out, make at least {MAX_UNFOLDED} values.",
            "Refer to fewer schemas that refer to others more than once.",
        )
    return copied


def compiled(schema: dict[str, Any]) -> jsonschema_rs.Validator:
    """The validator of a schema, of the dialect that it names; raises ``DeclarationError``."""
    try:
        return jsonschema_rs.validator_for(
            schema, validate_formats=True, offline=True, pattern_options=_PATTERNS
        )
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        message = getattr(error, "message", str(error))
        where = "".join(f".{step}" for step in getattr(error, "instance_path", ()))
        raise DeclarationError(
            f"input_schema{where} is no JSON Schema that can be enforced: {message}.",
            "Correct it. References lead into the schema itself (#/$defs/...), and the dialect "
            "is 2020-12, 2019-09 or a draft from 4 to 7.",
        ) from error


class RawDecoder:
    """Reads text where no text is wanted, as far as plain types, properties and items tell."""

    def __init__(self, kinds: frozenset[str]) -> None:
        self.kinds = kinds
        self.members: dict[str, RawDecoder] = {}
        self.item: RawDecoder | None = None

    def __call__(self, value: Any) -> Any:
        value = from_text(value, self.kinds)
        if type(value) is float and value.is_integer() and "integer" in self.kinds:
            return int(value)
        if self.item and type(value) is list:
            return [self.item(each) for each in value]
        if self.members and type(value) is dict:
            return {
                name: self.members[name](each) if name in self.members else each
                for name, each in value.items()
            }
        return value


def _decoder(
    schema: Any, root: dict[str, Any], known: dict[int, RawDecoder | None]
) -> RawDecoder | None:
    """The decoder of a subschema; one that holds itself is ``known`` already inside."""
    schema = resolved(schema, root)
    if id(schema) in known or not isinstance(schema, Mapping):
        return known.get(id(schema))
    kinds = kinds_taken(schema, root)
    known[id(schema)] = made = None if "string" in kinds else RawDecoder(kinds)
    if made is not None:
        properties, items = schema.get("properties"), schema.get("items")
        for name, member in (properties if isinstance(properties, Mapping) else {}).items():
            if inner := _decoder(member, root, known):
                made.members[name] = inner
        made.item = _decoder(items, root, known)
    return made

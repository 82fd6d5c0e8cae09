"""What DRF's text fields accept: blanks, whitespace at the ends and regular expressions.

A field that trims looks at the text without its outer whitespace, a schema at the text as
sent. Where that could make a difference, the schema asks for text that needs no trimming.
NUL, which no field takes, never reaches one (``decoding``), so no schema speaks of it.
"""

from __future__ import annotations

import re
from typing import Any

from django.core import validators
from rest_framework import serializers

from mcp_django.schema.keywords import DESCRIPTIVE, Schema
from mcp_django.schema.rendering.constraints import constrained
from mcp_django.schema.rendering.ecma import Untranslatable, ecma_pattern
from mcp_django.schema.rendering.patterns import leaves_no_room

NOT_BLANK = r"\S"
TRIMMED = r"^\S(?:[\s\S]*\S)?$"


def text(field: serializers.CharField) -> Schema:
    """Any field of text; the shape that its validators ask included."""
    schema = constrained(field, {"type": "string", **_format(field)})
    rules, closed = _expressions(field)
    if "pattern" in schema:
        rules.append({"pattern": schema.pop("pattern")})
    if not (closed or "format" in schema or "anyOf" in schema):
        if not field.allow_blank:
            schema["minLength"] = max(1, schema.get("minLength", 0))
        outline = _outline(field, schema.get("minLength", 0), bool(rules))
        rules[:0] = [{"pattern": outline}] if outline else []
    schema |= rules[0] if len(rules) == 1 else {"allOf": rules} if rules else {}
    return _or_blank(schema) if field.allow_blank and _refuses_blank(schema) else schema


def _format(field: serializers.CharField) -> Schema:
    if isinstance(field, serializers.IPAddressField):
        if field.protocol in ("ipv4", "ipv6"):
            return {"format": field.protocol}
        return {"anyOf": [{"format": "ipv4"}, {"format": "ipv6"}]}
    if any(isinstance(v, validators.EmailValidator) for v in field.validators):
        return {"format": "email"}
    urls = [v for v in field.validators if isinstance(v, validators.URLValidator)]
    if not urls:
        return {}
    # In lower case, as they are compared.
    schemes = [name for name in urls[0].schemes if all(name in v.schemes for v in urls)]
    return {"format": "uri", "pattern": f"^(?:{'|'.join(map(re.escape, schemes))})://"}


def _outline(field: serializers.CharField, least: int, has_rules: bool) -> str | None:
    """What may be blank, or have whitespace at its ends."""
    if not field.trim_whitespace:
        return None
    if least > 1 or has_rules:
        return TRIMMED
    return None if field.allow_blank else NOT_BLANK


def _expressions(field: serializers.CharField) -> tuple[list[Schema], bool]:
    """The field's regular expressions; whether one of them leaves no room for blanks."""
    rules: list[Schema] = []
    closed = False
    for validator in field.validators:
        if not isinstance(validator, validators.RegexValidator):
            continue
        if isinstance(validator, validators.URLValidator):
            continue
        lazy: Any = validator.regex
        regex = re.compile(lazy.pattern, lazy.flags)
        try:
            pattern = ecma_pattern(regex, larger=bool(validator.inverse_match))
        except Untranslatable:
            continue
        rule = {"pattern": pattern}
        rules.append({"not": rule} if validator.inverse_match else rule)
        closed = closed or (not validator.inverse_match and leaves_no_room(regex))
    return rules, closed


def _refuses_blank(shape: Schema) -> bool:
    # DRF takes a blank, where it is allowed, before any validator sees it.
    if shape.get("minLength"):
        return True
    return any(key in shape for key in ("pattern", "format", "anyOf", "allOf", "not"))


def _or_blank(shape: Schema) -> Schema:
    outer = {key: value for key, value in shape.items() if key in DESCRIPTIVE or key == "type"}
    inner = {key: value for key, value in shape.items() if key not in outer}
    return {**outer, "anyOf": [{"const": ""}, inner]}

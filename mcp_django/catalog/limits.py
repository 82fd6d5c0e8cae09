"""What a value must satisfy beside its type, in words: ranges, choices, formats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from mcp_django.catalog.types import Schema, branches, joined, json_text, resolved, type_of
from mcp_django.schema.rendering import strings, times

_LARGEST = 1e300
_LONGEST_PATTERN = 60


def limits(schema: Schema | bool, root: Schema) -> Iterator[str]:
    """What a value of this schema must satisfy, in words."""
    if isinstance(schema, bool):
        return
    schema = resolved(schema, root)
    if chosen := _choice(schema):
        yield chosen
        return
    yield from _ranges(schema)
    yield from _forms(schema)
    if isinstance(items := schema.get("items"), Mapping):
        for limit in limits(items, root):
            yield _("each: %(limit)s") % {"limit": limit}
    for part in schema.get("allOf", ()):
        yield from limits(part, root)
    yield from _alternatives(schema, root)


def _choice(schema: Schema) -> str:
    """The few values that there are."""
    if "const" in schema:
        return _("exactly %(value)s") % {"value": json_text(schema["const"])}
    choices = ", ".join(_choices(schema))
    return _("one of %(choices)s") % {"choices": choices} if choices else ""


def _forms(schema: Schema) -> Iterator[str]:
    if "multipleOf" in schema:
        yield _("a multiple of %(number)s") % {"number": schema["multipleOf"]}
    if "format" in schema:
        yield _("format %(format)s") % {"format": schema["format"]}
    if words := _pattern_in_words(schema.get("pattern")):
        yield words
    if schema.get("uniqueItems"):
        yield _("no item twice")


def _alternatives(schema: Schema, root: Schema) -> Iterator[str]:
    """The limits of each branch: after its type, or one or the other of the same type."""
    told = [(branch, ", ".join(limits(branch, root))) for branch in branches(schema)]
    if "type" in schema:
        if words := joined(limit for _branch, limit in told if limit):
            yield words
        return
    for branch, limit in told:
        if limit:
            yield f"{type_of(branch, root)}: {limit}"


def _pattern_in_words(pattern: str | None) -> str:
    """The patterns that most texts have, in words; a long one is left to the JSON Schema."""
    if pattern is None:
        return ""
    known = {
        strings.NOT_BLANK: _("not blank"),
        strings.TRIMMED: _("no white space at its ends"),
        times.TIME: _("a time such as 12:00"),
        times.DURATION: _("a duration such as P1DT2H"),
    }
    if pattern in known:
        return known[pattern]
    if len(pattern) > _LONGEST_PATTERN:
        return _("a pattern, see the JSON Schema")
    return _("pattern %(pattern)s") % {"pattern": pattern}


def _choices(schema: Schema) -> list[str]:
    """``"open"`` or ``"open" (Open loans)`` of an enum or of titled constants."""
    if "enum" in schema:
        return [json_text(value) for value in schema["enum"]]
    found = [b for b in branches(schema) if b != {"type": "null"}]
    if not found or not all(isinstance(b, Mapping) and "const" in b for b in found):
        return []
    return [
        f"{json_text(b['const'])} ({b['title']})" if b.get("title") else json_text(b["const"])
        for b in found
    ]


def _ranges(schema: Schema) -> Iterator[str]:
    """Bounds of numbers, of texts and of lists."""
    if "exclusiveMinimum" in schema:
        yield _("more than %(number)s") % {"number": schema["exclusiveMinimum"]}
    if "exclusiveMaximum" in schema:
        yield _("less than %(number)s") % {"number": schema["exclusiveMaximum"]}
    if words := _between(_bound(schema.get("minimum")), _bound(schema.get("maximum"))):
        yield words
    pairs = (
        ("minLength", "maxLength", ("%s character", "%s characters")),
        ("minItems", "maxItems", ("%s item", "%s items")),
        ("minProperties", "maxProperties", ("%s member", "%s members")),
    )
    for lowest, highest, (one, many) in pairs:
        low, high = schema.get(lowest), schema.get(highest)
        if words := _between(low, high):
            yield ngettext(one, many, high or low or 0) % words


def _bound(number: Any) -> Any:
    """A bound that says something: those of the number type itself do not."""
    return None if number is None or abs(number) > _LARGEST else number


def _between(low: Any, high: Any) -> str:
    if low is None and high is None:
        return ""
    if low == high:
        return _("exactly %(number)s") % {"number": low}
    if low is None:
        return _("at most %(number)s") % {"number": high}
    if high is None:
        return _("at least %(number)s") % {"number": low}
    return _("%(low)s to %(high)s") % {"low": low, "high": high}

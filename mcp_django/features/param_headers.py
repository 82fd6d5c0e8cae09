"""Arguments that clients repeat in an HTTP header, so that proxies can route by them.

Specification (2026-07-28): server/tools, "x-mcp-header".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from mcp_django.features.arguments import Accepted
from mcp_django.features.handlers import HandlerParameter, taken_apart
from mcp_django.protocol.headers import is_header_name
from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.signatures import ParamHeader
from mcp_django.schema.validation import ArgumentsRule

KEYWORD = "x-mcp-header"
_TYPES = ("string", "integer", "boolean")
# Keywords of JSON Schema whose members are schemas by name, and those that hold plain values.
_BY_NAME = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_VALUES = ("const", "default", "enum", "examples")
_SAFE_INTEGER = 2**53 - 1  # what a JavaScript client holds exactly


def with_headers(
    accepted: Accepted, parameters: Iterable[HandlerParameter], option: Mapping[str, str]
) -> tuple[ArgumentsRule, dict[str, str]]:
    """The rule with its schema saying which arguments have a header, and these headers."""
    rule = accepted.rule
    annotated = {parameter.name: header_on(parameter) for parameter in parameters}
    headers = {**{name: one for name, one in annotated.items() if one is not None}, **option}
    if rule.serializer is None:
        headers = {**dict(_in_schema(rule.schema)), **headers}
    if not headers:
        return rule, {}
    _refuse_twice(headers)
    properties = dict(rule.schema.get("properties", {}))
    for argument, header in headers.items():
        if not is_header_name(header):
            raise DeclarationError(
                f"The header {header!r} of the argument {argument!r} is not made of A-Z, a-z, "
                "0-9 and '-'.",
                "Name it such as 'Region'; clients put Mcp-Param- before it.",
            )
        properties[argument] = _with_header(argument, header, properties.get(argument))
        _refuse_secret(argument, accepted.serializer)
    return replace(rule, schema={**rule.schema, "properties": properties}), headers


def header_on(parameter: HandlerParameter) -> str | None:
    """The name in the ``ParamHeader`` of a parameter, if it has one."""
    found = [one for one in taken_apart(parameter.annotation)[1] if isinstance(one, ParamHeader)]
    return found[-1].name if found else None


def refuse_header(parameter: HandlerParameter) -> None:
    """A parameter that the server fills is sent by nobody."""
    if header_on(parameter) is not None:
        raise DeclarationError(
            f"The parameter {parameter.name!r} has a ParamHeader, but no caller sends it.",
            "Take the header away.",
        )


def _in_schema(schema: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The headers that a raw schema declares itself, at the top level and nowhere else."""
    properties = schema.get("properties", {})
    inner: list[Any] = [{**schema, "properties": {}}]
    for name, value in properties.items():
        if isinstance(value, Mapping):
            if KEYWORD in value:
                yield name, value[KEYWORD]
            inner.append({key: member for key, member in value.items() if key != KEYWORD})
    if any(_declares(one) for one in inner):
        raise DeclarationError(
            f"input_schema has {KEYWORD} inside of another value.",
            "Put it on a property of the top level.",
        )


def _declares(schema: Any) -> bool:
    """Whether a schema or one inside of it has the keyword; a name of a property is none."""
    if isinstance(schema, list | tuple):
        return any(_declares(one) for one in schema)
    if not isinstance(schema, Mapping):
        return False
    members = [
        list(value.values()) if key in _BY_NAME and isinstance(value, Mapping) else value
        for key, value in schema.items()
        if key not in _VALUES
    ]
    return KEYWORD in schema or any(_declares(one) for one in members)


def _refuse_twice(headers: Mapping[str, Any]) -> None:
    seen: dict[str, str] = {}
    for argument, header in headers.items():
        other = seen.setdefault(str(header).lower(), argument)
        if other != argument:
            raise DeclarationError(
                f"The arguments {other!r} and {argument!r} have the same header {header!r}.",
                "Header names differ by more than their case: rename one.",
            )


def _with_header(argument: str, header: str, schema: Any) -> dict[str, Any]:
    """The schema of an argument with its header, where it is of a kind that may have one."""
    if not isinstance(schema, Mapping):
        raise DeclarationError(
            f"headers= names {argument!r}, which is no argument.", "Correct the name."
        )
    kind = schema.get("type", _type_of_constants(schema))
    if kind not in _TYPES:
        raise DeclarationError(
            f"The argument {argument!r} has a header, but is {_spelled(kind)}.",
            "Only a string, an integer or a boolean that is not nullable may have one.",
        )
    bounds = (schema.get("minimum", 0), schema.get("maximum", 0))
    if any(abs(bound) > _SAFE_INTEGER for bound in bounds):
        raise DeclarationError(
            f"The argument {argument!r} has a header, and bounds beyond ±(2**53 - 1).",
            "Narrow its bounds, or send it as a string.",
        )
    return {"type": kind, **schema, KEYWORD: header}


def _type_of_constants(schema: Mapping[str, Any]) -> Any:
    """The one JSON type of an enumeration that does not name it."""
    constants = list(schema.get("enum", ()))
    constants += [branch["const"] for branch in schema.get("oneOf", ()) if "const" in branch]
    types = {type(constant) for constant in constants}
    names = {str: "string", bool: "boolean", int: "integer"}
    return names.get(types.pop()) if len(types) == 1 else None


def _spelled(kind: Any) -> str:
    if isinstance(kind, list):
        return " or ".join(str(item) for item in kind)
    if not kind:
        return "of several types"
    return f"{'an' if kind in ('array', 'object') else 'a'} {kind}"


def _refuse_secret(argument: str, serializer: Any) -> None:
    """A header is read by every proxy on the way."""
    field = getattr(serializer, "fields", {}).get(argument)
    if field is None:
        return
    if field.write_only or field.style.get("input_type") == "password":
        raise DeclarationError(
            f"The argument {argument!r} is a secret, and a header is read on its way.",
            "Take the header away.",
        )

"""From a declaration to the frozen record of a resource, or of a resource template."""

from __future__ import annotations

from typing import Any

from mcp_django.features.arguments import Accepted, accepted
from mcp_django.features.base import Binder
from mcp_django.features.compiling import Started, finished, started
from mcp_django.features.completing import completers_of
from mcp_django.features.declarations import Declaration
from mcp_django.features.instance_sources import instances_binding
from mcp_django.features.matching import INJECT_IT, be, have, named
from mcp_django.features.naming import checked_resource_name
from mcp_django.features.options import (
    checked_annotations,
    checked_number,
    checked_uri,
    is_template,
)
from mcp_django.features.records import ReadableFeature, ResourceFeature, TemplateFeature
from mcp_django.protocol.uris import address
from mcp_django.protocol.uritemplates import UriTemplate
from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.results import is_serializer
from mcp_django.schema.returning.contents import ContentsRule, contents_rule

# Options that a template alone has.
_OF_TEMPLATES = ("arguments", "instances", "completers")


def compile_resource(declaration: Declaration, binder: Binder) -> ReadableFeature:
    """Check a declaration and fix all that can be known of it at start-up.

    Raises ``DeclarationError``.
    """
    parts = started(declaration, binder, checked_resource_name)
    uri = checked_uri(parts.options)
    record = _template(parts, uri) if is_template(uri) else _resource(parts, uri)
    if record.is_public and _differs_by_caller(record):
        raise DeclarationError(
            'It says cache_scope="public", but what it gives depends on the caller.',
            "Leave cache_scope out.",
        )
    return record


def _differs_by_caller(record: ReadableFeature) -> bool:
    return bool(
        record.requires_user
        or record.uses_user
        or record.uses_tenant
        or record.permission_classes
        or record.enabled
    )


def _resource(parts: Started, uri: str) -> ResourceFeature:
    idle = [name for name in _OF_TEMPLATES if name in parts.options]
    if idle:
        raise DeclarationError(
            f"{idle[0]}= is for templates, and {uri!r} has no variables.",
            "Put them in braces, such as {id}, or leave the option out.",
        )
    if parts.left or parts.handler.takes_any:
        names = [parameter.name for parameter in parts.left] or ["**kwargs"]
        raise DeclarationError(
            f"{named('parameter', names)} cannot be filled, for {uri!r} has no variables.",
            f"Put the name in braces in the URI, or remove the parameter; {INJECT_IT}.",
        )
    takes = accepted(parts.wanted, {})
    contents = _contents(parts, uri)
    size = checked_number("size", parts.options)
    return finished(
        ResourceFeature,
        parts,
        takes,
        uri=uri,
        address=address(uri),
        size=size,
        **_readable(parts, contents),
    )


def _template(parts: Started, text: str) -> TemplateFeature:
    if "size" in parts.options:
        raise DeclarationError(
            f"{text!r} is a template, whose resources differ in size.", "Leave size= out."
        )
    try:
        template = UriTemplate.parse(text)
    except ValueError as error:
        raise DeclarationError(
            f"The URI template {text!r} cannot be read: {error}.", "Correct it."
        ) from error
    takes = _matched(parts, template)
    return finished(
        TemplateFeature,
        parts,
        takes,
        template=template,
        instances=instances_binding(parts, template),
        completers=completers_of(parts, takes),
        **_readable(parts, _contents(parts, text)),
    )


def _readable(parts: Started, contents: ContentsRule) -> dict[str, Any]:
    """What resources and templates have in common."""
    scope = parts.options.get("cache_scope")
    if scope not in (None, "public", "private"):
        raise DeclarationError(f"cache_scope={scope!r} is unknown.", 'Give "public" or "private".')
    return {
        "blocks": contents.blocks,
        "contents": contents,
        "has_serializer": is_serializer(parts.options.get("returns")),
        "annotations": checked_annotations(parts.options),
        "ttl_ms": checked_number("ttl_ms", parts.options),
        "is_public": None if scope is None else scope == "public",
    }


def _contents(parts: Started, uri: str) -> ContentsRule:
    return contents_rule(
        parts.handler.returns,
        parts.options.get("returns"),
        mime_type=parts.options.get("mime_type"),
        uri=uri,
        name=parts.name,
    )


def _matched(parts: Started, template: UriTemplate) -> Accepted:
    """The rule of the arguments, which are the variables of the template and no others."""
    takes = accepted(parts.wanted, parts.options)
    names, variables = takes.rule.names, template.names
    missing = [name for name in names if name not in variables]
    if missing:
        raise DeclarationError(
            f"{named('parameter', missing)} {be(missing)} no variable of {template.text!r}.",
            f"Put the name in braces in the template; {INJECT_IT}.",
        )
    unknown = [name for name in variables if name not in names]
    if unknown:
        raise DeclarationError(
            f"{named('variable', unknown)} of {template.text!r} {have(unknown)} no parameter.",
            f"Add {', '.join(unknown)} to the signature, or correct the template.",
        )
    required = takes.rule.schema.get("required", ())
    needed = [name for name in variables if name in template.optional and name in required]
    if needed:
        raise DeclarationError(
            f"{named('variable', needed)} of {template.text!r} may be absent from a URI, and the "
            "parameter has no default.",
            "Give it one.",
        )
    _match_segments(takes, template)
    return takes


def _match_segments(takes: Accepted, template: UriTemplate) -> None:
    """``{/name*}`` gives a list of texts, and every other variable one text."""
    for name in template.names:
        kinds = takes.rule.schema["properties"][name].get("type")
        found = {kinds} if isinstance(kinds, str) else set(kinds or ())
        if name in template.multiple and found and "array" not in found:
            raise DeclarationError(
                f"The variable {name!r} of {template.text!r} is a list of segments, and the "
                "parameter takes none.",
                f"Annotate it with list[str], or write {{{name}}}.",
            )
        if name not in template.multiple and found and found <= {"array", "object", "null"}:
            raise DeclarationError(
                f"The variable {name!r} of {template.text!r} is one text, which the parameter "
                "does not take.",
                f"Annotate it with str, or write {{/{name}*}} for a list of segments.",
            )

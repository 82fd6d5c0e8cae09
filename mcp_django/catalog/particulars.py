"""What is known of a feature by its kind, beside what all features have: schemas and words."""

from __future__ import annotations

from typing import Any

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from mcp_django.catalog.features import declared_option
from mcp_django.dispatch.caching import hints_of_read
from mcp_django.dispatch.definitions import definition
from mcp_django.dispatch.server import MCPServer
from mcp_django.features.base import Feature
from mcp_django.features.records import (
    PromptFeature,
    ReadableFeature,
    ResourceFeature,
    TemplateFeature,
    ToolFeature,
)
from mcp_django.protocol.annotations import Annotations
from mcp_django.protocol.versions import LATEST
from mcp_django.schema.translation import translated


def mime_type(feature: ReadableFeature) -> str:
    """The MIME type that is advertised, if there is one."""
    return feature.contents.mime_type or _("As what is read turns out to be.")


def size(feature: Feature) -> str:
    """``12.3 KB``, "" where nobody said."""
    if not isinstance(feature, ResourceFeature) or feature.size is None:
        return ""
    return str(filesizeformat(feature.size))


def audience(feature: ReadableFeature) -> list[str]:
    """Whom it is for, and how much it matters: sentences."""
    given = feature.annotations or Annotations()
    sentences = []
    if given.audience:
        names = {"user": _("the user"), "assistant": _("the model")}
        told = _(" and ").join(names[role] for role in given.audience)
        sentences.append(_("Meant for %(audience)s.") % {"audience": told})
    if given.priority is not None:
        sentences.append(_("Importance: %(number)s of 1.") % {"number": f"{given.priority:g}"})
    if given.last_modified is not None:
        sentences.append(_("Last modified: %(moment)s.") % {"moment": given.last_modified})
    return sentences


def caching(feature: ReadableFeature, server: MCPServer) -> list[str]:
    """How long clients may keep what they read, and who may share it."""
    ttl_ms, is_private = hints_of_read(feature, server)
    seconds = f"{ttl_ms / 1000:g}"
    return [
        _("Clients may keep it for %(seconds)s s.") % {"seconds": seconds}
        if ttl_ms
        else _("Clients read it anew each time."),
        _("Caches may not share it between callers.")
        if is_private
        else _("Caches may share it between callers."),
    ]


def instances(template: TemplateFeature) -> str:
    """Whether lists of resources show those of a template."""
    if template.instances is None:
        return _("No: clients fill in its variables.")
    return _("Yes: those that instances= gives.")


def template_name(prompt: PromptFeature, server: MCPServer) -> str:
    """The Django template that a prompt is made from; "" where its function says it all."""
    return str(declared_option(server, prompt, "template") or "")


def arguments_schema(feature: Feature) -> dict[str, Any]:
    """The JSON Schema of its arguments, its texts in the language that is active now."""
    return translated(feature.arguments.schema, feature.arguments.texts)


def result_schema(tool: ToolFeature) -> dict[str, Any] | None:
    """The JSON Schema of its result, as lists give it in the language that is active now."""
    schema: dict[str, Any] | None = definition(tool, LATEST).get("outputSchema")
    return schema

"""All that is known of one feature, for a terminal: lines of text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping

from django.utils.translation import gettext as _

from mcp_django.catalog import examples, particulars, words
from mcp_django.catalog.completions import completions
from mcp_django.catalog.endpoints import endpoint_path
from mcp_django.catalog.limits import limits
from mcp_django.catalog.schemas import schema_rows
from mcp_django.catalog.text import Style, where
from mcp_django.catalog.types import Schema, json_text, type_of
from mcp_django.dispatch.server import MCPServer
from mcp_django.features.base import Feature
from mcp_django.features.records import (
    PromptFeature,
    ReadableFeature,
    ResourceFeature,
    TemplateFeature,
    ToolFeature,
)

Sections = dict[str, list[str]]


def details(server: MCPServer, feature: Feature, heading: Style = str) -> Iterator[str]:
    """All that is known of one feature."""
    yield heading(feature.key)
    facts = {**_facts(server, feature), **_facts_of_kind(server, feature)}
    yield from (f"{name}: {value}" for name, value in facts.items() if value)
    sections: Sections = {
        _("Description"): _wrapped(str(feature.description or "")),
        **_of_hints(server, feature),
        _("Who may use it"): words.access(feature, server),
        _("How it runs"): list(words.execution(feature)),
        **_of_arguments(server, feature),
        **_of_result(feature),
        _("Example"): [_example(server, feature)],
    }
    for title, lines in sections.items():
        if lines:
            yield from ("", heading(title), *_indented(lines))


def _facts(server: MCPServer, feature: Feature) -> dict[str, str]:
    return {
        _("Kind"): words.kind_name(feature.kind),
        _("Name"): feature.name if feature.name != feature.key else "",
        _("Title"): str(feature.title or ""),
        _("Server"): server.name,
        _("URL"): endpoint_path(server) or _("none leads to this server"),
        _("App"): words.app_name(feature.app_label),
        _("Declared as"): f"{feature.source.module}.{feature.source.name}",
        _("Source"): where(feature.source),
        _("Tags"): ", ".join(feature.tags),
        _("Filled in by the server"): ", ".join(words.injected(feature)),
    }


def _facts_of_kind(server: MCPServer, feature: Feature) -> dict[str, str]:
    facts = {}
    if isinstance(feature, ReadableFeature):
        facts = {
            _("MIME type"): particulars.mime_type(feature),
            _("Size"): particulars.size(feature),
        }
    if isinstance(feature, TemplateFeature):
        facts[_("Its resources in lists")] = particulars.instances(feature)
    if isinstance(feature, PromptFeature):
        facts[_("Made from the template")] = particulars.template_name(feature, server)
    return facts


def _of_hints(server: MCPServer, feature: Feature) -> Sections:
    if isinstance(feature, ToolFeature):
        hints = words.hints(feature.annotations)
        return {_("Hints to clients"): [f"{text} ({hint})" for hint, text in hints]}
    if isinstance(feature, ReadableFeature):
        return {
            _("Hints to clients"): [
                *particulars.audience(feature),
                *particulars.caching(feature, server),
            ]
        }
    return {}


def _of_arguments(server: MCPServer, feature: Feature) -> Sections:
    if isinstance(feature, ResourceFeature):
        return {}
    schema, completed = particulars.arguments_schema(feature), completions(server, feature)
    is_template = isinstance(feature, TemplateFeature)
    title = _("Variables") if is_template else _("Arguments")
    whole = _("JSON Schema of the variables") if is_template else _("JSON Schema of the arguments")
    rows = list(_members(schema, completed=completed))
    return {title: rows or [_("None.")], whole: _json(schema)}


def _of_result(feature: Feature) -> Sections:
    if not isinstance(feature, ToolFeature):
        return {}
    schema = particulars.result_schema(feature)
    if schema is None:
        return {_("Result"): [_("No structure is declared: text or other content.")]}
    lines = [", ".join([type_of(schema), *limits(schema, schema)])]
    lines += _members(schema, is_result=True)
    return {_("Result"): lines, _("JSON Schema of the result"): _json(schema)}


def _example(server: MCPServer, feature: Feature) -> str:
    as_user = words.needs_sign_in(feature, server)
    return examples.as_command(examples.example_of(feature), server, as_user=as_user)


def _wrapped(text: str) -> list[str]:
    paragraphs = words.unwrapped(text).splitlines()
    return [line for part in paragraphs for line in textwrap.wrap(part, 90) or [""]]


def _indented(lines: Iterable[str], by: str = "  ") -> Iterator[str]:
    return ((by + line).rstrip() for line in lines)


def _json(schema: Schema) -> list[str]:
    return json_text(schema, indent=2).splitlines()


def _members(
    schema: Schema, *, is_result: bool = False, completed: Mapping[str, str] | None = None
) -> Iterator[str]:
    """One line for each member, and its description below."""
    rows = schema_rows(schema)
    width = max((len(row.path) for row in rows), default=0)
    for row in rows:
        facts = [row.type, *row.limits]
        if row.required and not is_result:
            facts.append(_("required"))
        if row.default:
            facts.append(_("default %(value)s") % {"value": row.default})
        if completed and row.path in completed:
            facts.append(_("completed by %(source)s") % {"source": completed[row.path]})
        yield f"{row.path.ljust(width)}  {', '.join(facts)}"
        yield from _indented(textwrap.wrap(row.description, 90), " " * (width + 2))

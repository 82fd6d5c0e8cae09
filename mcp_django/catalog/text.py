"""The catalog for a terminal: lines of text."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from django.apps import apps
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from mcp_django.catalog import examples, words
from mcp_django.catalog.limits import limits
from mcp_django.catalog.schemas import schema_rows
from mcp_django.catalog.types import Schema, json_text, type_of
from mcp_django.conf import settings
from mcp_django.dispatch.server import MCPServer
from mcp_django.features.base import Source, ToolFeature
from mcp_django.features.discovery import MODULE

Style = Callable[[str], str]

_NOT_OWN = ("django.", "mcp_django")  # apps that no project puts tools into


def listing(server: MCPServer, heading: Style = str) -> Iterator[str]:
    """Every tool of a server by app: name and first line, then hints and source."""
    by_app: dict[str, list[ToolFeature]] = {}
    for tool in server.registry.tools.values():  # apps as installed, as in tools/list
        by_app.setdefault(words.app_name(tool.app_label), []).append(tool)
    width = max(map(len, server.registry.tools), default=0)
    for name, group in by_app.items():
        yield heading(name or _("Outside of any app"))
        for tool in group:
            first_line = str(tool.description).strip().partition("\n")[0]
            yield f"  {tool.name.ljust(width)}  {first_line}".rstrip()
            hints = ", ".join(words.short_hints(tool.annotations))
            facts = [hints, where(tool.source)]
            yield " " * (width + 4) + " · ".join(fact for fact in facts if fact)
        yield ""
    number = len(server.registry.tools)
    count = ngettext("%(count)s tool", "%(count)s tools", number) % {"count": number}
    yield _("%(tools)s on the server “%(name)s”.") % {"tools": count, "name": server.name}


def nothing_found() -> Iterator[str]:
    """Where tools were looked for, as a project reads it that has none."""
    own = [app.name for app in apps.get_app_configs() if not app.name.startswith(_NOT_OWN)]
    modules = [*(f"{name}.{MODULE}" for name in own), *settings.MODULES]
    width = max(map(len, modules), default=0)
    yield ""
    yield _("Tools were looked for in:")
    for name in modules:
        found = _("declares none") if name in sys.modules else _("does not exist")
        yield f"  {name.ljust(width)}  {found}"
    yield _('Decorate one with @tool there, or name other modules in MCP_DJANGO["MODULES"].')


def where(source: Source) -> str:
    """File and line, from the current folder where the file lies below it."""
    path = Path(source.path)
    if path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return f"{path}:{source.line}"


def details(server: MCPServer, tool: ToolFeature, heading: Style = str) -> Iterator[str]:
    """All that is known of one tool."""
    yield heading(tool.name)
    facts = {
        _("Title"): tool.title,
        _("Server"): server.name,
        _("App"): words.app_name(tool.app_label),
        _("Declared as"): f"{tool.source.module}.{tool.source.name}",
        _("Source"): where(tool.source),
        _("Tags"): ", ".join(tool.tags),
        _("Filled in by the server"): ", ".join(words.injected(tool)),
    }
    yield from (f"{name}: {value}" for name, value in facts.items() if value)
    sections = {
        _("Description"): _wrapped(str(tool.description or "")),
        _("Hints to clients"): [f"{text} ({hint})" for hint, text in words.hints(tool.annotations)],
        _("Who may call it"): words.access(tool, server),
        _("How it runs"): list(words.execution(tool)),
        _("Arguments"): list(_members(tool.arguments.schema)) or [_("None.")],
        _("JSON Schema of the arguments"): _json(tool.arguments.schema),
        _("Result"): list(_result(tool)),
    }
    if tool.result.schema is not None:
        sections[_("JSON Schema of the result")] = _json(tool.result.schema)
    example = examples.example_arguments(tool.arguments.schema)
    as_user = words.needs_sign_in(tool, server)
    command = examples.example_command(tool, example, server.name, as_user=as_user)
    sections[_("Example")] = [command]
    for title, lines in sections.items():
        if lines:
            yield from ("", heading(title), *_indented(lines))


def _wrapped(text: str) -> list[str]:
    paragraphs = words.unwrapped(text).splitlines()
    return [line for part in paragraphs for line in textwrap.wrap(part, 90) or [""]]


def _indented(lines: Iterable[str], by: str = "  ") -> Iterator[str]:
    return ((by + line).rstrip() for line in lines)


def _json(schema: Schema) -> list[str]:
    return json_text(schema, indent=2).splitlines()


def _result(tool: ToolFeature) -> Iterator[str]:
    schema = tool.result.schema
    if schema is None:
        yield _("No structure is declared: text or other content.")
        return
    yield ", ".join([type_of(schema), *limits(schema, schema)])
    yield from _members(schema, is_result=True)


def _members(schema: Schema, *, is_result: bool = False) -> Iterator[str]:
    """One line for each member, and its description below."""
    rows = schema_rows(schema)
    width = max((len(row.path) for row in rows), default=0)
    for row in rows:
        facts = [row.type, *row.limits]
        if row.required and not is_result:
            facts.append(_("required"))
        if row.default:
            facts.append(_("default %(value)s") % {"value": row.default})
        yield f"{row.path.ljust(width)}  {', '.join(facts)}"
        yield from _indented(textwrap.wrap(row.description, 90), " " * (width + 2))

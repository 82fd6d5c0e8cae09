"""The list of the catalog for a terminal: lines of text."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from django.apps import apps
from django.utils.translation import gettext as _

from mcp_django.catalog import words
from mcp_django.catalog.endpoints import endpoint_path
from mcp_django.conf import settings
from mcp_django.dispatch.server import MCPServer
from mcp_django.features.base import Feature, Source
from mcp_django.features.discovery import MODULE
from mcp_django.features.records import KINDS, ReadableFeature, RecordKind, ToolFeature

Style = Callable[[str], str]

_NOT_OWN = ("django.", "mcp_django")  # apps that no project puts features into


def listing(
    server: MCPServer, kind: RecordKind | None, heading: Style = str, *, with_url: bool = False
) -> Iterator[str]:
    """The features of a server by app and kind: name and first line, then hints, who may
    use it where not anyone may, and source.

    ``kind`` is the only one to list, None for all.
    """
    chosen = [one for one in server.registry.features if kind in (None, one.kind)]
    groups: dict[tuple[str, RecordKind], list[Feature]] = {}
    for app in dict.fromkeys(words.app_name(one.app_label) for one in chosen):
        for each in KINDS:  # apps as installed, as in the lists of the protocol
            groups[app, each] = [
                one for one in chosen if (words.app_name(one.app_label), one.kind) == (app, each)
            ]
    several = len({one.kind for one in chosen}) > 1
    for (app, each), group in groups.items():
        if group:
            name = app or _("Outside of any app")
            yield heading(f"{name} · {words.kinds_name(each)}" if several else name)
            yield from _group(group, server)
            yield ""
    yield _counted(server, chosen, kind, with_url=with_url)


def _group(group: list[Feature], server: MCPServer) -> Iterator[str]:
    width = min(max(len(one.key) for one in group), 40)
    for one in group:
        first_line = str(one.description).strip().partition("\n")[0]
        yield f"  {one.key.ljust(width)}  {first_line}".rstrip()
        facts = [_in_short(one), _restricted(one, server), where(one.source)]
        yield " " * (width + 4) + " · ".join(fact for fact in facts if fact)


def _in_short(feature: Feature) -> str:
    if isinstance(feature, ToolFeature):
        return ", ".join(words.short_hints(feature.annotations))
    return feature.contents.mime_type or "" if isinstance(feature, ReadableFeature) else ""


def _restricted(feature: Feature, server: MCPServer) -> str:
    """Who may use it, where that is not anyone."""
    who = words.callers(feature, server)
    return "" if who == words.anyone() else who


def _counted(
    server: MCPServer, chosen: list[Feature], kind: RecordKind | None, *, with_url: bool
) -> str:
    """``2 tools, 1 prompt on the server “default”.``"""
    held = [one.kind for one in chosen]
    told = [words.counted(each, held.count(each)) for each in KINDS if each in held]
    facts = {
        "features": ", ".join(told) or words.counted(kind or "tool", 0),
        "name": server.name,
        "path": endpoint_path(server),
    }
    if not with_url:
        return _("%(features)s on the server “%(name)s”.") % facts
    if not facts["path"]:
        return _("%(features)s on the server “%(name)s”, to which no URL leads.") % facts
    return _("%(features)s on the server “%(name)s”, at %(path)s.") % facts


def nothing_found() -> Iterator[str]:
    """Where features were looked for, as a project reads it that has none."""
    own = [app.name for app in apps.get_app_configs() if not app.name.startswith(_NOT_OWN)]
    modules = [*(f"{name}.{MODULE}" for name in own), *settings.MODULES]
    width = max(map(len, modules), default=0)
    yield ""
    yield _("Tools, resources and prompts were looked for in:")
    for name in modules:
        found = _("declares none") if name in sys.modules else _("does not exist")
        yield f"  {name.ljust(width)}  {found}"
    yield _(
        "Decorate a function with @tool, @resource or @prompt there, or name other modules in "
        'MCP_DJANGO["MODULES"].'
    )


def where(source: Source) -> str:
    """File and line, from the current folder where the file lies below it."""
    path = Path(source.path)
    if path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return f"{path}:{source.line}"

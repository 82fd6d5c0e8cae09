"""Django system checks: what works, but most likely not as its author believes.

What cannot work stops start-up instead. ``SILENCED_SYSTEM_CHECKS`` takes the ids.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import AppConfig
from django.core import checks
from django.core.checks import CheckMessage, Tags, register
from django.http import HttpRequest
from rest_framework.request import Request

from mcp_django.catalog.endpoints import DEFAULT, import_of, route_to, routes
from mcp_django.completion_checks import completing_in
from mcp_django.conf import settings
from mcp_django.dispatch.server import MCPServer, servers
from mcp_django.feature_checks import of_registry
from mcp_django.features.installed import apps_behind

TAG = "mcp_django"

Routes = list[tuple[str, MCPServer]]


@register(TAG)
def check_installed_last(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[CheckMessage]:
    """W001: what other apps provide must be there when features are compiled."""
    behind = apps_behind()
    if not behind:
        return []
    return [
        checks.Warning(
            f"mcp_django is followed by {', '.join(behind)} in INSTALLED_APPS.",
            hint="Put mcp_django last: what other apps provide() or extend in their ready() is "
            "not seen otherwise.",
            id="mcp_django.W001",
        )
    ]


@register(TAG)
def check_features(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """W002 to W006, W008 to W011, W014, W017, I018: what models and people will stumble over."""
    registries = [server.registry for server in servers()]
    completing = completing_in(registries)
    return [message for registry in registries for message in of_registry(registry, completing)]


@register(TAG, Tags.security, deploy=True)
def check_deployment(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """W007: what exceptions say is not meant for strangers."""
    if settings.MASK_ERRORS:
        return []
    return [
        checks.Warning(
            "MCP clients see the text of every exception but those of the database.",
            hint='Set MCP_DJANGO["MASK_ERRORS"] to True; ToolError and the exceptions that '
            "Django and DRF make for callers are shown all the same.",
            id="mcp_django.W007",
        )
    ]


@register(TAG)
def check_endpoint(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """W012, W015 and W016: servers and the URLs that lead to them."""
    try:
        known = list(routes())
    except Exception:  # noqa: BLE001 - what ails the URLs, Django's own checks say
        return []
    return [*_unreachable(known), *_without_features(known), *_shadowed(known)]


@register(TAG, Tags.security, deploy=True)
def check_sign_in(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """W013: MCP clients send a token as ``Authorization: Bearer``."""
    shared = tuple(settings.AUTHENTICATION_CLASSES)
    messages: dict[str, CheckMessage] = {}
    for server in servers():
        classes = server.authentication_classes
        if not classes or any(map(_reads_bearer, classes)):
            continue
        whose, where = "", 'MCP_DJANGO["AUTHENTICATION_CLASSES"]'
        if classes != shared:  # said once for all that go by the settings
            whose, where = f" of {_named(server)}", f"authentication_classes= of {_named(server)}"
        messages[whose] = checks.Warning(
            f"No authentication class{whose} reads a Bearer token, which is what MCP clients send.",
            hint=f"Add one to {where}, such as a TokenAuthentication with "
            'keyword = "Bearer". One that reads it says so in authenticate_header().',
            id="mcp_django.W013",
        )
    return list(messages.values())


def _unreachable(known: Routes) -> Iterator[CheckMessage]:
    """W012: features that no URL leads to."""
    reached = [server for _, server in known]
    for server in servers():
        if server in reached or not _is_expected(server):
            continue
        is_default = server.name == DEFAULT
        what = "its MCP features" if is_default else f"the features of {_named(server)}"
        yield checks.Warning(
            f"No URL of the project leads to {what}.",
            hint=f"Add {route_to(server)} to ROOT_URLCONF.",
            obj=None if is_default else str(server.source),
            id="mcp_django.W012",
        )


def _is_expected(server: MCPServer) -> bool:
    """Whether it has features; the default one too where no other has."""
    if server.registry.features:
        return True
    others = (one for one in servers() if one is not server)
    return server.name == DEFAULT and not any(one.registry.features for one in others)


def _without_features(known: Routes) -> Iterator[CheckMessage]:
    """W015: a server of the project's own that has nothing to offer."""
    for server in dict.fromkeys(server for _, server in known):
        if server.name != DEFAULT and not server.registry.features:
            name = import_of(server)[1] or server.name
            yield checks.Warning(
                f"A URL leads to {_named(server)}, which has no features.",
                hint=f"Give some of them server={name}, as in @tool(server={name}).",
                obj=str(server.source),
                id="mcp_django.W015",
            )


def _shadowed(known: Routes) -> Iterator[CheckMessage]:
    """W016: two servers at one URL, of which the first answers."""
    first: dict[str, MCPServer] = {}
    clashes: dict[tuple[MCPServer, MCPServer], str] = {}  # each has several routes: told once
    for route, server in known:
        other = first.setdefault(route, server)
        if other is not server:
            clashes.setdefault((other, server), route)
    for (other, server), route in clashes.items():
        yield checks.Warning(
            f"The URL /{route} leads to {_named(other)}, and never to {_named(server)}.",
            hint="Give each of them a URL of its own.",
            id="mcp_django.W016",
        )


def _named(server: MCPServer) -> str:
    return f"the MCP server {server.name!r}"


def _reads_bearer(authentication_class: Any) -> bool:
    """Whether a class asks for a Bearer token; where it cannot be told, it may."""
    try:
        header = authentication_class().authenticate_header(Request(HttpRequest()))
    except Exception:  # noqa: BLE001 - it needs a request of somebody
        return True
    return str(header).partition(" ")[0].lower() == "bearer"

"""Django system checks: what works, but most likely not as its author believes.

What cannot work stops start-up instead. ``SILENCED_SYSTEM_CHECKS`` takes the ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.apps import AppConfig
from django.core import checks
from django.core.checks import CheckMessage, Tags, register
from django.http import HttpRequest
from django.urls import get_resolver
from rest_framework.request import Request

from mcp_django.conf import settings
from mcp_django.dispatch.server import servers
from mcp_django.features.installed import apps_behind
from mcp_django.tool_checks import of_registry

TAG = "mcp_django"


@register(TAG)
def check_installed_last(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[CheckMessage]:
    """W001: what other apps provide must be there when tools are compiled."""
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
def check_tools(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """W002 to W006 and W008 to W011: what a model, its user or the author will stumble over."""
    return [message for server in servers() for message in of_registry(server.registry)]


@register(TAG, Tags.security, deploy=True)
def check_deployment(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """W007: what exceptions say is not meant for strangers."""
    if settings.MASK_ERRORS:
        return []
    return [
        checks.Warning(
            "Callers of MCP tools see the text of every exception but those of the database.",
            hint='Set MCP_DJANGO["MASK_ERRORS"] to True; ToolError and the exceptions that '
            "Django and DRF make for callers are shown all the same.",
            id="mcp_django.W007",
        )
    ]


@register(TAG)
def check_endpoint(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """W012: tools that no URL leads to."""
    try:
        patterns = get_resolver().url_patterns
    except Exception:  # noqa: BLE001 - what ails the URLs, Django's own checks say
        return []
    if _leads_to_server(patterns):
        return []
    return [
        checks.Warning(
            "No URL of the project leads to its MCP tools.",
            hint='Add path("mcp", include("mcp_django.urls")) to ROOT_URLCONF.',
            id="mcp_django.W012",
        )
    ]


@register(TAG, Tags.security, deploy=True)
def check_sign_in(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """W013: MCP clients send a token as ``Authorization: Bearer``."""
    return [
        checks.Warning(
            "No authentication class reads a Bearer token, which is what MCP clients send.",
            hint='Add one to MCP_DJANGO["AUTHENTICATION_CLASSES"], such as a TokenAuthentication '
            'with keyword = "Bearer". One that reads it says so in authenticate_header().',
            id="mcp_django.W013",
        )
        for server in servers()
        if server.authentication_classes
        and not any(map(_reads_bearer, server.authentication_classes))
    ]


def _leads_to_server(patterns: Iterable[Any]) -> bool:
    return any(
        _leads_to_server(pattern.url_patterns)
        if hasattr(pattern, "url_patterns")
        else hasattr(pattern.callback, "mcp_server")
        for pattern in patterns
    )


def _reads_bearer(authentication_class: Any) -> bool:
    """Whether a class asks for a Bearer token; where it cannot be told, it may."""
    try:
        header = authentication_class().authenticate_header(Request(HttpRequest()))
    except Exception:  # noqa: BLE001 - it needs a request of somebody
        return True
    return str(header).partition(" ")[0].lower() == "bearer"

"""Start-up: settings are checked, tools found and compiled. No query is made by any of it."""

from __future__ import annotations

from django.apps import AppConfig


class MCPDjangoConfig(AppConfig):
    """``mcp_django`` stands last in ``INSTALLED_APPS``, so that all other apps are ready."""

    name = "mcp_django"
    verbose_name = "Model Context Protocol"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from mcp_django import checks  # noqa: F401  (registers them)
        from mcp_django.conf import settings
        from mcp_django.dispatch.server import MCPServer, servers
        from mcp_django.features.discovery import autodiscover
        from mcp_django.urls import patterns_of

        settings.load()
        MCPServer.url_patterns = patterns_of
        autodiscover(settings.MODULES)
        compiled: set[str] = set()
        while waiting := [one for one in servers() if one.name not in compiled]:
            for server in waiting:  # whose setup() may make further ones
                server.compile()
                compiled.add(server.name)

"""Where ``mcp_django`` stands among the installed apps."""

from __future__ import annotations

from django.apps import apps


def apps_behind() -> list[str]:
    """The apps that follow ``mcp_django`` in ``INSTALLED_APPS``, so are ready after it."""
    names = [app.name for app in apps.get_app_configs()]
    return names[names.index("mcp_django") + 1 :] if "mcp_django" in names else []

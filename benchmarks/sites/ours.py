"""Ours: a Django project whose one module of tools is ``ours_tools``."""

from __future__ import annotations

from typing import Any

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import include, path

from benchmarks.sites.project import DEFAULTS, SETTINGS

OPEN: dict[str, Any] = {"AUTHENTICATION_CLASSES": [], "PERMISSION_CLASSES": []}

settings.configure(
    **{
        **SETTINGS,
        "ROOT_URLCONF": __name__,
        "INSTALLED_APPS": [*SETTINGS["INSTALLED_APPS"], "mcp_django"],
        "MCP_DJANGO": {
            "SERVER": {"name": "bench", "version": "1"},
            "MODULES": ["benchmarks.sites.ours_tools"],
            **({} if DEFAULTS else OPEN),
        },
    }
)
django.setup()

urlpatterns = [path("mcp", include("mcp_django.urls"))]
application = get_wsgi_application()

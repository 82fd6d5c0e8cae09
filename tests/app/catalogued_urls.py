"""URLs that lead to the servers of the catalog's tests, one of them below a pattern."""

from __future__ import annotations

from django.contrib import admin
from django.urls import path

from tests.catalogued import branch_server, made_servers

_default, _staff = made_servers()

urlpatterns = [
    path("admin/", admin.site.urls),
    path("mcp", _default.urls),
    path("staff/mcp", _staff.urls),
    path("<slug:branch>/mcp", branch_server().urls),
]

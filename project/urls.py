"""The endpoints, the admin, and a page that says where they are."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path
from django.views.generic import TemplateView

from project.library.servers import staff

urlpatterns = [
    path("", TemplateView.as_view(template_name="library/home.html"), name="home"),
    path("mcp", include("mcp_django.urls")),
    path("staff/mcp", staff.urls),
    path("admin/", admin.site.urls),
]

"""``path("mcp", include("mcp_django.urls"))``: answers with and without a final slash."""

from __future__ import annotations

from django.urls import re_path

from mcp_django.dispatch.server import server
from mcp_django.views import endpoint

app_name = "mcp_django"

# Not path("/"), nor "^/?$": Django warns of routes that begin with a slash (urls.W002).
urlpatterns = [re_path(r"^(?:/)?\Z", endpoint(server), name="endpoint")]

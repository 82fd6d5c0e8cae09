"""``path("mcp", include("mcp_django.urls"))``: answers with and without a final slash."""

from __future__ import annotations

from django.urls import path, re_path

from mcp_django.dispatch.server import server
from mcp_django.views import endpoint

app_name = "mcp_django"

_view = endpoint(server)

urlpatterns = [
    path("", _view, name="endpoint"),
    # Not path("/"), nor "^/$": Django warns of routes that begin with a slash (urls.W002).
    re_path(r"^(?:/)\Z", _view),
]

"""Every server of the project, by its name."""

from __future__ import annotations

from mcp_django.dispatch.server import servers as servers

isolated = servers.isolated
_servers = servers.by_name

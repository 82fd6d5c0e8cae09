"""The MCP servers of the project: one for all, and one for librarians alone."""

from __future__ import annotations

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from mcp_django import MCPServer, server


class IsLibrarian(BasePermission):
    """Whoever may see the loans of others."""

    def has_permission(self, request: Request, view: object) -> bool:
        return request.user.has_perm("lending.view_loan")


# What is not said here is as in the settings: sign-in, the tenant, the pages.
staff = MCPServer(
    "staff",
    title="Branch library, staff",
    version="1.0",
    instructions=(
        "The desk of one branch of a library, for its librarians: lending, returns, the "
        "catalogue, and which loans are late."
    ),
    permission_classes=[IsLibrarian],
)

# What members and librarians both use.
EVERYWHERE = [server, staff]

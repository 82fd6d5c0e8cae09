"""How a member's MCP client signs in: with a token, as ``Authorization: Bearer …``."""

from __future__ import annotations

from rest_framework.authentication import TokenAuthentication


class BearerTokenAuthentication(TokenAuthentication):
    """DRF's tokens under the keyword that MCP clients send."""

    keyword = "Bearer"

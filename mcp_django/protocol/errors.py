"""JSON-RPC error codes, and the one exception that carries an error to the client.

Specification (2026-07-28): basic, "Error Codes".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603

RESOURCE_NOT_FOUND = -32002  # of legacy revisions; modern ones have -32602 in its place
HEADER_MISMATCH = -32020
UNSUPPORTED_PROTOCOL_VERSION = -32022


class MCPError(Exception):
    """A JSON-RPC error: what a client gets in place of a result.

    ``status`` is the HTTP status that carries it, ``headers`` what HTTP adds to it;
    other transports ignore both.
    """

    def __init__(
        self,
        code: int,
        message: str,
        data: Any = None,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(code, message, data, status)
        self.code = code
        self.message = message
        self.data = data
        self.status = status
        self.headers = dict(headers or {})

    def __str__(self) -> str:
        return f"{self.message} ({self.code})"

    def to_wire(self) -> dict[str, Any]:
        """The ``error`` member of a JSON-RPC response."""
        error: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.data is not None:
            error["data"] = self.data
        return error


def invalid_request(message: str, status: int = 400, **headers: str) -> MCPError:
    """A refusal at HTTP level: the status says it, the body is -32600."""
    return MCPError(
        INVALID_REQUEST,
        message,
        status=status,
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )


def invalid_params(message: str, data: Any = None, status: int = 200) -> MCPError:
    """The request is well formed, its parameters are not what the method takes."""
    return MCPError(INVALID_PARAMS, message, data, status)

"""Pages of configured origins may call the endpoint, and read its errors too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import RequestFactory, override_settings

from mcp_django import server
from mcp_django.views import endpoint
from tests.wire.conftest import Wire

APP = "https://app.example.com"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.fixture(autouse=True)
def _configured() -> Iterator[None]:
    with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": [], "ALLOWED_ORIGINS": [APP]}):
        yield


def preflight(wire: Wire, origin: str | None = APP, asked: str | None = None):  # type: ignore[no-untyped-def]
    return wire.send(
        b"",
        method="OPTIONS",
        Origin=origin,
        Access_Control_Request_Method="POST",
        Access_Control_Request_Headers=asked,
    )


def test_a_preflight_allows_what_clients_send(wire: Wire) -> None:
    response = preflight(wire, asked="content-type, mcp-param-region,X-Branch, *, x y")
    assert response.status_code == 204
    assert response["Access-Control-Allow-Origin"] == APP
    assert "POST" in response["Access-Control-Allow-Methods"]
    allowed = {name.strip().lower() for name in response["Access-Control-Allow-Headers"].split(",")}
    assert allowed >= {
        "authorization",
        "content-type",
        "last-event-id",
        "mcp-method",
        "mcp-name",
        "mcp-param-region",
        "mcp-protocol-version",
        "mcp-session-id",
        "x-branch",  # a header of the project's own
    }
    assert not allowed & {"*", "x y"}
    assert response["Vary"] == "Origin"


def test_a_preflight_of_another_origin_is_refused(wire: Wire) -> None:
    response = preflight(wire, "https://evil.example")
    assert response.status_code == 403
    assert "Access-Control-Allow-Origin" not in response


def test_options_without_origin_is_no_preflight(wire: Wire) -> None:
    response = preflight(wire, None)
    assert (response.status_code, response["Allow"]) == (204, "POST, OPTIONS")
    assert "Access-Control-Allow-Headers" not in response


def test_the_own_origin_is_told_no_further_headers(wire: Wire) -> None:
    response = preflight(wire, "http://testserver", asked="x-branch")
    assert response.status_code == 204
    assert "x-branch" not in response["Access-Control-Allow-Headers"]


def test_an_answer_without_a_body_has_no_length() -> None:
    response = endpoint(server)(RequestFactory().options("/mcp"))
    assert (response.status_code, response.content) == (204, b"")
    assert "Content-Length" not in response


def test_answers_and_errors_can_be_read(wire: Wire) -> None:
    for response in (wire.send(PING, Origin=APP), wire.send(b"{", Origin=APP)):
        assert response["Access-Control-Allow-Origin"] == APP
        assert set(response["Access-Control-Expose-Headers"].split(", ")) == {
            "Mcp-Session-Id",
            "WWW-Authenticate",
        }
        assert "Access-Control-Allow-Credentials" not in response


def test_a_body_that_is_too_large_can_be_read_as_such(wire: Wire) -> None:
    with override_settings(MCP_DJANGO={"ALLOWED_ORIGINS": [APP], "MAX_BODY_BYTES": 10}):
        response = wire.send(b"x" * 11, Origin=APP)
    assert response.status_code == 413
    assert response["Access-Control-Allow-Origin"] == APP

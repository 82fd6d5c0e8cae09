"""Whatever an authentication class raises has the status that DRF gives it."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.test import override_settings
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication, TokenAuthentication

from tests.wire.conftest import Wire, error_of


class Unavailable(exceptions.APIException):
    status_code = 503
    default_detail = "The directory does not answer."


def raising(error: Exception, header: str | None = 'Basic realm="api"') -> Any:
    class Raises(BaseAuthentication):
        def authenticate(self, request: Any) -> Any:
            raise error

        def authenticate_header(self, request: Any) -> Any:
            return header

    return override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": [Raises]})


@pytest.mark.parametrize(
    ("error", "status", "code", "text"),
    [
        (exceptions.AuthenticationFailed("Expired."), 401, -32600, "Expired."),
        (exceptions.AuthenticationFailed({"detail": ["Old."]}), 401, -32600, "Old."),
        (exceptions.AuthenticationFailed([]), 401, -32600, "The credentials are not valid."),
        (exceptions.NotAuthenticated("Who?"), 401, -32600, "Who?"),
        (exceptions.Throttled(wait=7), 429, -32600, "Request was throttled."),
        (exceptions.ParseError("No base64."), 400, -32600, "No base64."),
        (exceptions.PermissionDenied("Not you."), 403, -32600, "Not you."),
        (PermissionDenied("Not you."), 403, -32600, "Not you."),
        (PermissionDenied(), 403, -32600, "Permission denied."),
        (Http404("No tenant."), 404, -32600, "No tenant."),
        (Http404(), 404, -32600, "Not found."),
        (Unavailable(), 503, -32603, "The directory does not answer."),
        (ValueError("secret"), 500, -32603, "Internal error."),
    ],
)
@pytest.mark.parametrize("rpc", ["tools/list", "nope"])
def test_the_status(
    wire: Wire, rpc: str, error: Exception, status: int, code: int, text: str
) -> None:
    with raising(error):
        response = wire.modern(rpc)
    assert error_of(response) == (status, code)
    assert response.json()["error"]["message"].startswith(text)
    assert response.json()["id"] == 1


def test_what_goes_with_it(wire: Wire) -> None:
    with raising(exceptions.Throttled(wait=6.2)):
        assert wire.modern("tools/list")["Retry-After"] == "7"
    with raising(exceptions.Throttled()):
        assert "Retry-After" not in wire.modern("tools/list")
    with raising(exceptions.NotAuthenticated()):
        challenge = wire.modern("tools/list")["WWW-Authenticate"]
        assert challenge == 'Bearer, Basic realm="api"'
    with raising(exceptions.AuthenticationFailed()):
        challenge = wire.modern("tools/list")["WWW-Authenticate"]
        assert challenge == 'Bearer error="invalid_token", Basic realm="api"'


def test_a_bug_in_a_class_is_under_a_reference(
    wire: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    with raising(ValueError("secret")):
        message = wire.modern("tools/list").json()["error"]["message"]
    assert "secret" not in message
    assert message.rstrip(".").rsplit(" ", 1)[-1] in caplog.text


@pytest.mark.parametrize("header", ["Own realm=a\nX-Evil: 1", "Own realm=a\r\n\x00X-Evil: 1"])
def test_a_challenge_has_no_control_characters(wire: Wire, header: str) -> None:
    with raising(exceptions.NotAuthenticated(), header):
        response = wire.modern("tools/list")
    assert response.status_code == 401
    assert response["WWW-Authenticate"] == "Bearer, Own realm=a X-Evil: 1"
    assert "X-Evil" not in response


@pytest.mark.parametrize(
    "error",
    [
        exceptions.NotAuthenticated(),
        exceptions.Throttled(wait=7),
        exceptions.ParseError(),
        PermissionDenied(),
        Http404(),
        ValueError("broken"),
    ],
)
def test_a_reader_of_the_page_is_anonymous(wire: Wire, error: Exception) -> None:
    with raising(error):
        response = wire.send(b"", method="GET", Accept="text/html")
    assert response.status_code == 405
    assert response["Content-Type"].startswith("text/html")


class Bearer(TokenAuthentication):
    keyword = "Bearer"


@pytest.mark.django_db
@pytest.mark.parametrize("classes", [[], [Bearer]])
@pytest.mark.parametrize(
    ("given", "status"),
    [
        ("", 400),
        ("  ", 400),
        ("Bearer\t", 400),
        ("Bearer a\tb", 400),
        ("Bearer\txyz", 401),
        ("BEARER  xyz", 401),
        ("Bearerxyz", 200),
        (None, 200),
    ],
)
def test_the_authorization_header(
    wire: Wire, classes: list[Any], given: str | None, status: int
) -> None:
    with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": classes}):
        response = wire.modern("server/discover", Authorization=given)
    assert response.status_code == status
    if status == 400:
        assert response["WWW-Authenticate"] == 'Bearer error="invalid_request"'

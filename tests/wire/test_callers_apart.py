"""Callers at the same time, callers who are nobody, and rules that say no by raising."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.test import override_settings
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.test import APIClient

from mcp_django import CurrentUser
from tests.wire.conftest import Wire, error_of

both_are_here = Barrier(2, timeout=10)


class Remembers(BaseAuthentication):
    """Keeps what it found on itself, which DRF allows: it makes one for each request."""

    name = ""

    def authenticate(self, request: Any) -> Any:
        self.name = request.META["HTTP_X_NAME"]
        both_are_here.wait()
        return User(username=self.name), None


class RefusesByName(BaseAuthentication):
    def authenticate(self, request: Any) -> Any:
        self.name = request.META["HTTP_X_NAME"]
        raise exceptions.AuthenticationFailed

    def authenticate_header(self, request: Any) -> str:
        return f'Named realm="{self.name}"'


class Fails(BasePermission):
    error: Exception

    def has_permission(self, request: Any, view: Any) -> bool:
        raise self.error


@pytest.fixture
def _me(register: Any) -> None:
    def me(user: CurrentUser) -> str:
        """Who am I."""
        return str(user.username)

    register(me)


@pytest.mark.usefixtures("_me")
def test_an_authenticator_with_a_memory_mixes_no_callers_up() -> None:
    def told(name: str) -> str:
        return str(Wire().call("me", X_Name=name)["content"][0]["text"])

    with (
        override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": [Remembers]}),
        ThreadPoolExecutor(2) as threads,
    ):
        assert list(threads.map(told, ["ann", "bob"])) == ["ann", "bob"]


def test_the_one_that_refuses_words_the_challenge(wire: Wire) -> None:
    with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": [RefusesByName]}):
        response = wire.modern("tools/list", X_Name="ann")
    assert response.status_code == 401
    assert response["WWW-Authenticate"] == 'Bearer error="invalid_token", Named realm="ann"'


@pytest.mark.usefixtures("_me", "db")
def test_an_anonymous_user_that_is_forced_is_nobody(wire: Wire) -> None:
    client: Any = APIClient()
    client.force_authenticate(AnonymousUser(), token="none")
    wire.client = client
    assert error_of(wire.modern("tools/call", {"name": "me"})) == (401, -32600)
    client.force_authenticate(User(username="ann"))
    assert wire.call("me")["content"][0]["text"] == "ann"


REFUSALS: list[Exception] = [
    PermissionDenied("No."),
    Http404(),
    exceptions.PermissionDenied(),
    exceptions.NotAuthenticated(),
    exceptions.Throttled(),
]


@pytest.mark.usefixtures("open_endpoint")
@pytest.mark.parametrize(
    ("error", "lines"),
    [*((error, 0) for error in REFUSALS), (exceptions.APIException(), 1), (KeyError("x"), 1)],
)
def test_a_rule_that_raises_refuses_and_only_mistakes_are_logged(
    wire: Wire, register: Any, caplog: pytest.LogCaptureFixture, error: Exception, lines: int
) -> None:
    def guarded() -> str:
        """Guarded."""
        return "x"

    register(guarded, permission_classes=[type("Rule", (Fails,), {"error": error})])
    response = wire.modern("tools/call", {"name": "guarded"})
    assert response.json()["error"]["message"] == "Unknown tool: guarded"
    told = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert len(told) == lines

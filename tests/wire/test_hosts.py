"""Hosts that Django has accepted are remembered, by what Django reads alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpRequest
from django.test import RequestFactory, override_settings

from mcp_django import hosts
from mcp_django.hosts import served_host
from mcp_django.protocol.errors import MCPError


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The hosts that Django was asked to judge, of which none is known at first."""
    asked: list[str] = []
    judge = HttpRequest.get_host

    def get_host(request: HttpRequest) -> str:
        asked.append(judge(request))
        return asked[-1]

    monkeypatch.setattr(HttpRequest, "get_host", get_host)
    monkeypatch.setattr(hosts, "_known", {})
    with override_settings(ALLOWED_HOSTS=[".example.com", "testserver"]):
        yield asked


def of(**meta: Any) -> str:
    """The host of a request with these variables, None for one that is absent."""
    request = RequestFactory().post("/mcp")
    for name, value in {"HTTP_HOST": "a.example.com", **meta}.items():
        request.META.pop(name, None)
        if value is not None:
            request.META[name] = value
    return served_host(request)


def test_a_host_is_judged_once(judged: list[str]) -> None:
    assert [of(), of(), of(HTTP_HOST="b.example.com")] == [
        "a.example.com",
        "a.example.com",
        "b.example.com",
    ]
    assert judged == ["a.example.com", "b.example.com"]


def test_headers_that_nobody_trusts_make_no_entry(judged: list[str]) -> None:
    for number in range(3):
        told = f"{number}.example.com"
        assert of(HTTP_X_FORWARDED_HOST=told, HTTP_X_FORWARDED_PORT=str(number)) == "a.example.com"
    assert judged == ["a.example.com"]


def test_a_trusted_header_comes_first(judged: list[str]) -> None:
    with override_settings(USE_X_FORWARDED_HOST=True):
        assert of(HTTP_X_FORWARDED_HOST="b.example.com") == "b.example.com"
        assert of() == "a.example.com"
        with pytest.raises(MCPError):
            of(HTTP_X_FORWARDED_HOST="evil.example")
    assert of(HTTP_X_FORWARDED_HOST="evil.example") == "a.example.com"


def test_without_a_host_the_port_and_the_scheme_count(judged: list[str]) -> None:
    def bare(port: str, scheme: str = "http", **meta: Any) -> str:
        given = {"HTTP_HOST": None, "SERVER_PORT": port, "HTTP_X_SCHEME": scheme, **meta}
        return of(**given)

    with override_settings(SECURE_PROXY_SSL_HEADER=("HTTP_X_SCHEME", "https")):
        assert bare("443") == "testserver:443"
        assert bare("443", "https") == "testserver"
        assert bare("80", "https") == "testserver:80"
        with override_settings(USE_X_FORWARDED_PORT=True):
            assert bare("80", HTTP_X_FORWARDED_PORT="8080") == "testserver:8080"
        assert bare("80", HTTP_X_FORWARDED_PORT="8080") == "testserver"


def test_their_number_is_bounded(judged: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "_MOST", 2)
    ports = [f"a.example.com:{port}" for port in (1, 2, 3)]
    for host in (*ports, *ports):
        assert of(HTTP_HOST=host) == host
    assert len(judged) == 6


def test_what_is_refused_is_not_remembered(judged: list[str]) -> None:
    for _ in range(2):
        with pytest.raises(MCPError) as caught:
            of(HTTP_HOST="evil.example")
        assert caught.value.status == 400
    assert hosts._known == {}


def test_other_hosts_hold_at_once(judged: list[str]) -> None:
    assert of() == "a.example.com"
    with override_settings(ALLOWED_HOSTS=["b.example.com"]), pytest.raises(MCPError):
        of()

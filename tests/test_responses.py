"""Our responses beside Django's own: made faster, and the same to whoever gets one."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from django.http import HttpResponse
from django.http.response import BadHeaderError
from django.urls import resolve

from mcp_django.responses import Response
from mcp_django.transports.exchange import Answer, json_answer

CONSTANTS = (bool, int, str, type(None))


def as_django_makes_it(answer: Answer) -> HttpResponse:
    made = HttpResponse(answer.body, content_type=answer.content_type or "", status=answer.status)
    made["Content-Length"] = str(len(answer.body))
    return made


@pytest.mark.parametrize(
    ("answer", "headers"),
    [
        (json_answer(b"{}"), {"Content-Type": "application/json", "Content-Length": "2"}),
        (Answer(202), {"Content-Length": "0"}),
        (Answer(204, headers={"Allow": "POST"}), {"Allow": "POST"}),
        (
            json_answer(b"{}", 401, {"WWW-Authenticate": "Bearer"}),
            {
                "Content-Type": "application/json",
                "Content-Length": "2",
                "WWW-Authenticate": "Bearer",
            },
        ),
    ],
)
def test_headers_by_name_one_by_one_and_all_at_once(
    answer: Answer, headers: dict[str, str]
) -> None:
    response = Response(answer)
    assert response.status_code == answer.status
    assert dict(response.items()) == dict(response.headers) == headers
    assert all(response[name.lower()] == value for name, value in headers.items())


def test_a_response_has_all_that_djangos_own_has() -> None:
    answer = json_answer(b"[1]")
    ours, theirs = Response(answer), as_django_makes_it(answer)
    for name, value in vars(theirs).items():
        told = getattr(ours, name)
        assert str(told) == str(value) if name == "cookies" else told == value, name
    assert ours.serialize() == theirs.serialize()
    assert (ours.reason_phrase, ours.charset, ours.text) == ("OK", "utf-8", "[1]")


def test_two_responses_share_nothing_that_changes() -> None:
    first, second = Response(Answer()), Response(Answer())
    for name in vars(HttpResponse(content_type="text/plain")):
        one, other = getattr(first, name), getattr(second, name)
        assert isinstance(one, CONSTANTS) or one is not other, name


def test_middleware_may_change_a_response() -> None:
    response = Response(json_answer(b"{}"))
    response.headers["content-length"] = "17"
    response["Vary"] = "Origin"
    del response["Content-Type"]
    response.set_cookie("seen", "1")
    response.content = b"other"
    assert dict(response.items()) == {"Content-Length": "5", "Vary": "Origin"}
    assert (response.content, list(response), response.cookies["seen"].value) == (
        b"other",
        [b"other"],
        "1",
    )


def test_a_header_cannot_smuggle_in_another() -> None:
    with pytest.raises(BadHeaderError):
        Response(json_answer(b"{}", 401, {"WWW-Authenticate": "Bearer\r\nX: y"}))


def test_a_response_can_be_kept_in_a_cache() -> None:
    response: Any = pickle.loads(pickle.dumps(Response(json_answer(b"{}"))))
    assert (response.content, response["Content-Type"]) == (b"{}", "application/json")


@pytest.mark.parametrize(
    "answer", [json_answer(b"[1]", 401, {"WWW-Authenticate": "B"}), Answer(204)]
)
def test_a_django_that_keeps_more_is_let_make_it(
    answer: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = Response(answer)
    monkeypatch.setattr("mcp_django.responses._IS_KNOWN", False)
    response = Response(answer)
    assert vars(response).keys() > {"_charset", "closed"}
    assert (response.serialize(), response.status_code) == (quick.serialize(), quick.status_code)


def test_a_body_that_middleware_changes_has_its_own_length() -> None:
    response = Response(json_answer(b"[1]"))
    response.content = b"[1, 2]"
    assert (response.content, response["Content-Length"]) == (b"[1, 2]", "6")
    response.write(b"\n")
    response.writelines([b"\n", b"\n"])
    assert (response.text, response["Content-Length"]) == ("[1, 2]\n\n\n", "9")
    del response["Content-Length"]
    response.content = b""
    assert not response.has_header("Content-Length")


def test_matches_of_requests_share_nothing_that_changes() -> None:
    match = resolve("/mcp")
    with pytest.raises(TypeError):
        match.captured_kwargs["x"] = 1
    match.kwargs["x"] = 1
    match.extra_kwargs["x"] = 1
    again = resolve("/mcp/")
    assert (again.kwargs, again.extra_kwargs, dict(again.captured_kwargs)) == ({}, {}, {})

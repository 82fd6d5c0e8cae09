"""How an HTTP request is judged: each refusal, and that the first that applies is given."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from django.test import override_settings

from mcp_django import hosts
from tests.wire.conftest import META, MODERN, Wire, error_of

pytestmark = pytest.mark.usefixtures("open_endpoint", "add")

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
CLIENT = "io.modelcontextprotocol/clientInfo"
LEVEL = "io.modelcontextprotocol/logLevel"


@pytest.fixture
def add(register: Any) -> Any:
    def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    return register(add)


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in META.items() if name != key}


def ping(**more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": "ping", **more}


@override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": [], "MAX_BODY_BYTES": 100})
def test_a_body_over_the_limit_is_413_before_all_else(wire: Wire) -> None:
    response = wire.send(b"x" * 101, Origin="https://evil.example", content_type="text/plain")
    assert error_of(response) == (413, -32600)
    assert "100 bytes" in response.json()["error"]["message"]
    assert "id" not in response.json()


@override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": [], "MAX_BODY_BYTES": 100})
def test_a_body_at_the_limit_is_read(wire: Wire) -> None:
    body = orjson.dumps(ping())
    assert wire.send(body + b" " * (100 - len(body))).status_code == 200


@override_settings(ALLOWED_HOSTS=["good.example"], MIDDLEWARE=[])
def test_a_foreign_host_is_400_and_names_the_setting(wire: Wire) -> None:
    response = wire.send(ping(), Host="evil.example")
    assert error_of(response) == (400, -32600)
    assert "ALLOWED_HOSTS" in response.json()["error"]["message"]


@override_settings(ALLOWED_HOSTS=["*"], MIDDLEWARE=[])
def test_what_is_kept_of_hosts_is_bounded(wire: Wire) -> None:
    for number in range(300):
        assert wire.send(ping(), Host=f"h{number}.example").status_code == 200
        assert len(hosts._known) <= 256
    with override_settings(ALLOWED_HOSTS=["good.example"]):
        assert wire.send(ping(), Host="h299.example").status_code == 400


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://testserver", 200),
        ("HTTP://TestServer", 200),
        ("https://testserver", 403),
        ("http://testserver:81", 403),
        ("http://testserver.evil.example", 403),
        ("null", 403),
        ("", 403),
    ],
)
def test_origin_is_this_site_or_refused(wire: Wire, origin: str, status: int) -> None:
    assert wire.send(ping(), Origin=origin).status_code == status


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH", "HEAD"])
def test_other_methods_are_405_with_allow(wire: Wire, method: str) -> None:
    response = wire.send(b"", method=method, content_type="text/plain")
    assert response.status_code == 405
    assert response["Allow"] == "POST, OPTIONS"


@pytest.mark.parametrize("content_type", ["", "text/plain", "application/jsonp", "text/json"])
def test_another_content_type_is_415(wire: Wire, content_type: str) -> None:
    assert error_of(wire.send(b"not json", content_type=content_type)) == (415, -32600)


@pytest.mark.parametrize(
    "content_type", ["application/json; charset=utf-8", "Application/JSON", "application/json;"]
)
def test_json_with_parameters_is_json(wire: Wire, content_type: str) -> None:
    assert wire.send(ping(), content_type=content_type).status_code == 200


@pytest.mark.parametrize(
    "body", [b" ", b"{", b"nope", b'{"a": NaN}', b'"\xff"', b'{"jsonrpc":"2.0"}x', b'"\\ud800"']
)
def test_what_is_not_json_is_a_parse_error_without_id(wire: Wire, body: bytes) -> None:
    response = wire.send(body)
    assert error_of(response) == (400, -32700)
    assert "id" not in response.json()


@pytest.mark.parametrize(
    "params", [{"deep": orjson.loads(b"[" * 70 + b"]" * 70)}, {"wide": list(range(10_001))}]
)
def test_json_beyond_the_limits_is_an_invalid_request(wire: Wire, params: Any) -> None:
    assert error_of(wire.send(ping(params=params))) == (400, -32600)


def test_brackets_in_strings_are_not_depth(wire: Wire) -> None:
    assert wire.send(ping(params={"text": "[" * 1000 + "," * 20_000})).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        1,
        "text",
        None,
        {},
        {"id": 1, "method": "ping"},
        {"jsonrpc": "1.0", "id": 1, "method": "ping"},
        {"jsonrpc": 2.0, "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1},
        {"jsonrpc": "2.0", "id": 1, "method": 7},
        {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []},
        {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": None},
        {"jsonrpc": "2.0", "id": None, "method": "ping"},
        {"jsonrpc": "2.0", "id": True, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1.5, "method": "ping"},
        {"jsonrpc": "2.0", "id": [], "method": "ping"},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "x"}},
    ],
)
def test_a_wrong_shape_is_an_invalid_request(wire: Wire, body: Any) -> None:
    response = wire.send(body)
    assert error_of(response) == (400, -32600)
    assert response.json().get("id", "absent") is not None


@pytest.mark.parametrize("given", ["x", "", 0, -1, 2**53, 2**64 - 1, -(2**63)])
def test_the_id_is_echoed_as_it_came(wire: Wire, given: Any) -> None:
    assert wire.modern("tools/list", id=given).json()["id"] == given


@pytest.mark.parametrize("digits", [b"18446744073709551617", b"-9223372036854775809"])
def test_an_id_beyond_64_bits_is_refused(wire: Wire, digits: bytes) -> None:
    response = wire.send(b'{"jsonrpc":"2.0","id":%s,"method":"ping"}' % digits)
    assert error_of(response) == (400, -32600)
    assert "id" not in response.json()


def test_integers_arrive_as_they_were_sent(wire: Wire, register: Any) -> None:
    def digits(n: int) -> str:
        """Its digits."""
        return str(n)

    register(digits)
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"digits","arguments":'
    response = wire.send(body + b'{"n":18446744073709551617}}}')
    assert response.json()["result"]["content"][0]["text"] == "18446744073709551617"


@pytest.mark.parametrize("body", [b"[1e400]", b"[" * 3000 + b"]" * 3000])
def test_valid_json_beyond_a_limit_is_an_invalid_request(wire: Wire, body: bytes) -> None:
    assert error_of(wire.send(body)) == (400, -32600)


def test_an_unknown_version_header_is_unsupported(wire: Wire) -> None:
    response = wire.send(ping(), MCP_Protocol_Version="2024-11-05")
    assert error_of(response) == (400, -32022)
    data = response.json()["error"]["data"]
    assert data == {"supported": ["2026-07-28"], "requested": "2024-11-05"}
    assert "2025-03-26" in response.json()["error"]["message"]


@pytest.mark.parametrize("version", ["2025-11-25", "2025-06-18", "2025-03-26", None])
def test_legacy_revisions_and_no_header_are_legacy(wire: Wire, version: str | None) -> None:
    assert wire.legacy("ping", version=version).json() == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_initialize_is_legacy_whatever_the_header_says(wire: Wire) -> None:
    response = wire.legacy("initialize", {"protocolVersion": MODERN}, version=MODERN)
    assert response.json()["result"]["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize(
    ("meta", "headers", "code"),
    [
        (without(VERSION), {}, -32602),
        ({**META, VERSION: 7}, {}, -32602),
        (META, {"MCP_Protocol_Version": None}, -32020),
        (META, {"MCP_Protocol_Version": "2025-11-25"}, -32020),
        ({**META, VERSION: "2099-01-01"}, {"MCP_Protocol_Version": "2099-01-01"}, -32022),
        ({**META, VERSION: "2025-11-25"}, {"MCP_Protocol_Version": "2025-11-25"}, -32022),
        (without(CAPABILITIES), {}, -32602),
        ({**META, CAPABILITIES: []}, {}, -32602),
        ({**META, CLIENT: "me"}, {}, -32602),
        ({**META, CLIENT: {"name": "x"}}, {}, -32602),
        ({**META, CLIENT: None}, {}, -32602),
        ({**META, LEVEL: "loud"}, {}, -32602),
        ({**META, LEVEL: []}, {}, -32602),
        ({**META, "progressToken": True}, {}, -32602),
        ({**META, "progressToken": 1.5}, {}, -32602),
        (META, {"Mcp_Method": None}, -32020),
        (META, {"Mcp_Method": "tools/call"}, -32020),
        (META, {"Mcp_Method": "Tools/List"}, -32020),
        ({}, {}, -32602),
    ],
)
def test_the_modern_envelope(
    wire: Wire, meta: dict[str, Any], headers: dict[str, Any], code: int
) -> None:
    assert error_of(wire.modern("tools/list", meta=meta, **headers)) == (400, code)


@pytest.mark.parametrize(
    "meta", [without(CLIENT), {**META, LEVEL: "debug"}, {**META, "progressToken": 7}]
)
def test_what_the_envelope_may_hold(wire: Wire, meta: dict[str, Any]) -> None:
    assert wire.modern("tools/list", meta=meta).status_code == 200


@pytest.mark.parametrize(
    ("name", "code"),
    [
        (None, -32020),
        ("other", -32020),
        ("Add", -32020),
        ("=?base64?YWRk?=", None),
        (" add ", None),
        ("=?base64?b3RoZXI=?=", -32020),
        ("=?base64?!!?=", -32020),
    ],
)
def test_mcp_name_repeats_the_tools_name(wire: Wire, name: str | None, code: int | None) -> None:
    params = {"name": "add", "arguments": {"a": 1, "b": 2}}
    response = wire.modern("tools/call", params, Mcp_Name=name)
    if code is None:
        assert response.json()["result"]["structuredContent"] == 3
    else:
        assert error_of(response) == (400, code)


def test_a_notification_is_202_and_empty(wire: Wire) -> None:
    for body in (
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        {"jsonrpc": "2.0", "method": "notifications/unheard-of", "params": {"_meta": META}},
    ):
        response = wire.send(body)
        assert (response.status_code, response.content) == (202, b"")
        assert "Content-Type" not in response.headers


@pytest.mark.parametrize(
    ("meta", "headers", "status"),
    [
        (META, {}, 202),
        (META, {"MCP_Protocol_Version": MODERN, "Mcp_Method": "notifications/x"}, 202),
        ({}, {"MCP_Protocol_Version": MODERN}, 202),
        (without(CAPABILITIES), {}, 202),
        (without(VERSION), {}, -32602),
        (META, {"MCP_Protocol_Version": "2025-06-18"}, -32020),
        (META, {"Mcp_Method": "tools/list"}, -32020),
        ({**META, VERSION: "2099-01-01"}, {}, -32022),
        ({**META, CAPABILITIES: []}, {}, -32602),
        ({CAPABILITIES: []}, {"MCP_Protocol_Version": MODERN}, -32602),
        ({**META, CLIENT: "me"}, {}, -32602),
        ({**META, LEVEL: "loud"}, {}, -32602),
    ],
)
def test_what_a_modern_notification_has_must_be_right(
    wire: Wire, meta: dict[str, Any], headers: dict[str, str], status: int
) -> None:
    note = {"jsonrpc": "2.0", "method": "notifications/x", "params": {"_meta": meta}}
    response = wire.send(note, **headers)
    if status == 202:
        assert (response.status_code, response.content) == (202, b"")
    else:
        assert error_of(response) == (400, status)


def test_a_session_is_unknown_here(wire: Wire) -> None:
    assert error_of(wire.legacy("ping", Mcp_Session_Id="x")) == (404, -32600)
    assert wire.modern("tools/list", Mcp_Session_Id="x").status_code == 200


def test_an_answer_that_is_no_json_is_a_bug_of_this_request(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*args: Any) -> Any:
        raise TypeError("secret")

    monkeypatch.setattr("mcp_django.transports.http.result_body", broken)
    response = wire.modern("tools/list", id="q")
    assert error_of(response) == (200, -32603)
    assert response.json()["id"] == "q"
    assert "secret" in caplog.text


@pytest.mark.parametrize(
    "rpc", ["nope", "ping", "initialized", "resources/list", "logging/setLevel"]
)
def test_an_unknown_method_is_404_in_the_modern_era(wire: Wire, rpc: str) -> None:
    assert error_of(wire.modern(rpc)) == (404, -32601)


@pytest.mark.parametrize("rpc", ["nope", "server/discover", "resources/list", "tasks/list"])
def test_an_unknown_method_is_200_in_the_legacy_era(wire: Wire, rpc: str) -> None:
    assert error_of(wire.legacy(rpc)) == (200, -32601)


@pytest.mark.parametrize(
    ("accept", "content_type"),
    [
        (None, "application/json"),
        ("*/*", "application/json"),
        ("application/*", "application/json"),
        ("application/json", "application/json"),
        ("text/html, */*;q=0.1", "application/json"),
        ("application/json;q=0, text/event-stream", "text/event-stream"),
        ("text/event-stream", "text/event-stream"),
        ("text/html", None),
        ("application/json;q=0", None),
        ("application/json-seq", None),
        ("application/jsonfoo, text/html", None),
        ("application/json;q=nan", None),
    ],
)
def test_accept(wire: Wire, accept: str | None, content_type: str | None) -> None:
    response = wire.modern("tools/list", Accept=accept)
    if content_type is None:
        assert error_of(response) == (406, -32600)
    else:
        assert response["Content-Type"] == content_type


def test_an_event_stream_holds_the_answer_as_its_one_event(wire: Wire) -> None:
    params = {"name": "add", "arguments": {"a": 1, "b": 2}}
    response = wire.modern("tools/call", params, Accept="text/event-stream")
    lines = response.content.decode().splitlines()
    assert lines[0] == "event: message"
    assert orjson.loads(lines[1].removeprefix("data: "))["result"]["structuredContent"] == 3
    assert lines[2:] == [""]
    assert response["X-Accel-Buffering"] == "no"


def test_an_unknown_method_comes_before_accept(wire: Wire) -> None:
    assert error_of(wire.modern("nope", Accept="text/html")) == (404, -32601)


def test_an_unknown_tool_comes_after_accept(wire: Wire) -> None:
    assert error_of(wire.modern("tools/call", {"name": "x"}, Accept="text/html")) == (406, -32600)
    assert error_of(wire.modern("tools/call", {"name": "x"})) == (200, -32602)


@pytest.mark.parametrize("params", [{}, {"name": 7}, {"name": "add", "arguments": []}])
def test_tools_call_needs_a_name_and_takes_an_object(wire: Wire, params: Any) -> None:
    assert error_of(wire.modern("tools/call", params)) == (200, -32602)


def test_listening_needs_to_say_for_what(wire: Wire) -> None:
    assert error_of(wire.modern("subscriptions/listen", {"notifications": []})) == (200, -32602)


def test_both_spellings_of_the_url_answer(wire: Wire) -> None:
    assert wire.send(ping(), url="/mcp/").status_code == 200
    assert wire.send(ping(), url="/mcp").status_code == 200

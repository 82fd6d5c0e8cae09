"""``Mcp-Param-*``: what a tool mirrors into headers must say what the body says."""

from __future__ import annotations

from typing import Annotated, Any

import pytest

from mcp_django import ParamHeader
from tests.wire.conftest import Wire, error_of

pytestmark = pytest.mark.usefixtures("open_endpoint", "query")


@pytest.fixture
def query(register: Any) -> None:
    def query(
        region: Annotated[str, ParamHeader("Region")],
        page: Annotated[int, ParamHeader("Page")] = 1,
        dry: Annotated[bool, ParamHeader("Dry-Run")] = False,
    ) -> str:
        """Query."""
        return region

    register(query)


def call(wire: Wire, arguments: dict[str, Any], **headers: str) -> Any:
    return wire.modern("tools/call", {"name": "query", "arguments": arguments}, **headers)


def test_the_schema_names_the_header(wire: Wire) -> None:
    (tool,) = [
        tool
        for tool in wire.modern("tools/list").json()["result"]["tools"]
        if tool["name"] == "query"
    ]
    properties = tool["inputSchema"]["properties"]
    assert {name: schema["x-mcp-header"] for name, schema in properties.items()} == {
        "region": "Region",
        "page": "Page",
        "dry": "Dry-Run",
    }


@pytest.mark.parametrize(
    ("arguments", "headers"),
    [
        ({"region": "eu"}, {"Mcp_Param_Region": "eu"}),
        ({"region": "é"}, {"Mcp_Param_Region": "=?base64?w6k=?="}),
        ({"region": "eu", "page": 42}, {"Mcp_Param_Region": "eu", "Mcp_Param_Page": "42.0"}),
        ({"region": "eu", "page": 42}, {"Mcp_Param_Region": "eu", "Mcp_Param_Page": " 42 "}),
        ({"region": "eu", "page": 42.0}, {"Mcp_Param_Region": "eu", "Mcp_Param_Page": "42"}),
        ({"region": "eu", "page": 10}, {"Mcp_Param_Region": "eu", "Mcp_Param_Page": "1e1"}),
        ({"region": "eu", "page": -1}, {"Mcp_Param_Region": "eu", "Mcp_Param_Page": "-1"}),
        ({"region": "eu", "dry": True}, {"Mcp_Param_Region": "eu", "Mcp_Param_Dry_Run": "true"}),
        ({"region": "eu"}, {"Mcp_Param_Region": "eu", "Mcp_Param_Other": "x"}),
    ],
)
def test_what_agrees(wire: Wire, arguments: dict[str, Any], headers: dict[str, str]) -> None:
    response = call(wire, arguments, **headers)
    assert response.json()["result"]["content"][0]["text"] == arguments["region"]


@pytest.mark.parametrize(
    ("arguments", "headers"),
    [
        ({"region": "eu"}, {}),
        ({"region": "eu"}, {"Mcp_Param_Region": "us"}),
        ({"region": "eu"}, {"Mcp_Param_Region": "EU"}),
        ({"region": "é"}, {"Mcp_Param_Region": "é"}),
        ({"region": "eu"}, {"Mcp_Param_Region": "=?base64?!?="}),
        ({"region": "eu"}, {"Mcp_Param_Region": "eu", "Mcp_Param_Page": "1"}),
        ({"region": "eu", "page": None}, {"Mcp_Param_Region": "eu", "Mcp_Param_Page": "1"}),
        ({"region": "eu", "page": 1}, {"Mcp_Param_Region": "eu", "Mcp_Param_Page": "one"}),
        ({"region": "eu", "page": 1}, {"Mcp_Param_Region": "eu", "Mcp_Param_Page": "1e999"}),
        *(
            ({"region": "eu", "page": page}, {"Mcp_Param_Region": "eu", "Mcp_Param_Page": text})
            for page, text in [
                (10, "1_0"),
                (1, "+1"),
                (1, "01"),
                (1, "1."),
                (1, "\u0661"),
                (1, "0x1"),
                (42.0, "42.1"),
                (1, "nan"),
                (1, "1e99999999999999999999"),
                (9007199254740992, "9007199254740993.0"),
                (9007199254740993, "9007199254740992.0"),
            ]
        ),
        ({"region": "eu", "dry": True}, {"Mcp_Param_Region": "eu", "Mcp_Param_Dry_Run": "True"}),
    ],
)
def test_what_differs(wire: Wire, arguments: dict[str, Any], headers: dict[str, str]) -> None:
    assert error_of(call(wire, arguments, **headers)) == (400, -32020)


def test_legacy_clients_send_none(wire: Wire) -> None:
    response = wire.legacy("tools/call", {"name": "query", "arguments": {"region": "eu"}})
    assert response.json()["result"]["content"][0]["text"] == "eu"

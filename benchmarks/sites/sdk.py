"""The official SDK, stateless and with JSON answers, with 51 tools and no sign-in.

Its tools are coroutines: it sends plain functions to a thread, which costs it more.
"""

from __future__ import annotations

from typing import TypedDict

from mcp.server.mcpserver import MCPServer

server = MCPServer("bench", version="1", log_level="WARNING")


class Sum(TypedDict):
    total: int


class Placed(TypedDict):
    product: str


@server.tool(description="Add two whole numbers.")
async def add(a: int, b: int) -> Sum:
    return {"total": a + b}


async def place_order(
    product: str,
    quantity: int,
    note: str = "",
    express: bool = False,
    discount: float = 0.0,
) -> Placed:
    return {"product": product}


for number in range(50):
    server.add_tool(place_order, name=f"place_order_{number}", description="Place an order.")

application = server.streamable_http_app(stateless_http=True, json_response=True)

"""How to reach the demo: what ``scripts/demo`` prints."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator

from project.sample.people import ADMIN, PEOPLE, Person, admin_password, tokens

REVISION = "2026-07-28"
CALLER = "ann"


def access_lines(base: str) -> Iterator[str]:
    """Endpoints, admin and tokens, one to a line; whose they are; a ready curl and client."""
    endpoint, known = f"{base}/mcp", tokens()
    yield f"MCP endpoint: {endpoint}"
    yield f"Admin: {base}/admin/ {ADMIN} {admin_password() or '(the password that you set)'}"
    for name, token in known.items():
        yield f"Token {name}: {token}"
    yield f"Staff MCP endpoint: {base}/staff/mcp"
    yield ""
    yield from who_is_who()
    yield ""
    yield f"With curl, as {CALLER}:"
    yield ""
    yield curl(endpoint, known[CALLER])
    yield ""
    yield f"With Python (pip install 'mcp>=2.3'), as {CALLER}:"
    yield ""
    yield client(endpoint, known[CALLER])


def who_is_who() -> Iterator[str]:
    """What each token is for: programs read the lines above, these are for people."""
    yield "Who calls decides which branch a tool works for, and which tools there are:"
    for person in PEOPLE:
        if person.has_token:
            yield f"  {person.username} is {_role(person)}"
    yield f"  {ADMIN} has no token: this account signs in to the admin, which lists the tools"
    yield "The staff endpoint is for librarians alone, and knows which loans are late."


def _role(person: Person) -> str:
    if person.is_librarian:
        return (
            f"a librarian of the branch {person.branch}, who also has add_book, lend_copy and more"
        )
    return f"a member of the branch {person.branch}, who finds and borrows its books"


def curl(endpoint: str, token: str) -> str:
    """A command that calls ``find_books``."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": REVISION,
        "io.modelcontextprotocol/clientInfo": {"name": "curl", "version": "8"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {
            "name": "find_books",
            "arguments": {"text": "verne", "available": True},
            "_meta": meta,
        },
    }
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": REVISION,
        "Mcp-Method": "tools/call",
        "Mcp-Name": "find_books",
    }
    lines = [f"curl {endpoint}"]
    lines += [f"-H {shlex.quote(f'{name}: {value}')}" for name, value in headers.items()]
    lines += [f"-d {shlex.quote(json.dumps(body))}"]
    return " \\\n  ".join(lines)


def client(endpoint: str, token: str) -> str:
    """A program that lists the tools and calls one, with the official client."""
    return f'''\
import asyncio

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def main():
    headers = {{"Authorization": "Bearer {token}"}}
    async with httpx2.AsyncClient(headers=headers) as http:
        async with Client(streamable_http_client("{endpoint}", http_client=http)) as library:
            for tool in (await library.list_tools()).tools:
                print(tool.name)
            result = await library.call_tool("find_books", {{"text": "verne", "available": True}})
            print(result.structured_content)


asyncio.run(main())'''

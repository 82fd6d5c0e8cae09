"""How to reach the demo: what ``scripts/demo`` prints."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator

from project.sample.people import ADMIN, PEOPLE, Person, admin_password, tokens

REVISION = "2026-07-28"
CALLER = "ann"
TOOL = "find_books"
RESOURCE = "library://loans/mine"
PROMPT = "reading_list"
SUBJECT = "Poetry"


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
    yield from what_to_try()
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
    yield "Who calls decides which branch a feature works for, and which features there are:"
    for person in PEOPLE:
        if person.has_token:
            yield f"  {person.username} is {_role(person)}"
    yield f"  {ADMIN} has no token: this account signs in to the admin, which lists the features"
    yield "The staff endpoint is for librarians alone, and knows which loans are late."


def what_to_try() -> Iterator[str]:
    """A feature of each kind, to be found in a client's menus."""
    yield "Features to try:"
    yield f"  the tool {TOOL}, which looks for books of the caller's branch"
    yield "  the resource library://opening-hours, which everyone may read"
    yield f"  the resource {RESOURCE}: what the caller has at home"
    yield f"  the prompt {PROMPT}, on the subject {SUBJECT}"


def _role(person: Person) -> str:
    if person.is_librarian:
        return (
            f"a librarian of the branch {person.branch}, who also has add_book, lend_copy and more"
        )
    return f"a member of the branch {person.branch}, who finds and borrows its books"


def curl(endpoint: str, token: str) -> str:
    """A command that calls a tool."""
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
            "name": TOOL,
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
        "Mcp-Name": TOOL,
    }
    lines = [f"curl {endpoint}"]
    lines += [f"-H {shlex.quote(f'{name}: {value}')}" for name, value in headers.items()]
    lines += [f"-d {shlex.quote(json.dumps(body))}"]
    return " \\\n  ".join(lines)


def client(endpoint: str, token: str) -> str:
    """A program for the official client: it calls a tool, reads a resource, renders a prompt."""
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
            result = await library.call_tool("{TOOL}", {{"text": "verne", "available": True}})
            print(result.structured_content)
            read = await library.read_resource("{RESOURCE}")
            print(read.contents[0].text)
            prompt = await library.get_prompt("{PROMPT}", {{"subject": "{SUBJECT}"}})
            print(prompt.messages[0].content.text)


asyncio.run(main())'''

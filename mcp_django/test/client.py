"""A client of one server of this project, in process."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any

import orjson
from django.apps import apps
from django.http import HttpResponse
from rest_framework.test import APIClient

from mcp_django.catalog.types import argument_texts
from mcp_django.dispatch.server import MCPServer
from mcp_django.protocol.errors import INTERNAL_ERROR, MCPError
from mcp_django.protocol.headers import EVENT_STREAM, JSON, encode
from mcp_django.protocol.mirroring import NAMED_BY
from mcp_django.protocol.versions import (
    CLIENT_CAPABILITIES,
    CLIENT_INFO,
    LATEST,
    PROTOCOL_VERSION,
    REVISIONS,
)
from mcp_django.test.endpoints import path_of, server_meant
from mcp_django.test.results import ReadResult, RenderedPrompt, Result, Values

CLIENT = {"name": "mcp_django.test", "version": "1"}
Definitions = list[dict[str, Any]]


class MCPClient:
    """A client of one server of this project, speaking one revision.

    ``server`` is the default one if left out; ``TypeError`` for what is none.
    ``url`` is the path of the endpoint, by default where the server's URLs are included;
    ``url_kwargs`` are the parts of it that the pattern captures. ``headers`` are sent with
    every request. A JSON-RPC error raises ``MCPError``, whose ``status`` is the HTTP status;
    an HTTP error without one raises it too.
    """

    def __init__(
        self,
        server: MCPServer | None = None,
        *,
        revision: str = LATEST.version,
        url: str | None = None,
        url_kwargs: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        if revision not in REVISIONS:
            raise ValueError(f"revision is one of {', '.join(REVISIONS)}, not {revision!r}.")
        self.server = server_meant(server)
        self.revision = REVISIONS[revision]
        self.headers = dict(headers or {})
        self._url = url
        self._url_kwargs = dict(url_kwargs or {})
        self._http = APIClient()
        self._ids = count(1)

    @property
    def url(self) -> str:
        """The path of the endpoint; ``NoReverseMatch`` says what to give where it is not known."""
        return self._url or path_of(self.server, self._url_kwargs)

    def login(self, user: Any) -> None:
        """Send every further request as this user, whatever signs real callers in."""
        self._http.force_authenticate(user)
        if user.pk is not None and apps.is_installed("django.contrib.sessions"):
            self._http.force_login(user)  # for middleware that reads request.user

    def logout(self) -> None:
        """Send every further request as nobody."""
        self._http.logout()

    def list_tools(self) -> Definitions:
        """The definitions of the tools that this caller may call, of all pages."""
        return self._listed("tools/list", "tools")

    def list_resources(self) -> Definitions:
        """The definitions of the resources that this caller may read, of all pages."""
        return self._listed("resources/list", "resources")

    def list_resource_templates(self) -> Definitions:
        """The definitions of the resource templates that this caller may use, of all pages."""
        return self._listed("resources/templates/list", "resourceTemplates")

    def list_prompts(self) -> Definitions:
        """The definitions of the prompts that this caller may get, of all pages."""
        return self._listed("prompts/list", "prompts")

    def call_tool(
        self, name: str, /, arguments: Mapping[str, Any] | None = None, **more: Any
    ) -> Result:
        """Call a tool with arguments by keyword, or, for any names, as a mapping."""
        sent = {**(arguments or {}), **more}
        raw = self.request("tools/call", {"name": name, "arguments": sent})
        return Result(
            content=raw["content"],
            structured=raw.get("structuredContent"),
            is_error=raw.get("isError", False),
            raw=raw,
        )

    def read_resource(self, uri: str) -> ReadResult:
        """Read a resource, or one of those that a template has, by its URI."""
        raw = self.request("resources/read", {"uri": uri})
        return ReadResult(contents=raw["contents"], raw=raw)

    def get_prompt(
        self, name: str, /, arguments: Mapping[str, Any] | None = None, **more: Any
    ) -> RenderedPrompt:
        """Render a prompt with arguments by keyword, or, for any names, as a mapping.

        The protocol has texts alone there: a string is sent as it is, anything else as the
        JSON of it (what JSON has as a string, such as a date, without the quotes), and None
        is left out.
        """
        sent = argument_texts({**(arguments or {}), **more})
        raw = self.request("prompts/get", {"name": name, "arguments": sent})
        return RenderedPrompt(raw["messages"], raw.get("description", ""), raw)

    def complete_prompt(
        self, name: str, argument: str, value: str, arguments: Mapping[str, Any] | None = None
    ) -> Values:
        """The values that an argument of a prompt may have, after ``value`` was typed.

        ``arguments`` are those that are known already, sent as ``get_prompt`` sends them.
        """
        return self._completed({"type": "ref/prompt", "name": name}, argument, value, arguments)

    def complete_resource(
        self, template: str, variable: str, value: str, arguments: Mapping[str, Any] | None = None
    ) -> Values:
        """The values that a variable of a resource template may have, after ``value`` was typed.

        ``template`` is its text; ``arguments`` are the variables that are known already.
        """
        return self._completed(
            {"type": "ref/resource", "uri": template}, variable, value, arguments
        )

    def discover(self) -> dict[str, Any]:
        """What the server says of itself: ``server/discover``, or ``initialize``."""
        if self.revision.modern:
            return self.request("server/discover")
        return self.request(
            "initialize",
            {
                "protocolVersion": self.revision.version,
                "capabilities": {},
                "clientInfo": CLIENT,
            },
        )

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Send one request; its result, or ``MCPError``."""
        sent = dict(params or {})
        if self.revision.modern:
            sent["_meta"] = {
                PROTOCOL_VERSION: self.revision.version,
                CLIENT_INFO: CLIENT,
                CLIENT_CAPABILITIES: {},
                **sent.get("_meta", {}),
            }
        message = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": sent}
        response = self._http.generic(
            "POST",
            self.url,
            orjson.dumps(message, default=str).decode(),
            content_type=JSON,
            headers={**self._headers(method, sent), **self.headers},
        )
        return _result(response)

    def _listed(self, method: str, member: str) -> Definitions:
        page = self.request(method)
        found: Definitions = page[member]
        while (cursor := page.get("nextCursor")) is not None:
            page = self.request(method, {"cursor": cursor})
            found += page[member]
        return found

    def _completed(
        self, ref: dict[str, str], argument: str, value: str, known: Mapping[str, Any] | None
    ) -> Values:
        params: dict[str, Any] = {"ref": ref, "argument": {"name": argument, "value": value}}
        if known:
            params["context"] = {"arguments": argument_texts(known)}
        given = self.request("completion/complete", params)["completion"]
        return Values(given["values"], given.get("total"), given.get("hasMore", False))

    def _headers(self, method: str, params: Mapping[str, Any]) -> dict[str, str]:
        headers = {
            "Accept": f"{JSON}, {EVENT_STREAM}",
            "MCP-Protocol-Version": self.revision.version,
        }
        if not self.revision.modern:
            return headers
        headers["Mcp-Method"] = method
        if method in NAMED_BY:
            headers["Mcp-Name"] = encode(params[NAMED_BY[method]])
        if method == "tools/call":
            headers.update(self._mirrored(params))
        return headers

    def _mirrored(self, params: Mapping[str, Any]) -> dict[str, str]:
        tool = self.server.registry.tools.get(params["name"])
        arguments = params["arguments"]
        return {
            f"Mcp-Param-{header}": encode(_text(arguments[name]))
            for name, header in (tool.headers if tool else {}).items()
            if arguments.get(name) is not None
        }


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _result(response: HttpResponse) -> dict[str, Any]:
    try:
        answer = orjson.loads(response.content)
    except orjson.JSONDecodeError:
        answer = None
    if not isinstance(answer, dict) or not answer.keys() & {"result", "error"}:
        text = response.content[:500].decode(errors="replace")
        raise MCPError(
            INTERNAL_ERROR,
            f"HTTP {response.status_code} is no JSON-RPC answer: {text}",
            status=response.status_code,
        )
    if "error" in answer:
        error = answer["error"]
        raise MCPError(
            error["code"],
            error["message"],
            error.get("data"),
            response.status_code,
            dict(response.headers),
        )
    result: dict[str, Any] = answer["result"]
    return result

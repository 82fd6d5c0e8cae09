"""The page for a person whose browser opens the endpoint: what this is, how to connect.

It carries no inline script or style, so a strict Content-Security-Policy may stand; its
style sheet and its script are static files, and it can be read and used without either.
"""

from __future__ import annotations

import base64
import logging
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse
from django.template import TemplateDoesNotExist, loader
from django.template.backends.django import DjangoTemplates
from django.templatetags.static import static
from django.utils.text import slugify
from django.utils.translation import gettext as _

from mcp_django.catalog.endpoints import absolute_url, authorization
from mcp_django.catalog.types import json_text
from mcp_django.catalog.words import counted, kinds_name, needs_sign_in, unwrapped
from mcp_django.dispatch.server import MCPServer
from mcp_django.features.base import Feature
from mcp_django.features.records import KINDS
from mcp_django.invocation.authentication import sign_in
from mcp_django.invocation.context import Context
from mcp_django.invocation.faults import CAUGHT, is_interrupt
from mcp_django.invocation.flows import ENDINGS, run
from mcp_django.invocation.permissions import endpoint_allows, is_visible
from mcp_django.protocol.errors import MCPError
from mcp_django.protocol.versions import LATEST
from mcp_django.transports.origins import METHODS

logger = logging.getLogger("mcp_django")

TEMPLATE = "mcp_django/welcome.html"


@dataclass(frozen=True, slots=True)
class Client:
    """How one client is connected: a sentence, what to copy, and a link that does it all."""

    name: str
    how: str
    snippet: str
    link: str = ""


def welcome_page(request: HttpRequest, server: MCPServer) -> HttpResponse:
    """Status 405, because a GET is not answered otherwise; a page all the same."""
    try:
        return _page(request, server)
    except (BaseExceptionGroup, *ENDINGS) as error:
        if is_interrupt(error):
            raise
        # Django answers it, as it does any other exception: the worker goes on.
        raise RuntimeError("The endpoint's page was ended by code that it runs.") from error


def _page(request: HttpRequest, server: MCPServer) -> HttpResponse:
    reader = _reader(request, server)
    information = server.info(LATEST)
    url = absolute_url(request, request.path)
    credentials = authorization(server, request) if _asks_for_credentials(server) else None
    admitted = not server.endpoint_permissions or endpoint_allows(
        server.endpoint_permissions, reader
    )
    page = _render(
        {
            "title": information.get("title") or information["name"],
            "description": information.get("description") if admitted else "",
            "url": url,
            "reader": reader.user,
            "authorization": credentials,
            "clients": list(clients(information["name"], url, credentials)),
            "groups": list(_groups(reader)) if admitted else [],
            "style": _static("mcp_django/welcome.css"),
            "script": _static("mcp_django/copy.js"),
        }
    )
    response = HttpResponse(page, status=405)
    response["Allow"] = METHODS
    # A 405 may be kept by caches, and this one depends on who reads it.
    response["Cache-Control"] = "private, no-store"
    response["Vary"] = "Accept, Accept-Language, Authorization, Cookie"
    return response


def _reader(request: HttpRequest, server: MCPServer) -> Context:
    """Who reads: credentials that are bad or absent make an anonymous reader."""
    context = Context(server=server, request=request, revision=LATEST)
    try:
        run(sign_in(context))
    except MCPError:
        context.user = None
    except CAUGHT as error:
        if is_interrupt(error):
            raise
        logger.exception("Signing in failed for a reader of the endpoint's page.")
        context.user = None
    return context


@dataclass(frozen=True, slots=True)
class Group:
    """What this reader may use of one kind: how much it is, and each of them."""

    name: str
    count: str
    rows: list[dict[str, Any]]


def _groups(reader: Context) -> Iterator[Group]:
    """What the reader may use, by kind: what the lists of the protocol would show."""
    for kind in KINDS:
        features = reader.server.registry.of_kind(kind).values()
        told = [_told(feature) for feature in features if is_visible(feature, reader)]
        rows = [row for row in told if row is not None]
        if rows:
            yield Group(kinds_name(kind), counted(kind, len(rows)), rows)


def _told(feature: Feature) -> dict[str, Any] | None:
    """The row of a feature; None, and a line in the log, where its texts raise."""
    try:
        about = unwrapped(str(feature.description or ""))
        # A resource may have no title: its name says more to a person than its URI.
        title = str(feature.title or (feature.name if feature.name != feature.key else ""))
    except CAUGHT as error:  # a lazy text may run any code
        if is_interrupt(error):
            raise
        logger.exception(
            "%s: The endpoint's page leaves out the %s %s, whose texts raise.",
            feature.source,
            feature.noun,
            feature.key,
        )
        return None
    return {"key": feature.key, "title": title, "about": about}


def _asks_for_credentials(server: MCPServer) -> bool:
    return any(needs_sign_in(feature, server) for feature in server.registry.features)


def clients(name: str, url: str, credentials: str | None) -> Iterator[Client]:
    """The common clients, each with its own way to be told of a server."""
    short = slugify(name) or "mcp"
    header = f"Authorization: {credentials}" if credentials else ""
    yield Client("Claude Code", _("In a terminal:"), _claude_code(short, url, header))
    yield _vs_code(short, url, credentials)
    yield _cursor(short, url, credentials)
    yield Client(
        "MCP Inspector",
        _("In a terminal, with Node.js installed; to try everything out by hand:"),
        _shell("npx @modelcontextprotocol/inspector --transport http --server-url", url)
        + (f" {_shell('--header', header)}" if header else ""),
    )


def _shell(words: str, value: str) -> str:
    return f"{words} {shlex.quote(value)}"


def _claude_code(short: str, url: str, header: str) -> str:
    command = f"claude mcp add --transport http {short} {shlex.quote(url)}"
    return f"{command} \\\n  {_shell('--header', header)}" if header else command


def _vs_code(short: str, url: str, credentials: str | None) -> Client:
    server: dict[str, Any] = {"type": "http", "url": url}
    configuration: dict[str, Any] = {"servers": {short: server}}
    if credentials:
        # VS Code asks for the token and keeps it: it never stands in the file.
        scheme = credentials.split(" ")[0]
        server["headers"] = {"Authorization": f"{scheme} ${{input:{short}-token}}"}
        question = {"type": "promptString", "id": f"{short}-token", "password": True}
        question["description"] = f"Token for {url}"
        configuration["inputs"] = [question]
    return Client(
        "VS Code",
        _("In the file .vscode/mcp.json of your project:"),
        json_text(configuration, indent=2),
        "" if credentials else "vscode:mcp/install?" + quote(json_text({"name": short, **server})),
    )


def _cursor(short: str, url: str, credentials: str | None) -> Client:
    server: dict[str, Any] = {"url": url}
    if credentials:
        server["headers"] = {"Authorization": credentials}
    encoded = base64.b64encode(json_text(server).encode()).decode("ascii")
    link = "cursor://anysphere.cursor-deeplink/mcp/install?"
    return Client(
        "Cursor",
        _("In the file .cursor/mcp.json of your project, or ~/.cursor/mcp.json for all:"),
        json_text({"mcpServers": {short: server}}, indent=2),
        "" if credentials else link + urlencode({"name": short, "config": encoded}),
    )


def _static(path: str) -> str:
    """The URL of a static file, "" where the project serves none (or has not collected it)."""
    try:
        url = static(path)
    except (ValueError, ImproperlyConfigured):
        return ""
    return url if url != path else ""


def _render(values: dict[str, Any]) -> str:
    """By the project's templates, so that it may bring its own; else by an engine of ours."""
    try:
        return loader.get_template(TEMPLATE).render(values)
    except (TemplateDoesNotExist, ImproperlyConfigured):
        return _engine().get_template(TEMPLATE).render(values)


@cache
def _engine() -> DjangoTemplates:
    folder = Path(__file__).parent / "templates"
    return DjangoTemplates(
        {"NAME": "mcp_django", "DIRS": [folder], "APP_DIRS": False, "OPTIONS": {}}
    )

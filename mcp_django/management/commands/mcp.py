"""``manage.py mcp``: list what is declared, look at one tool, call it."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error as DatabaseError
from django.urls import NoReverseMatch

from mcp_django.catalog import text
from mcp_django.catalog.types import json_text
from mcp_django.dispatch.definitions import tool_definition
from mcp_django.dispatch.server import MCPServer, servers
from mcp_django.management.caller import Caller
from mcp_django.management.refusals import explained, unknown
from mcp_django.protocol.errors import MCPError
from mcp_django.protocol.versions import LATEST
from mcp_django.test import Result

TOOL_ERROR = 1  # the tool answered with an error
NOT_CALLED = 2  # a JSON-RPC error, or a command that makes no sense


class Command(BaseCommand):
    help = "Lists, inspects and calls the MCP tools of this project."
    # What is wrong stops start-up; what is only doubtful, "manage.py check" says once.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", metavar="ACTION")
        listing = actions.add_parser("list", help="List the tools, by app.")
        listing.add_argument("--json", action="store_true", help="Print their definitions.")
        inspect = actions.add_parser("inspect", help="Tell all about one tool.")
        inspect.add_argument("name", metavar="NAME")
        call = actions.add_parser("call", help="Call a tool through the project's endpoint.")
        call.add_argument("name", metavar="NAME")
        call.add_argument("arguments", metavar="JSON", nargs="?", default="{}")
        call.add_argument("--user", help="Call as this user, by user name.")
        call.add_argument(
            "--header", action="append", default=[], metavar="'N: V'", help="Send this header."
        )
        call.add_argument("--url", metavar="PATH", help="The path of the endpoint.")
        for action in (listing, inspect, call):
            _add_server(action)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["action"] is None:
            raise CommandError(
                "Say what to do: 'mcp list', 'mcp inspect NAME' or 'mcp call NAME [JSON]'. "
                "Each takes --help.",
                returncode=NOT_CALLED,
            )
        chosen = _chosen(options["server"])
        match options["action"]:
            case "list":
                self._list(chosen, as_json=options["json"])
            case "inspect":
                self._inspect(chosen, options["name"])
            case _:
                self._call(chosen, options)

    def _list(self, chosen: Sequence[MCPServer], *, as_json: bool) -> None:
        if as_json:
            tools = [tool for server in chosen for tool in server.registry.tools.values()]
            definitions = [tool_definition(tool, LATEST) for tool in tools]
            self.stdout.write(json_text(definitions, indent=2))
            return
        for server in chosen:
            self._write(text.listing(server, self.style.MIGRATE_HEADING))
        if not any(server.registry.tools for server in servers()):
            self._write(text.nothing_found())

    def _inspect(self, chosen: Sequence[MCPServer], name: str) -> None:
        found = [(server, tool) for server in chosen if (tool := server.registry.tools.get(name))]
        if not found:
            raise CommandError(unknown(name, chosen), returncode=NOT_CALLED)
        for server, tool in found:
            self._write(text.details(server, tool, self.style.MIGRATE_HEADING))

    def _call(self, chosen: Sequence[MCPServer], options: dict[str, Any]) -> None:
        server, name, user = chosen[0], options["name"], _user(options["user"])
        caller = Caller(
            server,
            user=user,
            url=options["url"],
            headers=dict(map(_header, options["header"])),
        )
        arguments = _arguments(options["arguments"])
        try:
            result = caller.call_tool(name, arguments=arguments)
        except MCPError as error:
            message = explained(error, server, name, user)
            raise CommandError(message, returncode=NOT_CALLED) from error
        except NoReverseMatch as error:
            raise CommandError(
                'The endpoint is not mounted. Add path("mcp", include("mcp_django.urls")) to '
                "the URLs of the project, or say where it is by --url.",
                returncode=NOT_CALLED,
            ) from error
        self._write(_shown(result))
        if caller.log_repeated:
            self.stderr.write(f"See {text.where(server.registry.tools[name].source)}.")
        if result.is_error:
            raise SystemExit(TOOL_ERROR)

    def _write(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.stdout.write(line)


def _add_server(parser: ArgumentParser) -> None:
    parser.add_argument("--server", help="The server, by its name (all, or the default one).")


def _chosen(name: str | None) -> list[MCPServer]:
    """The servers that are meant; the default one first."""
    known = {server.name: server for server in servers()}
    if name is None:
        return list(known.values())
    if name not in known:
        raise CommandError(
            f"There is no server {name!r}. The servers are: {', '.join(known)}.",
            returncode=NOT_CALLED,
        )
    return [known[name]]


def _user(name: str | None) -> Any:
    if name is None:
        return None
    model = get_user_model()
    try:
        return model._default_manager.get(**{model.USERNAME_FIELD: name})
    except model.DoesNotExist:
        raise CommandError(
            f"There is no user {name!r} ({model.USERNAME_FIELD}).", returncode=NOT_CALLED
        ) from None
    except DatabaseError as error:
        problem = str(error).strip().partition("\n")[0]
        raise CommandError(
            f"The user {name!r} cannot be looked up: {problem}. "
            "If the database has no tables yet, run 'manage.py migrate' first.",
            returncode=NOT_CALLED,
        ) from error


def _header(given: str) -> tuple[str, str]:
    name, colon, value = given.partition(":")
    if not colon or not name.strip():
        raise CommandError(
            f"--header {given!r} is no header: write it as 'Name: value'.", returncode=NOT_CALLED
        )
    return name.strip(), value.strip()


def _arguments(given: str) -> dict[str, Any]:
    try:
        arguments = json.loads(given)
    except json.JSONDecodeError as error:
        raise CommandError(
            f"The arguments are not JSON ({error}). Write an object and quote it for the "
            """shell: '{"name": "value"}'.""",
            returncode=NOT_CALLED,
        ) from error
    if not isinstance(arguments, dict):
        raise CommandError(
            """The arguments are one JSON object, such as '{"name": "value"}'.""",
            returncode=NOT_CALLED,
        )
    return arguments


def _shown(result: Result) -> Iterable[str]:
    """The structured value as JSON, and every block that says more than it."""
    if result.structured is not None:
        yield json_text(result.structured, indent=2)
    for block in result.content:
        if block["type"] == "text":
            if result.structured is None or not _says_the_same(block["text"], result.structured):
                yield block["text"]
        else:
            yield json_text(_without_data(block))


def _says_the_same(block_text: str, structured: Any) -> bool:
    try:
        return bool(json.loads(block_text) == structured)
    except ValueError:
        return False


def _without_data(value: Any) -> Any:
    """A block for a terminal: the length of its bytes in the place of them."""
    if not isinstance(value, dict):
        return value
    return {
        key: f"{len(part)} characters of base64" if key in ("data", "blob") else _without_data(part)
        for key, part in value.items()
    }

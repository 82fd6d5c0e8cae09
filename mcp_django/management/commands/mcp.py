"""``manage.py mcp``: list what is declared, look at one feature, call it, read it, render it."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import NoReverseMatch

from mcp_django.catalog import text
from mcp_django.catalog.details import details
from mcp_django.catalog.endpoints import endpoint_path, route_to
from mcp_django.catalog.types import json_text
from mcp_django.dispatch.definitions import definition
from mcp_django.dispatch.server import MCPServer
from mcp_django.features.records import KINDS, RecordKind
from mcp_django.management import answers
from mcp_django.management.caller import Caller
from mcp_django.management.given import (
    NOT_CALLED,
    arguments_of,
    chosen,
    found,
    header_of,
    no_command,
    user_of,
)
from mcp_django.management.refusals import explained
from mcp_django.protocol.errors import MCPError
from mcp_django.protocol.versions import LATEST
from mcp_django.test import ReadResult

TOOL_ERROR = 1  # the tool answered with an error

T = TypeVar("T")


class Command(BaseCommand):
    help = "Lists, inspects and uses the MCP tools, resources and prompts of this project."
    # What is wrong stops start-up; what is only doubtful, "manage.py check" says once.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", metavar="ACTION")
        listing = actions.add_parser("list", help="List all features, by app.")
        listing.add_argument("--json", action="store_true", help="Print their definitions.")
        inspect = actions.add_parser("inspect", help="Tell all about one feature.")
        inspect.add_argument("name", metavar="NAME", help="Its name, its URI or its template.")
        for action in (listing, inspect):
            action.add_argument("--kind", choices=KINDS, help="Of this kind alone.")
            _add_server(action)
        call = actions.add_parser("call", help="Call a tool through the project's endpoint.")
        read = actions.add_parser("read", help="Read a resource through the project's endpoint.")
        prompt = actions.add_parser("prompt", help="Render a prompt through the endpoint.")
        read.add_argument("uri", metavar="URI")
        read.add_argument("-o", "--output", metavar="FILE", help="Write its only content there.")
        for action in (call, prompt):
            action.add_argument("name", metavar="NAME")
            action.add_argument("arguments", metavar="JSON", nargs="?", default="{}")
        for action in (call, read, prompt):
            _add_caller(action)
            _add_server(action)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["action"] is None:
            raise no_command(
                "Say what to do: 'mcp list', 'mcp inspect NAME', 'mcp call NAME [JSON]', "
                "'mcp read URI' or 'mcp prompt NAME [JSON]'. Each takes --help."
            )
        among = chosen(options["server"])
        if options["action"] == "list":
            self._list(among, options["kind"], as_json=options["json"])
        elif options["action"] == "inspect":
            several = found(options["name"], options["kind"], among)
            for number, (server, feature) in enumerate(several):
                self._write([""] * (number > 0))
                self._write(details(server, feature, self.style.MIGRATE_HEADING))
        else:
            self._use(options["action"], _caller(among[0], options), options)

    def _list(self, among: Sequence[MCPServer], kind: RecordKind | None, *, as_json: bool) -> None:
        if as_json:
            definitions = {server.name: _definitions(server, kind) for server in among}
            self.stdout.write(json_text(definitions, indent=2))
            return
        heading, several = self.style.MIGRATE_HEADING, len(chosen(None)) > 1
        for number, server in enumerate(among):
            if number:
                self.stdout.write("")
            self._write(text.listing(server, kind, heading, with_url=several))
        if not any(server.registry.features for server in chosen(None)):
            self._write(text.nothing_found())

    def _use(self, action: str, caller: Caller, options: dict[str, Any]) -> None:
        heading = self.style.MIGRATE_HEADING
        if action == "read":
            uri = options["uri"]
            read = _answered(caller, "resource", uri, lambda: caller.read_resource(uri))
            lines = answers.of_read(read, heading)
            self._write([_kept(read, options["output"])] if options["output"] else lines)
            return
        name, arguments = options["name"], arguments_of(options["arguments"])
        if action == "prompt":
            prompt = _answered(caller, "prompt", name, lambda: caller.get_prompt(name, arguments))
            self._write(answers.of_prompt(prompt, heading))
            return
        result = _answered(caller, "tool", name, lambda: caller.call_tool(name, arguments))
        self._write(answers.of_call(result))
        if caller.log_repeated:
            source = caller.server.registry.tools[name].source
            self.stderr.write(f"See {text.where(source)}.")
        if result.is_error:
            raise SystemExit(TOOL_ERROR)

    def _write(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.stdout.write(line)


def _add_server(parser: ArgumentParser) -> None:
    parser.add_argument("--server", help="The server, by its name (all, or the default one).")


def _add_caller(parser: ArgumentParser) -> None:
    parser.add_argument("--user", help="Call as this user, by user name.")
    parser.add_argument(
        "--header", action="append", default=[], metavar="'N: V'", help="Send this header."
    )
    parser.add_argument("--url", metavar="PATH", help="The path of the endpoint.")


def _caller(server: MCPServer, options: dict[str, Any]) -> Caller:
    headers = dict(map(header_of, options["header"]))
    return Caller(server, user=user_of(options["user"]), url=options["url"], headers=headers)


def _definitions(server: MCPServer, kind: RecordKind | None) -> dict[str, Any]:
    """What clients get listed, by kind."""
    registry = server.registry
    return {
        each: [definition(one, LATEST) for one in registry.of_kind(each).values()]
        for each in KINDS
        if kind in (None, each)
    }


def _answered(caller: Caller, kind: RecordKind, key: str, ask: Callable[[], T]) -> T:
    """What the server answers; ``CommandError`` where it refuses."""
    try:
        return ask()
    except MCPError as error:
        message = explained(error, caller, kind, key)
        raise CommandError(message, returncode=NOT_CALLED) from error
    except NoReverseMatch as error:
        raise no_command(_unreachable(caller.server)) from error


def _kept(read: ReadResult, path: str) -> str:
    """Write what was read to a file, and say so."""
    try:
        content = answers.file_of(read)
        Path(path).write_bytes(content)
    except (ValueError, OSError) as error:
        raise no_command(f"Nothing was written to {path}. {error}") from error
    return f"{answers.in_bytes(len(content))} written to {path}."


def _unreachable(server: MCPServer) -> str:
    """Why its URL is not known, and what to do."""
    path = endpoint_path(server)
    if path:
        return f"The endpoint is at {path}. Say which one is meant by --url PATH."
    return (
        f"The endpoint is not mounted. Add {route_to(server)} to the URLs of the project, or say "
        "where it is by --url."
    )

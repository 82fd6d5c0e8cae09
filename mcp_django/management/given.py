"""What the command line gives, read: servers, users, headers and arguments.

What makes no sense raises ``CommandError``, with which the command exits with 2.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import CommandError
from django.db import Error as DatabaseError

from mcp_django.catalog.features import names_of
from mcp_django.dispatch.server import MCPServer, servers
from mcp_django.features.base import Feature
from mcp_django.features.records import RecordKind
from mcp_django.management.refusals import unknown

NOT_CALLED = 2  # a JSON-RPC error, or a command that makes no sense


def no_command(message: str) -> CommandError:
    """The error of a command that makes no sense."""
    return CommandError(message, returncode=NOT_CALLED)


def chosen(name: str | None) -> list[MCPServer]:
    """The servers that are meant; the default one first."""
    known = {server.name: server for server in servers()}
    if name is None:
        return list(known.values())
    if name not in known:
        raise no_command(f"There is no server {name!r}. The servers are: {', '.join(known)}.")
    return [known[name]]


def found(
    name: str, kind: RecordKind | None, among: Sequence[MCPServer]
) -> list[tuple[MCPServer, Feature]]:
    """The one feature that a name, a URI or a template means, on each server that has it."""
    several = [(server, _called(name, kind, server)) for server in among]
    for _, called in several:
        _refuse_ambiguous(name, called)
    one_each = [(server, called[0]) for server, called in several if called]
    if not one_each:
        raise no_command(unknown(name, kind, among, instead=_by_kind))
    return one_each


def _by_kind(feature: Feature, _server: MCPServer) -> str:
    return f"say --kind {feature.kind}, or leave --kind out."


def _called(name: str, kind: RecordKind | None, server: MCPServer) -> Sequence[Feature]:
    features = [one for one in server.registry.features if kind in (None, one.kind)]
    named = [one for one in features if name in names_of(one)]
    if named or kind not in (None, "resource_template"):
        return named
    return [one for one, _ in server.registry.matching(name)][:1]


def _refuse_ambiguous(name: str, called: Sequence[Feature]) -> None:
    held = [one.kind for one in called]
    nouns = [_noun(kind, held.count(kind)) for kind in dict.fromkeys(held)]
    if len(nouns) > 1:
        listed = f"{', '.join(nouns[:-1])} and {nouns[-1]}"
        raise no_command(f"{name!r} is the name of {listed}. Say which one is meant by --kind.")
    if len(called) > 1:
        uris = " or ".join(one.key for one in called)
        raise no_command(
            f"{name!r} is the name of {nouns[0]}. Say which one is meant by its URI: {uris}."
        )


def _noun(kind: str, number: int) -> str:
    noun = kind.replace("_", " ")
    return f"several {noun}s" if number > 1 else f"a {noun}"


def user_of(name: str | None) -> Any:
    """The user of this name; None for none."""
    if name is None:
        return None
    model = get_user_model()
    try:
        return model._default_manager.get(**{model.USERNAME_FIELD: name})
    except model.DoesNotExist:
        raise no_command(f"There is no user {name!r} ({model.USERNAME_FIELD}).") from None
    except DatabaseError as error:
        problem = str(error).strip().partition("\n")[0]
        raise no_command(
            f"The user {name!r} cannot be looked up: {problem}. "
            "If the database has no tables yet, run 'manage.py migrate' first."
        ) from error


def header_of(given: str) -> tuple[str, str]:
    """Name and value of ``Name: value``."""
    name, colon, value = given.partition(":")
    if not colon or not name.strip():
        raise no_command(f"--header {given!r} is no header: write it as 'Name: value'.")
    return name.strip(), value.strip()


def arguments_of(given: str) -> dict[str, Any]:
    """The object of a JSON text."""
    try:
        arguments = json.loads(given)
    except json.JSONDecodeError as error:
        raise no_command(
            f"The arguments are not JSON ({error}). Write an object and quote it for the "
            """shell: '{"name": "value"}'."""
        ) from error
    if not isinstance(arguments, dict):
        raise no_command("""The arguments are one JSON object, such as '{"name": "value"}'.""")
    return arguments

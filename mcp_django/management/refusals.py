"""Why a request from the command line was refused: what callers are told, and what they are not."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from mcp_django.catalog import words
from mcp_django.catalog.endpoints import DEFAULT
from mcp_django.catalog.examples import example_of, words_of
from mcp_django.catalog.features import close_names, names_of
from mcp_django.dispatch.server import MCPServer, servers
from mcp_django.features.base import Feature
from mcp_django.features.records import RecordKind
from mcp_django.management.caller import Caller
from mcp_django.protocol.errors import METHOD_NOT_FOUND, MCPError

# How the answers begin that are the same for what is hidden and for what is not there.
_UNKNOWN = ("Unknown tool", "Unknown prompt", "Resource not found")
_REFUSED = "You may not use this endpoint"


def explained(error: MCPError, caller: Caller, kind: RecordKind, key: str) -> str:
    """What the caller was told, and what an operator may know beside it.

    ``kind`` is that of what was asked for by ``key``: tool, prompt or resource.
    """
    if "is no JSON-RPC answer" in error.message:
        return f"HTTP {error.status} is no answer of an MCP endpoint. Say where it is by --url."
    if error.status == 401:
        return f"{error.message} Call as a user by --user, or send credentials by --header."
    if error.message.startswith(_REFUSED):
        return f"{error.message} {_who_is_let_in(caller.server)}"
    has_none = error.code == METHOD_NOT_FOUND  # a server answers for the kinds that it has
    if not has_none and not error.message.startswith(_UNKNOWN):
        return str(error)
    feature = _asked_for(caller.server, kind, key)
    if feature is None:
        return unknown(key, kind, [caller.server], instead=_command)
    if _is_listed(feature, caller):
        return str(error)
    return f"{error.message}. It exists, but {_reason(feature, caller)}"


def _who_is_let_in(server: MCPServer) -> str:
    rules = " ".join(words.endpoint_rules(server))
    return f"Whom the server {server.name!r} lets in: {rules}"


def unknown(
    name: str,
    kind: RecordKind | None,
    among: Sequence[MCPServer],
    *,
    instead: Callable[[Feature, MCPServer], str],
) -> str:
    """There is no such feature; what may have been meant.

    ``instead`` says how one of another kind is asked for, which has this name.
    """
    noun = (kind or "feature").replace("_", " ")
    elsewhere = [
        server.name for server in servers() if server not in among and _has(server, kind, name)
    ]
    if elsewhere:
        return (
            f"There is no {noun} {name!r} on the server {among[0].name!r}, but on "
            f"{elsewhere[0]!r}: say --server {elsewhere[0]}."
        )
    of_other_kind = _of_other_kind(name, among)
    if of_other_kind is not None:
        feature, server = of_other_kind
        article = "the name of a" if name != feature.key else "a"
        meant = f"It is {article} {feature.noun}: {instead(feature, server)}"
        return f"There is no {noun} {name!r}. {meant}"
    near = close_names(name, [known for names in _names(kind, among) for known in names])
    hint = f"Did you mean {' or '.join(near)}?" if near else "'mcp list' shows all there are."
    return f"There is no {noun} {name!r}. {hint}"


def _has(server: MCPServer, kind: RecordKind | None, name: str) -> bool:
    """Whether what is asked for by this name is there; a template is not read, but its URIs."""
    return any(
        name in ((one.key,) if kind == "resource" else names_of(one))
        for one in server.registry.features
        if kind in (None, one.kind)
    )


def _names(kind: RecordKind | None, among: Iterable[MCPServer]) -> Iterable[Sequence[str]]:
    """What the features of a kind are called by; templates count as resources."""
    for server in among:
        for one in server.registry.features:
            if kind is None or one.kind == kind or one.kind.startswith(f"{kind}_"):
                yield (one.key,) if kind == "resource" else names_of(one)


def _of_other_kind(name: str, among: Sequence[MCPServer]) -> tuple[Feature, MCPServer] | None:
    """What has this name after all, if not as what was asked for; first where it was looked for."""
    for server in (*among, *(one for one in servers() if one not in among)):
        for feature in server.registry.features:
            if name in names_of(feature):
                return feature, server
    return None


def _command(feature: Feature, server: MCPServer) -> str:
    """How it is used from the command line: ``manage.py mcp prompt plan_bed``."""
    options = [] if server.name == DEFAULT else ["--server", server.name]
    return shlex.join(["manage.py", "mcp", *words_of(example_of(feature).command[:2], options)])


def _asked_for(server: MCPServer, kind: RecordKind, key: str) -> Feature | None:
    """The feature that such a request is about, hidden or not."""
    known = server.registry.of_kind(kind).get(key)
    if known is not None or kind != "resource":
        return known
    return next((template for template, _ in server.registry.matching(key)), None)


def _is_listed(feature: Feature, caller: Caller) -> bool:
    """Whether this caller may use it, so that the refusal was of what was asked of it."""
    if feature.kind != "resource_template":
        return False  # nothing but hiding it makes these unknown
    listed = caller.list_resource_templates()
    return any(one["uriTemplate"] == feature.key for one in listed)


def _reason(feature: Feature, caller: Caller) -> str:
    """Why this user, or (None) whoever the headers signed in, may not use the feature."""
    user = caller.user
    if user is None:
        return f"this caller may not use it. {_rules(feature, caller)}"
    who = f"the user {user.get_username()!r}"
    if not getattr(user, "is_active", True):
        return f"{who} may not use it, for this user is not active."
    missing = [codename for codename in feature.permissions if _lacks(user, codename)]
    if missing:
        noun = "permission" if len(missing) == 1 else "permissions"
        return f"{who} may not use it without the {noun} {_named(missing)}."
    return f"{who} may not use it. {_rules(feature, caller)}"


def _rules(feature: Feature, caller: Caller) -> str:
    return f"Who may: {' '.join(words.access(feature, caller.server))}"


def _lacks(user: Any, codename: str) -> bool:
    try:
        return not user.has_perm(codename)
    except Exception:  # noqa: BLE001 - a rule that raises, denies
        return True


def _named(codenames: Iterable[str]) -> str:
    return " and ".join(f"“{words.permission_name(name)}” ({name})" for name in codenames)

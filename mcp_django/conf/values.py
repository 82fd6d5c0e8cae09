"""What the values of ``MCP_DJANGO`` may be: each function checks one and converts it.

They are given what messages call the value, and what a project wrote; mistakes raise
``ImproperlyConfigured``.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import Promise
from django.utils.module_loading import import_string

from mcp_django.protocol.content import Icon
from mcp_django.protocol.icons import checked_icon

NAME = "MCP_DJANGO"

SERVER_KEYS = ("name", "title", "version", "instructions", "description", "website_url", "icons")
# What answers are kept: "lists" stands in for each list that is not named, and for discover.
KEPT = ("lists", "tools", "resources", "resource_templates", "prompts", "discover", "read")
TTL_MS = {"lists": 60_000, "read": 0}
CACHE_SCOPE = {"lists": "public", "read": "private"}


class Label(NamedTuple):
    """What messages call a value, and a member of it: ``{}`` stands for the member's name."""

    whole: str
    member: str

    def of(self, name: str) -> Label:
        """The label of a member."""
        return Label(self.member.replace("{}", name), "")


def label_of_setting(key: str) -> Label:
    """``MCP_DJANGO["TTL_MS"]`` and ``MCP_DJANGO["TTL_MS.lists"]``."""
    return Label(f'{NAME}["{key}"]', f'{NAME}["{key}.{{}}"]')


def refuse_unknown(where: str, name: object, known: Sequence[str]) -> None:
    if name in known:
        return
    hint = did_you_mean(str(name), known, "The keys are")
    raise ImproperlyConfigured(f"{where} has an unknown key {name!r}. {hint}")


def did_you_mean(name: str, known: Sequence[str], there_are: str) -> str:
    """The known name that is nearest, else all of them: ``there_are`` begins that sentence."""
    near = difflib.get_close_matches(name, known, 1)
    return f"Did you mean {near[0]!r}?" if near else f"{there_are} {', '.join(known)}."


def _wrong(label: Label, value: object, wanted: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{label.whole} is {value!r}. It takes {wanted}.")


def boolean(label: Label, value: Any) -> bool:
    if not isinstance(value, bool):
        raise _wrong(label, value, "True or False")
    return value


def positive(label: Label, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise _wrong(label, value, "a whole number from 1")
    return value


def _strings(label: Label, value: Any) -> tuple[str, ...]:
    several = isinstance(value, Sequence) and not isinstance(value, str)
    if not several or not all(isinstance(item, str) for item in value):
        raise _wrong(label, value, "a list of strings")
    return tuple(value)


def origins(label: Label, value: Any) -> frozenset[str]:
    origins = _strings(label, value)
    for origin in origins:
        scheme, separator, host = origin.partition("://")
        if not separator or not scheme or not host or "/" in host or "*" in host:
            raise _wrong(label, origin, "exact origins such as https://app.example.com")
    return frozenset(origin.lower() for origin in origins)


def modules(label: Label, value: Any) -> tuple[str, ...]:
    for name in _strings(label, value):
        if not all(part.isidentifier() for part in name.split(".")):
            raise _wrong(label, name, "import paths such as library.more_tools")
    return tuple(value)


def classes(method: str, kind: str) -> Callable[[Label, Any], tuple[Any, ...]]:
    """Classes that have a method; what is made of classes (``A & B``) is called like one."""

    def convert(label: Label, value: Any) -> tuple[Any, ...]:
        found = imported(label, value)
        for item in found:
            if not callable(item) or (isinstance(item, type) and not hasattr(item, method)):
                raise _wrong(label, item, f"{kind} of DRF, or their import paths")
        return found

    return convert


def imported(label: Label, value: Any) -> tuple[Any, ...]:
    """Classes, or the import paths of some."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise _wrong(label, value, "a list of classes or of their import paths")
    found = []
    for item in value:
        try:
            found.append(import_string(item) if isinstance(item, str) else item)
        except ImportError as error:
            raise ImproperlyConfigured(
                f"{label.whole} names {item!r}, which cannot be imported: {error}. "
                "Correct the path."
            ) from error
    return tuple(found)


def _mapping(*keys: str) -> Callable[[Label, Any], dict[str, Any]]:
    def convert(label: Label, value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise _wrong(label, value, f"a dict with any of {', '.join(keys)}")
        for name in value:
            refuse_unknown(label.whole, name, keys)
        return dict(value)

    return convert


def server(label: Label, value: Any) -> dict[str, Any]:
    server = _mapping(*SERVER_KEYS)(label, value)
    for name, text in server.items():
        if name == "icons":
            server[name] = _icons(label.of("icons"), text)
        elif text is not None and not isinstance(text, str | Promise):
            raise _wrong(label.of(name), text, "a string")
    if not str(server.get("website_url") or "https:").startswith(("https:", "http:")):
        raise _wrong(label.of("website_url"), server["website_url"], "an https or http URL")
    return server


def _icons(label: Label, value: Any) -> tuple[Icon, ...]:
    """Icons, each an ``Icon``, a dict of what it takes, or its ``src`` alone."""
    several = value if isinstance(value, list | tuple) else [value]
    return tuple(_icon(label, one) for one in several)


def _icon(label: Label, value: Any) -> Icon:
    try:
        return checked_icon(value)
    except TypeError as error:
        raise _wrong(label, value, "a list of mcp_django.Icon, or of what it takes") from error
    except ValueError as error:
        raise _wrong(label, value, "icons whose src is an https or a data URI") from error


def ttl(label: Label, value: Any) -> dict[str, int]:
    ttl = {**TTL_MS, **_mapping(*KEPT)(label, value)}
    for name, milliseconds in ttl.items():
        if isinstance(milliseconds, bool) or not isinstance(milliseconds, int) or milliseconds < 0:
            raise _wrong(label.of(name), milliseconds, "milliseconds, from 0")
    return ttl


def cache_scope(label: Label, value: Any) -> dict[str, str]:
    scopes = {**CACHE_SCOPE, **_mapping(*KEPT)(label, value)}
    for name, scope in scopes.items():
        if scope not in ("public", "private"):
            raise _wrong(label.of(name), scope, '"public" or "private"')
    return scopes


def page_size(label: Label, value: Any) -> int | None:
    return None if value is None else positive(label, value)


def tenant(label: Label, value: Any) -> Any:
    if not callable(value) and not isinstance(value, str):
        raise _wrong(label, value, '"request.<attribute>", a callable, or its import path')
    return value

"""What the values of ``MCP_DJANGO`` may be: each function checks one and converts it.

They are given the key, for the message, and what a project wrote; mistakes raise
``ImproperlyConfigured``.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

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


def refuse_unknown(where: str, name: object, known: Sequence[str]) -> None:
    if name in known:
        return
    near = difflib.get_close_matches(str(name), known, 1)
    hint = f"Did you mean {near[0]!r}?" if near else f"The keys are {', '.join(known)}."
    raise ImproperlyConfigured(f"{where} has an unknown key {name!r}. {hint}")


def _wrong(key: str, value: object, wanted: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f'{NAME}["{key}"] is {value!r}. It takes {wanted}.')


def boolean(key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise _wrong(key, value, "True or False")
    return value


def positive(key: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise _wrong(key, value, "a whole number from 1")
    return value


def _strings(key: str, value: Any) -> tuple[str, ...]:
    several = isinstance(value, Sequence) and not isinstance(value, str)
    if not several or not all(isinstance(item, str) for item in value):
        raise _wrong(key, value, "a list of strings")
    return tuple(value)


def origins(key: str, value: Any) -> frozenset[str]:
    origins = _strings(key, value)
    for origin in origins:
        scheme, separator, host = origin.partition("://")
        if not separator or not scheme or not host or "/" in host or "*" in host:
            raise _wrong(key, origin, "exact origins such as https://app.example.com")
    return frozenset(origin.lower() for origin in origins)


def modules(key: str, value: Any) -> tuple[str, ...]:
    for name in _strings(key, value):
        if not all(part.isidentifier() for part in name.split(".")):
            raise _wrong(key, name, "import paths such as library.more_tools")
    return tuple(value)


def classes(method: str, kind: str) -> Callable[[str, Any], tuple[Any, ...]]:
    """Classes that have a method; what is made of classes (``A & B``) is called like one."""

    def convert(key: str, value: Any) -> tuple[Any, ...]:
        found = imported(key, value)
        for item in found:
            if not callable(item) or (isinstance(item, type) and not hasattr(item, method)):
                raise _wrong(key, item, f"{kind} of DRF, or their import paths")
        return found

    return convert


def imported(key: str, value: Any) -> tuple[Any, ...]:
    """Classes, or the import paths of some."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise _wrong(key, value, "a list of classes or of their import paths")
    found = []
    for item in value:
        try:
            found.append(import_string(item) if isinstance(item, str) else item)
        except ImportError as error:
            raise ImproperlyConfigured(
                f'{NAME}["{key}"] names {item!r}, which cannot be imported: {error}. '
                "Correct the path."
            ) from error
    return tuple(found)


def _mapping(*keys: str) -> Callable[[str, Any], dict[str, Any]]:
    def convert(key: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise _wrong(key, value, f"a dict with any of {', '.join(keys)}")
        for name in value:
            refuse_unknown(f'{NAME}["{key}"]', name, keys)
        return dict(value)

    return convert


def server(key: str, value: Any) -> dict[str, Any]:
    server = _mapping(*SERVER_KEYS)(key, value)
    for name, text in server.items():
        if name == "icons":
            server[name] = _icons(f"{key}.icons", text)
        elif text is not None and not isinstance(text, str | Promise):
            raise _wrong(f"{key}.{name}", text, "a string")
    if not str(server.get("website_url") or "https:").startswith(("https:", "http:")):
        raise _wrong(f"{key}.website_url", server["website_url"], "an https or http URL")
    return server


def _icons(key: str, value: Any) -> tuple[Icon, ...]:
    """Icons, each an ``Icon``, a dict of what it takes, or its ``src`` alone."""
    several = value if isinstance(value, list | tuple) else [value]
    return tuple(_icon(key, one) for one in several)


def _icon(key: str, value: Any) -> Icon:
    try:
        return checked_icon(value)
    except TypeError as error:
        raise _wrong(key, value, "a list of mcp_django.Icon, or of what it takes") from error
    except ValueError as error:
        raise _wrong(key, value, "icons whose src is an https or a data URI") from error


def ttl(key: str, value: Any) -> dict[str, int]:
    ttl = {**TTL_MS, **_mapping(*KEPT)(key, value)}
    for name, milliseconds in ttl.items():
        if isinstance(milliseconds, bool) or not isinstance(milliseconds, int) or milliseconds < 0:
            raise _wrong(f"{key}.{name}", milliseconds, "milliseconds, from 0")
    return ttl


def cache_scope(key: str, value: Any) -> dict[str, str]:
    scopes = {**CACHE_SCOPE, **_mapping(*KEPT)(key, value)}
    for name, scope in scopes.items():
        if scope not in ("public", "private"):
            raise _wrong(f"{key}.{name}", scope, '"public" or "private"')
    return scopes


def page_size(key: str, value: Any) -> int | None:
    return None if value is None else positive(key, value)


def tenant(key: str, value: Any) -> Any:
    if not callable(value) and not isinstance(value, str):
        raise _wrong(key, value, '"request.<attribute>", a callable, or its import path')
    return value

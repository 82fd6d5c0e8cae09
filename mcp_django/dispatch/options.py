"""What ``MCPServer(...)`` is given, over what the settings say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypedDict

from django.core.exceptions import ImproperlyConfigured

from mcp_django.conf import Label, checked, settings
from mcp_django.conf.values import did_you_mean
from mcp_django.features.base import Source
from mcp_django.features.errors import InvalidFeature, described
from mcp_django.invocation.context import tenant_function

# Each option and the key of MCP_DJANGO that stands in for it.
_KEYS: Mapping[str, str] = {
    "authentication_classes": "AUTHENTICATION_CLASSES",
    "permission_classes": "PERMISSION_CLASSES",
    "tenant": "TENANT",
    "resolvers": "PARAMETER_RESOLVERS",
    "page_size": "PAGE_SIZE",
    "ttl_ms": "TTL_MS",
    "cache_scope": "CACHE_SCOPE",
}


class ServerOptions(TypedDict, total=False):
    """What ``MCPServer(name, ...)`` takes.

    ``title`` to ``icons`` are what it says of itself, as ``MCP_DJANGO["SERVER"]`` does for
    the default server. The others are settings of the same names, for this server alone;
    ``resolvers`` are its ``PARAMETER_RESOLVERS``, asked before those of the settings.
    """

    title: Any  # a string or a lazy translation, as are the other texts
    version: str
    instructions: Any
    description: Any
    website_url: str
    icons: Any
    authentication_classes: Sequence[Any]
    permission_classes: Sequence[Any]
    tenant: Any
    resolvers: Sequence[Any]
    page_size: int | None  # None: all on one page
    ttl_ms: Mapping[str, int]
    cache_scope: Mapping[str, str]


class Options:
    """The options of one server: its own where it has some, else those of the settings."""

    def __init__(self, server: str, source: Source, options: Mapping[str, Any]) -> None:
        for name in options:
            if name not in ServerOptions.__annotations__:
                raise _unknown(name, source)
        given = {
            name: value
            for name, value in options.items()
            if value is not None or name == "page_size"  # where None says: all on one page
        }
        self._server = server
        self._source = source
        self._given = {name: value for name, value in given.items() if name in _KEYS}
        self._info = {name: value for name, value in given.items() if name not in _KEYS}
        self._checked: dict[str, Any] = {}

    def check(self) -> None:
        """Read every option of its own; mistakes raise ``ImproperlyConfigured``."""
        for name in self._given:
            value = self.get(name)
            if name in _MAKERS:
                with self._located():
                    _MAKERS[name](value, name)
        _ = self.info

    def get(self, name: str) -> Any:
        """The value of an option; of a dict, what it does not name is as the settings say."""
        shared = getattr(settings, _KEYS[name])
        own = self.own(name, shared)
        if own is shared or not isinstance(own, dict):
            return own
        given = self._given[name]
        # Its own word on lists is about each of them, whatever the settings say of one.
        kept = ("lists", "read") if "lists" in given else shared
        return {**{key: shared[key] for key in kept}, **{key: own[key] for key in given}}

    def own(self, name: str, otherwise: Any) -> Any:
        """What this server was given for an option."""
        if name not in self._given:
            return otherwise
        if name not in self._checked:
            label = Label(name, f'{name}["{{}}"]')
            self._checked[name] = self._converted(_KEYS[name], self._given[name], label)
        return self._checked[name]

    @property
    def info(self) -> Mapping[str, Any]:
        """What the server says of itself: names, texts, icons."""
        if not self._info:
            return settings.SERVER if self._server == "default" else {"name": self._server}
        if "info" not in self._checked:
            own = self._converted("SERVER", self._info, Label("MCPServer", "{}"))
            self._checked["info"] = {"name": self._server, **own}
        found: Mapping[str, Any] = self._checked["info"]
        return found

    def _converted(self, key: str, value: Any, label: Label) -> Any:
        with self._located():
            return checked(key, value, label)

    @contextmanager
    def _located(self) -> Iterator[None]:
        """Say of a mistake where the server is made."""
        try:
            yield
        except ImproperlyConfigured as error:
            raise InvalidFeature(f"{self._source}: {error}") from error.__cause__


def _make_all(classes: Sequence[Any], option: str) -> None:
    for one in classes:
        try:
            one()
        except Exception as error:
            raise ImproperlyConfigured(
                f"{one.__name__} cannot be made: {described(error)}. Requests make it without "
                "arguments."
            ) from error


# What must be makeable of an option's value, beyond its form.
_MAKERS: Mapping[str, Callable[[Any, str], Any]] = {
    "authentication_classes": _make_all,
    "tenant": tenant_function,
}


def _unknown(name: str, source: Source) -> InvalidFeature:
    known = tuple(ServerOptions.__annotations__)
    hint = did_you_mean(name, known, "It takes")
    return InvalidFeature(f"{source}: MCPServer has no option {name!r}. {hint}")

"""The servers of a project, by their names."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Generic, Protocol, TypeVar

from mcp_django.features.base import Source
from mcp_django.features.errors import InvalidFeature

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")

_RESERVED = {
    "default": "the name of the server that is always there",
    "mcp_django": "the namespace of the default server",
}


class Named(Protocol):
    """What has a name and was made somewhere."""

    name: str
    source: Source


S = TypeVar("S", bound=Named)


class Directory(Generic[S]):
    """Every server that was made, and no name twice. Called, it gives them all."""

    def __init__(self) -> None:
        self.by_name: dict[str, S] = {}
        # What each was declared in: a module that failed is imported again, as another object.
        self._modules: dict[str, ModuleType | None] = {}

    def __call__(self) -> tuple[S, ...]:
        """Every server of the project, the default one first."""
        return tuple(self.by_name.values())

    def refuse(self, server: S) -> None:
        """Its name must be free, and fit for a namespace: else ``ImproperlyConfigured``."""
        name: object = server.name
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise InvalidFeature(
                f"{server.source}: {server.name!r} is no name of a server. Begin it with a letter, "
                "and use letters, digits, '-' and '_' alone."
            )
        if name in _RESERVED and self.by_name:
            raise InvalidFeature(
                f"{server.source}: {name!r} is {_RESERVED[name]}. Give this one another name."
            )
        other = self.by_name.get(name)
        if other is not None and _module_of(other) is self._modules[name]:
            raise InvalidFeature(
                f"{server.source}: The name {name!r} is taken by the server of {other.source}. "
                "Give one of the two another name."
            )

    def add(self, server: S) -> None:
        """Note a server. It takes the place of one whose module was imported in vain."""
        self.by_name[server.name] = server
        self._modules[server.name] = _module_of(server)

    @contextmanager
    def isolated(self) -> Iterator[None]:
        """Forget at the end the servers that were made inside: for tests."""
        before, modules = dict(self.by_name), dict(self._modules)
        try:
            yield
        finally:
            self.by_name.clear()
            self.by_name.update(before)
            self._modules.clear()
            self._modules.update(modules)


def _module_of(server: Named) -> ModuleType | None:
    return sys.modules.get(server.source.module)

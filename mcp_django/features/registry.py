"""The features of one server: declared while modules are imported, compiled at start-up."""

from __future__ import annotations

import inspect
import logging
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, TypeVar
from weakref import WeakSet

from mcp_django.features import places, publishing
from mcp_django.features.base import Binder, ToolFeature
from mcp_django.features.classes import Component, origin_of, refuse_abstract
from mcp_django.features.declarations import (
    Declaration,
    DecoratedMethod,
    checked_options,
    declared_function,
)
from mcp_django.features.errors import (
    InvalidFeature,
    Misuse,
    NotRegistered,
    already_registered,
    located,
)
from mcp_django.features.tools import compile_tool

logger = logging.getLogger("mcp_django")

T = TypeVar("T")

_registries: WeakSet[Registry] = WeakSet()


class Registry:
    """One flat table of features by name, in the order of lists.

    Until ``compile`` declarations wait; afterwards ``declare`` and ``register`` compile at
    once. ``version`` grows with every change. Safe to use from several threads.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.version = 0
        self._waiting: list[Declaration] = []
        self._methods: list[DecoratedMethod] = []
        self._classes: WeakSet[type] = WeakSet()
        self._entries: dict[str, tuple[Declaration, ToolFeature]] = {}
        self._tools: Mapping[str, ToolFeature] = MappingProxyType({})
        self.left_out: list[Declaration] = []  # base classes and the like: for checks
        self._binder: Binder | None = None
        self._compiling = False
        self._lock = threading.RLock()
        _registries.add(self)

    @property
    def declarations(self) -> Mapping[str, Declaration]:
        """What each feature was made of, by name: for checks."""
        return {name: declaration for name, (declaration, _) in self._entries.items()}

    @property
    def tools(self) -> Mapping[str, ToolFeature]:
        """The compiled tools by name: apps as installed, then as they stand in the source."""
        return self._tools

    @property
    def is_compiled(self) -> bool:
        """Whether start-up is over, so that what is registered now is compiled at once."""
        return self._binder is not None

    def register(self, target: T, /, **options: Any) -> T:
        """Add a function or another callable, a ``Tool`` or a ``Toolset``, class or instance.

        The options are those of ``@tool``; for a ``Toolset`` only ``name``, which its tools'
        names then begin with. Returns what it was given.
        """
        given = checked_options(options, "register()")
        component: type = target if inspect.isclass(target) else type(target)
        if issubclass(component, Component):
            with located(origin_of(component).source):
                refuse_abstract(component)
            publishing.remember(target)
            self._add(publishing.declared_by_hand(target, given))
        elif callable(target) and not inspect.isclass(target):
            self._add([declared_function(target, given)])
        else:
            raise Misuse(
                f"register() takes a function, a Tool or a Toolset, not {target!r}. "
                "Derive the class from mcp_django.Tool or mcp_django.Toolset."
            )
        return target

    def declare(self, declaration: Declaration) -> None:
        """Note a declaration; once start-up is over, compile it at once."""
        self._add([declaration])

    def declare_class(self, cls: type) -> None:
        """Note a class that was found in a module, unless it is noted already."""
        if cls not in self._classes:
            self._classes.add(cls)
            self._add(publishing.declared_by_itself(cls))

    def expect(self, method: DecoratedMethod) -> None:
        """Note a decorated method, whose class is still being made."""
        with self._lock:
            self._methods.append(method)

    def unregister(self, name: str) -> None:
        """Take a feature out of the lists."""
        with self._lock:
            if name not in self._entries:
                raise NotRegistered(f"The server {self.name!r} has no feature {name!r}.")
            self._publish({key: e for key, e in self._entries.items() if key != name})

    def clear(self) -> None:
        """Forget everything, and that start-up is over: for tests."""
        with self._lock:
            self._waiting, self._methods, self._binder = [], [], None
            self._publish({})

    def compile(self, binder: Binder) -> None:
        """Make records of all that waits; mistakes raise ``ImproperlyConfigured``.

        A mistake leaves the registry as it was.
        """
        with self._lock:
            self._binder = binder
            self._refuse_stray_methods()
            self._compile(binder)
            logger.info("MCP server %s: %d tools.", self.name, len(self._tools))

    @contextmanager
    def isolated(self) -> Iterator[Registry]:
        """Undo at the end whatever happens to the registry inside: for tests."""
        with self._lock:
            waiting, methods, left_out = self._waiting[:], self._methods[:], self.left_out[:]
            classes, entries, binder = set(self._classes), self._entries, self._binder
        try:
            yield self
        finally:
            with self._lock:
                self._waiting, self._methods, self.left_out = waiting, methods, left_out
                self._classes, self._binder = WeakSet(classes), binder
                self._publish(entries)

    def forget_failed_imports(self) -> None:
        """Drop what waits from modules that failed: a retry declares it again."""
        with self._lock:
            self._waiting = [d for d in self._waiting if d.module in sys.modules]
            self._methods = [m for m in self._methods if m.origin.source.module in sys.modules]

    def _add(self, declarations: list[Declaration]) -> None:
        with self._lock:
            self._waiting.extend(declarations)
            if self._binder is None or self._compiling or places.discovering():
                return
            try:
                self._compile(self._binder)
            except BaseException:
                # Whoever called is told; the next one must not stumble over it.
                self._waiting = [d for d in self._waiting if d not in declarations]
                raise

    def _refuse_stray_methods(self) -> None:
        for method in self._methods:
            if not method.claimed:
                raise InvalidFeature(
                    f"{method.origin.source}: @tool stands on a method of a class that is no "
                    "Toolset, or another decorator hides it. Derive the class from "
                    "mcp_django.Toolset, and let @tool be the topmost decorator."
                )
        self._methods.clear()

    def _compile(self, binder: Binder) -> None:
        before, self._compiling = list(self._waiting), True
        entries, made = dict(self._entries), 0
        try:
            while self._waiting:  # a setup() may register more
                batch = places.in_order(self._waiting)
                self._waiting = []
                for declaration in batch:
                    made += self._compile_one(declaration, binder, entries)
        except BaseException:
            self._waiting = before
            raise
        finally:
            self._compiling = False
        if made:
            self._publish(entries)

    def _compile_one(
        self,
        declaration: Declaration,
        binder: Binder,
        entries: dict[str, tuple[Declaration, ToolFeature]],
    ) -> bool:
        if publishing.is_left_out(declaration):
            self.left_out.append(declaration)
            return False
        with located(declaration.source):
            feature = compile_tool(declaration, binder)
        if feature.name in entries:
            raise already_registered(feature.name, feature.source, entries[feature.name][1].source)
        entries[feature.name] = declaration, feature
        logger.info("MCP server %s: tool %s from %s", self.name, feature.name, feature.source)
        return True

    def _publish(self, entries: dict[str, tuple[Declaration, ToolFeature]]) -> None:
        names = {id(declaration): name for name, (declaration, _) in entries.items()}
        ordered = places.in_order(declaration for declaration, _ in entries.values())
        self._entries = {names[id(d)]: entries[names[id(d)]] for d in ordered}
        self._tools = MappingProxyType({n: feature for n, (_, feature) in self._entries.items()})
        self.version += 1


def registries() -> list[Registry]:
    """Every registry that is in use."""
    return sorted(_registries, key=lambda registry: registry.name)


default = Registry("default")

"""The features of one server: declared while modules are imported, compiled at start-up."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar
from weakref import WeakSet

from mcp_django.features import places, publishing
from mcp_django.features.base import Binder, Feature
from mcp_django.features.declarations import Declaration, DecoratedMethod
from mcp_django.features.kinds import Kind
from mcp_django.features.marks import refuse_stray
from mcp_django.features.records import PromptFeature, ResourceFeature, TemplateFeature, ToolFeature
from mcp_django.features.registering import declared
from mcp_django.features.tables import (
    Entries,
    Entry,
    Tables,
    compiled,
    found_at,
    refuse_taken,
)

logger = logging.getLogger("mcp_django")

T = TypeVar("T")

_registries: WeakSet[Registry] = WeakSet()


class Registry:
    """One flat table of features, in the order of lists.

    Until ``compile`` declarations wait; afterwards ``declare`` and ``register`` compile at
    once. ``version`` grows with every change. ``judge`` may refuse a feature before it is
    there. Once start-up is over, ``on_change`` is told the kinds of record that a change
    concerns, after it. Safe to use from several threads.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.version = 0
        self.judge: Callable[[Feature], None] = _accept
        self.on_change: Callable[[frozenset[str]], None] = _accept
        self._waiting: list[Declaration] = []
        self._methods: list[DecoratedMethod] = []
        self._classes: WeakSet[type] = WeakSet()
        self._tables = Tables({})
        self.left_out: list[Declaration] = []  # base classes and the like: for checks
        self._binder: Binder | None = None
        self._compiling = False
        self._lock = threading.RLock()
        _registries.add(self)

    @property
    def entries(self) -> list[Entry]:
        """Every feature with what it was made of, in the order of lists: for checks."""
        return list(self._tables.entries.values())

    @property
    def features(self) -> list[Feature]:
        """Every feature: apps as installed, then as they stand in the source."""
        return [feature for _, feature in self.entries]

    @property
    def tools(self) -> Mapping[str, ToolFeature]:
        """The compiled tools by name, in the order of lists."""
        return self._tables.tools

    @property
    def prompts(self) -> Mapping[str, PromptFeature]:
        """The compiled prompts by name, in the order of lists."""
        return self._tables.prompts

    @property
    def resources(self) -> Mapping[str, ResourceFeature]:
        """The compiled resources by URI, in the order of lists."""
        return self._tables.resources

    @property
    def templates(self) -> Mapping[str, TemplateFeature]:
        """The compiled resource templates by the text of their template."""
        return self._tables.templates

    def of_kind(self, kind: str) -> Mapping[str, Feature]:
        """The features of one kind of record, by name, URI or template."""
        return self._tables.by_kind[kind]

    def resource_at(self, uri: str) -> ResourceFeature | None:
        """The fixed resource of a URI, however a client escapes it."""
        return self._tables.resource_at(uri)

    def matching(self, uri: str) -> Iterator[tuple[TemplateFeature, dict[str, Any]]]:
        """The templates that a URI matches, first registered first, with its variables."""
        return self._tables.index.matching(uri)

    @property
    def is_compiled(self) -> bool:
        """Whether start-up is over, so that what is registered now is compiled at once."""
        return self._binder is not None

    def register(self, target: T, /, *, kind: Kind | None = None, **options: Any) -> T:
        """Add a function or another callable, or one of our classes, or an instance of one.

        The options are those of the decorator; for a ``Toolset`` only ``name``, which its
        features' names then begin with. A function is a resource where ``uri`` is given,
        else what ``kind`` says, else a tool. Returns what it was given.
        """
        self._add(declared(target, kind, options))
        return target

    def declare(self, declaration: Declaration) -> None:
        """Note a declaration; once start-up is over, compile it at once."""
        self._add([declaration])

    def is_new(self, cls: type) -> bool:
        """Whether a class was not found in a module before; it is noted."""
        is_new = cls not in self._classes
        self._classes.add(cls)
        return is_new

    def expect(self, method: DecoratedMethod) -> None:
        """Note a decorated method, whose class is still being made."""
        with self._lock:
            self._methods.append(method)

    def unregister(self, key: str, *, kind: str | None = None) -> None:
        """Take a feature out of the lists: by its name, its URI or its template.

        ``kind`` is needed where a tool and a prompt have the same name.
        """
        with self._changing(), self._lock:
            at = found_at(key, kind, self._tables.entries, self.name)
            self._publish({one: entry for one, entry in self._tables.entries.items() if one != at})

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
            refuse_stray(self._methods)
            self._methods.clear()
            self._compile(binder)
            self._binder = binder  # from now on every change is told
            logger.info("MCP server %s: %s.", self.name, self._tables.counted)

    @contextmanager
    def isolated(self) -> Iterator[Registry]:
        """Undo at the end whatever happens to the registry inside: for tests."""
        with self._lock:
            waiting, methods, left_out = self._waiting[:], self._methods[:], self.left_out[:]
            classes, entries, binder = set(self._classes), self._tables.entries, self._binder
        try:
            yield self
        finally:
            with self._changing(), self._lock:
                self._waiting, self._methods, self.left_out = waiting, methods, left_out
                self._classes, self._binder = WeakSet(classes), binder
                self._publish(entries)

    def forget_failed_imports(self) -> None:
        """Drop what waits from modules that failed: a retry declares it again."""
        with self._lock:
            self._waiting = [d for d in self._waiting if d.module in sys.modules]
            self._methods = [m for m in self._methods if m.origin.source.module in sys.modules]

    def _add(self, declarations: list[Declaration]) -> None:
        with self._changing(), self._lock:
            self._waiting.extend(declarations)
            if self._binder is None or self._compiling or places.discovering():
                return
            try:
                self._compile(self._binder)
            except BaseException:
                # Whoever called is told; the next one must not stumble over it.
                self._waiting = [d for d in self._waiting if d not in declarations]
                raise

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Tell of what was changed inside, when nobody has to wait for us any more."""
        before, was_compiled = self._tables, self.is_compiled
        yield
        kinds = self._tables.kinds_that_differ(before)
        if kinds and was_compiled and self.is_compiled:
            self.on_change(kinds)

    def _compile(self, binder: Binder) -> None:
        before, self._compiling = list(self._waiting), True
        entries, left_out = dict(self._tables.entries), list(self.left_out)
        known = len(entries)
        try:
            while self._waiting:  # a setup() may register more
                batch = places.in_order(self._waiting)
                self._waiting = []
                for declaration in batch:
                    if publishing.is_left_out(declaration):
                        left_out.append(declaration)
                    else:
                        self._compile_one(declaration, binder, entries)
        except BaseException:
            self._waiting = before
            raise
        finally:
            self._compiling = False
        self.left_out = left_out
        if len(entries) > known:
            self._publish(entries)

    def _compile_one(self, declaration: Declaration, binder: Binder, entries: Entries) -> None:
        feature = compiled(declaration, binder)
        refuse_taken(feature, entries)
        self.judge(feature)
        entries[feature.kind, feature.key] = declaration, feature
        logger.info(
            "MCP server %s: %s %s from %s", self.name, feature.noun, feature.key, feature.source
        )

    def _publish(self, entries: Entries) -> None:
        self._tables = Tables(entries)
        self.version += 1


def _accept(whatever: object) -> None:
    """Nobody wants to know."""


def registries() -> list[Registry]:
    """Every registry that is in use."""
    return sorted(_registries, key=lambda registry: registry.name)


default = Registry("default")

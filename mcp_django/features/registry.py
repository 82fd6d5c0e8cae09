"""The features of one server: declared while modules are imported, compiled at start-up."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar
from weakref import WeakSet

from mcp_django.features import places, publishing
from mcp_django.features.base import Binder, Feature
from mcp_django.features.changes import alone
from mcp_django.features.compilers import compiled
from mcp_django.features.declarations import Declaration, DecoratedMethod
from mcp_django.features.kinds import Kind
from mcp_django.features.lookups import Lookups
from mcp_django.features.marks import refuse_stray
from mcp_django.features.records import RecordKind
from mcp_django.features.registering import declared
from mcp_django.features.tables import Entries, Tables, found_at
from mcp_django.features.taken import Taken

logger = logging.getLogger("mcp_django")

T = TypeVar("T")

_registries: WeakSet[Registry] = WeakSet()


class Registry(Lookups):
    """One flat table of features, in the order of lists.

    Until ``compile`` declarations wait; afterwards ``declare`` and ``register`` compile at
    once. ``version`` grows with every change. ``judge`` may refuse a feature before it is
    there. Once start-up is over, ``on_change`` is told the kinds of record that a change
    concerns, after it. Safe to use from several threads.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.version = 0
        self.judge: Callable[[Feature], None] = _accept
        self.on_change: Callable[[frozenset[str]], None] = _accept
        self._waiting: list[Declaration] = []
        self._methods: list[DecoratedMethod] = []
        self._classes: WeakSet[type] = WeakSet()
        self.left_out: list[Declaration] = []  # base classes and the like: for checks
        self._binder: Binder | None = None
        self._compiling = False
        _registries.add(self)

    @property
    def is_compiled(self) -> bool:
        """Whether start-up is over, so that what is registered now is compiled at once."""
        return self._binder is not None

    def register(self, target: T, /, *, kind: Kind | None = None, **options: Any) -> T:
        """Add a function or another callable, or one of our classes, or an instance of one.

        The options are those of the decorator; for a ``Toolset`` only ``name``, which its
        features' names then begin with. A function is what ``kind`` says; without it a resource
        where ``uri`` is given, else a tool. ``uri`` with another kind than "resource" is
        refused. Returns what it was given.
        """
        self._add(declared(target, kind, options))
        return target

    def declare(self, declaration: Declaration) -> None:
        """Note a declaration; once start-up is over, compile it at once."""
        self._add([declaration])

    def withdraw(self, declaration: Declaration) -> None:
        """Undo a declaration, with the feature that was made of it."""
        with self._changing():
            self._waiting = [one for one in self._waiting if one is not declaration]
            self.left_out = [one for one in self.left_out if one is not declaration]
            entries = self._tables.entries
            kept = {at: entry for at, entry in entries.items() if entry[0] is not declaration}
            if kept != entries:
                self._publish(kept)

    def is_new(self, cls: type) -> bool:
        """Whether a class was not found in a module before; it is noted."""
        is_new = cls not in self._classes
        self._classes.add(cls)
        return is_new

    def expect(self, method: DecoratedMethod) -> None:
        """Note a decorated method, whose class is still being made."""
        with alone():
            self._methods.append(method)

    def unregister(self, key: str, *, kind: RecordKind | None = None) -> None:
        """Take a feature out of the lists: by its name, its URI or its template.

        ``kind`` is needed where a tool and a prompt have the same name.
        """
        with self._changing():
            at = found_at(key, kind, self._tables.entries, self.name)
            self._publish({one: entry for one, entry in self._tables.entries.items() if one != at})

    def clear(self) -> None:
        """Forget everything, and that start-up is over: for tests."""
        with alone():
            self._waiting, self._methods, self.left_out = [], [], []
            self._classes, self._binder = WeakSet(), None
            self._publish({})

    def compile(self, binder: Binder) -> None:
        """Make records of all that waits; mistakes raise ``ImproperlyConfigured``.

        A mistake leaves the registry as it was.
        """
        with alone():
            refuse_stray(self._methods)
            self._methods.clear()
            self._compile(binder)
            self._binder = binder  # from now on every change is told
            logger.info("MCP server %s: %s.", self.name, self._tables.counted)

    @contextmanager
    def isolated(self) -> Iterator[Registry]:
        """Undo at the end whatever happens to the registry inside: for tests."""
        with alone():
            waiting, methods, left_out = self._waiting[:], self._methods[:], self.left_out[:]
            classes, entries, binder = set(self._classes), self._tables.entries, self._binder
        try:
            yield self
        finally:
            with self._changing():
                self._waiting, self._methods, self.left_out = waiting, methods, left_out
                self._classes, self._binder = WeakSet(classes), binder
                self._publish(entries)

    def forget_failed_imports(self) -> None:
        """Drop what waits from modules that failed: a retry declares it again."""
        with alone():
            self._waiting = [d for d in self._waiting if d.module in sys.modules]
            self._methods = [m for m in self._methods if m.origin.source.module in sys.modules]

    def _add(self, declarations: list[Declaration]) -> None:
        with self._changing():
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
        """Alone; of what has changed in the end, whoever listens is told."""
        with alone() as conclusions:
            before = partial(self._told, self._tables, self.is_compiled)
            conclusions.setdefault(self, before)
            yield

    def _told(self, before: Tables, was_compiled: bool) -> Callable[[], object] | None:
        kinds = self._tables.kinds_that_differ(before)
        is_news = kinds and was_compiled and self.is_compiled
        return partial(self.on_change, kinds) if is_news else None

    def _compile(self, binder: Binder) -> None:
        before, self._compiling = list(self._waiting), True
        entries, left_out = dict(self._tables.entries), list(self.left_out)
        known, taken = len(entries), Taken(self.features)
        try:
            while self._waiting:  # a setup() may register more
                batch = places.in_order(self._waiting)
                self._waiting = []
                for declaration in batch:
                    if publishing.is_left_out(declaration):
                        left_out.append(declaration)
                    else:
                        feature = self._compiled(declaration, binder, taken)
                        entries[feature.kind, feature.key] = declaration, feature
        except BaseException:
            self._waiting = before
            raise
        finally:
            self._compiling = False
        self.left_out = left_out
        if len(entries) > known:
            self._publish(entries)

    def _compiled(self, declaration: Declaration, binder: Binder, taken: Taken) -> Feature:
        feature = compiled(declaration, binder)
        taken.refuse(feature)
        self.judge(feature)
        taken.add(feature)
        logger.info(
            "MCP server %s: %s %s from %s", self.name, feature.noun, feature.key, feature.source
        )
        return feature

    def _publish(self, entries: Entries) -> None:
        self._tables = Tables(entries)
        self.version += 1


def _accept(whatever: object) -> None:
    """Nobody wants to know."""


def registries() -> list[Registry]:
    """Every registry that is in use."""
    return sorted(_registries, key=lambda registry: registry.name)


default = Registry("default")

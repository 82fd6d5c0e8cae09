"""Runs the examples of a page, one after the other, in the app ``library``."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import re
import sys
import unittest
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import Any

import orjson
import pytest
from django.apps import AppConfig
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connections
from django.test import override_settings
from django.urls import clear_url_caches
from django.utils import translation

from mcp_django import conf, server
from mcp_django.dispatch.server import servers
from mcp_django.features import places, registry
from mcp_django.features.discovery import autodiscover
from mcp_django.test import MCPClient
from tests.docs import library
from tests.docs.library import models
from tests.docs.markdown import Block

NAME = "library"  # as the examples import the app
TOOLS = f"{library.__name__}.mcp_tools"  # as it is discovered
URLS = f"{NAME}.urls"


class Runner:
    """What the examples of one page share; its parts are undone by the fixture ``runner``."""

    def __init__(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
    ) -> None:
        self.folder = folder / NAME
        self.folder.mkdir()
        self.monkeypatch = monkeypatch
        self.request = request
        self.names: dict[str, Any] = {}
        self.last: Any = None
        self.overrides = ExitStack()
        monkeypatch.setattr(library, "__path__", [*library.__path__, str(self.folder)])
        monkeypatch.setitem(sys.modules, NAME, library)
        sys.modules[f"{NAME}.models"] = models
        monkeypatch.setattr(places, "_places", places._places)
        monkeypatch.setattr(registry, "default", registry.default)
        monkeypatch.setattr(server, "registry", server.registry)
        self.overrides.enter_context(servers.isolated())

    def close(self) -> None:
        self.overrides.close()
        self.monkeypatch.undo()
        forget_answers()
        translation.deactivate()  # what LocaleMiddleware left for the next request
        for name in [TOOLS, *sys.modules]:
            if name == TOOLS or name.startswith(f"{NAME}."):
                self.forget(name)

    def run(self, block: Block) -> None:
        run = getattr(self, f"run_{block.kind}", None)
        assert run is not None, f"{block.place}: nobody knows how to run {block.kind!r}"
        run(block)

    def run_same(self, block: Block) -> None:
        path = Path(library.__path__[0]) / block.argument.removeprefix(f"as {NAME}/")
        assert path.read_text() == block.text, f"{block.place} differs from {path.name}"

    def run_module(self, block: Block) -> None:
        path = Path(block.argument)
        (self.folder / path.name).write_text(block.text)
        importlib.invalidate_caches()
        self.forget(f"{NAME}.{path.stem}")
        if path.name == "apps.py":
            self.ready(importlib.import_module(f"{NAME}.apps"))

    def ready(self, apps: ModuleType) -> None:
        """Start the app, as Django does."""
        for value in vars(apps).values():
            if inspect.isclass(value) and issubclass(value, AppConfig) and value is not AppConfig:
                object.__new__(value).ready()

    def run_file(self, block: Block) -> None:
        path = self.folder.parent / block.argument
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text)
        if "templates" in path.parts:
            engine = {**settings.TEMPLATES[0], "DIRS": [self.folder / "templates"]}
            self.override(TEMPLATES=[engine])

    def run_urls(self, block: Block) -> None:
        (self.folder / "urls.py").write_text(block.text)
        importlib.invalidate_caches()
        self.forget(URLS)
        self.override(ROOT_URLCONF=URLS)

    def run_tools(self, block: Block) -> None:
        fresh = registry.Registry("default")
        fresh.on_change = server.registry.on_change
        self.monkeypatch.setattr(registry, "default", fresh)
        self.monkeypatch.setattr(server, "registry", fresh)
        servers.by_name.clear()  # those of the example before; a module makes them anew
        servers.add(server)
        forget_answers()
        (self.folder / "mcp_tools.py").write_text(block.text)
        importlib.invalidate_caches()
        for name in (TOOLS, URLS, f"{NAME}.servers"):
            self.forget(name)
        autodiscover(conf.settings.MODULES)
        for one in servers():
            one.compile()
        self.names["client"] = MCPClient()

    def run_refused(self, block: Block) -> None:
        with pytest.raises(ImproperlyConfigured) as caught:
            self.run_tools(block)
        self.last = str(caught.value).replace(f"{self.folder.parent}/", "")

    def run_settings(self, block: Block) -> None:
        given: dict[str, Any] = {"BASE_DIR": self.folder.parent}
        exec(_compiled(block), given)
        self.override(**{name: value for name, value in given.items() if name.isupper()})

    def override(self, **values: Any) -> None:
        self.overrides.enter_context(override_settings(**values))

    def run_calls(self, block: Block) -> None:
        tree = ast.parse(_padded(block))
        value: ast.expr | None = None
        if isinstance(last := tree.body[-1], ast.Expr):
            value = last.value
            tree.body.pop()
        self.last = None
        exec(_compiled(block, tree), self.names)
        if value is not None:
            self.last = eval(_compiled(block, ast.Expression(value), "eval"), self.names)

    def run_pytest(self, block: Block) -> None:
        names = self.executed(block)
        tests = [value for name, value in names.items() if name.startswith("test_")]
        assert tests, f"{block.place} has no test"
        for test in tests:
            client = self.request.getfixturevalue("mcp_client")
            client.logout()
            test(client)

    def run_unittest(self, block: Block) -> None:
        module = ModuleType("example")
        vars(module).update(self.executed(block))
        outcome = unittest.TestResult()
        with self.monkeypatch.context() as patched:
            for connection in connections.all(initialized_only=True):
                # Django's TestCase closes it at the end; the rows of this page are in it.
                patched.setattr(connection, "close", lambda: None)
            unittest.defaultTestLoader.loadTestsFromModule(module).run(outcome)
        assert outcome.testsRun
        assert outcome.wasSuccessful(), [*outcome.errors, *outcome.failures]

    def run_compiled(self, block: Block) -> None:
        _compiled(block)

    def run_shows(self, block: Block) -> None:
        shown = orjson.loads(orjson.dumps(self.last, default=str))
        assert shown == json.loads(block.text), block.place

    def run_prints(self, block: Block) -> None:
        expected = ".+".join(map(re.escape, block.text.strip("\n").split("…")))
        text = str(self.last).strip("\n")
        assert re.fullmatch(expected, text, re.DOTALL), f"{block.place}:\n{text}"

    def executed(self, block: Block) -> Mapping[str, Any]:
        names: dict[str, Any] = {"__name__": "example"}
        exec(_compiled(block), names)
        return names

    def forget(self, name: str) -> None:
        sys.modules.pop(name, None)
        if name != f"{NAME}.models":  # which is there to stay
            vars(library).pop(name.rpartition(".")[2], None)


def forget_answers() -> None:
    """What the server knows of its features by the number of their state."""
    server._setting_changed(setting="MCP_DJANGO")
    server._capabilities = (-1, frozenset())
    clear_url_caches()


def _compiled(block: Block, tree: Any = None, mode: str = "exec") -> Any:
    # Without this module's own ``from __future__ import annotations``.
    return compile(tree or _padded(block), str(block.page), mode, dont_inherit=True)


def _padded(block: Block) -> str:
    """Its source, at the line of the page where it stands: tracebacks name it."""
    return "\n" * (block.line - 1) + block.text


def opened(
    folder: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Runner]:
    """A runner for the time of one test."""
    runner = Runner(folder, monkeypatch, request)
    try:
        yield runner
    finally:
        runner.close()

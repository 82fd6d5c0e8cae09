"""A registry of its own for each test, and projects that are written to a folder."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import override_settings

from mcp_django.dispatch.server import servers
from mcp_django.features import registry as registries
from mcp_django.features.records import ToolFeature
from mcp_django.features.registry import Registry
from mcp_django.invocation.resolvers import make_binder

Make = Callable[..., ToolFeature]
Refused = Callable[..., str]


@pytest.fixture
def registry() -> Registry:
    """A registry that has started: it compiles at once."""
    registry = Registry("test")
    registry.compile(make_binder())
    return registry


@pytest.fixture
def made(registry: Registry) -> Make:
    """``made(function, **options)``: the one record that it becomes."""

    def make(target: Any, **options: Any) -> Any:
        before = registry.features
        registry.register(target, **options)
        (feature,) = (one for one in registry.features if one not in before)
        return feature

    return make


@pytest.fixture
def record(made: Make) -> Callable[..., Any]:
    """The same, of any kind."""
    return made


@pytest.fixture
def refused(registry: Registry) -> Refused:
    """``refused(function, **options)``: why it is, without file and line."""

    def refuse(target: Any, **options: Any) -> str:
        with pytest.raises(ImproperlyConfigured) as caught:
            registry.register(target, **options)
        place, _, message = str(caught.value).partition(": ")
        path, _, line = place.rpartition(":")
        assert path.endswith(".py")
        assert int(line) > 0
        assert not registry.features
        return message

    return refuse


class Project:
    """Apps in a folder, and what happens when Django starts with them."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, name: str, text: str = "") -> Path:
        """A file, with an ``__init__.py`` in every folder above it."""
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        folder = file.parent
        while folder != self.path:
            (folder / "__init__.py").touch()
            folder = folder.parent
        file.write_text(dedent(text))
        return file

    def start(self, *apps: str, modules: tuple[str, ...] = ()) -> list[str]:
        """Start Django with these apps before ``mcp_django``: the names of their tools."""
        installed = ["django.contrib.auth", "django.contrib.contenttypes", *apps, "mcp_django"]
        # One inside the other: Django loads the apps before it looks at the other settings.
        with (
            override_settings(MCP_DJANGO={"MODULES": modules}),
            override_settings(INSTALLED_APPS=installed),
        ):
            return list(registries.default.tools)

    def refuses(self, *apps: str, modules: tuple[str, ...] = ()) -> str:
        """The message that stops start-up, the folder shortened to ``…``."""
        with pytest.raises(ImproperlyConfigured) as caught:
            self.start(*apps, modules=modules)
        return re.sub(re.escape(str(self.path)), "…", str(caught.value))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    monkeypatch.syspath_prepend(str(tmp_path))
    known = set(sys.modules)
    with registries.default.isolated(), servers.isolated():
        registries.default.clear()
        yield Project(tmp_path)
    for name in set(sys.modules) - known:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]

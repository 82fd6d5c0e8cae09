"""Imports point down only, and the lowest floor is pure Python."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import mcp_django
from tests.architecture.sources import (
    FACES,
    FLOORS,
    PACKAGE,
    ROOT,
    Module,
    circles,
    floor_of,
    modules,
)

MODULES = modules(PACKAGE)
# Fast JSON and RFC 6570, which know nothing of Django.
PURE = {"orjson", "uritemplate"}


def test_imports_point_down_only() -> None:
    upward = [
        f"{module.place}:{found.line} (floor {module.floor:g}) imports {found.module}"
        f" (floor {floor_of(found.module):g})"
        for module in MODULES
        for found in module.imports()
        if found.top == PACKAGE and floor_of(found.module) > module.floor
    ]

    assert not upward, "a floor imports itself and those below:\n" + "\n".join(upward)


def test_no_module_imports_itself_in_a_circle() -> None:
    """Imports for type checkers alone count: two modules that name each other are one."""
    ours = {module.name: module for module in MODULES}
    graph = {
        name: {found.module for found in module.imports()} & ours.keys() - {name}
        for name, module in ours.items()
    }

    assert circles(graph) == []


def test_circles_are_found() -> None:
    """The checker itself."""
    graph = {"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": {"e"}, "e": {"d", "f"}, "f": set()}

    assert circles(graph) == [["a", "b", "c"], ["d", "e"]]
    assert circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_protocol_is_pure_python() -> None:
    foreign = [
        f"{module.place}:{found.line} imports {found.module}"
        for module in MODULES
        if module.floor == FLOORS["protocol"]
        for found in module.imports()
        if not found.is_standard_library and found.top not in {PACKAGE, *PURE}
    ]

    assert not foreign, "floor 0 knows neither Django nor DRF:\n" + "\n".join(foreign)


def test_every_floor_is_there() -> None:
    found = {module.floor for module in MODULES}

    assert found >= {*FLOORS.values(), FACES}


def test_the_rule_sees_every_way_to_import() -> None:
    """The checker itself: relative, deferred and type-only imports are imports."""
    base = ROOT / PACKAGE / "schema" / "made_up.py"
    module = Module(base)
    module.__dict__["text"] = (
        "from ..features import base\n"
        "from . import errors\n"
        "def later():\n    from mcp_django.dispatch.server import server\n"
        "if TYPE_CHECKING:\n    import mcp_django.transports.http\n"
        "from mcp_django import tool, conf\n"
    )

    found = [(found.module, floor_of(found.module)) for found in module.imports()]

    assert sorted(found) == [
        ("mcp_django", FACES),
        ("mcp_django.conf", 0.5),
        ("mcp_django.dispatch.server", 4),
        ("mcp_django.features.base", 2),
        ("mcp_django.schema.errors", 1),
        ("mcp_django.transports.http", 5),
    ]


@pytest.mark.parametrize("name", mcp_django.__all__)
def test_public_names_can_be_imported(name: str) -> None:
    assert getattr(mcp_django, name) is not None


WITHOUT_EXTRAS = """
import sys
for extra in ("channels", "channels_redis", "oauth2_provider", "jwt", "opentelemetry", "mcp"):
    sys.modules[extra] = None  # importing it now fails
import mcp_django
early = {"django", "rest_framework"} & set(sys.modules)
import django
django.setup()
for name in mcp_django.__all__:
    getattr(mcp_django, name)
print(sorted(early))
"""


def test_the_package_is_lazy_and_needs_no_extra() -> None:
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT_EXTRAS],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (run.returncode, run.stdout.strip()) == (0, "[]"), run.stderr

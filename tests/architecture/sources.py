"""The package as source: its modules, where each stands, and what each imports."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "mcp_django"

FLOORS = {
    "protocol": 0,
    "schema": 1,
    "features": 2,
    "invocation": 3,
    "dispatch": 4,
    "transports": 5,
}
FACES = 6  # whatever stands at the package's root, in its own folder or not
SHARED = ("conf", "signals")  # readable from floor 1 up
BELOW_ALL_BUT_PROTOCOL = 0.5


@dataclass(frozen=True)
class Import:
    """One imported module, by its full name, and the line that imports it."""

    module: str
    line: int

    @property
    def top(self) -> str:
        return self.module.partition(".")[0]

    @property
    def is_standard_library(self) -> bool:
        return self.top in sys.stdlib_module_names


@dataclass(frozen=True)
class Module:
    """One file of Python: its path from the root of the repository."""

    path: Path

    @property
    def place(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def name(self) -> str:
        parts = self.path.relative_to(ROOT).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def floor(self) -> float:
        return floor_of(self.name)

    def imports(self) -> Iterator[Import]:
        """All of them: also inside functions, and for type checkers alone."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield Import(alias.name, node.lineno)
            elif isinstance(node, ast.ImportFrom):
                yield from self._imports_from(node)

    def _imports_from(self, node: ast.ImportFrom) -> Iterator[Import]:
        """``from package import x`` imports the module ``package.x`` where there is one."""
        source = node.module or ""
        if node.level:
            package = self.name if self.path.name == "__init__.py" else self.name.rpartition(".")[0]
            for _ in range(node.level - 1):
                package = package.rpartition(".")[0]
            source = f"{package}.{source}".rstrip(".")
        for alias in node.names:
            name = f"{source}.{alias.name}"
            yield Import(name if _is_module(name) else source, node.lineno)


def _is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def floor_of(module: str) -> float:
    """The floor of a module of the package; its root's own modules are faces."""
    parts = module.split(".")
    first = parts[1] if len(parts) > 1 else ""
    if first in SHARED:
        return BELOW_ALL_BUT_PROTOCOL
    return FLOORS.get(first, FACES)


def modules(*folders: str) -> list[Module]:
    """The files of Python below some folders of the repository, without migrations."""
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return [Module(path) for path in paths if "migrations" not in path.parts]


def circles(graph: Mapping[str, Set[str]]) -> list[list[str]]:
    """The groups of names that lead back to themselves, each with all that it consists of."""
    reached = {name: _reached(name, graph) for name in graph}
    found = {
        frozenset(other for other in reached[name] if name in reached[other])
        for name in graph
        if name in reached[name]
    }
    return sorted(sorted(group) for group in found)


def _reached(name: str, graph: Mapping[str, Set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [name]
    while waiting:
        new = graph[waiting.pop()] - found
        found |= new
        waiting += new
    return found

"""Finding ``mcp_tools`` in every installed app, as Django finds ``admin``.

What goes wrong in one of them stops start-up, with its file and line: a project whose
tools are half there would be worse than one that does not start.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import linecache
import os
import pkgutil
import sys
import sysconfig
import traceback
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from django.apps import apps
from django.core.exceptions import AppRegistryNotReady

from mcp_django.features import places, publishing, registry
from mcp_django.features.components import Component, origin_of
from mcp_django.features.errors import QUERY_LATER, InvalidFeature, Misuse, described, is_query
from mcp_django.features.import_queries import QueryAtImport, without_queries
from mcp_django.features.owners import owners_of

MODULE = "mcp_tools"

_FOREIGN = tuple(
    str(Path(path))
    for key, path in sysconfig.get_paths().items()
    if key in ("stdlib", "platstdlib", "purelib", "platlib")
)


def autodiscover(modules: Sequence[str] = ()) -> None:
    """Import ``mcp_tools`` of every installed app, then the modules named.

    A package is imported with all its submodules. Nothing is compiled yet.
    """
    found: dict[str, places.Place] = {}
    try:
        with places.discovery(found):
            for group, app in enumerate(apps.get_app_configs()):
                name = f"{app.name}.{MODULE}"
                if _exists(name):
                    _import(name, group, found)
            for name in modules:
                if not _exists(name):
                    raise InvalidFeature(
                        f'MCP_DJANGO["MODULES"] names {name!r}, which does not exist. '
                        "Correct the path, or leave it out."
                    )
                _import(name, len(list(apps.get_app_configs())), found)
    except BaseException:
        for one in registry.registries():
            one.forget_failed_imports()
        raise


def _exists(name: str) -> bool:
    """Whether there is such a module; packages above it are imported to find out."""
    if name in sys.modules:
        return True
    try:
        with without_queries():
            return find_spec(name) is not None
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if missing and (name == missing or name.startswith(f"{missing}.")):
            return False
        raise _failed(name.rpartition(".")[0], error) from error
    except (Exception, SystemExit) as error:
        raise _failed(name.rpartition(".")[0], error) from error


def _import(name: str, group: int, found: dict[str, places.Place]) -> None:
    """Import a module and all below it, and publish the classes that they define."""
    if name in found:
        return
    try:
        with without_queries():
            module = importlib.import_module(name)
    except InvalidFeature:  # says all by itself
        raise
    except Misuse as error:  # says all by itself but the place
        raise _failed(name, error) from None
    except (Exception, SystemExit) as error:  # the latter would end the process unsaid
        raise _failed(name, error) from error
    found[name] = (group, len(found))
    for cls in _classes(module):
        _declare(cls)
    for submodule in _submodules(module):
        _import(submodule, group, found)


def _declare(cls: type[Component]) -> None:
    """Publish a class that was found in a module, unless it is published already."""
    if registry.default.is_new(cls):
        for declaration in publishing.declared_by_itself(cls):
            for owner in owners_of(declaration):
                owner.declare(declaration)


def _submodules(module: ModuleType) -> list[str]:
    paths = getattr(module, "__path__", None)
    if paths is None:
        return []
    names = {info.name for info in pkgutil.iter_modules(paths)} - {"__main__"}
    return [f"{module.__name__}.{name}" for name in sorted(names)]


def _classes(module: ModuleType) -> list[type[Component]]:
    """The tools and toolsets that a module defines, as they stand in it."""
    found = {
        value
        for value in vars(module).values()
        if inspect.isclass(value)
        and issubclass(value, Component)
        and value.__module__ == module.__name__
    }
    return sorted(found, key=lambda cls: origin_of(cls).order)


def _failed(name: str, error: BaseException) -> InvalidFeature:
    """The refusal of a module that cannot be imported: where, why, and how to mend it."""
    path, line, function = _place(name, error)
    decorated = _decorated(path, line) if isinstance(error, Misuse) else ""
    where = decorated or (name if function.startswith("<") else function)
    problem, fix = _diagnosis(error)
    return InvalidFeature(f"{path}:{line}: {where}: {problem} {fix}".rstrip())


def _place(name: str, error: BaseException) -> tuple[str, int, str]:
    """The author's own frame where it happened: the innermost that is no library's."""
    if isinstance(error, SyntaxError) and error.filename:
        return error.filename, error.lineno or 1, "<module>"
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if _is_authors(frame.filename)]
    # Of an app that is installed as a library all frames are a library's.
    others = [frame for frame in frames if not frame.filename.startswith("<")]
    frame = (own or others)[-1]
    return frame.filename, frame.lineno or 1, frame.name


def _decorated(path: str, line: int) -> str:
    """What a decorator on this line stands on, as ``Shelf.find``; empty where none does.

    A decorator that is given what it does not take fails before its function is made.
    """
    try:
        tree = ast.parse("".join(linecache.getlines(path)))
    except (SyntaxError, ValueError):  # edited since it was imported
        return ""
    return next((name for name, lines in _decorators(tree, "") if line in lines), "")


def _decorators(node: ast.AST, prefix: str) -> Iterator[tuple[str, range]]:
    """The lines of each decorator in a tree, with the name of what it stands on."""
    for child in ast.iter_child_nodes(node):
        within = prefix
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            within = f"{prefix}{child.name}."
            for one in child.decorator_list:
                yield within[:-1], range(one.lineno, (one.end_lineno or one.lineno) + 1)
        yield from _decorators(child, within)


def _is_authors(filename: str) -> bool:
    ours = f"{Path(__file__).parent.parent}{os.sep}"
    return not filename.startswith(("<", ours, *_FOREIGN))


def _diagnosis(error: BaseException) -> tuple[str, str]:
    if isinstance(error, Misuse):  # which says how to mend it
        return str(error), ""
    if isinstance(error, QueryAtImport):
        return f"It queries the database while it is imported ({error}).", QUERY_LATER
    if is_query(error):
        return f"It queries the database while it is imported ({described(error)}).", QUERY_LATER
    if isinstance(error, AppRegistryNotReady):
        return (
            f"It is imported before the apps are loaded ({described(error)}).",
            "Import it neither in models.py nor in an __init__.py: it is found by itself.",
        )
    if isinstance(error, ImportError):
        return f"It cannot be imported: {described(error)}.", "Correct the import."
    return f"It cannot be imported: {described(error)}.", "Mend what this line does."

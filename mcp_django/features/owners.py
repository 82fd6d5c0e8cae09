"""Which servers have a feature: the default one, or those that ``server=`` names."""

from __future__ import annotations

from typing import Any

from mcp_django.features import registry as registries
from mcp_django.features.changes import alone
from mcp_django.features.classes import class_of
from mcp_django.features.components import Component
from mcp_django.features.declarations import Declaration
from mcp_django.features.errors import Misuse
from mcp_django.features.registry import Registry


def declare(declaration: Declaration) -> None:
    """Declare it on each of its servers, or on none: one that refuses it undoes it on others."""
    with alone():
        declared: list[Registry] = []
        try:
            for owner in owners_of(declaration):
                owner.declare(declaration)
                declared.append(owner)
        except BaseException:
            for owner in declared:
                owner.withdraw(declaration)
            raise


def owners_of(declaration: Declaration) -> list[Registry]:
    """The registries of its servers: as the declaration says, else as its class does."""
    given = declaration.options.get("server")
    cls = class_of(declaration.target)
    if given is None and issubclass(cls, Component):
        given = getattr(cls, "server", None)
    return registries_of(given)


def registries_of(given: Any) -> list[Registry]:
    """What ``server=`` holds, an ``MCPServer`` or several, as their registries."""
    if given is None:
        return [registries.default]
    several = given if isinstance(given, list | tuple | set | frozenset) else [given]
    found = [getattr(one, "registry", None) for one in several]
    if not found or not all(isinstance(one, Registry) for one in found):
        raise Misuse(
            f"server={given!r} is no MCPServer. Give the object that MCPServer(…) made, or a "
            "list of such."
        )
    return list(dict.fromkeys(one for one in found if one is not None))

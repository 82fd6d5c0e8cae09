"""Which completions do nothing: those of tools, unless what is completed has them too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mcp_django.catalog.completions import completed_parameters
from mcp_django.features.completers import Completion
from mcp_django.features.declarations import Declaration, underlying
from mcp_django.features.records import COMPLETED
from mcp_django.features.registry import Registry


@dataclass(frozen=True, slots=True)
class Completing:
    """What completes arguments: each ``Completion``, and the handlers that have them."""

    completions: frozenset[Completion]
    handlers: frozenset[tuple[int, str]]


def completing_in(registries: Iterable[Registry]) -> Completing:
    """What completes the arguments of prompts and the variables of templates."""
    entries = [entry for registry in registries for entry in registry.entries]
    used = [declaration for declaration, feature in entries if isinstance(feature, COMPLETED)]
    return Completing(
        frozenset(one for by in used for one in completed_parameters(by).values()),
        frozenset(map(_handler, used)),
    )


def completions_in_vain(declaration: Declaration, completing: Completing) -> list[str]:
    """The parameters of a tool that have a ``Completion`` which nothing else has.

    A type such as ``Isbn = Annotated[str, Completion(…)]`` may be shared with what is
    completed, and a function may be a prompt as well as a tool.
    """
    if _handler(declaration) in completing.handlers:
        return []
    found = completed_parameters(declaration)
    return [name for name, one in found.items() if one not in completing.completions]


def _handler(declaration: Declaration) -> tuple[int, str]:
    """What is called: two features that call the same may differ in all but this."""
    # Read anew, an annotation in quotes makes a Completion anew.
    return id(underlying(declaration.target)), declaration.method

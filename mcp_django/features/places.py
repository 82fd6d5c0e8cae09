"""The order of lists: apps as installed, then modules as found, then as they stand in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache

from django.apps import apps

from mcp_django.features.declarations import Declaration

# A place: the group (an app, or what comes after all of them), and the position inside.
Place = tuple[int, int]

_places: dict[str, Place] = {}
_depth = 0


@contextmanager
def discovery(places: dict[str, Place]) -> Iterator[None]:
    """While modules are being imported nothing is compiled; ``places`` is filled meanwhile."""
    global _depth, _places
    _depth += 1
    try:
        yield
        _places = places
    finally:
        _depth -= 1


def discovering() -> bool:
    """Whether modules are being imported, so that names in them may still be missing."""
    return _depth > 0


def in_order(declarations: Iterable[Declaration]) -> list[Declaration]:
    """The declarations in the order in which lists show their features."""
    place_of = cache(_place_of)
    return sorted(declarations, key=lambda d: (place_of(d.module), d.order))


def app_label_of(module: str) -> str:
    """The label of the app that a module belongs to; "" outside of any app."""
    app = apps.get_containing_app_config(module)
    return app.label if app else ""


def _place_of(module: str) -> Place:
    if module in _places:
        return _places[module]
    app = apps.get_containing_app_config(module)
    configs = list(apps.get_app_configs())
    # What no discovery found stands behind what it did find, of the same app or of all.
    return (configs.index(app) if app else len(configs) + 1, len(_places))

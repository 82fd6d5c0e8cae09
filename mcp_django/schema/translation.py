"""The texts of a schema that follow the language of whoever reads it.

Rendering leaves lazy titles and descriptions in a schema. At start-up they are taken out, and
for each language they are put back: by where they stand, so that nothing else is ever taken
for one of them, and a text composed of several is one lazy text. Which texts a schema has is
fixed at start-up: a label that says no more than its name then is left out everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from django.utils.functional import Promise

from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.keywords import Schema
from mcp_django.schema.rendering.inlining import NAMED, ONE, SEVERAL, WORDS

Text: TypeAlias = str | Promise
Place: TypeAlias = tuple[str | int, ...]

# Where schemas stand inside of others; what is written by hand may be of an older draft.
_NAMED = NAMED | {"$defs", "definitions"}
_INNER = ONE | SEVERAL


@dataclass(frozen=True, slots=True)
class Texts:
    """The lazy titles and descriptions of a schema, by their places in it; false without any."""

    lazy: tuple[tuple[Place, Promise], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.lazy)


NO_TEXTS = Texts()


def separated(schema: Schema) -> tuple[Schema, Texts]:
    """A schema in the language that is active now, and the texts of it that depend on that."""
    lazy = tuple((place, text) for place, text in _said(schema) if isinstance(text, Promise))
    texts = Texts(lazy) if lazy else NO_TEXTS
    return translated(schema, texts), texts


def translated(schema: Schema, texts: Texts) -> Schema:
    """The schema in the language that is active now; the same one if it has no lazy texts."""
    for place, text in texts.lazy:
        schema = _with(schema, place, str(text))
    return schema


def resaid(
    schema: Schema,
    texts: Texts,
    say: Callable[[Text], Text],
    whole: str = "the schema",
    member: str = "the member",
) -> tuple[Schema, Texts]:
    """The schema with what ``say`` makes of its titles and descriptions, lazy ones included.

    A ``DeclarationError`` of ``say`` is named after the text: ``whole`` and ``member`` say what
    the schema, and a property anywhere in it, stand for.
    """
    lazy: dict[Place, Text] = dict(texts.lazy)
    for place, text in list(_said(schema)):
        given = lazy.get(place, text)
        try:
            schema = _with(schema, place, say(given))
        except DeclarationError as error:
            names = ".".join(_names(place))
            of = f"{member} {names!r}" if names else whole
            raise error.under(f"The {place[-1]} of {of}") from error
    return separated(schema)


def _names(place: Place) -> Iterator[str]:
    """The properties that a place is inside of, without the keywords between them."""
    steps = iter(place)
    for step in steps:
        if step in _NAMED:
            yield str(next(steps))


def _said(schema: Any, place: Place = ()) -> Iterator[tuple[Place, Text]]:
    """The titles and descriptions of a schema and of all schemas in it, with their places."""
    if not isinstance(schema, Mapping):  # true, or false
        return
    for key, value in schema.items():
        at = (*place, key)
        if key in WORDS and isinstance(value, str | Promise):
            yield at, value
        elif key in _NAMED and isinstance(value, Mapping):
            for name, inner in value.items():
                yield from _said(inner, (*at, name))
        elif key in _INNER and isinstance(value, list | tuple):
            for index, inner in enumerate(value):
                yield from _said(inner, (*at, index))
        elif key in _INNER:
            yield from _said(value, at)


def _with(node: Any, place: Place, text: Text) -> Any:
    """A copy of a schema with another text at one place."""
    step, rest = place[0], place[1:]
    inner = _with(node[step], rest, text) if rest else text
    if isinstance(node, Mapping):
        return {**node, step: inner}
    return [inner if index == step else one for index, one in enumerate(node)]

"""What a server lists of one kind, encoded once for each revision and language."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import orjson

from mcp_django.dispatch.definitions import definition, is_translated
from mcp_django.features.base import Feature
from mcp_django.features.errors import located
from mcp_django.protocol.versions import Revision
from mcp_django.schema.errors import DeclarationError


@dataclass(frozen=True, slots=True)
class Row:
    """One feature: its definition in JSON, and whether it is hidden from some."""

    feature: Feature
    definition: bytes
    depends_on_caller: bool


@dataclass(frozen=True, slots=True)
class Listing:
    """What is listed, in order and in one language.

    ``constant`` is the whole array where every caller gets it; ``is_private`` says that
    another caller may get another answer, for who it is or what language it has.
    """

    version: int  # of the registry that it was made from
    rows: tuple[Row, ...]
    constant: orjson.Fragment | None
    is_private: bool

    def visible(self, is_visible: Callable[[Feature], bool]) -> list[Row]:
        """The rows that this caller may see."""
        if self.constant is not None:
            return list(self.rows)
        return [row for row in self.rows if not row.depends_on_caller or is_visible(row.feature)]


def make_listing(
    version: int,
    features: Iterable[Feature],
    revision: Revision,
    depends_on_caller: Callable[[Feature], bool],
) -> Listing:
    """Encode every feature for a revision, in the language that is active."""
    rows = tuple(Row(one, encoded(one, revision), depends_on_caller(one)) for one in features)
    is_constant = not any(row.depends_on_caller for row in rows)
    constant = array(row.definition for row in rows) if is_constant else None
    is_private = not is_constant or any(is_translated(row.feature) for row in rows)
    return Listing(version, rows, constant, is_private)


def array(definitions: Iterable[bytes]) -> orjson.Fragment:
    """A JSON array of definitions."""
    return orjson.Fragment(b"[" + b",".join(definitions) + b"]")


def encoded(feature: Feature, revision: Revision) -> bytes:
    """Its definition; ``ImproperlyConfigured``, with its place, where it has no JSON form."""
    with located(feature.source):
        try:
            return orjson.dumps(definition(feature, revision))
        except TypeError as error:
            raise DeclarationError(
                f"Its definition cannot be written as JSON: {error}.",
                "Correct its title, description, meta or schema.",
            ) from error

"""What a server lists, encoded once for each revision."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import orjson
from django.utils.functional import Promise

from mcp_django.dispatch.definitions import tool_definition
from mcp_django.features.base import ToolFeature
from mcp_django.features.errors import located
from mcp_django.protocol.versions import Revision
from mcp_django.schema.errors import DeclarationError


@dataclass(frozen=True, slots=True)
class Row:
    """One tool: its definition in JSON, and whether it is hidden from some."""

    tool: ToolFeature
    definition: bytes
    depends_on_caller: bool


@dataclass(frozen=True, slots=True)
class Listing:
    """What is listed, in order and in one language.

    ``constant`` is the whole array where every caller gets it, and there are no rows then;
    ``is_private`` says that another caller may get another answer, for who it is or what
    language it has.
    """

    version: int  # of the registry that it was made from
    rows: tuple[Row, ...]
    constant: orjson.Fragment | None
    is_private: bool

    def array(self, visible: Callable[[ToolFeature], bool]) -> orjson.Fragment:
        """The JSON array of the rows that this caller may see."""
        if self.constant is not None:
            return self.constant
        return _array(row for row in self.rows if not row.depends_on_caller or visible(row.tool))


def make_listing(
    version: int,
    tools: Iterable[ToolFeature],
    revision: Revision,
    depends_on_caller: Callable[[ToolFeature], bool],
) -> Listing:
    """Encode every tool for a revision, in the language that is active."""
    rows = tuple(Row(tool, _encoded(tool, revision), depends_on_caller(tool)) for tool in tools)
    constant = None if any(row.depends_on_caller for row in rows) else _array(rows)
    is_private = constant is None or any(_is_translated(row.tool) for row in rows)
    return Listing(version, rows if constant is None else (), constant, is_private)


def _encoded(tool: ToolFeature, revision: Revision) -> bytes:
    with located(tool.source):
        try:
            return orjson.dumps(tool_definition(tool, revision))
        except TypeError as error:
            raise DeclarationError(
                f"Its definition cannot be written as JSON: {error}.",
                "Correct its title, description, meta or schema.",
            ) from error


def _is_translated(tool: ToolFeature) -> bool:
    return isinstance(tool.title, Promise) or isinstance(tool.description, Promise)


def _array(rows: Iterable[Row]) -> orjson.Fragment:
    return orjson.Fragment(b"[" + b",".join(row.definition for row in rows) + b"]")

"""Types that hold themselves: written once in ``$defs``, everything else in place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, get_origin

from mcp_django.schema.annotations import is_typed_dict
from mcp_django.schema.conversion import Convert, to_native
from mcp_django.schema.returning.shapes import Schema, Shape


@dataclass(slots=True)
class _Named:
    """A type whose shape is being derived, or is known and recursive."""

    annotation: Any
    name: str
    outline: Schema
    recursive: bool = False
    convert: Convert = to_native


class Definitions:
    """The ``$defs`` of one schema. Types are told apart by identity, not by name."""

    def __init__(self) -> None:
        self.schemas: dict[str, Schema] = {}
        self._named: list[_Named] = []

    def shape(self, annotation: Any, outline: Schema, derive: Callable[[], Shape]) -> Shape:
        """The shape of a type that has a name: in place, or a reference if it holds itself.

        ``outline`` is what a union inside it may know of it before it is complete.
        """
        cls = get_origin(annotation) or annotation
        for known in self._named:
            if known.annotation == annotation:
                known.recursive = True
                return _reference(known, cls)
        named = _Named(annotation, self._free(cls.__name__), outline)
        self._named.append(named)
        shape = derive()
        if not named.recursive:
            self._named.remove(named)
            return shape
        named.convert = shape.convert
        self.schemas[named.name] = shape.schema
        return replace(shape, schema={"$ref": f"#/$defs/{named.name}"})

    def resolve(self, schema: Schema) -> Schema:
        """What a reference stands for, as far as it is known; another schema is itself."""
        if "$ref" not in schema:
            return schema
        name = schema["$ref"].rpartition("/")[2]
        known = next(known for known in self._named if known.name == name)
        return self.schemas.get(name, known.outline)

    def _free(self, name: str) -> str:
        name = name if name.isascii() else "Type"
        taken = {known.name for known in self._named}
        count = 2
        free = name
        while free in taken:
            free = f"{name}{count}"
            count += 1
        return free


def _reference(known: _Named, cls: Any) -> Shape:
    """The shape of a type inside itself, where its converter is not made yet."""
    return Shape(
        {"$ref": f"#/$defs/{known.name}"},
        lambda value: known.convert(value),
        cls=Mapping if is_typed_dict(cls) else cls if isinstance(cls, type) else None,
    )

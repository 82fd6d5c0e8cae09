"""From a return annotation to the schema of its values and their way into JSON.

A value is converted by its annotation where that says more than the value itself (an int
0 returned as ``Decimal`` is the string ``"0"``), and else by what it is (``to_native``).
"""

from __future__ import annotations

import typing
from collections import Counter
from collections.abc import (
    Collection,
    Container,
    Iterable,
    Iterator,
    Mapping,
    Reversible,
    Sequence,
    Set,
    ValuesView,
)
from dataclasses import is_dataclass, replace
from enum import Enum
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from django.utils.functional import Promise

from mcp_django.schema import docstrings
from mcp_django.schema.annotations import (
    alias_value,
    is_alias,
    is_typed_dict,
    is_union,
    members_of,
    own_docstring,
    spelled,
    unwrapped,
)
from mcp_django.schema.conversion import is_named_tuple, to_native
from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.returning import converters
from mcp_django.schema.returning.enumerations import enum_schema, literal_schema
from mcp_django.schema.returning.presentation import is_lazy
from mcp_django.schema.returning.recursion import Definitions
from mcp_django.schema.returning.refusals import is_refused, refusal
from mcp_django.schema.returning.shapes import SCALARS, Schema, Shape
from mcp_django.schema.returning.unions import any_of, confused, nullable

_ABSTRACT = (Iterable, Collection, Container, Reversible)


def shape_of(annotation: Any) -> Shape:
    """Schema and conversion of a return annotation; raises ``DeclarationError``."""
    derivation = _Derivation()
    try:
        shape = derivation.shape(annotation)
    except DeclarationError as error:
        raise error.under(f"Return type {spelled(annotation)}") from error
    except RecursionError as error:
        raise DeclarationError(
            f"{spelled(annotation)} holds itself without end.", "Write a type that ends."
        ) from error
    schemas = derivation.definitions.schemas
    if not schemas:
        return shape
    root = shape.schema
    if "$ref" in root:  # the root holds itself: clients look for its type at the root
        root = derivation.definitions.resolve(root)
    return replace(shape, schema={**root, "$defs": schemas})


class _Derivation:
    """One walk through an annotation."""

    def __init__(self) -> None:
        self.definitions = Definitions()

    def shape(self, annotation: Any) -> Shape:
        annotation, metadata = unwrapped(annotation)
        shape = self._unannotated(annotation)
        for extra in metadata:
            text = getattr(extra, "help_text", extra)  # of a DRF field, say
            if isinstance(text, str | Promise):
                rest = {key: value for key, value in shape.schema.items() if key != "description"}
                shape = replace(shape, schema=_described(rest, text))
        return shape

    def _unannotated(self, annotation: Any) -> Shape:
        if annotation in (Any, object):
            return Shape({})
        if is_union(annotation):
            return self._union(annotation)
        origin = get_origin(annotation) or annotation
        if origin is Literal:
            return Shape(literal_schema(annotation))
        if is_alias(origin):
            value = alias_value(annotation)
            return self.definitions.shape(annotation, {}, lambda: self.shape(value))
        if not isinstance(origin, type):
            raise refusal(annotation)
        return self._class(annotation, origin)

    def _class(self, annotation: Any, cls: type) -> Shape:
        if is_refused(cls):
            raise refusal(annotation)
        if cls in SCALARS:
            return SCALARS[cls]
        if issubclass(cls, Enum):
            return Shape(enum_schema(cls))
        if issubclass(cls, str | Promise):
            return SCALARS[str]
        if is_dataclass(cls) or is_typed_dict(cls) or is_named_tuple(cls):
            return self._object(annotation, cls)
        if issubclass(cls, Mapping):
            return self._mapping(annotation, cls)
        if issubclass(cls, tuple):
            return self._tuple(annotation)
        if issubclass(cls, Set | Sequence | Iterator | ValuesView) or cls in _ABSTRACT:
            return self._array(annotation, cls)
        raise refusal(annotation)

    def _object(self, annotation: Any, cls: type) -> Shape:
        """A dataclass, TypedDict or NamedTuple: an object that may have further members."""
        hints, required = members_of(annotation)
        doc = docstrings.parse(own_docstring(cls))

        def derive() -> Shape:
            shapes = {name: self._member(cls, name, hint) for name, hint in hints.items()}
            properties = {
                name: _described(shape.schema, doc.arguments.get(name))
                for name, shape in shapes.items()
            }
            schema = _described(_object_schema(properties, required), doc.description)
            members = {name: shape.convert for name, shape in shapes.items()}
            blocks = any(shape.blocks for shape in shapes.values())
            if is_typed_dict(cls):
                return Shape(schema, converters.as_keys(members), blocks, Mapping)
            return Shape(schema, converters.as_members(cls, members), blocks, cls)

        outline = _object_schema({name: _constants(hint) for name, hint in hints.items()}, required)
        return self.definitions.shape(annotation, outline, derive)

    def _member(self, cls: type, name: str, hint: Any) -> Shape:
        try:
            return self.shape(hint)
        except DeclarationError as error:
            raise error.under(f"{cls.__name__}.{name}") from error

    def _mapping(self, annotation: Any, cls: type) -> Shape:
        arguments = get_args(annotation)
        if not arguments:
            return Shape({"type": "object"}, converters.as_object(to_native), cls=Mapping)
        key, _metadata = unwrapped(arguments[0])
        if not isinstance(key, type) or not issubclass(key, str) or issubclass(key, Enum):
            raise DeclarationError(
                f"{spelled(annotation)} has keys that are no str, and those of a JSON object are.",
                "Make the keys strings: dict[str, ...].",
            )
        value = self.shape(int if issubclass(cls, Counter) else arguments[-1])
        schema: Schema = {"type": "object"}
        if value.schema:
            schema["additionalProperties"] = value.schema
        return Shape(schema, converters.as_object(value.convert), value.blocks, Mapping)

    def _tuple(self, annotation: Any) -> Shape:
        arguments = get_args(annotation)
        if isinstance(annotation, type) or annotation is typing.Tuple:  # noqa: UP006
            return Shape({"type": "array"}, converters.as_array(to_native), cls=Iterable)
        if arguments[1:] == (...,):
            return self._array(annotation, tuple)
        shapes = [self.shape(argument) for argument in arguments]
        schema = {"type": "array", "minItems": len(shapes), "maxItems": len(shapes)}
        if shapes:
            schema |= {"prefixItems": [shape.schema for shape in shapes], "items": False}
        convert = converters.as_tuple([shape.convert for shape in shapes])
        return Shape(schema, convert, any(shape.blocks for shape in shapes), Iterable)

    def _array(self, annotation: Any, cls: type) -> Shape:
        item = self.shape(next(iter(get_args(annotation)), Any))
        schema: Schema = {"type": "array"}
        if item.schema:
            schema["items"] = item.schema
        is_set = issubclass(cls, Set)
        if is_set:
            schema["uniqueItems"] = True
        # What is abstract may be a generator, and so any code of the author's.
        blocks = item.blocks or is_lazy(annotation)
        convert = converters.as_array(item.convert, ordered=not is_set)
        return Shape(schema, convert, blocks, Iterable)

    def _union(self, annotation: Any) -> Shape:
        members = [member for member in get_args(annotation) if member is not NoneType]
        shapes = [self.shape(member) for member in members]
        if len(shapes) == 1:
            shape = shapes[0]
            return replace(
                shape, schema=nullable(shape.schema), convert=converters.optional(shape.convert)
            )
        schemas = [shape.schema for shape in shapes]
        schema = any_of(schemas)
        if schema and (pair := confused(schemas, self.definitions.resolve)):
            one, other = (spelled(members[place]) for place in pair)
            raise DeclarationError(
                f"In JSON nothing tells {one} from {other}.",
                "Return one of them, or objects with a Literal member of their own each.",
            )
        convert = converters.either([(s.cls, s.convert) for s in shapes if s.cls is not None])
        blocks = any(shape.blocks for shape in shapes)
        has_null = len(members) < len(get_args(annotation))
        return Shape(nullable(schema) if has_null else schema, convert, blocks)


def _constants(hint: Any) -> Schema:
    """What tells an object from others before all of its members are known."""
    hint, _metadata = unwrapped(hint)
    if is_alias(get_origin(hint) or hint):
        return _constants(alias_value(hint))
    if get_origin(hint) is Literal:
        return literal_schema(hint)
    return enum_schema(hint) if isinstance(hint, type) and issubclass(hint, Enum) else {}


def _object_schema(properties: Schema, required: list[str]) -> Schema:
    schema: Schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return schema


def _described(schema: Schema, text: Any) -> Schema:
    return {"description": text, **schema} if text else schema

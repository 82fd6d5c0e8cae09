"""From one type hint to one field: the whole mapping, and what it refuses."""

from __future__ import annotations

import datetime
import enum
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Mapping,
    MutableMapping,
    MutableSequence,
    MutableSet,
    Sequence,
)
from collections.abc import Set as AbstractSet
from decimal import Decimal
from typing import Any, Literal, get_args, get_origin
from uuid import UUID

from django.db.models import Model
from rest_framework import serializers

from mcp_django.schema.annotations import is_union, spelled
from mcp_django.schema.deriving.options import (
    given_field,
    options_of,
    peeled,
    rebuilt,
    refuse_contradiction,
    refuse_unmade,
)
from mcp_django.schema.deriving.structures import (
    Argument,
    StructSerializer,
    fill,
    is_structure,
    members,
    structure_serializer,
)
from mcp_django.schema.deriving.unmappable import unmappable
from mcp_django.schema.errors import DeclarationError, Unfilled
from mcp_django.schema.exact_choices import enum_field, literal_field
from mcp_django.schema.fields import (
    ISODurationField,
    ItemsField,
    NumberField,
    SetField,
    StrictTimeField,
    TextUUIDField,
    TupleField,
    TupleListField,
)
from mcp_django.schema.model_fields import Lookup, ModelField, model_field
from mcp_django.schema.trees import AnyField
from mcp_django.schema.union_fields import UnionField

_ISO: dict[str, Any] = {"format": "iso-8601", "input_formats": ["iso-8601"]}
_SCALARS: dict[Any, Callable[[], AnyField]] = {
    bool: serializers.BooleanField,
    int: serializers.IntegerField,
    float: NumberField,
    str: lambda: serializers.CharField(trim_whitespace=False, allow_blank=True),
    Decimal: lambda: serializers.DecimalField(
        max_digits=None, decimal_places=None, coerce_to_string=True
    ),
    datetime.datetime: lambda: serializers.DateTimeField(**_ISO),
    datetime.date: lambda: serializers.DateField(**_ISO),
    datetime.time: StrictTimeField,
    datetime.timedelta: ISODurationField,
    UUID: TextUUIDField,
}
_LISTS = (list, Sequence, MutableSequence, Iterable, Collection)
_SETS = (set, frozenset, AbstractSet, MutableSet)
_MAPPINGS = (dict, Mapping, MutableMapping)
_ANYTHING = (Any, object)


class Derivation:
    """One walk through the hints of a signature; a class met twice has one serializer."""

    def __init__(self) -> None:
        self._made: dict[Any, type[StructSerializer]] = {}

    def field(self, argument: Argument, *, inside: bool = False) -> AnyField:
        """The field of an argument or, ``inside``, of something that an argument holds."""
        hint, metadata, optional = peeled(argument.annotation)
        refuse_unmade(metadata)
        lookup = next((extra for extra in metadata if isinstance(extra, Lookup)), None)
        given = given_field(metadata)
        if given is None:
            if hint in _ANYTHING and not inside:
                raise unmappable(hint)
            given = self._derived(hint, lookup)
        else:
            refuse_contradiction(hint, given)
        if lookup is not None and not isinstance(given, ModelField):
            of_one = "Annotated[Loan, Lookup(loans)]"
            raise DeclarationError(
                f"A Lookup stands on {spelled(hint)}, which is no model.",
                f"Put it on a model class: {f'list[{of_one}]' if get_args(hint) else of_one}.",
            )
        return rebuilt(given, **options_of(argument, given, metadata, optional))

    def _inner(self, hint: Any) -> AnyField:
        try:
            return self.field(Argument("", hint), inside=True)
        except Unfilled as error:  # what is inside of an argument is the caller's, like it
            raise DeclarationError(error.problem, error.fix) from error

    def _derived(self, hint: Any, lookup: Lookup | None) -> AnyField:
        if hint in _ANYTHING:
            return serializers.JSONField(allow_null=True)
        if is_union(hint):
            return self._union(get_args(hint))
        origin = get_origin(hint) or hint
        if origin is Literal:
            return literal_field(hint)
        if is_structure(origin):
            return self._structure(hint)
        if not isinstance(origin, type):
            raise unmappable(hint)
        if origin in _SCALARS:
            return _SCALARS[origin]()
        if issubclass(origin, enum.Enum):
            return enum_field(origin)
        if issubclass(origin, Model):
            return model_field(origin, lookup)
        if issubclass(origin, serializers.Serializer):
            return _serializer(origin)
        return self._container(hint, origin)

    def _container(self, hint: Any, origin: Any) -> AnyField:
        arguments = get_args(hint)
        if origin is tuple:
            return self._tuple(hint, arguments)
        if origin in _LISTS:
            return self._list(serializers.ListField, arguments)
        if origin in _SETS:
            if not arguments or arguments[0] in _ANYTHING:
                raise unmappable(hint)
            frozen = origin in (frozenset, AbstractSet)
            return SetField(child=self._inner(arguments[0]), frozen=frozen)
        if origin not in _MAPPINGS:
            raise unmappable(hint)
        if not arguments:
            return serializers.DictField()
        if peeled(arguments[0])[0] is not str:
            raise DeclarationError(
                f"{spelled(hint)} has keys that are no str, and those of a JSON object are.",
                "Write dict[str, ...], or a list of dataclasses with the key as a member.",
            )
        if arguments[1] in _ANYTHING:
            return serializers.DictField()
        return serializers.DictField(child=self._inner(arguments[1]))

    def _list(self, cls: type[serializers.ListField], arguments: tuple[Any, ...]) -> AnyField:
        if not arguments or arguments[0] in _ANYTHING:
            return cls()
        child = self._inner(arguments[0])
        if isinstance(child, ModelField) and cls is serializers.ListField:
            cls = ItemsField  # looks its rows up together
        return cls(child=child)

    def _tuple(self, hint: Any, arguments: tuple[Any, ...]) -> AnyField:
        if len(arguments) == 2 and arguments[1] is ...:
            return self._list(TupleListField, arguments[:1])
        if not arguments and hint is tuple:
            return TupleListField()
        if not arguments or ... in arguments:
            raise unmappable(hint)
        return TupleField(children=[self._inner(argument) for argument in arguments])

    def _union(self, hints: tuple[Any, ...]) -> AnyField:
        literals = [hint for hint in hints if get_origin(hint) is Literal]
        if len(literals) == len(hints):
            return literal_field(
                Literal[tuple(value for hint in hints for value in get_args(hint))]
            )
        branches = [self._inner(hint) for hint in hints]
        return UnionField(
            branches=branches,
            names=[spelled(hint) for hint in hints],
            allow_null=any(branch.allow_null for branch in branches),
        )

    def _structure(self, hint: Any) -> AnyField:
        if hint not in self._made:
            made = self._made[hint] = structure_serializer(hint)
            fields = {}
            for member in members(hint):
                try:
                    fields[member.name] = self.field(member, inside=True)
                except DeclarationError as error:
                    where = f"{spelled(hint)}.{member.name}"
                    raise DeclarationError(f"{where}: {error.problem}", error.fix) from error
            fill(made, fields)
        return self._made[hint]()


def _serializer(cls: type[serializers.Serializer[Any]]) -> AnyField:
    try:
        return cls()
    except TypeError as error:
        raise DeclarationError(
            f"{cls.__name__} can't be made without arguments ({error}).",
            f"Give an instance: Annotated[dict, {cls.__name__}(...)].",
        ) from error

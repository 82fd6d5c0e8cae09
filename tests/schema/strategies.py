"""Hypothesis strategies: serializers of DRF's fields, and values for them to serialize."""

from __future__ import annotations

import copy
import datetime
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st
from rest_framework import serializers
from rest_framework.fields import empty

from tests.schema.json_strategies import MOMENTS, anything, texts

Field = serializers.Field[Any, Any, Any, Any]
# Serializers


def _bounds(low: int, high: int) -> st.SearchStrategy[dict[str, Any]]:
    """``min_value``, ``max_value``, both or neither."""
    pairs = st.tuples(st.integers(low, high), st.integers(low, high)).map(sorted)
    return st.tuples(pairs, st.booleans(), st.booleans()).map(
        lambda drawn: (
            ({"min_value": drawn[0][0]} if drawn[1] else {})
            | ({"max_value": drawn[0][1]} if drawn[2] else {})
        )
    )


def _options(**choices: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Any of these keyword arguments, each with one of its values."""
    return st.fixed_dictionaries(
        {}, optional={name: st.sampled_from(values) for name, values in choices.items()}
    )


_TEXT = {
    "allow_blank": [True, False],
    "trim_whitespace": [True, False],
    "min_length": [0, 1, 2, 3],
    "max_length": [3, 8],
}
_REGEXES = [
    r"^[a-c]+$",
    r"b",
    r"^a b\Z",
    r"(?i)^x",
    r"^\w+ ?\D*$",
    r"(?P<q>['\"]).*(?P=q)",
    r"\S\s",
]
_CHOICES: list[Any] = [
    ["a", "b"],
    [("a", "Alpha"), ("", "Nothing"), (None, "Unknown")],
    [1, "x", 2],
    [True, False],
    [("group", [(1, "One"), (2, "Two")]), (3, 3)],
    [Decimal("1.50"), Decimal("2")],
]


@st.composite
def _decimals(draw: st.DrawFn) -> Field:
    digits = draw(st.none() | st.integers(1, 6))
    places = draw(st.none() | st.integers(0, min(digits or 3, 3)))
    limits = draw(_bounds(-150, 150))
    if draw(st.booleans()):
        limits = {name: Decimal(value) / 8 for name, value in limits.items()}
    return serializers.DecimalField(max_digits=digits, decimal_places=places, **limits)


def _durations(bounds: dict[str, int]) -> Field:
    limits = {name: datetime.timedelta(minutes=value) for name, value in bounds.items()}
    return serializers.DurationField(**limits)


_texts: st.SearchStrategy[Field] = st.one_of(
    _options(**_TEXT).map(lambda options: serializers.CharField(**options)),
    st.tuples(st.sampled_from(_REGEXES), _options(**_TEXT)).map(
        lambda drawn: serializers.RegexField(drawn[0], **drawn[1])
    ),
)
scalars: st.SearchStrategy[Field] = st.one_of(
    *[_texts] * 4,  # most of what is subtle is theirs
    _options(allow_blank=[True], allow_unicode=[True]).map(lambda o: serializers.SlugField(**o)),
    _options(allow_blank=[True], max_length=[20]).map(lambda o: serializers.EmailField(**o)),
    _options(allow_blank=[True]).map(lambda options: serializers.URLField(**options)),
    _options(protocol=["both", "ipv4", "ipv6"]).map(lambda o: serializers.IPAddressField(**o)),
    st.builds(serializers.UUIDField),
    _bounds(-50, 50).map(lambda limits: serializers.IntegerField(**limits)),
    _bounds(-50, 50).map(lambda limits: serializers.FloatField(**limits)),
    _decimals(),
    st.builds(serializers.BooleanField),
    _options(input_formats=[["%d/%m/%Y"], ["%d %b %Y", "iso-8601"]]).map(
        lambda options: serializers.DateField(**options)
    ),
    st.builds(serializers.DateTimeField),
    _options(input_formats=[["%H:%M"]]).map(lambda options: serializers.TimeField(**options)),
    _bounds(-90, 90).map(_durations),
    st.tuples(st.sampled_from(_CHOICES), _options(allow_blank=[True, False])).map(
        lambda drawn: serializers.ChoiceField(drawn[0], **drawn[1])
    ),
    st.tuples(st.sampled_from(_CHOICES), _options(allow_empty=[False])).map(
        lambda drawn: serializers.MultipleChoiceField(choices=drawn[0], **drawn[1])
    ),
    st.builds(serializers.JSONField),
)
_SIZES = {"min_length": [0, 1, 2], "max_length": [2, 3], "allow_empty": [True, False]}


def _holders(inner: st.SearchStrategy[Field]) -> st.SearchStrategy[Field]:
    serializer = classes(inner)
    return st.one_of(
        st.tuples(inner, _options(**_SIZES)).map(
            lambda drawn: serializers.ListField(child=drawn[0], **drawn[1])
        ),
        st.tuples(inner, _options(allow_empty=[False])).map(
            lambda drawn: serializers.DictField(child=drawn[0], **drawn[1])
        ),
        st.builds(serializers.ListField),
        serializer.map(lambda cls: cls()),
        st.tuples(serializer, _options(**_SIZES)).map(
            lambda drawn: drawn[0](many=True, **drawn[1])
        ),
    )


@st.composite
def declared(draw: st.DrawFn, fields: st.SearchStrategy[Any]) -> Field:
    """A field made anew with what any field may be made with."""
    field = copy.deepcopy(draw(fields))  # DRF copies by making anew; a bound one can't be taken
    options = draw(_options(allow_null=[True, False], required=[False]))
    kwargs = {**copy.deepcopy(field._kwargs), **options}
    if isinstance(field, serializers.ListSerializer):
        return type(kwargs.pop("child"))(many=True, **kwargs)
    made: Field = type(field)(*field._args, **kwargs)
    return made


def classes(
    fields: st.SearchStrategy[Any],
) -> st.SearchStrategy[type[serializers.Serializer[Any]]]:
    """Serializer classes of up to four of these fields; all have the same name."""
    names = st.sampled_from(["a", "b", "c", "data", "errors", "type"])
    members = st.dictionaries(names, declared(fields), min_size=1, max_size=4)
    return members.map(lambda members: type("Drawn", (serializers.Serializer,), members))


serializer_classes = classes(st.recursive(scalars, _holders, max_leaves=4))


# Values to serialize


def natives_for(field: Any) -> st.SearchStrategy[Any]:
    """Values that a project's own objects may hold for a field, older than its rules."""
    drawn = _natives_for(field)
    return st.none() | drawn if field.allow_null else drawn


def _natives_for(field: Any) -> st.SearchStrategy[Any]:
    if isinstance(field, serializers.Serializer):
        return instances(field)
    if isinstance(field, serializers.ListSerializer):
        return st.lists(_natives_for(field.child), max_size=3)
    if isinstance(field, serializers.ListField):
        return st.lists(natives_for(field.child), max_size=3)
    if isinstance(field, serializers.DecimalField):
        most = 10 ** ((field.max_digits or 9) - (field.decimal_places or 0)) - 1
        return st.decimals(-most, most, places=field.decimal_places or 0)
    if isinstance(field, serializers.DictField):
        return st.dictionaries(texts, natives_for(field.child), max_size=3)
    if isinstance(field, serializers.MultipleChoiceField):
        return st.lists(st.sampled_from(_some(field)), max_size=3)
    if isinstance(field, serializers.ChoiceField):
        return st.sampled_from(_some(field))
    return next((draw for cls, draw in _NATIVES.items() if isinstance(field, cls)), anything)


def _some(field: serializers.ChoiceField) -> list[Any]:
    return [choice for choice in field.choices if choice is not None]


def instances(serializer: serializers.Serializer[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Mappings to serialize; what the serializer can do without may be missing."""
    needed, optional = {}, {}
    for name, field in serializer.fields.items():
        must = field.required and field.default is empty
        (needed if must else optional)[name] = natives_for(field)
    return st.fixed_dictionaries(needed, optional=optional)


_NATIVES: dict[type, st.SearchStrategy[Any]] = {
    serializers.CharField: texts | st.integers(),
    serializers.BooleanField: st.booleans(),
    serializers.IntegerField: st.integers(),
    serializers.FloatField: st.floats(allow_nan=False, allow_infinity=False) | st.integers(),
    serializers.DateTimeField: MOMENTS,
    serializers.DateField: st.dates(),
    serializers.TimeField: st.times(),
    serializers.DurationField: st.timedeltas(),
    serializers.UUIDField: st.uuids(),
}

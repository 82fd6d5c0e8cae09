"""Hypothesis strategies: serializers of DRF's fields, JSON for a schema, values to serialize."""

from __future__ import annotations

import copy
import datetime
import string
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st
from rest_framework import serializers
from rest_framework.fields import empty

Field = serializers.Field[Any, Any, Any, Any]
Schema = dict[str, Any]

NASTY_TEXTS = ["", " ", "\t\n", "\x1c", "\x85", "\0", "a\0", " a", "a ", "a\n", "-", ".", "+1"]
NASTY_TEXTS += ["0", "00", "-0", "5.", ".5", "1.5", "None", "null", "true", "é", "\ufeff", "٣", "Ⅷ"]
NASTY_TEXTS += ["a@b.example", "http://b.example", "2024-02-29", "10:00", "10:00:00+02:00", "PT1H"]
NASTY_NUMBERS = [0, -0.0, 1, 1.0, 5.0, -1, 0.1, 0.07, 19.99, 1e-7, 1e16, 1e22, 1e308, 2**63, 10**22]
NASTY = st.sampled_from([*NASTY_TEXTS, *NASTY_NUMBERS, None, True, False, [], {}, [None]])

texts = st.text(max_size=12) | st.sampled_from(NASTY_TEXTS)
numbers = (
    st.integers(-200, 200)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.decimals(-200, 200, places=2).map(float)
    | st.sampled_from(NASTY_NUMBERS)
)
anything = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


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


scalars: st.SearchStrategy[Field] = st.one_of(
    _options(**_TEXT).map(lambda options: serializers.CharField(**options)),
    st.tuples(st.sampled_from(_REGEXES), _options(**_TEXT)).map(
        lambda drawn: serializers.RegexField(drawn[0], **drawn[1])
    ),
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
def _declared(draw: st.DrawFn, fields: st.SearchStrategy[Any]) -> Field:
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
    declared = st.dictionaries(names, _declared(fields), min_size=1, max_size=4)
    return declared.map(lambda members: type("Drawn", (serializers.Serializer,), members))


serializer_classes = classes(st.recursive(scalars, _holders, max_leaves=4))


# JSON for a schema


def json_for(schema: Any) -> st.SearchStrategy[Any]:
    """JSON that aims at a schema and often misses: whoever draws it filters."""
    if not isinstance(schema, dict) or not schema:
        return anything
    aimed = [draw(schema) for keyword, draw in _AIMS.items() if keyword in schema]
    kinds = schema.get("type", [])
    aimed += [_KINDS[kind](schema) for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    # One in four or so is no aim at all.
    return st.one_of(*aimed, *aimed, *aimed, NASTY) if aimed else anything


def _branches(keyword: str) -> Callable[[Schema], st.SearchStrategy[Any]]:
    def draw(schema: Schema) -> st.SearchStrategy[Any]:
        rest = {key: value for key, value in schema.items() if key != keyword}
        return st.one_of([json_for({**rest, **branch}) for branch in schema[keyword]])

    return draw


def _strings(schema: Schema) -> st.SearchStrategy[Any]:
    aimed: list[st.SearchStrategy[Any]] = [texts]
    if "pattern" in schema:
        aimed += [st.from_regex(schema["pattern"])] * 2
    if "format" in schema:
        aimed += [_FORMATS[schema["format"]]] * 2
    edges = [schema[key] for key in ("minLength", "maxLength") if key in schema]
    aimed += [st.text(string.ascii_letters + " ", min_size=size, max_size=size) for size in edges]
    return st.one_of(aimed)


def _numbers(schema: Schema) -> st.SearchStrategy[Any]:
    edges = [value for key, value in schema.items() if "imum" in key]
    near = [edge + step for edge in edges for step in (-1, -0.01, 0, 0.01, 1)]
    return st.one_of([numbers, *([st.sampled_from(near)] if near else [])])


def _arrays(schema: Schema) -> st.SearchStrategy[Any]:
    return st.lists(json_for(schema.get("items", {})), max_size=4)


def _objects(schema: Schema) -> st.SearchStrategy[Any]:
    members = {name: json_for(member) for name, member in schema.get("properties", {}).items()}
    required = set(schema.get("required", ()))
    fixed = st.fixed_dictionaries(
        {name: member for name, member in members.items() if name in required},
        optional={name: member for name, member in members.items() if name not in required},
    )
    extra = schema.get("additionalProperties", True)
    if extra is False:
        return fixed
    further = st.dictionaries(texts, json_for(extra), max_size=3)
    return st.tuples(further, fixed).map(lambda both: {**both[0], **both[1]})


_AIMS: dict[str, Callable[[Schema], st.SearchStrategy[Any]]] = {
    "const": lambda schema: st.just(schema["const"]),
    "enum": lambda schema: st.sampled_from(schema["enum"]),
    "oneOf": _branches("oneOf"),
    "anyOf": _branches("anyOf"),
    "allOf": _branches("allOf"),
}
_KINDS: dict[str, Callable[[Schema], st.SearchStrategy[Any]]] = {
    "string": _strings,
    "integer": _numbers,
    "number": _numbers,
    "boolean": lambda schema: st.booleans(),
    "null": lambda schema: st.none(),
    "array": _arrays,
    "object": _objects,
}
_MOMENTS = st.datetimes(
    datetime.datetime(1972, 1, 1), datetime.datetime(2200, 1, 1), timezones=st.just(datetime.UTC)
)
_FORMATS: dict[str, st.SearchStrategy[str]] = {
    "date": st.dates(datetime.date(1000, 1, 1)).map(str),
    "date-time": _MOMENTS.map(lambda moment: moment.isoformat()),
    "duration": st.from_regex(r"P([0-9]{1,3}D)?(T([0-9]{1,3}H)?([0-9]M)?([0-9]{1,9}S)?)?"),
    "email": st.emails(),
    "uri": st.sampled_from(["https://a.example/b?c=d#e", "urn:isbn:1", "HTTP://a.example", "a:b"]),
    "uuid": st.uuids().map(str),
    "ipv4": st.ip_addresses(v=4).map(str),
    "ipv6": st.ip_addresses(v=6).map(str) | st.sampled_from(["::ffff:1.2.3.4", "::1%eth0"]),
}


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
    serializers.DateTimeField: _MOMENTS,
    serializers.DateField: st.dates(),
    serializers.TimeField: st.times(),
    serializers.DurationField: st.timedeltas(),
    serializers.UUIDField: st.uuids(),
}

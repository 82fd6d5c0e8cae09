"""From the arguments that a client sends to values, or to words that a model can act on."""

from __future__ import annotations

import copy
import json
import re
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import time, timedelta
from typing import Any, NamedTuple, TypedDict

import pytest
from django.core.exceptions import ValidationError as DjangoValidationError
from django.core.validators import MaxValueValidator, RegexValidator
from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.fields import CreateOnlyDefault, CurrentUserDefault
from rest_framework.validators import UniqueValidator

from mcp_django.schema.errors import DeclarationError, InvalidArguments
from mcp_django.schema.model_fields import ModelField
from mcp_django.schema.signatures import field_from_annotation
from mcp_django.schema.validation import Arguments, ArgumentsRule, arguments_rule
from tests.app.models import Book


def rule(source: Any = None, /, **fields: Any) -> ArgumentsRule:
    return arguments_rule(source or fields, name="tool")


def refusal(made: ArgumentsRule, sent: Any, context: Any = None) -> str:
    with pytest.raises(InvalidArguments) as caught:
        made.validate(sent, context or {})
    return caught.value.text


class Line(serializers.Serializer):
    qty = serializers.IntegerField(min_value=1)
    note = serializers.CharField(required=False)


class Order(serializers.Serializer):
    lines = Line(many=True)
    urgent = serializers.BooleanField(default=False)


class Renewal(serializers.Serializer):
    loan_id = serializers.IntegerField()
    days = serializers.IntegerField(min_value=1, max_value=28, default=14)


RENEWAL = rule(Renewal)
ORDER = rule(Order)


class TestValues:
    def test_by_name_with_defaults(self) -> None:
        assert RENEWAL.validate({"loan_id": 3}, {}) == {"loan_id": 3, "days": 14}

    def test_an_absent_argument_without_default_stays_absent(self) -> None:
        made = rule(x=serializers.IntegerField(required=False))
        assert made.validate({}, {}) == {}

    def test_names_are_in_order(self) -> None:
        assert RENEWAL.names == ("loan_id", "days")
        assert RENEWAL.serializer is Renewal

    def test_hidden_and_read_only_fields_are_no_arguments(self) -> None:
        made = rule(
            by=serializers.HiddenField(default="someone"),
            id=serializers.IntegerField(read_only=True, default=1),
            x=serializers.IntegerField(),
        )
        assert made.names == ("x",)
        assert made.validate({"x": 1}, {}) == {"by": "someone", "x": 1}
        assert refusal(made, {"x": 1, "by": "me"}).startswith("by: There is no such argument")
        assert refusal(made, {"x": 1, "id": 2}).startswith("id: There is no such argument")

    def test_what_was_sent_stays_as_it_is(self) -> None:
        sent = {"lines": '[{"qty": "1"}]', "urgent": "true"}
        assert ORDER.validate(sent, {}) == {"lines": [{"qty": 1}], "urgent": True}
        assert sent == {"lines": '[{"qty": "1"}]', "urgent": "true"}

    @pytest.mark.parametrize("urgent", [False, True])
    def test_a_source_is_told_by_the_name_of_its_field(self, urgent: bool) -> None:
        class Sourced(serializers.Serializer):
            a = serializers.IntegerField(source="b")
            b = serializers.IntegerField(source="a")
            mail = serializers.CharField(source="profile.mail", required=False)
            name = serializers.CharField(source="profile.name")
            extra = Line(source="*")
            off = serializers.IntegerField(read_only=True)

            if urgent:  # by a serializer of its own for each call

                def validate(self, attrs: Any) -> Any:
                    assert attrs["profile"] == {"name": "Ann"}
                    return {**attrs, "a": 20, "found": True}

        sent = {"a": 1, "b": 2, "name": "Ann", "extra": {"qty": 3}}
        expected = {"a": 1, "b": 2, "name": "Ann", "qty": 3}
        if urgent:
            expected |= {"b": 20, "found": True}
        assert rule(Sourced).validate(sent, {}) == expected

    def test_what_validate_adds_is_there(self) -> None:
        class Adding(Renewal):
            def validate(self, attrs: Any) -> Any:
                return {**attrs, "weeks": attrs["days"] // 7}

        assert rule(Adding).validate({"loan_id": 1}, {}) == {"loan_id": 1, "days": 14, "weeks": 2}

    def test_validate_has_to_give_attributes(self) -> None:
        class Odd(Renewal):
            def validate(self, attrs: Any) -> Any:
                return 5

        with pytest.raises(TypeError, match="Odd returned a int"):
            rule(Odd).validate({"loan_id": 1}, {})

    def test_a_mutable_default_is_made_anew(self) -> None:
        made = rule(tags=serializers.ListField(default=[]), more=serializers.DictField(default={}))
        first = made.validate({}, {})
        first["tags"].append(1)
        first["more"]["a"] = 1
        assert made.validate({}, {}) == {"tags": [], "more": {}}

    def test_the_instance_that_is_given_sets_the_options(self) -> None:
        assert rule(Renewal(partial=True)).validate({}, {}) == {}


class TestDecoding:
    @pytest.mark.parametrize(
        ("field", "sent", "expected"),
        [
            (serializers.IntegerField(), "10", 10),
            (serializers.IntegerField(), 1e22, 10**22),
            (
                serializers.IntegerField(),
                "123456789012345678901234567890",
                123456789012345678901234567890,
            ),
            (serializers.FloatField(), "1.5", 1.5),
            (serializers.BooleanField(), "true", True),
            (serializers.BooleanField(), "False", False),
            (serializers.CharField(), "10", "10"),
            (serializers.CharField(), '["a"]', '["a"]'),
            (serializers.JSONField(), "[1]", "[1]"),
            (serializers.ListField(child=serializers.IntegerField()), "[1, 2.0]", [1, 2]),
            (serializers.ListField(child=serializers.CharField()), '["1"]', ["1"]),
            (serializers.ListField(), "[1]", [1]),
            (serializers.DictField(child=serializers.IntegerField()), '{"a": 1.0}', {"a": 1}),
            (serializers.DictField(), '{"a": "1"}', {"a": "1"}),
            (serializers.ChoiceField(choices=[1, 2]), 1.0, 1),
            (serializers.ChoiceField(choices=[1, 2]), "2", 2),
            (serializers.ChoiceField(choices=[1.0, 2.5]), 1.0, 1.0),
            (serializers.ChoiceField(choices=[True, False]), "true", True),
            (serializers.ChoiceField(choices=["1"]), "1", "1"),
            (Line(), '{"qty": "1"}', {"qty": 1}),
            (Line(many=True), ['{"qty": 1}'], [{"qty": 1}]),
            (
                serializers.TimeField(input_formats=["%H.%M"]),
                "14.30",
                time(14, 30),
            ),
        ],
    )
    def test_text_is_read_where_no_text_is_wanted(
        self, field: Any, sent: Any, expected: Any
    ) -> None:
        got = rule(x=field).validate({"x": sent}, {})["x"]
        assert got == expected
        assert type(got) is type(expected)

    def test_several_choices(self) -> None:
        made = rule(x=serializers.MultipleChoiceField(choices=[1, 2]))
        assert sorted(made.validate({"x": '["1", 2.0]'}, {})["x"]) == [1, 2]

    @pytest.mark.parametrize(
        "sent", ["[1", "1", "[1e999]", "[NaN]", "[" * 100_000, "nothing", "[[1]]"]
    )
    def test_text_that_is_no_such_json_is_refused(self, sent: str) -> None:
        refused = refusal(
            rule(x=serializers.ListField(child=serializers.IntegerField())), {"x": sent}
        )
        assert refused.startswith("x")

    def test_text_is_no_way_around_the_limits(self, settings: Any) -> None:
        made = rule(x=serializers.ListField())
        deepest = "[" * 64 + "]" * 64  # as deep as a body may be
        assert made.validate({"x": deepest}, {}) == {"x": json.loads(deepest)}
        assert refusal(made, {"x": f"[{deepest}]"})
        settings.MCP_DJANGO = {"MAX_MEMBERS": 5}
        assert made.validate({"x": "[1, 2, [3, 4]]"}, {}) == {"x": [1, 2, [3, 4]]}
        assert refusal(made, {"x": "[1, 2, [3, 4, 5]]"})

    def test_an_offset_is_not_dropped_unsaid(self) -> None:
        made = rule(at=serializers.TimeField())
        assert made.validate({"at": "10:00"}, {}) == {"at": time(10)}
        assert refusal(made, {"at": "10:00+02:00"}) == (
            "at: A time of day has no offset. Expected a time such as 14:30."
        )


class TestRefusals:
    @pytest.mark.parametrize(
        ("sent", "text"),
        [
            (
                {"loan_id": 1, "days": 99},
                "days: 99 is more than 28. Expected an integer from 1 to 28.",
            ),
            (
                {"loan_id": 1, "days": 0},
                "days: 0 is less than 1. Expected an integer from 1 to 28.",
            ),
            ({}, "loan_id: This is missing. Expected an integer."),
            ({"loan_id": None}, "loan_id: null is not accepted. Expected an integer."),
            (
                {"loan_id": "abc"},
                'loan_id: "abc" is not an integer. Expected an integer.',
            ),
            (
                {"loan_id": [1, 2]},
                "loan_id: a list of 2 is not an integer. Expected an integer.",
            ),
            (
                {"loan_id": 1, "day": 3},
                "day: There is no such argument. The arguments are: loan_id, days.",
            ),
            (
                {"days": "x", "hours": 1},
                "hours: There is no such argument. The arguments are: loan_id, days.\n"
                "loan_id: This is missing. Expected an integer.\n"
                'days: "x" is not an integer. Expected an integer from 1 to 28.',
            ),
        ],
    )
    def test_what_is_wrong_and_what_would_be_right(self, sent: Any, text: str) -> None:
        assert refusal(RENEWAL, sent) == text

    @pytest.mark.parametrize(
        ("sent", "path", "text"),
        [
            (
                {"lines": [{"qty": 0}]},
                "lines.0.qty",
                "0 is less than 1. Expected an integer of at least 1.",
            ),
            (
                {"lines": [{"qty": 1, "x": 1}]},
                "lines.0.x",
                "There is no such member. The members are: qty, note.",
            ),
            ({"lines": [{}]}, "lines.0.qty", "This is missing. Expected an integer of at least 1."),
            (
                {"lines": {"qty": 1}},
                "lines",
                "an object is not a list. Expected a list, each an object with qty, note.",
            ),
            (
                {"lines": ["a"]},
                "lines.0",
                '"a" is not an object. Expected an object with qty, note.',
            ),
        ],
    )
    def test_the_path_leads_to_it(self, sent: Any, path: str, text: str) -> None:
        with pytest.raises(InvalidArguments) as caught:
            ORDER.validate(sent, {})
        assert caught.value.text == f"{path}: {text}"
        assert caught.value.errors == {path: [text]}

    @pytest.mark.filterwarnings("ignore:The list-based error format")
    def test_the_older_form_of_errors_in_lists(self, settings: Any) -> None:
        settings.REST_FRAMEWORK = {"LIST_SERIALIZER_ERRORS_AS_DICT": False}
        assert refusal(ORDER, {"lines": [{"qty": 1}, {"qty": 0}]}).startswith("lines.1.qty: 0 is")

    def test_a_tool_without_arguments(self) -> None:
        made = rule({})
        assert made.validate({}, {}) == {}
        assert refusal(made, {"x": 1}) == "x: There is no such argument: there are none."

    @pytest.mark.parametrize(
        ("field", "sent", "text"),
        [
            (
                serializers.ChoiceField(["a", "b"]),
                "c",
                '"c" is not one of the choices. Expected one of "a", "b".',
            ),
            (
                serializers.ChoiceField([("a", "First")]),
                "c",
                '"c" is not one of the choices. Expected "a".',
            ),
            (
                serializers.DateField(),
                "soon",
                '"soon" is not a valid date. Expected a date such as 2026-07-28.',
            ),
            (
                serializers.CharField(max_length=3),
                "abcd",
                '"abcd" is longer than 3 characters. '
                "Expected a string of at most 3 characters that is not blank.",
            ),
            (
                serializers.CharField(),
                " ",
                '" " does not have the right form. Expected a string that is not blank.',
            ),
            (
                serializers.ListField(min_length=2),
                [1],
                "a list of 1 is shorter than 2. Expected a list of at least 2 items.",
            ),
            (
                serializers.DecimalField(5, 2, max_value=10),
                "11.00",
                "Ensure this value is less than or equal to 10. "
                "Expected a number of at most 10 and above -1000.",
            ),
            (
                serializers.EmailField(),
                "no",
                '"no" is not a valid email. Expected an email address.',
            ),
            (serializers.UUIDField(), "x", '"x" is not a valid uuid. Expected a UUID.'),
            (serializers.DictField(child=serializers.BooleanField()), {"a": 5}, None),
        ],
    )
    def test_words_for_each_kind(self, field: Any, sent: Any, text: str | None) -> None:
        refused = refusal(rule(x=field), {"x": sent})
        if text is None:
            assert refused == "x.a: 5 is not true or false. Expected true or false."
        else:
            assert refused == f"x: {text}"

    def test_errors_at_places_that_there_are_not(self) -> None:
        class Lost(serializers.Serializer):
            pair = field_from_annotation(tuple[int, int])
            x = serializers.IntegerField()

            def validate(self, attrs: Any) -> Any:
                raise serializers.ValidationError(
                    {"pair": {7: ["gone"]}, "x": {"y": ["deeper"]}, "z": ["nowhere"]}
                )

        sent = {"pair": [1, 2], "x": 1}
        assert refusal(rule(Lost), sent) == "pair.7: gone\nx.y: deeper\nz: nowhere"

    def test_a_schema_of_the_authors_that_is_none(self) -> None:
        @extend_schema_field({"type": "integer", "pattern": "("})
        class Odd(serializers.IntegerField):
            pass

        assert refusal(rule(x=Odd()), {"x": "a"}) == (
            "x: A valid integer is required. Expected an integer."
        )

    def test_an_author_is_quoted(self) -> None:
        def odd(value: int) -> None:
            if value % 2 == 0:
                raise serializers.ValidationError("Odd numbers only.")

        made = rule(
            a=serializers.IntegerField(validators=[odd]),
            b=serializers.IntegerField(validators=[MaxValueValidator(5)]),
            c=serializers.CharField(error_messages={"invalid": "Give the number on the card."}),
            d=serializers.CharField(validators=[RegexValidator("^x", "Starts with x.")]),
        )
        assert refusal(made, {"a": 2, "b": 6, "c": [], "d": "y"}) == (
            "a: Odd numbers only.\n"
            "b: 6 is more than 5. Expected an integer of at most 5.\n"
            "c: Give the number on the card.\n"
            "d: Starts with x."
        )

    def test_a_class_of_the_authors_is_quoted(self) -> None:
        class CardField(serializers.IntegerField):
            default_error_messages = {"invalid": "Give the number on the card."}

        assert refusal(rule(x=CardField()), {"x": "a"}) == "x: Give the number on the card."

    @pytest.mark.parametrize("error", [serializers.ValidationError, DjangoValidationError])
    def test_what_the_project_raises_is_told(self, error: Any) -> None:
        class Strict(Renewal):
            def validate_days(self, value: int) -> int:
                if value == 13:
                    raise error("Not on a 13th.")
                return value

            def validate(self, attrs: Any) -> Any:
                if attrs["loan_id"] == 1:
                    raise error("This loan is at its end.")
                if attrs["loan_id"] == 2:
                    raise error({"loan_id": ["It is lost."]})
                return attrs

        made = rule(Strict)
        assert refusal(made, {"loan_id": 3, "days": 13}) == "days: Not on a 13th."
        assert refusal(made, {"loan_id": 1}) == "This loan is at its end."
        assert refusal(made, {"loan_id": 2}) == "loan_id: It is lost."

    def test_what_is_refused_already_spares_the_projects_validate(self) -> None:
        class Counting(Renewal):
            calls = 0

            def validate(self, attrs: Any) -> Any:
                Counting.calls += 1
                return attrs

        assert refusal(rule(Counting), {"loan_id": 1, "x": 1})
        assert Counting.calls == 0

    def test_other_exceptions_pass(self) -> None:
        class Broken(Renewal):
            def validate(self, attrs: Any) -> Any:
                raise LookupError("no such shelf")

        with pytest.raises(LookupError, match="no such shelf"):
            rule(Broken).validate({"loan_id": 1}, {})

    @pytest.mark.parametrize(
        "options", [{"write_only": True}, {"style": {"input_type": "password"}}]
    )
    def test_secrets_are_not_repeated(self, options: Any) -> None:
        made = rule(
            pin=serializers.ChoiceField(["1", "2"], **options),
            key=serializers.ListField(child=serializers.IntegerField(), **options),
        )
        refused = refusal(made, {"pin": "hunter2", "key": ["hunter2"]})
        assert "hunter2" not in refused
        assert refused == (
            'pin: This value is not valid. Expected one of "1", "2".\n'
            "key.0: This value is not valid. Expected an integer."
        )
        assert refusal(made, {"key": [1]}).startswith("pin: This is missing.")
        assert refusal(made, {"pin": None, "key": [1]}).startswith("pin: Null is not accepted.")

    def test_huge_values_are_cut(self) -> None:
        made = rule(x=serializers.ChoiceField(["a"]), y=serializers.IntegerField())
        refused = refusal(made, {"x": "z" * 10**6, "y": "9" * 10**6, "w" * 10**6: 1})
        assert len(refused) < 2_000
        assert len(refusal(rule(x=serializers.IntegerField()), {"x": 10**5000})) < 300

    def test_only_some_of_many_are_told(self) -> None:
        made = rule(x=serializers.ListField(child=serializers.IntegerField()))
        lines = refusal(made, {"x": ["a"] * 50}).splitlines()
        assert len(lines) == 21
        assert lines[-1] == "And 30 more like these."

    def test_many_names_are_cut(self) -> None:
        made = rule({f"f{n}": serializers.CharField(required=False) for n in range(30)})
        assert refusal(made, {"g": 1}).endswith("f18, f19, ….")


class Remembering(serializers.Serializer):
    """Keeps something of the call on itself, which only a serializer of its own survives."""

    x = serializers.IntegerField()

    def validate(self, attrs: Any) -> Any:
        self.seen = attrs["x"]
        threading.Event().wait(0.001)
        return {**attrs, "seen": self.seen}


class FromContext:
    requires_context = True

    def __call__(self, field: Any) -> Any:
        return field.context["n"]


class Contextual(serializers.Serializer):
    x = serializers.IntegerField()
    who = serializers.HiddenField(default=CurrentUserDefault())


class StatefulValidator:
    def __call__(self, value: int) -> None:
        self.last = value


class Request(NamedTuple):
    user: Any


@pytest.mark.parametrize(
    ("source", "context", "expected"),
    [
        (Remembering, lambda n: {}, lambda n: {"x": n, "seen": n}),
        (
            Contextual,
            lambda n: {"request": Request(f"user {n}")},
            lambda n: {"x": n, "who": f"user {n}"},
        ),
        (
            {"x": serializers.IntegerField(), "n": serializers.HiddenField(default=FromContext())},
            lambda n: {"n": n},
            lambda n: {"x": n, "n": n},
        ),
        (
            {"x": serializers.IntegerField(), "inner": Contextual(default=dict)},
            lambda n: {"request": Request(n)},
            lambda n: {"x": n, "inner": {}},
        ),
    ],
)
def test_eight_threads_at_once(
    source: Any, context: Callable[[int], Any], expected: Callable[[int], Any]
) -> None:
    made = rule(source)

    def call(n: int) -> bool:
        return made.validate({"x": n}, context(n)) == expected(n)

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(call, range(400)))


def test_the_context_of_a_call_ends_with_it() -> None:
    seen: list[Any] = []

    def look(value: Any, field: Any) -> None:
        seen.append(dict(field.context))

    look.requires_context = True  # type: ignore[attr-defined]

    class Looking(serializers.Serializer):
        x = serializers.IntegerField(validators=[look])

    made = rule(Looking)
    made.validate({"x": 1}, {"a": 1})
    made.validate({"x": 1}, {})
    assert seen == [{"a": 1}, {}]
    shared = RENEWAL.run.serializer.context  # type: ignore[attr-defined]
    assert dict(shared) == {}
    assert len(shared) == 0


def test_fields_that_depend_on_the_call() -> None:
    class Staff(serializers.Serializer):
        x = serializers.IntegerField(required=False)
        secret = serializers.IntegerField(required=False)

        def get_fields(self) -> Any:
            fields = super().get_fields()
            if not self.context.get("staff", True):
                del fields["secret"]
            return fields

    made = rule(Staff)
    assert made.names == ("x", "secret")
    assert made.validate({"secret": "1"}, {"staff": True}) == {"secret": 1}
    assert refusal(made, {"secret": 1}, {"staff": False}).startswith("secret: There is no such")


class Overriding(serializers.IntegerField):
    def to_internal_value(self, data: Any) -> int:
        return super().to_internal_value(data)


@pytest.mark.parametrize(
    ("field", "blocks"),
    [
        (serializers.IntegerField(), False),
        (serializers.CharField(max_length=3), False),
        (serializers.ListField(child=serializers.DateField()), False),
        (Line(), False),
        (Line(many=True), False),
        (serializers.IntegerField(default=CreateOnlyDefault(3)), False),
        (serializers.HiddenField(default=CurrentUserDefault()), False),
        (serializers.ListField(default=list), False),
        (serializers.DateTimeField(default=timezone.now), False),
        (serializers.CharField(validators=[RegexValidator("x")]), False),
        (serializers.IntegerField(default=CreateOnlyDefault(lambda: 3)), True),
        (serializers.IntegerField(default=lambda: 3), True),
        (serializers.IntegerField(validators=[lambda value: None]), True),
        (serializers.IntegerField(validators=[MaxValueValidator(lambda: 3)]), True),
        (serializers.IntegerField(validators=[StatefulValidator()]), True),
        (serializers.CharField(validators=[UniqueValidator(Book.objects.all())]), True),
        (serializers.PrimaryKeyRelatedField(queryset=Book.objects.all()), True),
        (serializers.PrimaryKeyRelatedField(queryset=Book.objects.all(), many=True), True),
        (serializers.SlugRelatedField("title", queryset=Book.objects.all()), True),
        (serializers.JSONField(), False),
        (serializers.JSONField(encoder=type("Encoder", (), {})), True),
        (Overriding(), True),
        (Remembering(), True),
    ],
)
def test_what_may_block(field: Any, blocks: bool) -> None:
    assert rule(x=field).blocks is blocks


@dataclass
class Plain:
    x: int


@dataclass
class Checked:
    x: int

    def __post_init__(self) -> None:
        if self.x == 13:
            raise ValueError("Not 13.")
        if self.x == 14:
            raise DjangoValidationError("Not 14.")


class Typed(TypedDict):
    x: int


class Named(NamedTuple):
    x: int


class TestStructures:
    @pytest.mark.parametrize("cls", [Plain, Typed, Named, Checked])
    def test_the_members_are_the_arguments(self, cls: Any) -> None:
        made = rule(cls)
        assert made.names == ("x",)
        values = made.validate({"x": "5"}, {})
        assert values == {"x": 5}
        assert made.build is not None
        assert made.build(values) == cls(x=5)
        assert type(made.build(values)) is type(cls(x=5))

    def test_what_the_class_refuses_is_invalid(self) -> None:
        made = rule(Checked)
        assert made.build is not None
        with pytest.raises(InvalidArguments, match=r"^Not 13\.$"):
            made.build({"x": 13})
        with pytest.raises(InvalidArguments, match=r"^Not 14\.$"):
            made.build({"x": 14})

    def test_code_of_a_class_may_block(self) -> None:
        from mcp_django.schema.signatures import Argument, serializer_from_arguments

        def made(cls: Any) -> ArgumentsRule:
            return rule(serializer_from_arguments("tool", [Argument("x", cls)]))

        assert not made(Plain).blocks
        assert made(Checked).blocks

    def test_others_stay_a_mapping(self) -> None:
        assert RENEWAL.build is None


class Needy(serializers.Serializer):
    def __init__(self, must: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)


class Reading(serializers.Serializer):
    def get_fields(self) -> Any:
        return {self.context["request"].user: serializers.CharField()}


class TestDeclarations:
    @pytest.mark.parametrize(
        ("source", "message"),
        [
            (5, "no serializer"),
            (int, "no serializer"),
            (Line(many=True), "no serializer"),
            (serializers.ListSerializer, "no serializer"),
            ({"x": int}, "no field"),
            ({"x": "int"}, "arguments= holds 'x': 'int', which is no field"),
            (Line(many=True), r"^The arguments are said by Line\(many=True\), which is no"),
            ({1: serializers.CharField()}, "no field"),
            (Needy, "can't be made: .*'must'"),
            (Reading, "reads 'request' of its context"),
        ],
    )
    def test_what_says_no_arguments(self, source: Any, message: str) -> None:
        with pytest.raises(DeclarationError, match=message):
            arguments_rule(source, name="tool")

    @pytest.mark.parametrize(
        "field",
        [
            serializers.IntegerField(max_value=28, default=99),
            serializers.ChoiceField(["open"], default="opened"),
            serializers.CharField(max_length=3, default="long"),
            serializers.DateField(default="soon"),
            serializers.IntegerField(default="many"),
            serializers.ListField(child=serializers.IntegerField(max_value=1), default=[2]),
        ],
    )
    def test_a_default_that_its_field_refuses(self, field: Any) -> None:
        with pytest.raises(DeclarationError, match="The default of x"):
            rule(x=field)
        with pytest.raises(DeclarationError, match="The default of x"):
            rule(outer=type("Outer", (serializers.Serializer,), {"x": field})())

    @pytest.mark.parametrize(
        "field",
        [
            serializers.CharField(default=None),
            serializers.CharField(default=""),
            serializers.DateField(default="2026-07-28"),
            serializers.IntegerField(default="5"),
            serializers.IntegerField(max_value=3, default=lambda: 99),
            serializers.IntegerField(max_value=3, default=99, validators=[lambda value: None]),
            serializers.IntegerField(read_only=True, default="x"),
        ],
    )
    def test_a_default_that_passes(self, field: Any) -> None:
        rule(x=field)

    def test_given_fields_are_not_taken_over(self) -> None:
        given = serializers.IntegerField()
        rule(x=given)
        assert given.parent is None


class TestArguments:
    def test_it_is_a_mapping(self) -> None:
        arguments: Arguments[Any] = Arguments({"x": 5, "y": 6}, {"x": "5"})
        assert isinstance(arguments, Mapping)
        assert dict(arguments) == {"x": 5, "y": 6}
        assert arguments["x"] == 5
        assert arguments.get("z", 1) == 1
        assert len(arguments) == 2

    def test_the_json_as_sent(self) -> None:
        arguments: Arguments[Any] = Arguments({"x": 5, "y": 6}, {"x": "5"})
        assert arguments.raw("x") == "5"
        assert arguments.raw("y") is None
        assert arguments.raw("y", "absent") == "absent"
        assert Arguments({"x": 1}).raw("x") is None

    def test_values_are_not_shown(self) -> None:
        assert repr(Arguments({"password": "hunter2"})) == "<Arguments: password>"


@pytest.mark.parametrize(
    ("field", "sent", "read"),
    [
        (serializers.CharField(), "a\0b", "a\ufffdb"),
        (serializers.CharField(), "\0", "\ufffd"),
        (serializers.CharField(), "\x1c", "\ufffd"),
        (serializers.CharField(), " a\tb\n", "a\tb"),
        (serializers.CharField(trim_whitespace=False), "\x1c\0", "\x1c\ufffd"),
        (serializers.ListField(child=serializers.CharField()), ["\0"], ["\ufffd"]),
    ],
)
def test_characters_that_no_field_takes_are_replaced(field: Any, sent: Any, read: Any) -> None:
    assert rule(x=field).validate({"x": sent}, {}) == {"x": read}


def test_a_whole_number_has_no_decimal_places() -> None:
    field = serializers.DecimalField(max_digits=5, decimal_places=0)
    assert rule(x=field).validate({"x": 5.0}, {}) == {"x": 5}


class Unbounded(serializers.FloatField):
    """A project's own, which lets infinity through."""

    def to_internal_value(self, data: Any) -> float:
        return float(data)


class TestNumbersAsText:
    """A number that comes as text, as from a prompt or a URI, is refused as the number is."""

    @pytest.mark.parametrize(
        ("field", "text", "number"),
        [
            (serializers.IntegerField(min_value=1, max_value=20), "30", 30),
            (serializers.IntegerField(min_value=1, max_value=20), " 030 ", 30),
            (serializers.IntegerField(min_value=1, max_value=20), "30.0", 30),
            (serializers.IntegerField(min_value=1, max_value=20), "0", 0),
            (serializers.IntegerField(max_value=20, allow_null=True), "30", 30),
            (serializers.FloatField(max_value=5), "9.5", 9.5),
            (serializers.FloatField(max_value=5), "9.0", 9.0),
            (serializers.FloatField(max_value=5), "9", 9),
            (
                serializers.ListField(child=serializers.IntegerField(max_value=5)),
                ["1", "9"],
                [1, 9],
            ),
            (
                serializers.DictField(child=serializers.FloatField(max_value=5)),
                {"a": "9.5"},
                {"a": 9.5},
            ),
        ],
    )
    def test_out_of_range(self, field: Any, text: Any, number: Any) -> None:
        told = refusal(rule(x=copy.deepcopy(field)), {"x": number})
        assert re.search(r": \S+ is (more|less) than \d+\. Expected a", told)
        assert refusal(rule(x=field), {"x": text}) == told

    def test_one_beside_another_that_is_none(self) -> None:
        made = rule(x=serializers.IntegerField(max_value=5), y=serializers.IntegerField())
        assert refusal(made, {"x": "9", "y": "1e3"}) == (
            "x: 9 is more than 5. Expected an integer of at most 5.\n"
            'y: "1e3" is not an integer. Expected an integer.'
        )

    @pytest.mark.parametrize("sent", ["99", 99])
    @pytest.mark.django_db
    def test_the_key_of_no_row(self, sent: Any) -> None:
        related = serializers.PrimaryKeyRelatedField(queryset=Book.objects.all())
        assert refusal(rule(x=related), {"x": sent}) == (
            f'x: Invalid pk "{sent}" - object does not exist.'
        )
        named = ModelField(model=Book, key=serializers.IntegerField())
        assert refusal(rule(x=named), {"x": sent}) == "x: There is no book 99."

    @pytest.mark.parametrize(
        ("field", "text", "words"),
        [
            (
                Unbounded(max_value=5),
                "inf",
                "Ensure this value is less than or equal to 5.",
            ),
            (
                serializers.DurationField(max_value=timedelta(5)),
                "30 00:00:00",
                "Ensure this value is less than or equal to 5 days, 0:00:00.",
            ),
        ],
    )
    def test_what_no_number_can_be_read_from_is_refused_in_words_of_drf(
        self, field: Any, text: str, words: str
    ) -> None:
        assert words in refusal(rule(x=field), {"x": text})

    def test_a_secret_stays_one(self) -> None:
        field = serializers.IntegerField(max_value=5, write_only=True)
        told = refusal(rule(x=field), {"x": "918273"})
        assert told == "x: This value is not valid. Expected an integer of at most 5."

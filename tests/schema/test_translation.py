"""Titles and descriptions of arguments in the language of whoever reads them."""

from __future__ import annotations

import datetime
from typing import Annotated, Any

import jsonschema_rs
import pytest
from django.contrib.auth.models import User
from django.utils.functional import Promise, lazystr
from django.utils.translation import gettext_lazy, override, pgettext_lazy
from rest_framework import serializers

from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.jsonschema import field_schema
from mcp_django.schema.signatures import Argument, serializer_from_arguments
from mcp_django.schema.translation import Text, resaid, separated, translated
from mcp_django.schema.validation import ArgumentsRule, arguments_rule, raw_schema_rule
from tests.schema.samples import said

YES, NO = gettext_lazy("Yes"), gettext_lazy("No")


def rule(**fields: Any) -> ArgumentsRule:
    """The rule of arguments with these fields."""
    return arguments_rule(fields, name="tool")


def derived(annotation: Any) -> ArgumentsRule:
    """The rule of one argument ``x`` with this hint."""
    return arguments_rule(
        serializer_from_arguments("tool", [Argument("x", annotation)]), name="tool"
    )


def shown(of: ArgumentsRule, language: str, name: str = "x") -> Any:
    """An argument's schema as a caller with this language sees it."""
    with override(language):
        return translated(of.schema, of.texts)["properties"][name]


# What is translated


def test_a_help_text_and_a_label() -> None:
    made = rule(x=serializers.BooleanField(help_text=YES, label=NO))

    assert made.schema["properties"]["x"]["description"] == "Yes"
    for language, title, text in (("de", "Nein", "Ja"), ("fr", "Non", "Oui"), ("en", "No", "Yes")):
        seen = shown(made, language)
        assert (seen["title"], seen["description"]) == (title, text)
        assert type(seen["title"]) is type(seen["description"]) is str


def test_labels_of_choices() -> None:
    made = rule(x=serializers.ChoiceField([("y", YES), ("n", "Nope"), ("", "")], allow_blank=True))

    assert shown(made, "de")["oneOf"] == [
        {"const": "y", "title": "Ja"},
        {"const": "n", "title": "Nope"},
        {"const": ""},
    ]
    assert shown(made, "en")["oneOf"][0] == {"const": "y", "title": "Yes"}


def test_labels_of_several_choices_and_of_groups() -> None:
    made = rule(x=serializers.MultipleChoiceField(choices=[("Group", [("y", YES), ("n", NO)])]))

    titles = [choice["title"] for choice in shown(made, "fr")["items"]["oneOf"]]
    assert titles == ["Oui", "Non"]


def test_texts_of_a_models_columns() -> None:
    class Account(serializers.ModelSerializer[User]):
        class Meta:
            model = User
            fields = ("username", "is_staff")

    made = arguments_rule(Account, name="tool")

    assert shown(made, "de", "username")["description"].startswith("Erforderlich.")
    assert shown(made, "de", "is_staff")["title"] == "Mitarbeiter-Status"
    assert shown(made, "en", "is_staff")["title"] == "Staff status"


def test_what_is_nested() -> None:
    class Inner(serializers.Serializer[Any]):
        """What is nested."""

        y = serializers.CharField(help_text=YES)

    made = rule(
        x=Inner(many=True, help_text=NO),
        one=Inner(allow_null=True),
        by_name=serializers.DictField(child=serializers.CharField(help_text=YES)),
        several=serializers.ListField(child=serializers.IntegerField(label=NO)),
    )

    assert shown(made, "de")["description"] == "Nein"
    assert shown(made, "de")["items"]["properties"]["y"]["description"] == "Ja"
    assert shown(made, "fr", "one")["properties"]["y"]["description"] == "Oui"
    assert shown(made, "fr", "by_name")["additionalProperties"]["description"] == "Oui"
    assert shown(made, "fr", "several")["items"]["title"] == "Non"


class Folder(serializers.Serializer[Any]):
    name = serializers.CharField(help_text=YES)

    def get_fields(self) -> Any:
        return {**super().get_fields(), "folders": Folder(many=True, required=False)}


def test_what_holds_itself() -> None:
    made = rule(x=Folder(label=NO))

    with override("de"):
        schema = translated(made.schema, made.texts)
    assert schema["properties"]["x"]["title"] == "Nein"
    assert schema["$defs"]["Folder"]["properties"]["name"]["description"] == "Ja"


@pytest.mark.parametrize(
    ("annotation", "place"),
    [
        (Annotated[int, YES], ()),
        (Annotated[int | None, YES], ()),
        (list[Annotated[int, YES]], ("items",)),
        (tuple[str, Annotated[int, YES]], ("prefixItems", 1)),
        (Annotated[int, YES] | list[str], ("anyOf", 0)),
        (dict[str, Annotated[int, YES]], ("additionalProperties",)),
        (Annotated[int, serializers.IntegerField(help_text=YES)], ()),
    ],
)
def test_help_in_a_type_hint(annotation: Any, place: tuple[Any, ...]) -> None:
    seen = shown(derived(annotation), "de")
    for step in place:
        seen = seen[step]
    assert seen["description"] == "Ja"


def test_a_help_text_with_a_sentence_of_our_own_behind_it() -> None:
    field = serializers.DurationField(max_value=datetime.timedelta(days=1), help_text=YES)

    made = rule(x=field)

    assert shown(made, "de")["description"] == "Ja In seconds."
    assert shown(made, "en")["description"] == "Yes In seconds."


def test_a_schema_that_a_field_says_itself() -> None:
    made = rule(x=said({"anyOf": [{"type": "string", "description": YES}, {"type": "null"}]}))

    assert shown(made, "de")["anyOf"][0] == {"type": "string", "description": "Ja"}


def test_results_are_translated_as_well() -> None:
    schema, texts = separated(field_schema(serializers.ChoiceField([("y", YES)]), "response"))

    with override("de"):
        assert translated(schema, texts)["oneOf"] == [{"const": "y", "title": "Ja"}]


def test_a_raw_schema() -> None:
    made = raw_schema_rule(
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "title": NO,
            "properties": {"x": {"type": "string", "description": YES}},
            "definitions": {"a": {"items": [{"title": YES}, True]}},
        }
    )

    with override("fr"):
        assert translated(made.schema, made.texts) == {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "title": "Non",
            "properties": {"x": {"type": "string", "description": "Oui"}},
            "definitions": {"a": {"items": [{"title": "Oui"}, True]}},
        }
    assert made.validate({"x": "a"}, {}) == {"x": "a"}


def test_a_raw_schema_that_holds_itself_is_refused() -> None:
    schema: dict[str, Any] = {"type": "object", "title": YES}
    schema["properties"] = {"x": schema}

    with pytest.raises(DeclarationError, match="input_schema is not JSON"):
        raw_schema_rule(schema)


# What is not


def test_one_word_with_two_meanings_has_two_translations() -> None:
    made = rule(
        x=serializers.CharField(help_text=gettext_lazy("May")),
        y=serializers.CharField(help_text=pgettext_lazy("alt. month", "May")),
    )

    assert made.schema["properties"]["x"] == made.schema["properties"]["y"]
    assert shown(made, "ru", "x")["description"] == "Май"
    assert shown(made, "ru", "y")["description"] == "мая"


def test_a_text_that_is_not_lazy_stays_though_it_equals_one_that_is() -> None:
    made = rule(x=serializers.CharField(help_text=YES), y=serializers.CharField(help_text="Yes"))

    assert shown(made, "de", "y")["description"] == "Yes"


def test_names_values_and_defaults_stay() -> None:
    made = rule(
        title=serializers.CharField(default=YES, help_text=NO),
        description=serializers.ChoiceField(["Yes", "No"], label=YES),
    )

    assert shown(made, "de", "title")["default"] == "Yes"
    assert shown(made, "de", "title")["description"] == "Nein"
    assert shown(made, "de", "description")["enum"] == ["Yes", "No"]
    assert shown(made, "de", "description")["title"] == "Ja"


def test_a_label_that_says_no_more_than_the_name_is_left_out_in_every_language() -> None:
    made = rule(yes=serializers.CharField(label=YES))

    assert "title" not in shown(made, "de", "yes")


def test_a_schema_without_lazy_texts_costs_nothing() -> None:
    made = rule(x=serializers.CharField(help_text="Plain.", label="A label"))

    assert not made.texts
    assert translated(made.schema, made.texts) is made.schema
    schema = {"type": "object", "title": "T"}
    assert separated(schema)[0] is schema


def test_the_schema_itself_is_left_as_it_is() -> None:
    made = rule(x=serializers.CharField(help_text=YES))

    with override("de"):
        seen = translated(made.schema, made.texts)

    assert made.texts
    assert made.schema["properties"]["x"]["description"] == "Yes"
    jsonschema_rs.meta.validate(seen)


def test_what_is_declared_while_another_language_is_active() -> None:
    with override("de"):
        made = rule(x=serializers.CharField(help_text=YES))

    assert shown(made, "en")["description"] == "Yes"


# Saying all of it differently


def louder(text: Text) -> Text:
    """A text in capitals; a lazy one stays lazy."""
    if isinstance(text, Promise):
        return lazystr(str(text).upper())
    return text.upper()


def test_every_title_and_description_can_be_said_differently() -> None:
    made = rule(
        x=serializers.ChoiceField([("y", "yes"), ("n", NO)], help_text="why"),
        title=serializers.CharField(default="as it is"),
    )

    schema, texts = resaid(made.schema, made.texts, louder)

    assert schema["properties"]["x"]["description"] == "WHY"
    assert [choice["title"] for choice in schema["properties"]["x"]["oneOf"]] == ["YES", "NO"]
    assert schema["properties"]["title"]["default"] == "as it is"
    assert [place[-2:] for place, _text in texts.lazy] == [(1, "title")]
    assert made.schema["properties"]["x"]["description"] == "why"


def test_what_cannot_be_said_is_named_by_its_place() -> None:
    def refuse(text: Text) -> Text:
        raise DeclarationError("It is no text.", "Give one.")

    inner = {"properties": {"properties": {"items": {"title": "a"}}}}
    for schema, place in (
        ({"properties": {"x": {"anyOf": [{"title": "a"}]}}}, "title of the member 'x'"),
        ({"properties": {"x": inner}}, "title of the member 'x.properties'"),
        ({"description": "a"}, "description of the schema"),
    ):
        with pytest.raises(DeclarationError) as caught:
            resaid(schema, separated({})[1], refuse)
        assert str(caught.value) == f"The {place}: It is no text. Give one."

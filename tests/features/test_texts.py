"""``${key}`` in names, titles and descriptions, and what fills it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import override_settings
from django.utils.functional import Promise, lazystr
from django.utils.translation import get_language, gettext_lazy, override
from rest_framework import serializers

from mcp_django.features.texts import filled, filled_name, with_filled_texts
from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.results import result_rule
from mcp_django.schema.translation import translated
from mcp_django.schema.validation import arguments_rule, raw_schema_rule

TEXTS = {
    "books": {"title": "Find books", "limit": "At most ${so} many", "yes": gettext_lazy("Yes")},
    "no": "",
    "a-b_c.d": "dots",
    "Größe": "size",
}


@pytest.fixture(autouse=True)
def _texts() -> Iterator[None]:
    with override_settings(MCP_DJANGO={"TEXTS": TEXTS}):
        yield


# A text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("Plain, $5 {and} $ {more} }", "Plain, $5 {and} $ {more} }"),
        ("${books.title}", "Find books"),
        ("<${books.title}> and ${a-b_c.d}.", "<Find books> and dots."),
        ("${Größe}", "size"),
        ("[${no}]", "[]"),
        ("${books.title:never seen}", "Find books"),
        ("${books.gone:A fallback: $, {\n}!", "A fallback: $, {\n!"),
        ("${books.gone:}", ""),
        ("$${books.title}", "${books.title}"),
        ("$$${books.title}", "$${books.title}"),
        ("Costs $${ and ${no}", "Costs ${ and "),
        ("${books.limit}", "At most ${so} many"),  # what fills is not filled again
    ],
)
def test_a_text_is_filled(text: str, expected: str) -> None:
    assert filled(text) == expected
    assert isinstance(filled(text), str)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "Say ${books.tile}.",
            'MCP_DJANGO["TEXTS"] has no text ${books.tile}. Add it to MCP_DJANGO["TEXTS"], or '
            "write ${books.tile:a fallback}. Did you mean 'books.title'? Write $${ where ${ "
            "itself is meant.",
        ),
        (
            "All ${books}.",
            '${books} is a table of MCP_DJANGO["TEXTS"], not a text. Its keys are title, limit, '
            "yes. Write one of them, such as ${books.title}. Write $${ where ${ itself is meant.",
        ),
        (
            "${zzz}",
            'MCP_DJANGO["TEXTS"] has no text ${zzz}. Add it to MCP_DJANGO["TEXTS"], or write '
            "${zzz:a fallback}. Write $${ where ${ itself is meant.",
        ),
        (
            "Run ${books.title now, whoever reads this",
            "'${books.title now, whoever rea' begins with a ${ that is neither ${key} nor "
            "${key:fallback}. Write $${ where ${ itself is meant; a key is made of letters, "
            "digits, '_', '.' and '-'.",
        ),
        ("${}", "'${}' begins with a ${ that is neither"),
        ("${a b}", "'${a b}' begins with a ${ that is neither"),
        ("end ${", "'${' begins with a ${ that is neither"),
        (
            "${a:${b}}",
            "The fallback of ${a} holds another ${, and is taken as it is. Write a text without "
            "one, or two keys after each other.",
        ),
    ],
)
def test_a_text_that_cannot_be_filled(text: str, message: str) -> None:
    with pytest.raises(DeclarationError) as caught:
        filled(text)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("name", ["find_${a-b_c.d}", "find_${name:dots}"])
def test_a_name_is_filled(name: str) -> None:
    assert filled_name(name) == "find_dots"


@pytest.mark.parametrize("name", [5, None])
def test_what_is_no_name_is_left_to_others(name: object) -> None:
    assert filled_name(name) is name


@pytest.mark.parametrize("name", ["${books.yes}", gettext_lazy("Yes")])
def test_a_name_is_the_same_in_every_language(name: Any) -> None:
    with pytest.raises(DeclarationError) as caught:
        filled_name(name)
    assert str(caught.value) == (
        f"The name {name!r} is a translation, and names are the same in every language. "
        "Write it, or fill it with a text that is not translated."
    )


# Translations


def in_languages(text: Any) -> dict[str, str]:
    """What readers of two languages see."""
    seen = {}
    for language in ("en", "de"):
        with override(language):
            seen[language] = str(text)
    return seen


def test_what_is_filled_by_a_translation_follows_the_language() -> None:
    text = filled("{${books.yes}} to ${books.title}")

    assert isinstance(text, Promise)
    assert in_languages(text) == {"en": "{Yes} to Find books", "de": "{Ja} to Find books"}


def by_language(**texts: str) -> Any:
    """A text that has a translation of its own for each of some languages."""

    class ByLanguage:
        def __str__(self) -> str:
            return texts.get(get_language() or "en", texts["en"])

    return lazystr(ByLanguage())


def test_a_translation_is_filled_in_each_language() -> None:
    text = filled(by_language(en="${books.title} now", de="${books.yes}, $${x} ${gone:weg}"))

    assert isinstance(text, Promise)
    assert in_languages(text) == {"en": "Find books now", "de": "Ja, ${x} weg"}


def test_a_translation_without_keys_stays_one() -> None:
    text = filled(gettext_lazy("Yes"))

    assert in_languages(text) == {"en": "Yes", "de": "Ja"}


def test_a_translation_needs_no_setting() -> None:
    plain, with_key = gettext_lazy("Yes"), by_language(en="${a:b}", de="${a:c}")

    with override_settings(MCP_DJANGO={}):
        assert filled(plain) is plain
        assert in_languages(filled(with_key)) == {"en": "b", "de": "c"}


def test_a_key_that_nothing_fills_in_the_projects_own_language_stops_start_up() -> None:
    text = by_language(en="${gone}", de="fine")

    with override("de"), pytest.raises(DeclarationError, match=r"has no text \$\{gone\}"):
        filled(text)


def test_the_projects_own_language_is_the_one_of_its_settings() -> None:
    text = by_language(en="fine", de="${gone}")

    with override_settings(LANGUAGE_CODE="de"), pytest.raises(DeclarationError):
        filled(text)


def test_a_key_that_nothing_fills_in_another_language_shows_the_projects_own(
    caplog: pytest.LogCaptureFixture,
) -> None:
    text = filled(by_language(en="${books.title} now", de="${gone} jetzt"))

    with caplog.at_level(logging.ERROR, "mcp_django"):
        assert in_languages(text) == {"en": "Find books now", "de": "Find books now"}
    assert "A translation cannot be filled in: MCP_DJANGO" in caplog.text
    assert "${gone}" in caplog.text


def test_what_is_filled_keeps_its_texts() -> None:
    plain, lazy = filled("${books.title}"), filled(by_language(en="${books.title}"))

    with override_settings(MCP_DJANGO={"TEXTS": {"books": {"title": "Other"}}}):
        assert (str(plain), str(lazy)) == ("Find books", "Find books")
        assert filled("${books.title}") == "Other"


# Arguments


def test_titles_and_descriptions_of_arguments_are_filled() -> None:
    class Inner(serializers.Serializer[Any]):
        """What is ${a-b_c.d}."""

        y = serializers.CharField(label="${books.title}")

    fields = {
        "x": serializers.ChoiceField([("${no}", "${books.yes}")], help_text="${books.title}!"),
        "inner": Inner(),
    }

    rule = with_filled_texts(arguments_rule(fields, name="tool"))

    with override("de"):
        properties = translated(rule.schema, rule.texts)["properties"]
    assert properties["x"] == {
        "type": "string",
        "description": "Find books!",
        "oneOf": [{"const": "${no}", "title": "Ja"}],
    }
    assert properties["inner"]["description"] == "What is dots."
    assert properties["inner"]["properties"]["y"]["title"] == "Find books"
    choices = rule.schema["properties"]["x"]["oneOf"]
    assert choices == [{"const": "${no}", "title": "Yes"}]
    assert rule.validate({"x": "${no}", "inner": {"y": "z"}}, {})["x"] == "${no}"


def test_a_translated_help_text_is_filled_in_each_language() -> None:
    help_text = by_language(en="${books.title}", de="${books.yes}")

    rule = with_filled_texts(
        arguments_rule({"x": serializers.CharField(help_text=help_text)}, name="tool")
    )

    assert rule.schema["properties"]["x"]["description"] == "Find books"
    with override("de"):
        assert translated(rule.schema, rule.texts)["properties"]["x"]["description"] == "Ja"


def test_a_raw_schema_is_filled() -> None:
    schema = {"type": "object", "properties": {"x": {"title": "${books.title}", "const": "${no}"}}}

    rule = with_filled_texts(raw_schema_rule(schema))

    assert rule.schema["properties"]["x"] == {"title": "Find books", "const": "${no}"}


def test_an_argument_whose_text_cannot_be_filled_is_named() -> None:
    class Inner(serializers.Serializer):
        b = serializers.CharField(label="${books.tite}")

    missing = 'MCP_DJANGO["TEXTS"] has no text ${books.tite}.'
    field = serializers.CharField(help_text="${books.tite}")
    for fields, place in (
        ({"x": field}, "description of the argument 'x'"),
        ({"a": Inner()}, "title of the argument 'a.b'"),
        ({"a": Inner(many=True)}, "title of the argument 'a.b'"),
    ):
        with pytest.raises(DeclarationError) as caught:
            with_filled_texts(arguments_rule(fields, name="tool"))
        assert caught.value.problem == f"The {place}: {missing}"


def test_a_text_of_a_result_that_cannot_be_filled_is_named() -> None:
    class Found(serializers.Serializer):
        """${books.tite}"""

        title = serializers.CharField()

    with pytest.raises(DeclarationError, match=r"^The description of the result: MCP_DJANGO"):
        with_filled_texts(result_rule(Any, Found, name="tool"))

    class Titled(serializers.Serializer):
        title = serializers.CharField(help_text="${books.tite}")

    with pytest.raises(DeclarationError, match=r"^The description of the result's member 'title'"):
        with_filled_texts(result_rule(Any, Titled, name="tool"))


def test_a_rule_without_a_schema_stays_as_it_is() -> None:
    class NoSchema:
        schema = None
        texts = arguments_rule({}, name="tool").texts

    rule = NoSchema()
    assert with_filled_texts(rule) is rule

"""Names, titles and descriptions from outside of the code, each caller's in their language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import models
from django.test import override_settings
from django.utils import translation
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from mcp_django import server
from tests.wire.conftest import Wire

YES, NO = gettext_lazy("Yes"), gettext_lazy("No")
TEXTS = {"find": {"name": "find_books", "title": YES, "help": "Which one"}, "no": NO}
SETTINGS = {"AUTHENTICATION_CLASSES": [], "TEXTS": TEXTS}


class Answer(models.TextChoices):
    YES = "y", YES
    NO = "n", NO


class Found(serializers.Serializer[Any]):
    number = serializers.IntegerField(help_text=YES)


@dataclass
class Receipt:
    """A receipt.

    Args:
        days: ${find.help}.
    """

    days: int
    answer: Annotated[Answer, YES]


def listed(wire: Wire, language: str, revision: str = "2026-07-28") -> Any:
    with translation.override(language):
        if revision == "2026-07-28":
            result = wire.modern("tools/list").json()["result"]
        else:
            result = wire.legacy("tools/list", version=revision).json()["result"]
    (tool,) = result["tools"]
    return {**tool, "cacheScope": result.get("cacheScope")}


@pytest.fixture(autouse=True)
def _open() -> Iterator[None]:
    with override_settings(MCP_DJANGO=SETTINGS):
        yield


def test_a_tool_is_listed_in_the_language_of_each_caller(wire: Wire, register: Any) -> None:
    def find(book: Annotated[str, "${find.help}?"], answer: Annotated[Answer, NO], why: str) -> str:
        """Find: ${no}.

        Args:
            why: ${gone:Because} ${no}.
        """
        return book

    register(find, name="${find.name}", title="${find.title}!", returns=Found(allow_null=True))

    for language, yes, no in (("en", "Yes", "No"), ("de", "Ja", "Nein"), ("fr", "Oui", "Non")):
        for revision in ("2026-07-28", "2025-11-25"):
            tool = listed(wire, language, revision)
            assert tool["name"] == "find_books"
            assert tool["title"] == f"{yes}!"
            assert tool["description"] == f"Find: {no}."
            properties = tool["inputSchema"]["properties"]
            assert properties["book"]["description"] == "Which one?"
            assert properties["why"]["description"] == f"Because {no}."
            assert properties["answer"]["description"] == no
            assert properties["answer"]["oneOf"] == [
                {"const": "y", "title": yes},
                {"const": "n", "title": no},
            ]
            result = tool["outputSchema"]
            result = result if revision == "2026-07-28" else result["properties"]["result"]
            assert result["properties"]["number"]["description"] == yes
    assert listed(wire, "en")["cacheScope"] == "private"


def test_lazy_texts_of_a_return_type(wire: Wire, register: Any) -> None:
    def receipt() -> list[Receipt]:
        """Give receipts."""
        return [Receipt(1, Answer.YES)]

    register(receipt)

    items = listed(wire, "de")["outputSchema"]["items"]["properties"]
    assert items["days"]["description"] == "Which one."
    assert items["answer"]["description"] == "Ja"
    assert [one["title"] for one in items["answer"]["oneOf"]] == ["Ja", "Nein"]
    assert wire.call("receipt")["structuredContent"] == [{"days": 1, "answer": "y"}]


def test_what_is_not_translated_is_for_everyone(wire: Wire, register: Any) -> None:
    def plain(x: Annotated[int, "${find.help}"]) -> int:
        """Plain."""
        return x

    register(plain)
    assert listed(wire, "de")["cacheScope"] == "public"


def test_a_raw_schema(wire: Wire, register: Any) -> None:
    def raw(arguments: Any) -> str:
        """Raw."""
        return str(dict(arguments))

    schema = {"type": "object", "properties": {"x": {"type": "string", "description": YES}}}
    register(raw, input_schema=schema)
    assert listed(wire, "de")["inputSchema"]["properties"]["x"]["description"] == "Ja"


def test_the_name_of_an_argument(wire: Wire, register: Any) -> None:
    def raw(arguments: Any) -> str:
        """Raw."""
        return str(dict(arguments))

    register(raw, arguments={"${gone:city}": serializers.CharField(label="${find.help}")})
    assert listed(wire, "de")["inputSchema"]["properties"]["city"]["title"] == "Which one"
    assert wire.call("raw", {"city": "Rome"})["content"][0]["text"] == "{'city': 'Rome'}"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"name": "${find.nam}"}, 'MCP_DJANGO["TEXTS"] has no text ${find.nam}.'),
        ({"name": "${no}"}, "The name '${no}' is a translation"),
        ({"title": "${find.titel}"}, "Did you mean 'find.title'?"),
        ({"description": "a ${ b"}, "Write $${ where ${ itself is meant"),
        (
            {"arguments": {"x": serializers.CharField(help_text="${gone}")}},
            "The description of the argument 'x': MCP_DJANGO[\"TEXTS\"] has no text ${gone}.",
        ),
    ],
)
def test_a_key_that_nothing_fills_stops_start_up(options: Any, message: str) -> None:
    def tool(arguments: Any) -> str:
        """A tool."""
        return ""

    with pytest.raises(ImproperlyConfigured) as caught:
        server.register(tool, **{"arguments": {}, **options})
    assert message in str(caught.value)
    assert "test_translated_texts.py:" in str(caught.value)


def test_a_docstring_is_checked_too() -> None:
    def tool() -> str:
        """Say ${gone}."""
        return ""

    with pytest.raises(ImproperlyConfigured, match=r"has no text \$\{gone\}"):
        server.register(tool)


def test_the_setting_is_checked_at_start_up_whether_it_is_used_or_not() -> None:
    with (
        override_settings(MCP_DJANGO={"TEXTS": {"a": 5}}),
        pytest.raises(ImproperlyConfigured, match="a is 5"),
    ):
        server.compile()


def test_the_catalog_shows_texts_in_the_readers_language(register: Any, capsys: Any) -> None:
    def find(book: Annotated[str, YES]) -> str:
        """Find."""
        return book

    register(find, returns=Found)
    with translation.override("de"):
        call_command("mcp", "inspect", "find")
    shown = capsys.readouterr().out
    assert "Ja" in shown
    assert "Yes" not in shown

"""What is read may depend on the language, which any code can ask Django for."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import override_settings
from django.utils import translation
from django.utils.translation import gettext

from tests.wire.conftest import Wire

URI = "library://month"
SHARED = {"AUTHENTICATION_CLASSES": [], "CACHE_SCOPE": {"read": "public"}}


def month() -> str:
    """The month."""
    return gettext("January")


def scope(wire: Wire) -> str:
    found: str = wire.result("resources/read", {"uri": URI})["cacheScope"]
    return found


@override_settings(MCP_DJANGO=SHARED)
def test_caches_do_not_share_what_is_read_in_several_languages(wire: Wire, register: Any) -> None:
    register(month, uri=URI)
    texts = []
    for language in ("en", "de"):
        with translation.override(language):
            result = wire.result("resources/read", {"uri": URI})
            texts.append(result["contents"][0]["text"])
            assert result["cacheScope"] == "private"
    assert texts == ["January", "Januar"]


@pytest.mark.parametrize("one", [{"USE_I18N": False}, {"LANGUAGES": [("en", "English")]}])
@override_settings(MCP_DJANGO=SHARED)
def test_they_share_it_where_there_is_one(wire: Wire, register: Any, one: Any) -> None:
    register(month, uri=URI)
    with override_settings(**one):
        assert scope(wire) == "public"


@override_settings(MCP_DJANGO=SHARED)
def test_an_author_may_say_that_it_is_the_same(wire: Wire, register: Any) -> None:
    register(month, uri=URI, cache_scope="public")
    assert scope(wire) == "public"

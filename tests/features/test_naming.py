"""Names by default, names that are refused, and keys of ``_meta``."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.utils.translation import gettext_lazy

from mcp_django.features.naming import checked_meta, checked_name, kebab_case
from mcp_django.schema.errors import DeclarationError


@pytest.mark.parametrize(
    ("identifier", "name"),
    [
        ("ImportCatalogue", "import-catalogue"),
        ("HTTPThing", "http-thing"),
        ("ParseHTTP", "parse-http"),
        ("Add2Numbers", "add2-numbers"),
        ("add", "add"),
        ("add_two_books", "add-two-books"),
        ("_private_method", "private-method"),
        ("A", "a"),
        ("Snake_Case", "snake-case"),
    ],
)
def test_kebab_case(identifier: str, name: str) -> None:
    assert kebab_case(identifier) == name


@pytest.mark.parametrize("name", ["a", "getUser", "DATA_EXPORT_v2", "admin.tools-list", "x" * 128])
def test_a_valid_name_is_kept(name: str) -> None:
    assert checked_name(name) == name


@pytest.mark.parametrize("name", ["", "x" * 129, "two words", "käse", "a/b", "<lambda>", "a\n", 3])
def test_an_invalid_name_is_refused(name: object) -> None:
    with pytest.raises(DeclarationError) as caught:
        checked_name(name)
    assert str(caught.value) == (
        f"{name!r} is not a valid name. Give it one with name=: 1 to 128 of the characters A-Z, "
        "a-z, 0-9, '_', '-' and '.'."
    )


@pytest.mark.parametrize(
    "key",
    ["priority", "com.example/priority", "com.example.mcp/x", "a-b.c2/x_y.z", "com.example/", "9"],
)
def test_a_free_meta_key_is_kept(key: str) -> None:
    assert checked_meta({key: 1}) == {key: 1}


@pytest.mark.parametrize(
    ("key", "problem"),
    [
        ("io.modelcontextprotocol/x", "whose prefix is reserved for the protocol"),
        ("dev.mcp/x", "whose prefix is reserved for the protocol"),
        ("com.MCP.tools/x", "whose prefix is reserved for the protocol"),
        ("modelcontextprotocol.io/x", "whose prefix is reserved for the protocol"),
        ("1com/x", "whose prefix is not made of labels, such as 'com.example'"),
        ("com..example/x", "whose prefix is not made of labels, such as 'com.example'"),
        ("/x", "whose prefix is not made of labels, such as 'com.example'"),
        ("", "whose name does not begin and end with a letter or a digit"),
        ("-x", "whose name does not begin and end with a letter or a digit"),
        ("com.example/x y", "whose name does not begin and end with a letter or a digit"),
        (5, "which is no string"),
    ],
)
def test_other_meta_keys_are_refused(key: object, problem: str) -> None:
    with pytest.raises(DeclarationError) as caught:
        checked_meta({key: 1})
    assert caught.value.problem == f"meta has the key {key!r}, {problem}."


def test_meta_is_a_mapping() -> None:
    with pytest.raises(DeclarationError, match=r"^meta=\['x'\] is no mapping\. Give a dict\.$"):
        checked_meta(["x"])


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (object(), "meta.a is a object, which JSON has no value for."),
        (Decimal(1), "meta.a is a Decimal, which JSON has no value for."),
        (2**64, "meta.a is an integer beyond 64 bits."),
        ([1, {"b": float("nan")}], "meta.a[1].b is nan, which JSON has no number for."),
        ("\ud800", "meta.a holds half of a surrogate pair, which no text can."),
        ({"\ud800": 1}, "meta.a has the key '\\ud800', which holds half of a surrogate pair, "),
        ({5: 1}, "meta.a has the key 5, which is no string."),
    ],
)
def test_the_values_of_meta_are_json(value: object, problem: str) -> None:
    with pytest.raises(DeclarationError) as caught:
        checked_meta({"a": value})
    assert caught.value.problem.startswith(problem)
    assert caught.value.fix.startswith("Give text, numbers,")


def test_meta_has_an_end() -> None:
    endless: dict[str, object] = {}
    endless["a"] = endless
    with pytest.raises(DeclarationError, match="is nested too deeply, or holds itself"):
        checked_meta({"a": endless})


def test_meta_may_hold_all_that_json_has() -> None:
    meta = {"a": [1, 1.5, True, None, "é", {"b": (gettext_lazy("Library"),)}]}
    assert checked_meta(meta) == meta

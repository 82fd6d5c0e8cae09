"""``MCP_DJANGO["TEXTS"]``: a dict or a TOML file, and every refusal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import override_settings
from django.utils.translation import gettext_lazy

from mcp_django.features.texts import filled, known_texts


def known(given: Any) -> dict[str, Any]:
    with override_settings(MCP_DJANGO={"TEXTS": given}):
        return dict(known_texts())


def refused(given: Any) -> str:
    with pytest.raises(ImproperlyConfigured) as caught:
        known(given)
    return str(caught.value)


def test_none_are_given() -> None:
    with override_settings(MCP_DJANGO={}):
        assert known_texts() == {}


def test_a_dict_is_nested_as_one_likes() -> None:
    lazy = gettext_lazy("Yes")

    texts = known({"a.b": "1", "a": {"c": "2", "d.e": {"f": lazy}}, "books": {}})

    assert texts == {"a.b": "1", "a.c": "2", "a.d.e.f": lazy}
    assert texts["a.d.e.f"] is lazy


TOML = """
"Größe" = "size"
[books.find]
description = '''
Several
lines.'''
"""


@pytest.mark.parametrize("make", [str, Path])
def test_a_toml_file(tmp_path: Path, make: Any) -> None:
    file = tmp_path / "texts.toml"
    file.write_text(TOML, encoding="utf-8")

    assert known(make(file)) == {
        "Größe": "size",
        "books.find.description": "Several\nlines.",
    }


def test_a_relative_path_begins_at_base_dir(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "en.toml").write_text('a = "at BASE_DIR"')
    (tmp_path / "en.toml").write_text('a = "at the current folder"')
    monkeypatch.chdir(tmp_path)

    for base in (tmp_path / "texts", str(tmp_path / "texts")):
        with override_settings(BASE_DIR=base):
            assert known("en.toml") == {"a": "at BASE_DIR"}
    with override_settings(BASE_DIR=None):
        assert known("en.toml") == {"a": "at the current folder"}


def test_another_base_dir_is_another_file(tmp_path: Path) -> None:
    (tmp_path / "en.toml").write_text('a = "b"')

    with override_settings(MCP_DJANGO={"TEXTS": "en.toml"}):
        with pytest.raises(ImproperlyConfigured):
            filled("${a}")
        with override_settings(BASE_DIR=tmp_path):
            assert filled("${a}") == "b"


@pytest.mark.parametrize("given", [5, None, ["a"], {"a"}])
def test_neither_a_dict_nor_a_path(given: Any) -> None:
    assert refused(given) == (
        f'MCP_DJANGO["TEXTS"] is {given!r}. It takes a dict of texts, or the path of a TOML file.'
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"a": {"b": 5}}, 'MCP_DJANGO["TEXTS"]: a.b is 5. Give it a text, or a table of texts.'),
        ({"a": None}, 'MCP_DJANGO["TEXTS"]: a is None. Give it a text, or a table of texts.'),
        ({"a": b"x"}, "MCP_DJANGO[\"TEXTS\"]: a is b'x'. Give it a text"),
        (
            {"my key": "x"},
            "MCP_DJANGO[\"TEXTS\"]: No ${key} can name the key 'my key'. Make it of letters, "
            "digits, '_', '.' and '-'.",
        ),
        ({"a": {5: "x"}}, 'MCP_DJANGO["TEXTS"]: No ${key} can name the key 5. Make it'),
        ({"": "x"}, "MCP_DJANGO[\"TEXTS\"]: No ${key} can name the key ''. Make it"),
        (
            {"a.b": "x", "a": {"b": "y"}},
            'MCP_DJANGO["TEXTS"]: a.b is there twice. Leave one out.',
        ),
    ],
)
def test_what_a_dict_may_not_hold(given: Any, message: str) -> None:
    assert refused(given).startswith(message)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with override_settings(BASE_DIR=tmp_path):
        assert refused("gone.toml") == (
            f'MCP_DJANGO["TEXTS"] names {tmp_path}/gone.toml, which cannot be read: No such file '
            "or directory. Correct the path; a relative one begins at BASE_DIR."
        )
        assert "which cannot be read: Is a directory." in refused("")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b'a = "b"\nc d\n',
            "It is no TOML: Expected '=' after a key in a key/value pair (at line 2",
        ),
        (b'a = "b"\na = "c"\n', "It is no TOML: Cannot overwrite a value (at line 2"),
        (b'a = "\xff"', "It is no TOML: 'utf-8' codec can't decode byte 0xff in position 5"),
        (b"[books]\nlimit = 5", "books.limit is 5. Give it a text, or a table of texts."),
        (b"day = 2026-07-28", "day is datetime.date(2026, 7, 28). Give it a text"),
        (b'"my key" = "x"', "No ${key} can name the key 'my key'. Make it of letters"),
    ],
)
def test_what_a_file_may_not_hold(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "texts.toml"
    file.write_bytes(content)

    assert refused(file).startswith(f"{file}: {message}")

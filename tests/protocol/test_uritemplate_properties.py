"""Of every template and all values: a URI is read back as what it was made of, or never made."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mcp_django.protocol.uritemplates import UriTemplate

CHARACTERS = st.characters(exclude_categories=["Cc", "Cs"])
TEXT = st.text(CHARACTERS, max_size=12).filter(
    lambda text: not {".", ".."} & set(text.replace("\\", "/").split("/"))
)
SEGMENT = (
    st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="/\\"), max_size=12)
    .filter(bool)
    .filter(lambda text: text not in {".", ".."})
)
PATH = st.lists(SEGMENT, min_size=1, max_size=4).map("/".join)
SEGMENTS = st.lists(SEGMENT, min_size=1, max_size=4)

# No value may hold what separates it from the next: so what separates is always escaped here.
SHAPES: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "library://books/{isbn}": {"isbn": SEGMENT},
    "urn:isbn:{isbn}": {"isbn": SEGMENT},
    "file:///{+path}": {"path": PATH},
    "https://{host}/bücher/{id}/100%25": {"host": SEGMENT, "id": SEGMENT},
    "x://{a,b}:{c}": {"a": SEGMENT, "b": SEGMENT, "c": SEGMENT},
    "x://a{/b,c}{/rest*}": {"b": SEGMENT, "c": SEGMENT, "rest": SEGMENTS},
    "x://{kind}/{+path}/{id}": {"kind": SEGMENT, "path": PATH, "id": SEGMENT},
    "x://{kind}{/path*}/end": {"kind": SEGMENT, "path": SEGMENTS},
    "x://{id}{;p,q}{?r,s}{#t}": {"id": SEGMENT, **dict.fromkeys("pqrst", TEXT)},
    "x://a?k={k}&l={l}{&m,n}#{o}": {
        **dict.fromkeys("klo", SEGMENT),
        **dict.fromkeys("mn", TEXT),
    },
}


@pytest.mark.parametrize("text", SHAPES)
@given(data=st.data())
def test_values_survive_the_way_there_and_back(text: str, data: st.DataObject) -> None:
    template = UriTemplate.parse(text)
    left_out = (
        data.draw(st.sets(st.sampled_from(sorted(template.optional))))
        if (template.optional)
        else set()
    )
    values = {
        name: data.draw(strategy) for name, strategy in SHAPES[text].items() if name not in left_out
    }

    uri = template.expand(values)

    assert uri.isascii()
    assert template.match(uri) == values
    assert template.match(uri.replace("%C3%BC", "ü").replace("%2F", "%2f")) == values


LITERALS = st.text("a2%-./", min_size=1, max_size=4)
ANY = st.text(st.characters(max_codepoint=0x200) | st.sampled_from("./\\%-20a"), max_size=8)


@given(
    st.sampled_from(["x://{a}LIT{b}", "x://{+a}LIT{b}", "x://{a}LIT{+b}", "x:/{/a*}LIT{b}"]),
    LITERALS,
    ANY,
    ANY,
)
def test_a_uri_is_read_back_as_its_values_or_never_made(
    text: str, literal: str, a: str, b: str
) -> None:
    try:
        template = UriTemplate.parse(text.replace("LIT", literal))
    except ValueError:
        assume(False)
    values = {"a": [a] if template.multiple else a, "b": b}
    try:
        uri = template.expand(values)
    except ValueError:
        return
    assert template.match(uri) == values


@given(
    st.sampled_from(
        ["x:{a}", "x:{+a}", "x:{/a*}", "x:{a}-{b}", "x:{+a}/{b}.{c}", "x:k{?a,b}{#c}", "x:k{;a}"]
    ),
    st.lists(
        st.sampled_from([*"ak/.-%2eEf5cC0?&=;#é\\", "%2e", "%2F", "%5C", "%00", "a="]), max_size=12
    ).map("".join),
)
def test_no_value_leads_out_of_a_folder(text: str, rest: str) -> None:
    template = UriTemplate.parse(text)
    found = template.match(f"x:{'k' if 'k' in text else ''}{rest}") or {}

    for name, value in found.items():
        for one in value if isinstance(value, list) else [value]:
            segments = one.replace("\\", "/").split("/")
            assert not {".", ".."} & set(segments)
            assert not any(unicodedata.category(character) == "Cc" for character in one)
            assert name in template.optional or all(segments)
            assert "{+" in text or name in template.optional or len(segments) == 1

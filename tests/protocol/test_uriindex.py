"""Many templates: those that a URI matches, in the order in which they were given."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mcp_django.protocol.uriindex import Prefixes, TemplateIndex
from mcp_django.protocol.uris import Address, address
from mcp_django.protocol.uritemplates import UriTemplate


def cut(uri: str) -> Address:
    found = address(uri)
    assert found is not None
    return found


def index(*texts: str) -> TemplateIndex[str]:
    return TemplateIndex((UriTemplate.parse(text), text) for text in texts)


def test_all_that_match_come_in_the_order_of_registration() -> None:
    found = index(
        "x://{+path}",
        "x://books/{id}",
        "x://loans/{id}",
        "x://{kind}/{id}",
        "x://books/{id}{;v}",
        "x://books/{isbn}",
        "x://books/{id}/loans",
        "x://{a}oo{b}/{c}",
        "x://{a}oa{b}/{c}",
    )

    assert list(found.matching(cut("X://books/1"))) == [
        ("x://{+path}", {"path": "books/1"}),
        ("x://books/{id}", {"id": "1"}),
        ("x://{kind}/{id}", {"kind": "books", "id": "1"}),
        ("x://books/{id}{;v}", {"id": "1"}),
        ("x://books/{isbn}", {"isbn": "1"}),
        ("x://{a}oo{b}/{c}", {"a": "b", "b": "ks", "c": "1"}),
    ]


def test_what_no_template_matches() -> None:
    found = index("x://books/{id}", "x://books/{id}/loans")

    assert list(found.matching(cut("x://books/1/2"))) == []
    assert list(found.matching(cut("y://books/1"))) == []
    assert list(TemplateIndex[str]([]).matching(cut("x://books/1"))) == []


def test_path_parameters_hide_no_ending() -> None:
    assert list(index("x://{a}/b{;c}").matching(cut("x://1/b;c=2"))) == [
        ("x://{a}/b{;c}", {"a": "1", "c": "2"})
    ]


def test_two_hundred_templates_are_told_apart() -> None:
    kinds = [f"library://kind{n}/{{id}}" for n in range(100)]
    kinds += [f"library://x/{{id}}/kind{n}" for n in range(100)]
    found = index(*kinds)

    for n in range(100):
        assert list(found.matching(cut(f"library://kind{n}/7"))) == [(kinds[n], {"id": "7"})]
        assert list(found.matching(cut(f"library://x/7/kind{n}"))) == [
            (kinds[100 + n], {"id": "7"})
        ]


def test_only_what_may_match_is_tried() -> None:
    found = index(*(f"library://kind{n}/{{id}}" for n in range(200)))

    assert len(list(found._starts.of("library://kind17/7"))) == 1


TEXTS = st.text("ab/", max_size=6)


@given(st.lists(TEXTS, unique=True), TEXTS)
def test_exactly_the_keys_that_a_text_begins_with_are_found(keys: list[str], text: str) -> None:
    found = list(Prefixes({key: key for key in keys}).of(text))

    assert found == sorted(filter(text.startswith, keys), key=len, reverse=True)


PIECES = st.sampled_from(["a", "b", "/", "/a", "-"])
VARIABLES = st.sampled_from(["{x}", "{+x}", "{/x*}", "{x}/{y}", "{/x,y}", "{x}-{y}", "{x}{;p}"])
TEMPLATES = st.builds(
    lambda before, variables, after: f"x:{before}{variables}{after}",
    PIECES,
    VARIABLES,
    st.sampled_from(["", "{?q}", "?k=a"]),
) | st.builds(lambda before, after: f"x:{before}{{x}}{after}", PIECES, PIECES)


@given(
    st.lists(TEMPLATES, max_size=8),
    st.text("ab/-;?=kq", max_size=8),
)
def test_an_index_finds_what_the_templates_one_by_one_find(texts: list[str], end: str) -> None:
    uri = f"x:{end}"
    one_by_one = [(text, UriTemplate.parse(text).match(uri)) for text in texts]

    found = list(index(*texts).matching(cut(uri)))

    assert found == [(text, values) for text, values in one_by_one if values is not None]

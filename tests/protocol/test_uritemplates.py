"""URI templates: what is one, the URIs that they make, and the values that URIs carry."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from mcp_django.protocol.uriexpressions import tokens
from mcp_django.protocol.urilayouts import layout
from mcp_django.protocol.uris import MAX_URI_LENGTH
from mcp_django.protocol.uritemplates import UriTemplate


def match(template: str, uri: str) -> dict[str, str | list[str]] | None:
    return UriTemplate.parse(template).match(uri)


def test_a_template_is_known_by_its_text() -> None:
    template = UriTemplate.parse("library://books/{isbn}")

    assert str(template) == template.text == "library://books/{isbn}"
    assert template == UriTemplate.parse("library://books/{isbn}")
    assert template != UriTemplate.parse("library://books/{id}")
    assert len({template, UriTemplate.parse("library://books/{isbn}")}) == 1
    assert repr(template) == "UriTemplate(text='library://books/{isbn}')"
    assert pickle.loads(pickle.dumps(template)).match("library://books/1") == {"isbn": "1"}


def test_a_template_says_which_variables_it_has() -> None:
    template = UriTemplate.parse("x://{a}{/b*}{.c}{;d,e}{?f,g}{&h}{#i}")

    assert template.names == ("a", "b", "c", "d", "e", "f", "g", "h", "i")
    assert template.optional == {"d", "e", "f", "g", "h", "i"}
    assert template.multiple == {"b"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "it has no variable"),
        ("library://books", "it has no variable"),
        ("books/{id}", "it does not begin with a scheme"),
        ("/books/{id}", "it does not begin with a scheme"),
        ("1st://{id}", "it does not begin with a scheme"),
        ("{scheme}://books", "it does not begin with a scheme"),
        ("lib{x}://books", "it does not begin with a scheme"),
        ("x://{a", "a { has no }"),
        ("x://a}/{b}", "a } has no {"),
        ("x://{{a}}", "a { has no }"),
        ("x://{}", "{} lacks the name"),
        ("x://{a,}", "{a,} lacks the name"),
        ("x://{+}", "{+} lacks the name"),
        ("x://{a:3}", "{a:3} is of level 4 of RFC 6570"),
        ("x://{a:}", "{a:} is of level 4"),
        ("x://{a*}", "{a*} is of level 4"),
        ("x://{+a*}", "{+a*} is of level 4"),
        ("x://{/a:2}", "write {/a}"),
        ("x://a{?q*}", "write {?q}"),
        ("x://a{;q*}", "write {;q}"),
        ("x://{!a}", "{!a} begins with !, which RFC 6570 keeps"),
        ("x://{=a}", "{=a} begins with ="),
        ("x://{a=1}", "'a=1' can't be the name"),
        ("x://{a.b}", "'a.b' can't be the name"),
        ("x://{a**}", "'a**' can't be the name"),
        ("x://{ a}", "' a' can't be the name"),
        ("x://{1a}", "'1a' can't be the name"),
        ("x://{%61}", "'%61' can't be the name"),
        ("x://{größe}", "'größe' can't be the name"),
        ("x://{class}", "'class' can't be the name"),
        ("x://a b/{c}", "holds what no URI holds"),
        ("x://a\\{c}", "holds what no URI holds"),
        ("x://a\n{c}", "holds what no URI holds"),
        ("x://a\x85{c}", "holds what no URI holds"),
        ("x://\ud800{c}", "holds what no URI holds"),
        ("x://100%/{c}", "% as %25"),
        ("x://%2{c}", "% as %25"),
        ("x://{a}/{a}", "a stands in it twice"),
        ("x://{a}{?a}", "a stands in it twice"),
        ("x://{a}{b}", "nothing separates a from b"),
        ("x://{+path}{x}", "nothing separates path from x"),
        ("x://{x}{+path}", "nothing separates x from path"),
        ("x://{+a,b}", "the comma between them may stand in each"),
        ("x://a{#b,c}", "the comma between them may stand in each"),
        ("x://{+a}/blob/{+b}", "both a and b may hold slashes"),
        ("x://{/a*}{/b*}", "both a and b may hold slashes"),
        ("x://{+a}{;b}", "{;b} can't be told from the end of a"),
        ("x://a;b{;c}", "{;c} can't be told from the ; written before it"),
        ("x://{a}{;b}/c", "/c can't follow {;b}"),
        ("x://{a}{;b}{;c}", "{;c} can't follow {;b}"),
        ("x://a?b={c}{;d}", "{;d} belongs before the query"),
        ("x://a{?b}c", "c can't follow {?b}"),
        ("x://a{?b}{/c}", "{/c} can't follow {?b}"),
        ("x://a{?b}{?c}", "{?c} begins a second query"),
        ("x://a?b={c}{?d}", "{?d} begins a second query"),
        ("x://a{&b}", "{&b} goes on with a query, and none has begun"),
        ("x://a#b{&c}", "{&c} goes on with a query"),
        ("x://a?b={+c}", "{+c} belongs before the query"),
        ("x://a#{/b}", "{/b} belongs before the fragment"),
        ("x://a#b#{c}", "it has a second #"),
        ("x://a{#b}#{c}", "it has a second #"),
        ("x://a{#b}{#c}", "{#c} begins a second fragment"),
        ("x://a{#b}c", "c can't follow {#b}"),
    ],
)
def test_what_is_no_template_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011
        UriTemplate.parse(text)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("template", "uri", "values"),
    [
        ("library://books/{isbn}", "library://books/978-3", {"isbn": "978-3"}),
        ("urn:isbn:{isbn}", "urn:isbn:978-3", {"isbn": "978-3"}),
        ("file:///{+path}", "file:///etc/my%20hosts", {"path": "etc/my hosts"}),
        ("https://{host}/a/{id}", "https://example.org/a/1", {"host": "example.org", "id": "1"}),
        ("x://{a,b}", "x://1,2%2C3", {"a": "1", "b": "2,3"}),
        ("x://{+path}/edit", "x://a/b:c@d/edit", {"path": "a/b:c@d"}),
        ("x://{+path}/{id}", "x://a/b/c", {"path": "a/b", "id": "c"}),
        ("x://{kind}/{+path}/{id}", "x://k/a/b/c", {"kind": "k", "path": "a/b", "id": "c"}),
        ("x://{kind}{/path*}", "x://k/a/b%25", {"kind": "k", "path": ["a", "b%"]}),
        ("x://a{/path*}{.ext}", "x://a/b/c.d.e", {"path": ["b", "c.d"], "ext": "e"}),
        ("x://a{/b,c}{.d}", "x://a/1/2.3", {"b": "1", "c": "2", "d": "3"}),
        ("x://a{?q,lang}", "x://a?q=a%26b&lang=c", {"q": "a&b", "lang": "c"}),
        ("x://a{?q,lang}", "x://a?q=", {"q": ""}),
        ("x://a{?q,lang}", "x://a", {}),
        ("x://a?kind=k{&q}", "x://a?kind=k&q=1", {"q": "1"}),
        ("x://a?{&q}", "x://a?&q=1", {"q": "1"}),
        ("x://a?q={q}&k={k}", "x://a?q=1&k=2", {"q": "1", "k": "2"}),
        ("x://a{;p,q}", "x://a;p=1%3B;q", {"p": "1;", "q": ""}),
        ("x://a{;p,q}", "x://a", {}),
        ("x://a;b/c{;p}", "x://a;b/c;p=1", {"p": "1"}),
        ("x://a{#part}", "x://a#b/c?d", {"part": "b/c?d"}),
        ("x://a{#part}", "x://a#", {"part": ""}),
        ("x://a{#part}", "x://a", {}),
        ("x://a#page={n}", "x://a#page=3", {"n": "3"}),
        ("x://a{?q}#page={n}", "x://a?q=1#page=3", {"q": "1", "n": "3"}),
        ("x://bücher/{id}", "x://b%C3%BCcher/%F0%9F%93%96", {"id": "📖"}),
        ("x://50%25/{id}", "x://50%25/%252e", {"id": "%2e"}),
        ("x://{a}20{b}", "x://1%20220%20", {"a": "1 2", "b": " "}),
        ("x://{+a}20{b}", "x://1%202020%202", {"a": "1 20", "b": " 2"}),
    ],
)
def test_values_make_a_uri_and_are_read_back(
    template: str, uri: str, values: dict[str, Any]
) -> None:
    parsed = UriTemplate.parse(template)

    assert parsed.match(uri) == values
    assert parsed.expand(values) == uri


@pytest.mark.parametrize(
    ("template", "uri", "values"),
    [
        ("Library://Books/{id}", "lIBRARY://Books/A", {"id": "A"}),
        ("x://b%c3%bc/{id}", "x://bü/%c3%BC", {"id": "ü"}),
        ("x://bü/{id}", "x://b%c3%bc/ü", {"id": "ü"}),
        (
            "x://{id}",
            "x://ann@example.org:80!$&'()*+,;=[]",
            {"id": "ann@example.org:80!$&'()*+,;=[]"},
        ),
        ("x://{a}-{b}", "x://1-2-3", {"a": "1", "b": "2-3"}),
        ("x://{a}-{b}", "x://--3", {"a": "-", "b": "3"}),
        # An escape of what needs none is that character (RFC 3986, 6.2.2.2).
        ("x://{a}-{b}", "x://1%2D2-3", {"a": "1", "b": "2-3"}),
        ("x://~/{id}", "x://%7E/1", {"id": "1"}),
        ("x://books{?q}", "x://b%6fok%73?%71=1", {"q": "1"}),
        ("x://{a}--{b}", "x://1---3", {"a": "1", "b": "-3"}),
        ("x://{+path}.{ext}", "x://a.b/c.tar.gz", {"path": "a.b/c.tar", "ext": "gz"}),
        ("x://{+path}", "x://a%2Fb%5Cc", {"path": "a/b\\c"}),
        ("x://a{?q,lang}", "x://a?lang=c&q=a+b=c?/", {"lang": "c", "q": "a+b=c?/"}),
        ("x://a{?q}", "x://a?q", {"q": ""}),
        ("x://a?k=1{&q,r}", "x://a?k=1&r=2&q=1", {"r": "2", "q": "1"}),
        ("x://{a}{;p,q}", "x://1;q=2;p=", {"a": "1", "q": "2", "p": ""}),
    ],
)
def test_other_spellings_are_read_too(template: str, uri: str, values: dict[str, Any]) -> None:
    assert match(template, uri) == values


@pytest.mark.parametrize(
    ("template", "uri"),
    [
        # Not this template, or not a URI.
        ("x://books/{id}", "x://Books/1"),
        ("x://books/{id}", "x://books"),
        ("x://books/{id}", "x://books/"),
        ("x://books/{id}", "x://books/1/2"),
        ("x://books/{id}", "books/1"),
        ("x://books/{id}", ""),
        ("x://books/{id}/loans", "x://books/1/loan"),
        ("x://{a}-{b}", "x://1"),
        ("x://{a}-{b}", "x://1-"),
        ("x://{a}0", "x://a%20"),
        ("x://{+a}/{b}", "x://ab"),
        ("x://{+a}20{b}", "x://a%20b"),
        ("x://books/{id}", "x://books/a b"),
        ("x://books/{id}", "x://books/a|b"),
        ("x://books/{id}", "x://books/a\\b"),
        ("x://books/{id}", "x://books/\ud800"),
        ("x://books/{id}", "x://books/1\n"),
        ("x://~/{id}", "x://%257E/1"),
        ("x://~/{id}", "%78://~/1"),
        ("x://a,b/{id}", "x://a%2Cb/1"),
        # Escapes that are none, and bytes that are no UTF-8.
        ("x://books/{id}", "x://books/%"),
        ("x://books/{id}", "x://books/%4"),
        ("x://books/{id}", "x://books/%zz"),
        ("x://books/{id}", "x://books/%FF"),
        ("x://books/{id}", "x://books/%C0%AE"),
        ("x://books/{id}", "x://books/%ED%A0%80"),
        # Control characters.
        ("x://books/{id}", "x://books/a%00"),
        ("x://books/{id}", "x://books/a%0Ab"),
        ("x://books/{id}", "x://books/a%7F"),
        ("x://books/{id}", "x://books/a%C2%85"),
        ("x://books{?q}", "x://books?q=%1B"),
        # Ways out of a folder.
        ("x://books/{id}", "x://books/."),
        ("x://books/{id}", "x://books/.."),
        ("x://books/{id}", "x://books/%2e%2E"),
        ("x://books/{id}", "x://books/a%2Fb"),
        ("x://books/{id}", "x://books/a%5cb"),
        ("x://books/{id}", "x://books/..%2Fa"),
        ("x://books{.ext}", "x://books.%2E%2E"),
        ("file:///{+path}", "file:////etc/passwd"),
        ("file:///{+path}", "file:///%2Fetc/passwd"),
        ("file:///{+path}", "file:///%5Cetc"),
        ("file:///{+path}", "file:///a/../b"),
        ("file:///{+path}", "file:///a/.%2e/b"),
        ("file:///{+path}", "file:///a%5C..%5Cb"),
        ("file:///{+path}", "file:///a/./b"),
        ("file:///{+path}", "file:///a//b"),
        ("file:///{+path}", "file:///a/"),
        ("file:///{+path}", "file:///"),
        ("x:/{/path*}", "x://a/../b"),
        ("x:/{/path*}", "x://a//b"),
        ("x:/{/path*}", "x://a%2Fb"),
        ("x:/{/path*}", "x://a/%2e%2e%5cb"),
        ("x://books{?q}", "x://books?q=../../etc/passwd"),
        ("x://books{#q}", "x://books#..%2Fa"),
        ("x://books{;q}", "x://books;q=.."),
        # Queries.
        ("x://books/{id}", "x://books/1?"),
        ("x://books/{id}", "x://books/1?q=1"),
        ("x://books{?q}", "x://books?"),
        ("x://books{?q}", "x://books?q=1&"),
        ("x://books{?q}", "x://books?Q=1"),
        ("x://books{?q}", "x://books?q=1&r=2"),
        ("x://books{?q}", "x://books?q=1&q=1"),
        ("x://books?k=1{&q}", "x://books?q=1&k=1"),
        ("x://books?k=1{&q}", "x://books"),
        ("x://books?k={k}", "x://books?k=1&q=1"),
        ("x://books?k={k}", "x://books?k="),
        # Path parameters and fragments.
        ("x://books{;p}", "x://books;"),
        ("x://books{;p}", "x://books;p;p"),
        ("x://books{;p}", "x://books;q=1"),
        ("x://books/{id}", "x://books/1#"),
        ("x://books/{id}", "x://books/1#a"),
        ("x://books/1#{a}", "x://books/1"),
        ("x://books{#a}", "x://books#a#b"),
    ],
)
def test_what_does_not_match(template: str, uri: str) -> None:
    assert match(template, uri) is None


def test_a_long_uri_never_matches() -> None:
    start = "x://books/"
    longest = start + "a" * (MAX_URI_LENGTH - len(start))

    assert match("x://books/{id}", longest) == {"id": longest[len(start) :]}
    assert match("x://books/{id}", longest + "a") is None
    assert match("x://{+path}", longest + "a") is None


@pytest.mark.parametrize(
    ("template", "hostile"),
    [
        ("x://{a}-{b}-{c}/d", lambda n: "x://" + "-" * n),
        ("x://{+path}/{b}-{c}", lambda n: "x://" + "-/" * n),
        ("x://{+path}-{b}/{c}", lambda n: "x://" + "/-" * n),
        ("x://{a}20{b}", lambda n: "x://" + "%20" * n),
        ("x://{+a}20{b}", lambda n: "x://" + "%20" * n),
        ("x:/{/path*}", lambda n: "x://" + "a/" * n + ".."),
        ("x://a{?q}", lambda n: "x://a?" + "q&" * n),
        ("x://{a}{;q}", lambda n: "x://a" + ";" * n),
    ],
)
def test_a_hostile_uri_costs_what_its_length_costs(
    template: str, hostile: Callable[[int], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the bound on lengths, so that a quadratic cost would show: 8 times, not 64."""
    monkeypatch.setattr("mcp_django.protocol.uris.MAX_URI_LENGTH", 1_000_000)
    parsed = UriTemplate.parse(template)

    def cost(characters: int) -> float:
        uri, times = hostile(characters), []
        for _round in range(7):
            begin = time.perf_counter()
            parsed.match(uri)
            times.append(time.perf_counter() - begin)
        return min(times)

    assert cost(100_000) < 30 * cost(12_500)


@pytest.mark.parametrize(
    ("template", "values", "uri"),
    [
        ("x://{id}", {"id": 3}, "x://3"),
        ("x://{id}", {"id": UUID(int=1)}, "x://00000000-0000-0000-0000-000000000001"),
        ("x://{id}{?q}", {"id": "a", "q": None, "other": 1}, "x://a"),
        ("x:/{/path*}", {"path": ("a", 1)}, "x://a/1"),
        ("x://{+path}", {"path": "50% of/a%20b?#"}, "x://50%25%20of/a%2520b%3F%23"),
        ("x://a{#part}", {"part": "a#%41"}, "x://a#a%23%2541"),
        ("X://Bü%c3/{id}", {"id": "a"}, "X://B%C3%BC%C3/a"),
    ],
)
def test_what_is_expanded(template: str, values: dict[str, Any], uri: str) -> None:
    assert UriTemplate.parse(template).expand(values) == uri


@pytest.mark.parametrize(
    ("template", "values", "words"),
    [
        ("x://{a}/{b}/{c}{?d}", {"b": 1, "c": None}, "lacks a value for a, c"),
        ("x:/{/path*}", {"path": "ab"}, "path of x:/{/path*} takes a list of segments"),
        ("x:/{/path*}", {"path": [["a"]]}, "path takes a text, not list"),
        ("x:/{/path*}", {"path": []}, "reads back"),
        ("x://{a}", {"a": ["b"]}, "a takes a text, not list"),
        ("x://{a}", {"a": b"b"}, "a takes a text, not bytes"),
        ("x://{a}", {"a": ""}, "reads back"),
        ("x://{a}", {"a": ".."}, "reads back"),
        ("x://{a}", {"a": "b/c"}, "reads back"),
        ("x://{+a}", {"a": "/etc"}, "reads back"),
        ("x://{a}-{b}", {"a": "1-2", "b": "3"}, "reads back"),
        ("x://{a}", {"a": "b" * MAX_URI_LENGTH}, "reads back"),
        ("x://{a}", {"a": "\ud800"}, "surrogates"),
    ],
)
def test_what_could_not_be_read_back_is_not_expanded(
    template: str, values: dict[str, Any], words: str
) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011
        UriTemplate.parse(template).expand(values)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("library://books/{isbn}", "library://books/{id}"),
        ("LIBRARY://books/{isbn}", "library://books/{id}"),
        ("library://{+path}", "library://books/{id}"),
        ("library://{kind}/new", "library://books/{id}"),
        ("library://{+path}/edit", "library://books/{id}/{part}/edit"),
        ("library://{+path}/edit", "library://books/{id}/{part}"),
        ("library://{+path}/edit", "library://books/{+rest}"),
        ("library://books{/path*}", "library://books/{id}"),
        ("library://{a}-{b}", "library://kind-{c}"),
        ("library://books{?q}", "library://books?q={text}"),
        ("library://books{#q}", "library://books#{text}"),
        ("library://{a}?k=1", "library://books{?k}"),
        ("library://{a}/b{;v}", "library://{a}/b;v=1"),
        ("library://{a}{;v}", "library://{a};v={b}"),
        ("library://{a}/b/{c}", "library://{a}/{b}/c"),
        ("library://%62/{id}", "library://b/{id}"),
        ("library://bü/{id}", "library://b%c3%bc/{id}"),
    ],
)
def test_templates_that_share_a_uri_overlap(one: str, other: str) -> None:
    assert UriTemplate.parse(one).overlaps(UriTemplate.parse(other))
    assert UriTemplate.parse(other).overlaps(UriTemplate.parse(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("library://books/{id}", "library://loans/{id}"),
        ("library://{branch}/books/{id}", "library://{branch}/loans/{id}"),
        ("library://{branch}/books{;v}", "library://{branch}/books/{id}{;v}"),
        ("library://books/{id}", "library://Books/{id}"),
        ("library://books/{id}", "library://books/{id}/loans"),
        ("library://books/{+path}", "library://loans/{+path}"),
        ("library://books/{id}", "staff://books/{id}"),
        ("library://{a}?k=1", "library://{a}?k=2"),
        ("library://{+path}.html", "library://{+path}.json"),
        ("library://{+path}/edit", "library://{id}"),
    ],
)
def test_templates_that_share_none_do_not(one: str, other: str) -> None:
    assert not UriTemplate.parse(one).overlaps(UriTemplate.parse(other))
    assert not UriTemplate.parse(other).overlaps(UriTemplate.parse(one))


def test_a_layout_begins_with_a_literal() -> None:
    with pytest.raises(ValueError, match="does not begin with a scheme"):
        layout(tokens("{a}"))

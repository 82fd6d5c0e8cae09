"""Fixed URIs: found in every writing, and what no template may serve in their place."""

from __future__ import annotations

import pytest

from mcp_django.protocol.urifixed import FixedUris, meaning
from mcp_django.protocol.uris import Address, address
from mcp_django.protocol.uritemplates import UriTemplate


def cut(uri: str) -> Address:
    found = address(uri)
    assert found is not None
    return found


def fixed(*uris: str) -> FixedUris[str]:
    return FixedUris((cut(uri), uri) for uri in uris)


@pytest.mark.parametrize(
    ("uri", "asked"),
    [
        ("x://hours", "X://h%6Fur%73"),
        ("x://opening-hours", "x://opening%2Dhours"),
        ("x://a,b", "x://a%2Cb"),
        ("x://a,b", "x://a%2cb"),
        ("x://a%2Cb", "x://a,b"),
        ("x://a/b", "x://a%2Fb"),
        ("x://größe", "x://gr%C3%B6%c3%9fe"),
        ("x://a?x=1,2", "x://a?x=1%2C2"),
        ("x://a?x=1&y=2", "x://a?y=2&x=1"),
        ("x://a?x", "x://a?x="),
        ("x://a#b,c", "x://a#b%2Cc"),
    ],
)
def test_a_uri_is_found_however_it_is_escaped(uri: str, asked: str) -> None:
    assert fixed(uri, "x://other").at(cut(asked)) == uri


@pytest.mark.parametrize(
    ("uri", "asked"),
    [
        ("x://hours", "x://Hours"),
        ("x://a%41", "x://a%2541"),
        ("x://a", "x://a?"),
        ("x://a", "x://a?q=1"),
        ("x://a", "x://a#"),
        ("x://a?x=1", "x://a?x=2"),
        ("x://a?x=1%26y=2", "x://a?x=1&y=2"),
        ("x://%FF", "x://%FE"),
    ],
)
def test_another_uri_is_not(uri: str, asked: str) -> None:
    assert fixed(uri).at(cut(asked)) is None


@pytest.mark.parametrize(
    ("uri", "template", "asked"),
    [
        ("x://hidden", "x://{page}", "x://hidden"),
        ("x://hidden", "x://{page}{?q}", "x://hidden?q="),
        ("x://hidden", "x://{page}{?q}", "x://h%69dden?q=1"),
        ("x://hidden", "x://{page}?q={q}", "x://hidden?q=1"),
        ("x://hidden", "x://{page}{#part}", "x://hidden#a"),
        ("x://hidden", "x://{page}{;v}", "x://hidden;v="),
        ("x://a/hidden,1", "x://{+path}/{page}{;v}", "x://a/hidden%2C1;v=1"),
        ("x://hidden;v=1", "x://{page}{;v,w}", "x://hidden;w=2;v=1"),
        ("x://a,b", "x://{page}", "x://a%2Cb"),
        ("x://a?x=1", "x://a{?x,y}", "x://a?y=2&x=1"),
        ("x://a?x=1,2", "x://{page}{?x,y}", "x://a?x=1%2C2&y="),
        ("x://a#b", "x://a{?q}{#part}", "x://a?q=#b"),
    ],
)
def test_what_is_kept_from_templates(uri: str, template: str, asked: str) -> None:
    parsed = UriTemplate.parse(template)
    assert parsed.match(asked) is not None
    assert fixed("x://other", uri).keep(cut(asked), parsed)


@pytest.mark.parametrize(
    ("uri", "template", "asked"),
    [
        ("x://hidden", "x://{page}", "x://other"),
        ("x://hidden", "x://{page}", "x://hidden2"),
        ("x://hidden", "x://{page}{?q}", "x://other?q="),
        ("x://a/hidden", "x://{+path}", "x://a/b/hidden"),
        # The author of these wrote both paths out.
        ("x://books", "x://books{?q}", "x://books?q=1"),
        ("x://books", "x://books{;v}", "x://books;v=1"),
        ("x://books", "x://books{#part}", "x://books#a"),
        # Another query, another resource.
        ("x://a?x=1", "x://a{?x,y}", "x://a?x=2"),
        ("x://a?x=1", "x://{page}{?x,y}", "x://a?y=1"),
        ("x://a#b", "x://{page}{#part}", "x://a#c"),
        ("x://a#b", "x://{page}", "x://a"),
        ("x://hidden;v=1", "x://{page}{;v}", "x://hidden;v=2"),
    ],
)
def test_what_templates_serve_beside_them(uri: str, template: str, asked: str) -> None:
    parsed = UriTemplate.parse(template)
    assert parsed.match(asked) is not None
    assert not fixed(uri).keep(cut(asked), parsed)


def test_path_parameters_are_apart_where_they_are_asked_for() -> None:
    at = cut("x://a;b/c;v=1;w")
    assert meaning(at).path == "x://a;b/c;v=1;w"
    apart = meaning(at, path_parameters=True)
    assert (apart.path, apart.parameters) == ("x://a;b/c", {("v", "1"), ("w", "")})

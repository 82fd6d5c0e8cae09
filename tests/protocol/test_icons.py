"""Icons as projects give them: something that a client can show by itself."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_django.protocol.content import Icon
from mcp_django.protocol.icons import checked_icon

SRC = "https://example.com/a.png"


@pytest.mark.parametrize("given", [SRC, {"src": SRC}, Icon(SRC)])
def test_each_way_to_give_one(given: Any) -> None:
    assert checked_icon(given) == Icon(SRC)


@pytest.mark.parametrize("src", ["data:image/png;base64,", "HTTPS://example.com/a.png"])
def test_what_a_client_can_show(src: str) -> None:
    assert checked_icon(src).src == src


@pytest.mark.parametrize(
    "src",
    [
        "",
        "a.svg",
        "/static/a.svg",
        "//example.com/a.png",
        "http://example.com/a",
        "https:/a",
        "x:y",
    ],
)
def test_what_leads_nowhere(src: str) -> None:
    for given in (src, Icon(src), {"src": src}):
        with pytest.raises(ValueError, match="neither an https nor a data URI"):
            checked_icon(given)


@pytest.mark.parametrize("given", [None, 5, {"url": SRC}, {"src": 5}, Icon(5)])  # type: ignore[arg-type]
def test_what_is_no_icon(given: Any) -> None:
    with pytest.raises(TypeError):
        checked_icon(given)

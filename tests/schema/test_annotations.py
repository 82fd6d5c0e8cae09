"""Type hints as their authors write them, and what stands behind their wrappers."""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType
from typing import Annotated, Any, Final, NewType, Optional

import pytest

from mcp_django.schema.annotations import spelled, unwrapped

Slug = NewType("Slug", str)


@pytest.mark.parametrize(
    ("annotation", "text"),
    [
        (NoneType, "None"),
        (int, "int"),
        (list[int], "list[int]"),
        (dict[str, Any], "dict[str, Any]"),
        (Optional[int], "Optional[int]"),  # noqa: UP045 - as older code writes it
        (int | None, "int | None"),
        (Callable[[int], str], "Callable[[int], str]"),
    ],
)
def test_a_hint_is_spelled_as_its_author_wrote_it(annotation: Any, text: str) -> None:
    assert spelled(annotation) == text


@pytest.mark.parametrize(
    ("annotation", "hint", "metadata"),
    [
        (None, NoneType, ()),
        (Slug, str, ()),
        (Final[int], int, ()),
        (Annotated[Annotated[Slug, "inner"], "outer"], str, ("inner", "outer")),
    ],
)
def test_a_hint_without_its_wrappers(annotation: Any, hint: Any, metadata: tuple[Any, ...]) -> None:
    assert unwrapped(annotation) == (hint, metadata)

"""The size of a JSON value, counted in one way."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_django.protocol.measuring import measured


@pytest.mark.parametrize(
    ("value", "depth", "members"),
    [
        (5, 0, 0),
        ("[[1]]", 0, 0),
        ([], 1, 0),
        ({}, 1, 0),
        ([5], 1, 1),
        ([[]], 2, 1),
        ({"a": {"b": 1}}, 2, 2),
        ({"a": [1, (2,)], "b": {}}, 3, 5),
    ],
)
def test_containers_are_levels_and_what_they_hold_is_members(
    value: Any, depth: int, members: int
) -> None:
    assert measured(value) == (depth, members)


def test_counting_ends_when_it_is_enough() -> None:
    value = [[1, 2], [[3]]]
    assert measured(value, enough=6) == (3, 6)
    assert measured(value, enough=2) == (2, 5)
    assert measured(value, enough=1) == (1, 2)

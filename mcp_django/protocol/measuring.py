"""How large a JSON value is: one way to count for all limits."""

from __future__ import annotations

import sys
from typing import Any


def measured(value: Any, enough: int = sys.maxsize) -> tuple[int, int]:
    """The depth of a JSON value, and its members.

    Each object and each array is a level, so that ``5`` has depth 0 and ``[5]`` depth 1; what
    stands in one is a member. Counting ends once there are more than ``enough`` of them.
    """
    depth = members = 0
    level = [value] if isinstance(value, (dict, list, tuple)) else []
    while level and members <= enough:
        depth += 1
        below: list[Any] = []
        for item in level:
            below.extend(item.values() if isinstance(item, dict) else item)
        members += len(below)
        level = [item for item in below if isinstance(item, (dict, list, tuple))]
    return depth, members

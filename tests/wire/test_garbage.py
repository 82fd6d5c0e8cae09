"""A call leaves nothing to the garbage collector: cycles would hold whole requests."""

from __future__ import annotations

import gc
from typing import Annotated, Any

import pytest

from mcp_django import Context, CurrentUser, Inject, ToolError
from mcp_django.invocation.context import Context as CallContext
from tests.wire.conftest import Wire

pytestmark = pytest.mark.usefixtures("open_endpoint")


def injected(context: Context) -> int:
    return 1


def plain(a: int) -> dict[str, int]:
    """Plain."""
    return {"a": a}


def filled(
    a: int, context: Context, n: Annotated[int, Inject(injected)], user: CurrentUser | None
) -> int:
    """Filled."""
    return a + n


def failing(a: int) -> int:
    """Fails."""
    raise ToolError("No.")


def contexts() -> list[CallContext]:
    return [one for one in gc.get_objects() if isinstance(one, CallContext)]


@pytest.mark.parametrize("tool", [plain, filled, failing])
def test_contexts_die_with_their_request(wire: Wire, register: Any, tool: Any) -> None:
    register(tool)
    wire.call(tool.__name__, {"a": 1})
    gc.collect()
    kept = {id(one) for one in contexts()}  # by records of the log, of other tests
    gc.disable()
    try:
        for _ in range(3):
            wire.call(tool.__name__, {"a": 1})
        left = [one for one in contexts() if id(one) not in kept]
    finally:
        gc.enable()
    assert left == []

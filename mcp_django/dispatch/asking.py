"""What ``tools/call`` and ``prompts/get`` ask for. Specification: server/tools, server/prompts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp_django.protocol.errors import invalid_params


def name_and_arguments(params: Mapping[str, Any], method: str) -> tuple[str, dict[str, Any]]:
    """The feature that is asked for and what it is given; -32602 where they are not that."""
    name = params.get("name")
    if not isinstance(name, str):
        raise invalid_params(f"{method} needs name, a string.")
    arguments = params.get("arguments")
    if arguments is None:
        return name, {}
    if not isinstance(arguments, dict):
        raise invalid_params(f"{method} takes arguments, an object.")
    return name, arguments

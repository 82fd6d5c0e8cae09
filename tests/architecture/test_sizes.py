"""A module is one noun and a function one step: sizes that a reader can hold."""

from __future__ import annotations

import ast

from tests.architecture.sources import modules

MODULES = [m for m in modules("mcp_django", "project", "benchmarks") if m.path.stem != "tests"]
FILE_LINES = 250
FUNCTION_LINES = 40


def test_files_are_short() -> None:
    long = [
        f"{module.place} has {lines} lines"
        for module in MODULES
        if (lines := module.text.count("\n")) > FILE_LINES
    ]

    assert not long, f"{FILE_LINES} lines are the most; which second noun is there?\n" + (
        "\n".join(long)
    )


def test_functions_are_short() -> None:
    long = [
        f"{module.place}:{node.lineno} {node.name} has {lines} lines"
        for module in MODULES
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (lines := (node.end_lineno or node.lineno) - node.lineno + 1) > FUNCTION_LINES
    ]

    assert not long, f"{FUNCTION_LINES} lines are the most; which step has a name?\n" + (
        "\n".join(long)
    )


def test_nothing_is_called_utils_or_helpers() -> None:
    vague = [m.place for m in MODULES if m.path.stem in {"utils", "util", "helpers", "misc"}]

    assert not vague, f"a module is named after its noun: {vague}"

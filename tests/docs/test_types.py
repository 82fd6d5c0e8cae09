"""What the documentation says about tools also passes a type checker: mypy with django-stubs.

All examples are checked; those marked ``typed`` are held to ``--strict``.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.docs.markdown import PAGES, ROOT, Block, blocks

pytestmark = pytest.mark.skipif(
    not all(map(find_spec, ("mypy", "mypy_django_plugin", "mypy_drf_plugin"))),
    reason="needs mypy, django-stubs and djangorestframework-stubs",
)

SETTINGS = """
SECRET_KEY = "unused"
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "rest_framework",
    "rest_framework.authtoken",
    "library",
]
ON_TRIAL = {"librarian"}
"""

# Most examples say no more than they are about, so functions may go without annotations.
CONFIGURATION = f"""
[mypy]
strict = True
plugins = mypy_django_plugin.main, mypy_drf_plugin.main
mypy_path = {ROOT}

[mypy-mcp_django.*]
follow_imports = silent

[mypy-library.*]
disallow_untyped_defs = False
disallow_incomplete_defs = False
disallow_untyped_calls = False
disallow_untyped_decorators = False
disallow_any_generics = False
disallow_subclassing_any = False
warn_return_any = False

{{strict}}
[mypy.plugins.django-stubs]
django_settings_module = settings
"""

STRICT = """[mypy-{module}]
disallow_untyped_defs = True
disallow_incomplete_defs = True
disallow_untyped_calls = True
disallow_untyped_decorators = True
disallow_any_generics = True
disallow_subclassing_any = True
warn_return_any = True

"""


def name_in_library(block: Block, number: int) -> str | None:
    """The module that an example becomes; None for what is no module."""
    if block.scheme != "example":
        return None
    if block.kind in ("module", "same"):
        return Path(block.argument).stem
    return f"tools_{number}" if block.kind == "tools" else None


def modules() -> Iterator[tuple[str, Block]]:
    for number, block in enumerate(block for page in PAGES for block in blocks(page)):
        name = name_in_library(block, number)
        if name is not None:
            yield name, block


def checked(folder: Path) -> dict[str, list[str]]:
    """What mypy says, by the place of the example."""
    (folder / "library").mkdir()
    (folder / "library" / "__init__.py").touch()
    (folder / "settings.py").write_text(SETTINGS)
    examples = dict(modules())
    for name, block in examples.items():
        (folder / "library" / f"{name}.py").write_text(block.text)
    strict = [STRICT.format(module=f"library.{n}") for n, one in examples.items() if typed(one)]
    (folder / "mypy.ini").write_text(CONFIGURATION.format(strict="".join(strict)))
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "--no-pretty", "library"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = defaultdict(list)
    for line in done.stdout.splitlines():
        if match := re.match(r"library/(\w+)\.py:(\d+): error: (.*)", line):
            block = examples[match[1]]
            found[block.place].append(f"line {block.line + int(match[2]) - 1}: {match[3]}")
    assert bool(found) == bool(done.returncode), done.stdout
    return found


def typed(block: Block) -> bool:
    return block.argument == "typed"


def test_some_are_held_to_strict() -> None:
    assert len([block for _, block in modules() if typed(block)]) >= 2


def test_the_examples_have_no_type_errors(tmp_path: Path) -> None:
    assert checked(tmp_path) == {}

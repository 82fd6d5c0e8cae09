"""The reference leaves nothing out: every name that users type is in it."""

from __future__ import annotations

import ast
import inspect
import json
import re
import tomllib
from argparse import ArgumentParser, _SubParsersAction
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

import mcp_django
from mcp_django import conf, test
from mcp_django.conf import values
from mcp_django.dispatch.options import ServerOptions
from mcp_django.dispatch.server import MCPServer
from mcp_django.features.base import Parameter
from mcp_django.features.kinds import OPTION_NAMES, Kind
from mcp_django.invocation.context import Context
from mcp_django.management.commands.mcp import Command
from mcp_django.protocol.uritemplates import UriTemplate
from mcp_django.schema.results import result_rule
from mcp_django.schema.signatures import Argument, serializer_from_arguments
from mcp_django.schema.validation import arguments_rule
from tests.architecture.sources import FLOORS, PACKAGE, modules
from tests.docs.markdown import ROOT, blocks, name_of

REFERENCE = {
    page.name: page.read_text(encoding="utf-8")
    for page in sorted((ROOT / "docs" / "reference").glob("*.md"))
}


def in_code(page: str) -> set[str]:
    """The words that a page sets in code, outside of fenced blocks."""
    spans = re.findall(r"`([^`\n]+)`", REFERENCE[page])
    return {word for span in spans for word in re.findall(r"[\w.\-]+", span)}


@pytest.mark.parametrize("name", mcp_django.__all__)
def test_public_names(name: str) -> None:
    assert f"[`{name}`]" in REFERENCE["README.md"]
    documented = [page for page in REFERENCE if page != "README.md" and name in in_code(page)]
    assert documented


@pytest.mark.parametrize("kind", OPTION_NAMES)
def test_options_of_decorators(kind: Kind) -> None:
    page = REFERENCE[f"{kind}s.md"]
    rows_of_options = page.split(f"## `{kind}`")[1].split("\n## ")[0]
    listed = re.findall(r"^\| `(\w+)` \|", rows_of_options, re.M)

    assert sorted(listed) == sorted(OPTION_NAMES[kind])


def test_options_and_members_of_servers() -> None:
    page = REFERENCE["servers.md"].split("## `MCPServer`")[1].split("\n## ")[0]
    listed = set(re.findall(r"^\| `(\w+)[`(]", page, re.M))
    members = {name for name in vars(MCPServer) if not name.startswith("_")} | {"name"}

    assert set(ServerOptions.__annotations__) <= listed
    assert listed - set(ServerOptions.__annotations__) <= members


CONTENT = [
    value
    for value in (getattr(mcp_django, name) for name in mcp_django.__all__)
    if isinstance(value, type) and is_dataclass(value) and ".protocol." in value.__module__
]


@pytest.mark.parametrize("cls", CONTENT)
def test_fields_of_content(cls: type) -> None:
    heading = re.compile(rf"^(## |\| )`{cls.__name__}`", re.M)
    pages = {page for page in REFERENCE if heading.search(REFERENCE[page])}
    (page,) = pages - {"README.md", "testing.md"}

    assert {field.name for field in fields(cls)} <= in_code(page)  # type: ignore[arg-type]


@pytest.mark.parametrize("key", conf._KEYS)
def test_settings(key: str) -> None:
    assert f"[`{key}`]" in REFERENCE["settings.md"]


FROM_ELSEWHERE = {"SERVER", "AUTHENTICATION_CLASSES", "PERMISSION_CLASSES", "MAX_BODY_BYTES"}


@pytest.mark.parametrize("key", [key for key in conf._KEYS if key not in FROM_ELSEWHERE])
def test_defaults_of_settings(key: str) -> None:
    row = re.search(rf"^\| \[`{key}`\]\(#\w+\) \| (.+) \|$", REFERENCE["settings.md"], re.M)
    assert row
    told, default = row[1], conf._KEYS[key][1]()
    if told == "none":
        assert default is not None
        assert not default
    else:
        text = told.split("`")[1] if "`" in told else told.replace(",", "")
        assert ast.literal_eval(text) == default


@pytest.mark.parametrize("key", [*values.SERVER_KEYS, *values.KEPT])
def test_keys_inside_of_settings(key: str) -> None:
    assert key in in_code("settings.md")


def test_checks() -> None:
    sources = [path.read_text("utf-8") for path in (ROOT / "mcp_django").glob("*checks.py")]
    made = set(re.findall(r"\b[WEI]\d{3}\b", "".join(sources)))
    listed = set(re.findall(r"^\| `mcp_django\.([WEI]\d{3})` \|", REFERENCE["checks.md"], re.M))

    assert made == listed


def subparsers() -> dict[str, ArgumentParser]:
    parser = Command().create_parser("manage.py", "mcp")
    actions = [one for one in parser._actions if isinstance(one, _SubParsersAction)]
    choices: dict[str, Any] = dict(actions[0].choices)
    return choices


@pytest.mark.parametrize("action", subparsers())
def test_commands(action: str) -> None:
    page = REFERENCE["commands.md"]
    section = page.split(f"## `manage.py mcp {action}")[1].split("\n## ")[0]
    for option in subparsers()[action]._actions:
        for name in option.option_strings:
            if name not in ("-h", "--help"):
                assert f"`{name}" in section
    for name in subparsers():
        assert f"`{name}`" in page


@pytest.mark.parametrize("cls", [getattr(test, name) for name in test.__all__], ids=test.__all__)
def test_the_test_client(cls: type) -> None:
    names = [name for name in vars(cls) if not name.startswith("_")]
    if cls is not test.Values:  # a list, which nobody makes
        names += list(inspect.signature(cls).parameters)
    # What a client is made of is said by its parameters.
    hidden = {"registry", "to_wire"}
    documented = in_code("testing.md")

    assert {name for name in names if name not in hidden} <= documented


def rows(page: str) -> list[tuple[str, str]]:
    """The hints of a page's tables, and their schemas where these are JSON."""
    found = []
    for line in REFERENCE[page].splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if cells and cells[-1].startswith('`{"'):
            hints = re.findall(r"`([^`]+)`", cells[0].replace("\\|", "|"))
            found += [(hint, cells[-1].strip("`")) for hint in hints]
    return found


@pytest.fixture(scope="module")
def hints() -> dict[str, Any]:
    """What the hints of the tables speak of: the example on the page of arguments."""
    names: dict[str, Any] = {"__name__": __name__}
    page = ROOT / "docs" / "reference" / "arguments.md"
    source = next(block.text for block in blocks(page) if block.language == "python")
    source = source.replace("from library.", "from tests.docs.library.")
    exec(compile(source, str(page), "exec", dont_inherit=True), names)
    return names


@pytest.mark.parametrize(("hint", "schema"), rows("arguments.md"))
def test_types_of_arguments(hint: str, schema: str, hints: dict[str, Any]) -> None:
    argument = Argument("x", eval(hint, hints))
    rule = arguments_rule(serializer_from_arguments("example", [argument]), name="example")

    assert rule.schema["properties"]["x"] == json.loads(schema)


@pytest.mark.parametrize(("hint", "schema"), rows("results.md"))
def test_types_of_results(hint: str, schema: str, hints: dict[str, Any]) -> None:
    assert result_rule(eval(hint, hints), name="example").schema == json.loads(schema)


MATCHES = re.findall(
    r"^\| `(\w+://[^`]+\}[^`]*)` \| (`.+`) \| `?([^`|]+)`? \|$", REFERENCE["resources.md"], re.M
)


@pytest.mark.parametrize(("template", "uris", "values"), MATCHES)
def test_uris_and_their_templates(template: str, uris: str, values: str) -> None:
    expected = None if values == "no match" else json.loads(values)
    for uri in re.findall(r"`([^`]+)`", uris):
        assert UriTemplate.parse(template).match(uri) == expected


def test_the_table_of_uris_is_read() -> None:
    assert len(MATCHES) == 10


def test_context_and_parameter() -> None:
    private = {"authenticators", "header", "injected"}  # for the floors that use them
    members = {name for name, value in vars(Context).items() if not inspect.isfunction(value)}
    names = {name for name in members if not name.startswith("_")}
    names |= set(inspect.signature(Context).parameters)
    names |= {field.name for field in fields(Parameter)}

    assert names - private <= in_code("injection.md")


def test_dependencies() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    declared = [*project["dependencies"], *(one for extra in extras.values() for one in extra)]
    sample = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    declared += [line for line in sample if re.match(r"\w", line)]
    page = ROOT / "docs" / "explanation" / "dependencies.md"
    listed = re.findall(r"^\| ([a-z][\w-]+) \|", page.read_text(encoding="utf-8").lower(), re.M)

    names = {re.match(r"[\w-]+", one)[0].lower() for one in declared}  # type: ignore[index]
    assert names == set(listed) - {"package"}, name_of(page)


ARCHITECTURE = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")


def test_modules_that_the_architecture_names_exist() -> None:
    package = ROOT / "mcp_django"
    there = [path.relative_to(package).as_posix() for path in package.rglob("*.py")]
    named = set(re.findall(r"`([\w/]+\.py)`", ARCHITECTURE))

    missing = {name for name in named if not any(f"/{one}".endswith(f"/{name}") for one in there)}
    assert not missing


def test_the_floors_import_what_the_architecture_says() -> None:
    table = ARCHITECTURE.split("| floor | imports |")[1].split("\n\n")[0]
    told = re.findall(r"^\| `(\w+)/` \| (.+) \|$", table, re.M)

    imported: dict[str, set[str]] = {floor: set() for floor in FLOORS}
    for module in modules(PACKAGE):
        floor = module.name.split(".")[1] if "." in module.name else ""
        if floor in FLOORS:
            mine = [one.module for one in module.imports() if one.module.startswith(f"{PACKAGE}.")]
            names = {one.split(".")[1] for one in mine}
            imported[floor] |= names & FLOORS.keys() - {floor}
    assert {floor: set(re.findall(r"`(\w+)`", names)) for floor, names in told} == imported


@pytest.mark.parametrize("title", ["One call, through the code", "One read, through the code"])
def test_the_walks_through_the_code_name_what_is_there(title: str) -> None:
    walk = ARCHITECTURE.split(f"## {title}")[1].split("\n## ")[0]
    steps = re.findall(r"^\| `([\w/]+\.py)` \| (.+) \|$", walk, re.M)
    assert len(steps) > 10

    for path, text in steps:
        source = (ROOT / "mcp_django" / path).read_text(encoding="utf-8")
        for name in re.findall(r"`(\w+(?:\.\w+)?)`", text):
            assert re.search(rf"\b{name.rpartition('.')[2]}\b", source), f"{path}: {name}"


def test_scripts_that_are_named_exist() -> None:
    for page in (ROOT / "README.md", ROOT / "docs" / "reference" / "commands.md"):
        for script in set(re.findall(r"\bscripts/(\w+)", page.read_text(encoding="utf-8"))):
            assert (ROOT / "scripts" / script).is_file()

"""Which server has a feature, and servers that are declared in modules of apps."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_django import MCPServer, Prompt, Resource, Tool, prompt, resource, server, tool
from mcp_django.dispatch.server import servers
from mcp_django.features.errors import Misuse
from mcp_django.features.owners import owners_of, registries_of
from mcp_django.features.publishing import declared_by_itself
from mcp_django.features.registry import registries
from tests.features.conftest import Project

DEFAULT = server


@pytest.fixture(autouse=True)
def _isolated(project: Project) -> None:
    """Servers and features of these tests are forgotten."""


def by_name(name: str) -> MCPServer:
    (found,) = (one for one in servers() if one.name == name)
    return found


# Functions and classes.


def test_the_default_server_needs_no_mention() -> None:
    assert registries_of(None) == [server.registry]
    assert registries_of(server) == [server.registry]


def test_one_and_several() -> None:
    staff = MCPServer("staff")
    assert registries_of(staff) == [staff.registry]
    for several in ([server, staff], (server, staff), [server, staff, server]):
        assert registries_of(several) == [server.registry, staff.registry]
    assert set(registries_of({server, staff})) == {server.registry, staff.registry}


@pytest.mark.parametrize("given", ["staff", [], 5, ["staff"], [None], MCPServer])
def test_what_is_no_server(given: Any) -> None:
    for decorate in (tool, prompt):
        with pytest.raises(Misuse) as caught:
            decorate(lambda: None, server=given)
        assert str(caught.value) == (
            f"server={given!r} is no MCPServer. Give the object that MCPServer(…) made, or a list "
            "of such."
        )
    with pytest.raises(Misuse, match="is no MCPServer"):
        resource("a://b", server=given)(lambda: None)


def test_classes_and_their_bases() -> None:
    staff = MCPServer("staff")

    class OfStaff:
        server = staff

    class Hire(OfStaff, Tool):
        def call(self) -> None: ...

    class Rota(Resource):
        server = [staff, DEFAULT]
        uri = "a://b"

        def read(self) -> str:
            return "x"

    class Greet(Prompt):
        def render(self) -> str:
            return "x"

    found = [owners_of(one) for cls in (Hire, Rota, Greet) for one in declared_by_itself(cls)]
    assert found == [
        [staff.registry],
        [staff.registry, server.registry],
        [server.registry],
    ]


def test_a_class_whose_server_is_none() -> None:
    class Hire(Tool):
        server = "staff"

        def call(self) -> None: ...

    (declaration,) = declared_by_itself(Hire)
    with pytest.raises(Misuse, match="server='staff' is no MCPServer"):
        owners_of(declaration)


# In the modules of apps.


SHOP = '''
from mcp_django import MCPServer, Resource, Toolset, prompt, server as public, tool

staff = MCPServer("staff", title="Staff")

@tool(server=staff)
def hire() -> str:
    """Hire."""
    return "hired"

@tool(server=[public, staff])
def count() -> int:
    """Count."""
    return 3

@tool
def sell() -> str:
    """Sell."""
    return "sold"

class Rota(Resource):
    """Rota."""
    uri = "shop://rota"
    server = staff
    def read(self) -> str:
        return "ann"

class Desk(Toolset):
    server = staff
    @prompt
    def greet(self) -> str:
        """Greet."""
        return "Hello."
    @tool(server=public)
    def open_it(self) -> None:
        """Open."""
'''


def test_a_server_declared_in_a_module_of_an_app(project: Project) -> None:
    project.write("shop/mcp_tools.py", SHOP)
    assert project.start("shop") == ["count", "sell", "desk.open-it"]
    staff = by_name("staff").registry
    assert list(staff.tools) == ["hire", "count"]
    assert list(staff.resources) == ["shop://rota"]
    assert list(staff.prompts) == ["desk.greet"]
    assert staff in registries()


def test_a_server_declared_in_a_module_that_several_apps_import(project: Project) -> None:
    project.write("core/servers.py", 'from mcp_django import MCPServer\nstaff = MCPServer("staff")')
    for app in ("shop", "stock"):
        project.write(
            f"{app}/mcp_tools.py",
            f'''
            from core.servers import staff
            from mcp_django import tool

            @tool(server=staff)
            def {app}() -> str:
                """Say it."""
                return "{app}"
            ''',
        )
    project.start("stock", "shop")
    assert list(by_name("staff").registry.tools) == ["stock", "shop"]


def test_two_servers_of_one_name_name_both_places(project: Project) -> None:
    text = 'from mcp_django import MCPServer\nstaff = MCPServer("staff")'
    project.write("shop/mcp_tools.py", text)
    project.write("stock/mcp_tools.py", text)
    assert project.refuses("shop", "stock") == (
        "…/stock/mcp_tools.py:2: staff: The name 'staff' is taken by the server of "
        "…/shop/mcp_tools.py:2: staff. Give one of the two another name."
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            'MCPServer("staff", titel="x")',
            "…/shop/mcp_tools.py:2: staff: MCPServer has no option 'titel'. Did you mean 'title'?",
        ),
        (
            'MCPServer("staff", page_size="x")',
            "…/shop/mcp_tools.py:2: staff: page_size is 'x'. It takes a whole number from 1",
        ),
        (
            'MCPServer("staff", resolvers=["nowhere.R"])',
            "…/shop/mcp_tools.py:2: staff: resolvers names 'nowhere.R', which cannot be imported: ",
        ),
        (
            'MCPServer("two words")',
            "…/shop/mcp_tools.py:2: two words: 'two words' is no name of a server. Begin it with "
            "a letter",
        ),
        (
            'tool(server="staff")(print)',
            "…/shop/mcp_tools.py:2: shop.mcp_tools: server='staff' is no MCPServer. Give",
        ),
    ],
)
def test_mistakes_stop_start_up_with_their_place(project: Project, text: str, told: str) -> None:
    project.write("shop/mcp_tools.py", f"from mcp_django import MCPServer, tool\n{text}\n")
    assert project.refuses("shop").startswith(told)


def test_a_mistake_of_a_feature_of_another_server(project: Project) -> None:
    project.write(
        "shop/mcp_tools.py",
        """
        from mcp_django import MCPServer, Toolset, prompt
        staff = MCPServer("staff")

        class Plain:
            @prompt(server=staff)
            def greet(self) -> str:
                return "Hello."
        """,
    )
    assert project.refuses("shop").startswith(
        "…/shop/mcp_tools.py:6: Plain.greet: @prompt stands on a method of a class that is no"
    )


def test_a_module_that_fails_may_be_mended_and_imported_again(project: Project) -> None:
    file = project.write("shop/mcp_tools.py", SHOP + "\n1 / 0\n")
    assert "ZeroDivisionError" in project.refuses("shop")
    file.write_text(SHOP)
    assert project.start("shop") == ["count", "sell", "desk.open-it"]
    assert list(by_name("staff").registry.tools) == ["hire", "count"]

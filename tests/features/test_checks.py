"""System checks: what works, but most likely not as its author believes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any
from unittest.mock import patch

import pytest
from django.core.checks import CheckMessage, run_checks
from django.db.models import QuerySet
from django.test import override_settings
from rest_framework import serializers

from mcp_django import Context, CurrentTenant, Lookup, Tool, Toolset, tool
from mcp_django.checks import check_deployment, check_installed_last, check_tools
from mcp_django.features.registry import Registry
from mcp_django.invocation.resolvers import make_binder
from tests.app.models import Book, Branch

Check = Callable[..., list[CheckMessage]]


class Server:
    """As much of a server as the checks look at."""

    def __init__(self) -> None:
        self.registry = Registry("test")
        self.registry.compile(make_binder())


@pytest.fixture
def check() -> Check:
    """``check(tool, **options)``: what the checks say of it."""

    def run(*targets: Any, **options: Any) -> list[CheckMessage]:
        server = Server()
        for target in targets:
            server.registry.register(target, **options)
        with patch("mcp_django.checks.servers", lambda: (server,)):
            return check_tools(None)

    return run


def told(messages: list[CheckMessage]) -> list[tuple[str | None, str]]:
    return [(message.id, message.msg) for message in messages]


def described() -> None:
    """Has a description."""


def undescribed() -> None: ...


def test_a_tool_that_is_as_it_should_be(check: Check) -> None:
    assert check(described) == []


def test_a_tool_without_description(check: Check) -> None:
    (message,) = check(undescribed)
    assert message.id == "mcp_django.W002"
    assert message.msg == (
        "The tool 'undescribed' has no description, so a model can only guess when to call it."
    )
    assert message.hint == "Write a docstring, or give description=."
    assert message.obj == f"{__file__}:{undescribed.__code__.co_firstlineno}: undescribed"


def test_names_that_some_clients_refuse(check: Check) -> None:
    class Named(Tool):
        """A tool."""

        name = "by.hand"

        def call(self) -> None: ...

    assert told(check(described, name="a.b")) == [
        ("mcp_django.W003", "The tool 'a.b' has a dot in its name, which some clients refuse.")
    ]
    assert [message.id for message in check(Named)] == ["mcp_django.W003"]
    assert told(check(described, name="a" * 65)) == [
        (
            "mcp_django.W003",
            f"The tool '{'a' * 65}' has more than 64 characters in its name, which some clients "
            "refuse.",
        )
    ]
    assert check(described, name="a" * 64) == []


def test_the_dot_in_the_name_of_a_method_is_ours(check: Check) -> None:
    class Books(Toolset):
        @tool
        def find(self) -> None:
            """Find."""

        @tool(name="books.by-hand")
        def seek(self) -> None:
            """Seek."""

    assert [message.obj for message in check(Books)] == [
        f"{__file__}:{Books.seek.__code__.co_firstlineno}: Books.seek"
    ]


def of_branch(context: Context) -> QuerySet[Book]:
    raise NotImplementedError


def any_book(book: Book) -> None:
    """Take any book."""


def own_book(
    branch: Annotated[Branch, CurrentTenant], book: Annotated[Book, Lookup(of_branch)]
) -> None:
    """Take a book of the branch."""


def several(branch: CurrentTenant, books: list[Book], other: Book | None = None) -> None:
    """Take several books."""


def test_model_arguments_of_all_tenants(check: Check) -> None:
    assert check(any_book) == []
    assert check(own_book) == []
    (message,) = check(any_book, own_book)
    assert message.id == "mcp_django.W004"
    assert message.msg == (
        "The tool 'any_book' looks book up among all rows of Book, whatever the tenant."
    )
    assert message.hint == (
        "Narrow it: Annotated[Book, Lookup(function)], where function(context) returns a queryset."
    )
    with override_settings(MCP_DJANGO={"TENANT": "request.branch"}):
        assert [message.id for message in check(any_book)] == ["mcp_django.W004"]


def test_models_further_inside(check: Check) -> None:
    assert [message.id for message in check(several)] == ["mcp_django.W004"] * 2


def test_a_decorated_class_without_call() -> None:
    server = Server()

    @tool(server=server)
    class Forgotten(Tool):
        def cal(self) -> None: ...

    @tool(server=server)
    class Meant(Tool):
        abstract = True

    with patch("mcp_django.checks.servers", lambda: (server,)):
        (message,) = check_tools(None)
    assert message.id == "mcp_django.W005"
    assert message.msg == (
        f"The class {Forgotten.__qualname__} is decorated with @tool, but has no method call(), so "
        "it is not published."
    )
    assert message.hint == "Write call(), or take it for a base class: abstract = True."


def test_read_only_and_destructive(check: Check) -> None:
    assert told(check(described, read_only=True, destructive=True)) == [
        ("mcp_django.W006", "The tool 'described' is declared both read_only and destructive.")
    ]
    assert check(described, read_only=True, destructive=False) == []


def test_errors_that_are_not_masked() -> None:
    (message,) = check_deployment(None)
    assert message.id == "mcp_django.W007"
    with override_settings(MCP_DJANGO={"MASK_ERRORS": True}):
        assert check_deployment(None) == []


def test_it_stands_last() -> None:
    assert check_installed_last(None) == []
    behind = ["django.contrib.contenttypes", "mcp_django", "django.contrib.auth", "tests.app"]
    with override_settings(INSTALLED_APPS=behind):
        (message,) = check_installed_last(None)
    assert message.id == "mcp_django.W001"
    assert message.msg == (
        "mcp_django is followed by django.contrib.auth, tests.app in INSTALLED_APPS."
    )
    with override_settings(INSTALLED_APPS=["tests.app"]):
        assert check_installed_last(None) == []


def test_they_are_registered(check: Check) -> None:
    with override_settings(
        INSTALLED_APPS=["mcp_django", "django.contrib.contenttypes", "django.contrib.auth"]
    ):
        assert "mcp_django.W001" in [m.id for m in run_checks(tags=["mcp_django"])]
    deployed = run_checks(tags=["mcp_django"], include_deployment_checks=True)
    assert "mcp_django.W007" in [message.id for message in deployed]


def test_fields_that_are_no_models(check: Check) -> None:
    class Search(serializers.Serializer[Any]):
        branch = serializers.PrimaryKeyRelatedField(queryset=Branch.objects.all())

    def find(branch: Any, tenant: CurrentTenant) -> None:
        """Find."""

    assert check(find, arguments=Search) == []


def test_a_raw_schema_and_a_serializer_that_needs_arguments(check: Check) -> None:
    class Search(serializers.Serializer[Any]):
        def __init__(self, most: int, **kwargs: Any) -> None:
            super().__init__(**kwargs)
            self.fields["limit"] = serializers.IntegerField(max_value=most)

    def find(arguments: Any, tenant: CurrentTenant) -> None:
        """Find."""

    assert check(find, arguments=Search(3)) == []
    assert check(find, input_schema={"type": "object"}) == []

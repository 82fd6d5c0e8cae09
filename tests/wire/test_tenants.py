"""What counts as a tenant, and what as a mistake in the code that finds one."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django.test import RequestFactory, override_settings
from django.utils.functional import SimpleLazyObject

from mcp_django import Context, CurrentTenant, server
from mcp_django.invocation.flows import run
from mcp_django.protocol.versions import LATEST
from tests.app.models import Branch
from tests.wire.conftest import Wire

NORTH = Branch(name="north")


def lazily(value: Any) -> Any:
    return lambda request: SimpleLazyObject(lambda: value)


def lazily_absent(request: HttpRequest) -> Any:
    return SimpleLazyObject(lambda: Branch.objects.get(name="nowhere"))


def lazily_awaited(request: HttpRequest) -> Any:
    async def north() -> Branch:
        return NORTH

    return SimpleLazyObject(north)


async def async_north(request: HttpRequest) -> Any:
    return SimpleLazyObject(lambda: Branch(name=f"north of {Branch.objects.count()}"))


async def async_absent(request: HttpRequest) -> Any:
    return lazily_absent(request)


def known_lazily(request: HttpRequest) -> Any:
    tenant = SimpleLazyObject(lambda: NORTH)
    assert tenant.name == "north"  # something has asked already
    return tenant


@pytest.fixture(autouse=True)
def _tools(register: Any) -> None:
    def mine(branch: Annotated[Branch, CurrentTenant]) -> str:
        """The branch."""
        return branch.name

    def kind(branch: Annotated[Branch, CurrentTenant] | None) -> str:
        """What the branch is, to the letter."""
        return type(branch).__name__

    def asked(context: Context) -> str:
        """The branch, asked for late."""
        return type(context.tenant).__name__

    for tool in (mine, kind, asked):
        register(tool)


def told(wire: Wire, tool: str, tenant: Any) -> str:
    with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": [], "TENANT": tenant}):
        return str(wire.call(tool)["content"][0]["text"])


@pytest.mark.django_db
@pytest.mark.parametrize("tenant", [lazily(None), lazily(lazily(None)(None)), lazily_absent])
def test_a_lazy_nothing_is_no_tenant(wire: Wire, tenant: Any) -> None:
    assert told(wire, "mine", tenant) == "No tenant for this request"
    assert told(wire, "kind", tenant) == "NoneType"
    assert told(wire, "asked", tenant) == "NoneType"


@pytest.mark.parametrize("tenant", [lazily(NORTH), known_lazily])
def test_a_lazy_tenant_is_what_it_holds(wire: Wire, tenant: Any) -> None:
    assert told(wire, "mine", tenant) == "north"
    assert told(wire, "kind", tenant) == "Branch"
    assert told(wire, "asked", tenant) == "Branch"


@pytest.mark.django_db
def test_lazy_and_awaited(wire: Wire) -> None:
    assert told(wire, "mine", lazily_awaited) == "north"
    assert told(wire, "mine", async_north) == "north of 0"
    assert told(wire, "kind", async_north) == "Branch"
    assert told(wire, "mine", async_absent) == "No tenant for this request"


class _Signed:
    """A user whose branch is there, not there, or broken."""

    @property
    def broken(self) -> Any:
        return None.name  # type: ignore[attr-defined]

    @property
    def another(self) -> Any:
        return object().another  # type: ignore[attr-defined]

    branch = NORTH


@pytest.fixture
def _visited(monkeypatch: pytest.MonkeyPatch) -> None:
    lazy = SimpleLazyObject(_Signed)
    monkeypatch.setattr(HttpRequest, "visitor", lazy, raising=False)


@pytest.mark.usefixtures("_visited")
@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("request.visitor.branch", "north"),
        ("request.visitor.none_such", "No tenant for this request"),
        ("request.none_such.branch", "No tenant for this request"),
        ("request.visitor.broken", "'NoneType' object has no attribute 'name'"),
        ("request.visitor.another", "'object' object has no attribute 'another'"),
    ],
)
def test_only_an_attribute_that_is_missing_is_none_found(wire: Wire, path: str, words: str) -> None:
    assert told(wire, "mine", path) == words


async def plainly_async(request: HttpRequest) -> Any:
    return NORTH


def awaited_by_nobody(request: HttpRequest) -> Any:
    class Later:
        def __await__(self) -> Any:
            raise AssertionError("awaited")

    return Later()


@pytest.mark.parametrize("tenant", [plainly_async, awaited_by_nobody])
def test_an_async_one_that_is_asked_for_late(wire: Wire, tenant: Any) -> None:
    assert "Annotated[YourTenant, CurrentTenant]" in told(wire, "asked", tenant)


def test_it_is_looked_up_once_a_request() -> None:
    asked = []

    def found(request: HttpRequest) -> Any:
        asked.append(request)
        return NORTH

    with override_settings(MCP_DJANGO={"TENANT": found}):
        context = Context(server, RequestFactory().post("/mcp"), LATEST)
        assert context.tenant is NORTH
        assert run(context.find_tenant()) is NORTH
        assert context.tenant is NORTH
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("nowhere.branch_of", "which cannot be imported: No module named 'nowhere'."),
        ("tests.wire.conftest.MODERN", "which is not callable. Name a function"),
    ],
)
def test_a_setting_that_leads_to_no_function(setting: str, words: str) -> None:
    with (
        override_settings(MCP_DJANGO={"TENANT": setting}),
        pytest.raises(ImproperlyConfigured) as caught,
    ):
        server.compile()
    assert str(caught.value).startswith(f'MCP_DJANGO["TENANT"] names {setting!r}, {words}')

"""Functions as tools: plain, async, wrapped, partial, and other things that can be called."""

from __future__ import annotations

import functools
import math
import textwrap
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import pytest
from asgiref.sync import async_to_sync, markcoroutinefunction, sync_to_async
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy
from django.views import View
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.permissions import IsAdminUser, IsAuthenticated
from rest_framework.viewsets import ViewSet

from mcp_django import Icon, tool
from mcp_django.features.registry import Registry
from mcp_django.invocation.resolvers import make_binder
from mcp_django.protocol.definitions import ToolAnnotations
from tests.declaring import tool_in
from tests.features.conftest import Make, Refused


def renew_loan(
    loan_id: int,
    days: Annotated[int, serializers.IntegerField(min_value=1, max_value=28)] = 14,
) -> str:
    """Extend one loan.

    The member is told by mail.

    Args:
        loan_id: Number of the loan.
        days: How many days to add.
    """
    return f"{loan_id}: {days}"


def test_a_plain_function(made: Make) -> None:
    feature = made(renew_loan)
    assert feature.name == "renew_loan"
    assert feature.title is None
    assert feature.description == "Extend one loan.\n\nThe member is told by mail."
    assert feature.handler is renew_loan
    assert feature.arguments.schema == {
        "type": "object",
        "properties": {
            "loan_id": {"type": "integer", "description": "Number of the loan."},
            "days": {
                "type": "integer",
                "minimum": 1,
                "maximum": 28,
                "default": 14,
                "description": "How many days to add.",
            },
        },
        "required": ["loan_id"],
        "additionalProperties": False,
    }
    assert feature.arguments.validate({"loan_id": "3"}, {}) == {"loan_id": 3, "days": 14}
    assert (feature.is_async, feature.blocks, feature.atomic) == (False, True, ())
    assert feature.annotations == ToolAnnotations()
    assert feature.source.path == __file__
    assert feature.source.line == renew_loan.__code__.co_firstlineno
    assert (feature.source.name, feature.source.module) == ("renew_loan", __name__)
    assert feature.app_label == ""


def test_all_options(made: Make) -> None:
    feature = made(
        renew_loan,
        name="loans.renew",
        title="Renew",
        description="  Another text. ",
        read_only=False,
        destructive=False,
        idempotent=True,
        open_world=False,
        icons=["https://example.com/a.png", Icon("data:image/svg+xml,", "image/svg+xml")],
        meta={"com.example/cost": 3},
        tags=["loans", "members"],
        permission=["library.change_loan", "library.view_loan"],
        permission_classes=[IsAuthenticated & ~IsAdminUser],
        atomic=False,
    )
    assert feature.name == "loans.renew"
    assert feature.title == "Renew"
    assert feature.description == "Another text."
    assert feature.annotations == ToolAnnotations(False, False, True, False)
    assert feature.icons == (
        Icon("https://example.com/a.png"),
        Icon("data:image/svg+xml,", "image/svg+xml"),
    )
    assert feature.meta == {"com.example/cost": 3}
    assert feature.tags == ("loans", "members")
    assert feature.permissions == ("library.change_loan", "library.view_loan")
    assert len(feature.permission_classes) == 1
    assert feature.atomic == ()


def test_lazy_texts_stay_lazy(made: Make) -> None:
    title = gettext_lazy("Home")
    assert made(renew_loan, title=title, description=title).title is title


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("title", 3, "title=3 is no text. Give a string."),
        ("read_only", "yes", "read_only='yes' is neither True nor False. Give a bool."),
        ("tags", 3, "tags=3 is no string. Give one, or a list."),
        ("tags", ["a", 3], "tags=['a', 3] holds more than strings. Give strings."),
        ("meta", ["a"], "meta=['a'] is no mapping. Give a dict."),
        ("headers", ["a"], "headers=['a'] is no mapping. Give a dict."),
        ("headers", {"days": 3}, "headers={'days': 3} holds more than strings. Give strings."),
        ("resolvers", int, "resolvers=<class 'int'> is no list. Put it in a list."),
        (
            "permission",
            "add_book",
            "permission='add_book' names no app. "
            'Write "app.codename", such as "library.add_book".',
        ),
        (
            "permission_classes",
            [int],
            "permission_classes holds <class 'int'>, which is no permission class of DRF. "
            "Give classes, not instances.",
        ),
        (
            "permission",
            IsAdminUser,
            "permission= holds the class IsAdminUser, and takes permissions of Django's. "
            "Write permission_classes=[IsAdminUser].",
        ),
        (
            "permission",
            [IsAdminUser, IsAuthenticated],
            "permission= holds the class IsAdminUser, and takes permissions of Django's. "
            "Write permission_classes=[IsAdminUser, IsAuthenticated].",
        ),
        (
            "permission_classes",
            ["IsAdminUser"],
            "permission_classes holds 'IsAdminUser', which is no permission class of DRF. "
            "Import it, and give the class.",
        ),
        (
            "icons",
            "http://example.com/a.png",
            "icons holds 'http://example.com/a.png': its src is neither an https nor a data URI. "
            "Serve it by https and give its whole URL, or write it as a data URI.",
        ),
        (
            "icons",
            "/static/library/a.svg",
            "icons holds '/static/library/a.svg': its src is neither an https nor a data URI. "
            "Serve it by https and give its whole URL, or write it as a data URI.",
        ),
        ("icons", [3], "icons holds 3: it is no Icon. Give an Icon."),
        (
            "icons",
            {"source": "a.png"},
            "icons holds {'source': 'a.png'}: Icon.__init__() got an unexpected keyword argument "
            "'source'. Give an Icon.",
        ),
    ],
)
def test_options_of_the_wrong_kind(refused: Refused, option: str, value: Any, message: str) -> None:
    assert refused(renew_loan, **{option: value}) == f"renew_loan: {message}"


def test_an_icon_as_a_dict_or_in_place(made: Make) -> None:
    icon = {"src": "data:image/png;base64,AAAA", "sizes": ("48x48",)}
    assert made(renew_loan, icons=icon).icons == (
        Icon("data:image/png;base64,AAAA", None, ("48x48",)),
    )


def test_a_server_is_an_object_and_not_its_name() -> None:
    for given in ("staff", Registry("other"), [], [None]):
        with pytest.raises(TypeError) as caught:
            tool(renew_loan, server=given)
        assert str(caught.value) == (
            f"server={given!r} is no MCPServer. Give the object that MCPServer(…) made, or a list "
            "of such."
        )


def test_an_unknown_option_is_named_with_the_likely_one() -> None:
    with pytest.raises(TypeError, match=r"^@tool has no option 'nmae'\. Did you mean 'name'\?$"):
        tool(nmae="x")  # type: ignore[call-overload]


def test_the_decorator_returns_the_function_itself() -> None:
    registry = Registry("test")

    def add(a: int, b: int) -> int:
        return a + b

    assert tool_in(registry)(add) is add
    assert tool_in(registry, add) is add
    assert add(1, 2) == 3


@pytest.mark.parametrize("target", [3, "text", None.__class__])
def test_what_cannot_be_a_tool(target: Any) -> None:
    with pytest.raises(TypeError, match=r"^@tool "):
        tool(target)


def test_a_name_in_place_of_the_function() -> None:
    with pytest.raises(TypeError) as caught:
        tool("find")
    assert str(caught.value) == (
        "@tool takes a function or a class, not 'find'. Write @tool(name='find')."
    )


def test_an_async_function(made: Make) -> None:
    async def count(letters: str, most: int = 3) -> int:
        return len(letters)

    feature = made(count)
    assert (feature.is_async, feature.blocks, feature.atomic) == (True, False, ())
    assert feature.result.schema == {"type": "integer"}


@pytest.mark.parametrize(
    ("options", "blocks"),
    [
        ({"permission": "app.add_book"}, True),
        ({"permission_classes": [IsAuthenticated]}, False),
        ({"permission_classes": [IsAuthenticated & IsAdminUser]}, True),
    ],
)
def test_permissions_that_query_make_an_async_tool_block(
    made: Make, options: Any, blocks: bool
) -> None:
    async def count() -> int:
        return 1

    assert made(count, **options).blocks is blocks


def logged(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return wrapper


def test_a_wrapped_function_has_the_signature_inside(made: Make) -> None:
    wrapper = logged(renew_loan)
    feature = made(wrapper)
    assert feature.name == "renew_loan"
    assert feature.arguments.names == ("loan_id", "days")
    assert feature.handler is wrapper
    assert feature.description.startswith("Extend one loan.")


def test_a_sync_wrapper_of_an_async_function_is_sync_unless_it_is_marked(made: Make) -> None:
    async def count(letters: str) -> int:
        return len(letters)

    assert made(logged(count), name="sync").is_async is False
    marked = logged(count)
    markcoroutinefunction(marked)
    assert made(marked, name="async").is_async is True


def test_functions_that_asgiref_has_wrapped(made: Make) -> None:
    async def count(letters: str) -> int:
        return len(letters)

    assert made(sync_to_async(renew_loan), name="later").is_async is True
    now = made(async_to_sync(count))
    assert now.is_async is False
    assert now.name == now.source.name == "count"
    assert now.handler(letters="abc") == 3


def test_a_cached_function(made: Make) -> None:
    assert made(functools.lru_cache(renew_loan)).arguments.names == ("loan_id", "days")


def test_a_wrapper_that_hides_the_signature(refused: Refused) -> None:
    def hiding(function: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

        return wrapper

    assert refused(hiding(renew_loan)) == (
        "wrapper: It takes *args, and arguments have names. Name each argument, or take one of "
        "type list[…]. If a decorator hides the signature, let it use functools.wraps."
    )


def test_a_partial_takes_what_it_has_filled_from_callers(made: Make) -> None:
    feature = made(functools.partial(renew_loan, days=7))
    assert feature.name == "renew_loan"
    assert feature.arguments.names == ("loan_id",)
    assert feature.handler(loan_id=1) == "1: 7"
    assert feature.description.startswith("Extend one loan.")
    positional = made(functools.partial(renew_loan, 5), name="positional")
    assert positional.arguments.names == ("days",)


class Adder:
    """Adds to a number of its own."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __call__(self, other: int) -> int:
        """Called."""
        return self.number + other


class AsyncAdder(Adder):
    async def __call__(self, other: int) -> int:  # type: ignore[override]
        """Add, later."""
        return self.number + other


def test_callable_instances(made: Make) -> None:
    feature = made(Adder(3))
    assert (feature.name, feature.description) == ("adder", "Adds to a number of its own.")
    assert feature.handler(4) == 7
    later = made(AsyncAdder(3))
    assert (later.name, later.description) == ("async-adder", "Add, later.")
    assert later.is_async is True


def test_a_bound_method(made: Make) -> None:
    class Library:
        def shelf(self, number: int) -> str:
            """Tell what stands on a shelf."""
            return f"shelf {number}"

    feature = made(Library().shelf)
    assert (feature.name, feature.arguments.names) == ("shelf", ("number",))
    registry = Registry("test")
    tool_in(registry, Library().shelf)
    registry.compile(make_binder())
    assert registry.tools["shelf"].handler(number=3) == "shelf 3"


def test_a_lambda_needs_a_name(made: Make, refused: Refused) -> None:
    nothing = lambda: None  # noqa: E731
    assert refused(nothing).startswith(
        "<lambda>: '<lambda>' is not a valid name. Give it one with name=:"
    )
    assert made(nothing, name="nothing").name == "nothing"


def test_what_has_no_signature(refused: Refused) -> None:
    def nothing() -> None: ...

    nothing.__signature__ = "none"  # type: ignore[attr-defined]
    message = refused(nothing)
    assert message.startswith("nothing: Its signature cannot be read: ")
    assert message.endswith(" Wrap it in a function of your own.")


def test_a_view_is_no_tool(registry: Registry) -> None:
    @api_view(["GET"])
    def find(request: Any) -> None: ...

    message = (
        "find is a view of Django's or DRF's, which takes a request, not arguments. Decorate a "
        "function that the view calls."
    )
    for declare in (tool, registry.register):
        with pytest.raises(TypeError) as caught:
            declare(find)
        assert str(caught.value) == message
    with pytest.raises(TypeError, match=r"^View is a view of Django's or DRF's"):
        tool(View.as_view())
    with pytest.raises(TypeError, match=r"^ViewSet is a view of"):
        tool(ViewSet.as_view({"get": "list"}))


def test_mistakes_are_told_without_a_traceback_of_ours(registry: Registry) -> None:
    def find(text: bytes) -> None: ...

    with pytest.raises(ImproperlyConfigured) as caught:
        registry.register(find)
    assert (caught.value.__cause__, caught.value.__suppress_context__) == (None, True)


def test_positional_only_parameters(refused: Refused) -> None:
    def add(a: int, /, b: int) -> int:
        return a + b

    assert refused(add) == (
        "add: The parameter 'a' is positional-only, and arguments have names. "
        "Remove the / from the signature."
    )


def test_an_async_generator(refused: Refused) -> None:
    async def lines() -> Any:
        yield 1

    assert refused(lines) == (
        "lines: It is an async generator, whose values cannot be sent one by one. "
        "Collect them and return a list."
    )


def test_a_name_that_cannot_be_resolved(refused: Refused) -> None:
    def find(branch: Nowhere) -> None: ...  # type: ignore[name-defined]  # noqa: F821

    assert refused(find) == (
        "find: The type of 'branch', 'Nowhere', cannot be resolved: name 'Nowhere' is not defined. "
        "Import or define the name at the top level of the module, not only under "
        "`if TYPE_CHECKING:`."
    )

    def give() -> Nowhere: ...  # type: ignore[name-defined]  # noqa: F821

    assert refused(give).startswith("give: The type of the result, 'Nowhere', cannot be resolved:")


def test_names_of_the_surrounding_function_are_resolved(made: Make) -> None:
    from dataclasses import dataclass

    @dataclass
    class Receipt:
        number: int

    def give(number: int) -> Receipt:
        return Receipt(number)

    assert made(give).result.schema["required"] == ["number"]  # type: ignore[index]


def test_an_awaitable_result_is_told_by_its_type(made: Make) -> None:
    def later(a: int) -> Awaitable[int]:
        raise NotImplementedError

    feature = made(later)
    assert feature.result.schema == {"type": "integer"}
    assert feature.is_async is False


@pytest.mark.parametrize("atomic", [None, True])
def test_an_async_tool_under_atomic_requests(
    refused: Refused, atomic: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.db import connections

    monkeypatch.setitem(connections.settings["default"], "ATOMIC_REQUESTS", True)

    async def count() -> int:
        return 1

    assert refused(count, atomic=atomic) == (
        "count: It is async, and no transaction can span what it awaits, but the database "
        "'default' has ATOMIC_REQUESTS. Say atomic=False, or write it with def."
    )


def test_an_async_tool_under_atomic_requests_that_says_so(
    made: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.db import connections

    monkeypatch.setitem(connections.settings["default"], "ATOMIC_REQUESTS", True)

    async def count() -> int:
        return 1

    assert made(count, atomic=False).atomic == ()


def test_an_async_tool_cannot_ask_for_a_transaction(refused: Refused) -> None:
    async def count() -> int:
        return 1

    assert refused(count, atomic=True) == (
        "count: It is async, and no transaction can span what it awaits, but atomic=True asks "
        "for one. Remove atomic=True, or write it with def."
    )


def test_a_default_that_its_field_refuses(refused: Refused) -> None:
    def renew(days: Annotated[int, serializers.IntegerField(max_value=28)] = 30) -> None: ...

    assert refused(renew).startswith("renew: ")
    assert "30" in refused(renew)


def test_a_return_type_that_nothing_can_be_made_of(refused: Refused) -> None:
    def picture() -> bytes:
        return b""

    assert refused(picture).startswith("picture: ")


def test_a_function_that_was_written_elsewhere(made: Make) -> None:
    feature = made(textwrap.shorten, input_schema=SHORTEN)
    assert feature.source.path == textwrap.__file__
    assert feature.source.module == "textwrap"
    assert feature.handler("a  b", 80) == "a b"


SHORTEN = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "width": {"type": "integer"}},
    "required": ["text", "width"],
    "additionalProperties": True,
}


def test_a_builtin_is_where_it_is_declared(refused: Refused) -> None:
    assert refused(math.hypot).startswith("hypot: ")

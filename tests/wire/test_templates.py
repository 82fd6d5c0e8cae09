"""Resource templates: variables, what does not fit, and the instances that lists show."""

from __future__ import annotations

import asyncio
import datetime
from typing import Annotated, Any, Literal

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.db.models import Count, F
from django.http import Http404
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated

from mcp_django import (
    Arguments,
    Context,
    CurrentTenant,
    CurrentUser,
    Icon,
    Inject,
    Lookup,
    Resource,
    ResourceLink,
    Toolset,
    resource,
)
from tests.app.models import Book, Branch
from tests.wire.conftest import Wire, error_of

pytestmark = pytest.mark.usefixtures("open_endpoint")

BOOKS = "library://books/{isbn}"
NOBODY_SIGNS_IN: dict[str, Any] = {"AUTHENTICATION_CLASSES": []}


def book(isbn: str) -> str:
    """One book."""
    return f"book {isbn}"


class Shelf:
    """A row whose value is a method."""

    def isbn(self) -> str:
        return "1"


def text(wire: Wire, uri: str) -> str:
    (one,) = wire.result("resources/read", {"uri": uri})["contents"]
    assert one["uri"] == uri
    return str(one["text"])


def refusal(wire: Wire, uri: str) -> str:
    """What is said of a URI that is not found, in both eras; nothing where nothing is."""
    error = wire.error("resources/read", {"uri": uri})
    legacy = wire.legacy("resources/read", {"uri": uri}).json()["error"]
    assert (error["code"], legacy["code"]) == (-32602, -32002)
    assert error["data"] == legacy["data"] == {"uri": uri}
    assert error["message"] == legacy["message"]
    begin = f"Resource not found: {uri[:200]}"
    assert error["message"].startswith(begin)
    return str(error["message"]).removeprefix(begin).removeprefix(". ")


# What is listed.


def test_it_is_listed_among_the_templates_alone(wire: Wire, register: Any) -> None:
    register(
        book,
        uri=BOOKS,
        title="Book",
        icons=["https://example.com/book.png"],
        meta={"example.com/a": 1},
        annotations={"priority": 0.1},
    )
    whole = {
        "uriTemplate": BOOKS,
        "name": "book",
        "title": "Book",
        "description": "One book.",
        "icons": [{"src": "https://example.com/book.png"}],
        "_meta": {"example.com/a": 1},
        "mimeType": "text/plain",
        "annotations": {"priority": 0.1},
    }
    rpc = "resources/templates/list"
    assert wire.result(rpc)["resourceTemplates"] == [whole]
    assert wire.result("resources/list")["resources"] == []
    assert wire.old_result(rpc) == {"resourceTemplates": [whole]}
    june = {key: value for key, value in whole.items() if key != "icons"}
    assert wire.old_result(rpc, version="2025-06-18") == {"resourceTemplates": [june]}
    march = {key: value for key, value in june.items() if key not in ("title", "_meta")}
    assert wire.old_result(rpc, version="2025-03-26") == {"resourceTemplates": [march]}


# Variables.


def test_variables_have_the_types_of_the_signature(wire: Wire, register: Any) -> None:
    def page(number: int, day: datetime.date, kind: Literal["recto", "verso"], big: bool) -> str:
        """A page."""
        return f"{number!r} {day!r} {kind!r} {big!r}"

    register(page, uri="library://{number}/{day}/{kind}/{big}")
    assert text(wire, "library://7/2026-03-01/recto/true") == (
        "7 datetime.date(2026, 3, 1) 'recto' True"
    )


@pytest.mark.parametrize(
    ("value", "got"),
    [
        ("7", "7"),
        ("007", "007"),
        ("true", "true"),
        ("%5B1%5D", "[1]"),
        ("null", "null"),
        ("%20x%20", " x "),
        ("gr%C3%B6%C3%9Fe", "größe"),
        ("größe", "größe"),
        ("a+b", "a+b"),
        ("a%252Fb", "a%2Fb"),
    ],
)
def test_a_text_stays_the_text_that_was_sent(
    wire: Wire, register: Any, value: str, got: str
) -> None:
    register(book, uri=BOOKS)
    assert text(wire, f"library://books/{value}") == f"book {got}"


@pytest.mark.parametrize(
    "value", ["", "..", "%2E%2E", ".", "..%2F..%2Fetc", "a%2Fb", "a%5Cb", "a/b", "%00", "%FF", "%"]
)
def test_no_value_leads_out_of_its_segment(wire: Wire, register: Any, value: str) -> None:
    register(book, uri=BOOKS)
    assert refusal(wire, f"library://books/{value}") == ""


@pytest.mark.parametrize("path", ["../secret", "a/../../secret", "a//b", "/etc/passwd", "a/", ""])
def test_a_path_never_climbs(wire: Wire, register: Any, path: str) -> None:
    def file(path: str) -> str:
        """A file."""
        return path

    register(file, uri="file:///docs/{+path}")
    assert refusal(wire, f"file:///docs/{path}") == ""
    assert text(wire, "file:///docs/a/b.txt") == "a/b.txt"


def test_query_variables_may_be_left_out(wire: Wire, register: Any) -> None:
    def search(shelf: str, limit: int = 10, q: str | None = None) -> str:
        """Search."""
        return f"{shelf} {limit!r} {q!r}"

    register(search, uri="library://{shelf}/search{?q,limit}")
    assert text(wire, "library://a/search") == "a 10 None"
    assert text(wire, "library://a/search?limit=3&q=x%20y") == "a 3 'x y'"
    assert text(wire, "library://a/search?q=") == "a 10 ''"
    assert refusal(wire, "library://a/search?unknown=1") == ""


def test_a_list_of_segments(wire: Wire, register: Any) -> None:
    def path(segments: list[str]) -> str:
        """A path."""
        return repr(segments)

    def numbers(numbers: list[int]) -> str:
        """Numbers."""
        return repr(numbers)

    register(path, uri="library://tree{/segments*}")
    register(numbers, uri="library://numbers{/numbers*}")
    assert text(wire, "library://tree/a/b%20c") == "['a', 'b c']"
    assert text(wire, "library://numbers/1/2") == "[1, 2]"
    assert "numbers.1" in refusal(wire, "library://numbers/1/x")


def test_arguments_may_be_a_serializer(wire: Wire, register: Any) -> None:
    class Where(serializers.Serializer[Any]):
        isbn = serializers.RegexField(r"^\d{3}$")
        page = serializers.IntegerField(min_value=1, default=1)

    def page(arguments: Any) -> str:
        """A page."""
        return f"{arguments['isbn']} {arguments['page']!r} {arguments.raw('isbn')!r}"

    def whole(data: Arguments[Where]) -> str:
        """The same, annotated."""
        return str(data["page"])

    register(page, uri=BOOKS + "{?page}", arguments=Where)
    register(whole, uri="library://whole/{isbn}{?page}")
    assert text(wire, "library://books/123?page=2") == "123 2 '123'"
    assert text(wire, "library://whole/123") == "1"
    assert "isbn" in refusal(wire, "library://books/12")
    assert "page" in refusal(wire, "library://books/123?page=0")


@pytest.mark.django_db
def test_a_variable_may_be_a_row(wire: Wire, register: Any) -> None:
    def branch(branch: Annotated[Branch, Lookup(lambda context: Branch.objects.all())]) -> str:
        """A branch."""
        return branch.name

    register(branch, uri="library://branches/{branch}")
    north = Branch.objects.create(name="north")
    assert text(wire, f"library://branches/{north.pk}") == "north"
    assert "branch" in refusal(wire, f"library://branches/{north.pk + 1}")


# What does not fit, and what is not there.


def test_a_value_that_does_not_fit_says_why(wire: Wire, register: Any) -> None:
    def page(number: int) -> str:
        """A page."""
        return str(number)

    register(page, uri="library://pages/{number}")
    why = refusal(wire, "library://pages/seven")
    assert why.startswith("library://pages/{number} does not fit: ")
    assert "number" in why
    assert "integer" in why


@pytest.mark.django_db
def test_why_is_told_to_those_alone_who_may_read_it(wire: Wire, register: Any) -> None:
    def page(number: int) -> str:
        """A page."""
        return str(number)

    register(page, uri="library://pages/{number}", permission="app.add_book")
    with override_settings(MCP_DJANGO={}):
        assert error_of(wire.modern("resources/read", {"uri": "library://pages/x"})) == (
            401,
            -32600,
        )
        wire.client.force_login(User.objects.create_user("ann"))
        assert refusal(wire, "library://pages/x") == ""
        assert refusal(wire, "library://pages/7") == ""
        assert wire.result("resources/templates/list")["resourceTemplates"] == []


@pytest.mark.parametrize("error", [Http404("No such book."), Book.DoesNotExist("None.")])
def test_what_is_not_there_is_not_found(wire: Wire, register: Any, error: Exception) -> None:
    def missing(isbn: str) -> str:
        """A book."""
        raise error

    register(missing, uri=BOOKS)
    assert refusal(wire, "library://books/1") == ""


def test_other_errors_are_errors(wire: Wire, register: Any) -> None:
    def broken(isbn: str) -> str:
        """A book."""
        raise ValueError("torn")

    register(broken, uri=BOOKS)
    uri = "library://books/1"
    assert wire.error("resources/read", {"uri": uri}) == {"code": -32603, "message": "torn"}
    with override_settings(MCP_DJANGO={**NOBODY_SIGNS_IN, "MASK_ERRORS": True}):
        message = wire.error("resources/read", {"uri": uri})["message"]
    assert message.startswith("The resource failed. The operator finds the reason under")


# Which of several.


def test_the_first_that_was_registered_wins(wire: Wire, register: Any) -> None:
    def file(path: str, ext: str) -> str:
        """A file with an ending."""
        return f"file {path} {ext}"

    def bundle(path: str) -> str:
        """A bundle: no template of RFC 6570 tells it from the other."""
        return f"bundle {path}"

    register(file, uri="library://{path}.{ext}")
    register(bundle, uri="library://pre{path}")
    assert text(wire, "library://prefix.txt") == "file prefix txt"
    assert text(wire, "library://prefix") == "bundle fix"


@pytest.mark.django_db
def test_what_the_first_one_hides_no_other_serves(wire: Wire, register: Any) -> None:
    """Which template has a URI is the same for every caller; who may read it is asked then."""

    def file(path: str, ext: str) -> str:
        """A file with an ending."""
        return f"file {path} {ext}"

    def bundle(path: str) -> str:
        """A bundle."""
        return f"bundle {path}"

    register(file, uri="library://{path}.{ext}", permission_classes=[IsAuthenticated])
    register(bundle, uri="library://pre{path}")
    assert refusal(wire, "library://prefix.txt") == ""
    assert text(wire, "library://prefix") == "bundle fix"
    with override_settings(MCP_DJANGO={}):
        for uri in ("library://prefix.txt", "library://a.txt"):
            assert error_of(wire.modern("resources/read", {"uri": uri})) == (401, -32600)
        wire.client.force_login(User.objects.create_user("ann"))
        assert text(wire, "library://prefix.txt") == "file prefix txt"


def test_a_number_out_of_range_is_not_called_a_text(wire: Wire, register: Any) -> None:
    def page(n: Annotated[int, serializers.IntegerField(min_value=1)]) -> str:
        """A page."""
        return str(n)

    register(page, uri="library://pages/{n}")
    assert refusal(wire, "library://pages/0") == (
        "library://pages/{n} does not fit: n: 0 is less than 1. Expected an integer of at least 1."
    )


# Instances: the resources of a template that lists show.


def listed(wire: Wire, **more: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = wire.result("resources/list", **more)["resources"]
    return found


def uris(wire: Wire) -> list[str]:
    return [one["uri"] for one in listed(wire)]


def test_instances_as_mappings(wire: Wire, register: Any) -> None:
    register(
        book,
        uri=BOOKS,
        instances=lambda: [{"isbn": "1", "name": "Emma"}, {"isbn": "a b"}],
        icons=["https://example.com/book.png"],
        annotations={"priority": 1.0},
    )
    assert listed(wire) == [
        {
            "uri": "library://books/1",
            "name": "Emma",
            "icons": [{"src": "https://example.com/book.png"}],
            "mimeType": "text/plain",
            "annotations": {"priority": 1.0},
        },
        {
            "uri": "library://books/a%20b",
            "name": "a b",
            "icons": [{"src": "https://example.com/book.png"}],
            "mimeType": "text/plain",
            "annotations": {"priority": 1.0},
        },
    ]
    assert [text(wire, uri) for uri in uris(wire)] == ["book 1", "book a b"]
    (march, _) = wire.old_result("resources/list", version="2025-03-26")["resources"]
    assert march.keys() == {"uri", "name", "mimeType", "annotations"}


@pytest.mark.django_db
def test_instances_as_rows_of_a_queryset(
    wire: Wire, register: Any, django_assert_num_queries: Any
) -> None:
    def branch(name: str) -> str:
        """A branch."""
        return Branch.objects.get(name=name).name

    register(branch, uri="library://branches/{name}", instances=Branch.objects.order_by("name"))
    assert uris(wire) == []
    Branch.objects.create(name="north")
    Branch.objects.create(name="east")
    with django_assert_num_queries(1):
        rows = listed(wire)
    assert [(one["uri"], one["name"]) for one in rows] == [
        ("library://branches/east", "east"),
        ("library://branches/north", "north"),
    ]
    assert text(wire, "library://branches/north") == "north"
    assert refusal(wire, "library://branches/south") == ""


@pytest.mark.django_db
@pytest.mark.parametrize("instances", [Branch.objects, lambda: Branch.objects])
def test_a_manager_will_do(wire: Wire, register: Any, instances: Any) -> None:
    def branch(name: str) -> str:
        """A branch."""
        return name

    Branch.objects.create(name="north")
    register(branch, uri="library://branches/{name}", instances=instances)
    assert uris(wire) == ["library://branches/north"]


def test_instances_as_links_that_say_all_by_themselves(wire: Wire, register: Any) -> None:
    link = ResourceLink(
        "library://books/1",
        "Emma",
        title="Emma\x00",
        description="A novel.",
        mime_type="text/markdown",
        size=3,
        icons=[Icon("https://example.com/emma.png")],
        meta={"example.com/a": 1},
    )
    register(book, uri=BOOKS, instances=lambda: (link,))
    assert listed(wire) == [
        {
            "uri": "library://books/1",
            "name": "Emma",
            "title": "Emma",
            "description": "A novel.",
            "icons": [{"src": "https://example.com/emma.png"}],
            "_meta": {"example.com/a": 1},
            "size": 3,
            "mimeType": "text/markdown",
        }
    ]


@pytest.mark.django_db
def test_parameters_of_the_function_are_injected(wire: Wire, register: Any) -> None:
    def shelves(user: CurrentUser, desk: Annotated[int, Inject(lambda: 4)]) -> Any:
        return [{"isbn": f"{user.username}-{desk}"}]

    register(book, uri=BOOKS, instances=shelves)
    with override_settings(MCP_DJANGO={}):
        assert uris(wire) == []  # to whom it does not speak
        assert text(wire, "library://books/1") == "book 1"
        wire.client.force_login(User.objects.create_user("ann"))
        assert uris(wire) == ["library://books/ann-4"]
        assert wire.result("resources/list")["cacheScope"] == "private"


def test_an_async_function(wire: Wire, register: Any) -> None:
    async def later(context: Context) -> Any:
        await asyncio.sleep(0)
        return [{"isbn": "1"}]

    register(book, uri=BOOKS, instances=later)
    assert uris(wire) == ["library://books/1"]


def test_the_tenant_of_instances(wire: Wire, register: Any) -> None:
    def of_branch(branch: Annotated[Branch, CurrentTenant]) -> Any:
        return [{"isbn": branch.name}]

    def of_any(branch: Annotated[Branch, CurrentTenant] | None) -> Any:
        return [{"isbn": str(branch)}]

    register(book, uri=BOOKS, instances=of_branch)
    assert uris(wire) == []
    register(book, uri="library://any/{isbn}", instances=of_any)
    assert uris(wire) == ["library://any/None"]
    tenant = {"TENANT": lambda request: Branch(name="north")}
    with override_settings(MCP_DJANGO={**NOBODY_SIGNS_IN, **tenant}):
        assert uris(wire) == ["library://books/north", "library://any/north"]


def test_a_method_gives_the_instances_of_a_class(wire: Wire, register: Any) -> None:
    class Shelf(Resource):
        uri = "library://shelves/{number}"

        def setup(self) -> None:
            self.numbers = [1, 2]

        def instances(self) -> Any:  # type: ignore[override]
            return [{"number": number} for number in self.numbers]

        def read(self, number: int) -> str:
            """A shelf."""
            return f"shelf {number}"

    register(Shelf)
    assert [text(wire, uri) for uri in uris(wire)] == ["shelf 1", "shelf 2"]


def test_a_toolsets_template(wire: Wire, register: Any) -> None:
    class Desk(Toolset):
        @resource(BOOKS, instances=lambda: [{"isbn": "3"}])
        def book(self, isbn: str) -> str:
            """A book."""
            return f"of the desk: {isbn}"

    register(Desk)
    assert [text(wire, uri) for uri in uris(wire)] == ["of the desk: 3"]


def test_optional_variables_may_be_missing_in_instances(wire: Wire, register: Any) -> None:
    def page(isbn: str, page: int = 1) -> str:
        """A page."""
        return f"{isbn} {page}"

    register(
        page,
        uri="library://pages/{isbn}{?page}",
        instances=lambda: [{"isbn": "1"}, {"isbn": "1", "page": None}, {"isbn": "1", "page": 2}],
    )
    assert uris(wire) == ["library://pages/1", "library://pages/1?page=2"]


def test_a_list_shows_each_uri_once(wire: Wire, register: Any) -> None:
    def emma() -> str:
        """Emma."""
        return "declared"

    register(book, uri=BOOKS, instances=lambda: [{"isbn": i} for i in ("emma", "1", "1", "2")])
    register(emma, uri="library://books/emma")
    assert uris(wire) == ["library://books/emma", "library://books/1", "library://books/2"]
    assert text(wire, "library://books/emma") == "declared"


def test_no_more_than_so_many(wire: Wire, register: Any, caplog: pytest.LogCaptureFixture) -> None:
    register(book, uri=BOOKS, instances=lambda: ({"isbn": str(n)} for n in range(1, 10**9)))
    with override_settings(MCP_DJANGO={**NOBODY_SIGNS_IN, "MAX_INSTANCES": 3}):
        assert uris(wire) == [f"library://books/{number}" for number in (1, 2, 3)]
    assert f"The list shows the first 3 instances of {BOOKS} alone: see MAX_INSTANCES." in (
        caplog.text
    )
    assert text(wire, "library://books/4") == "book 4"


@pytest.mark.django_db
def test_no_more_rows_are_fetched_than_are_shown(
    wire: Wire, register: Any, django_assert_num_queries: Any, caplog: pytest.LogCaptureFixture
) -> None:
    Branch.objects.bulk_create(Branch(name=f"{number:02}") for number in range(20))
    register(
        book,
        uri="library://branches/{isbn}",
        instances=lambda: Branch.objects.order_by("name").values(isbn=F("name")),
    )
    with (
        override_settings(MCP_DJANGO={**NOBODY_SIGNS_IN, "MAX_INSTANCES": 3}),
        django_assert_num_queries(1) as queries,
    ):
        assert len(listed(wire)) == 3
    assert "LIMIT 4" in queries.captured_queries[0]["sql"]


def test_a_row_that_no_uri_can_name_is_left_out(
    wire: Wire, register: Any, caplog: pytest.LogCaptureFixture
) -> None:
    values = ["1", "", None, "a/b", "..", "2"]
    register(book, uri=BOOKS, instances=lambda: [{"isbn": value} for value in values])
    assert uris(wire) == ["library://books/1", "library://books/2"]
    assert caplog.text.count("The list leaves an instance out") == 4


@pytest.mark.parametrize(
    ("instances", "told"),
    [
        (lambda: [{"isbm": 1}], "instances= gave dict without isbn"),
        (lambda: [object()], "instances= gave object without isbn"),
        (lambda: ["1"], "instances= gave str without isbn"),
        (lambda: [Shelf()], "instances= gave Shelf without isbn"),
        (lambda: 3, "instances= gave int, not several: let it return a list"),
        (lambda: {"isbn": 1}, "instances= gave dict, not several: let it return a list"),
        (lambda: None, "instances= gave NoneType, not several: let it return a list"),
        (
            lambda: [ResourceLink("library://x", "x")],
            f"instances= gave 'library://x', which '{BOOKS}' does not match",
        ),
        (lambda: 1 / 0, "division by zero"),
    ],
)
def test_a_mistake_in_instances_is_told(
    wire: Wire, register: Any, instances: Any, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    register(book, uri=BOOKS, instances=instances)
    words = f"The list of {BOOKS} failed: {told}"
    place = f"In instances= of {BOOKS}, {__file__}:{book.__code__.co_firstlineno}: book."
    assert wire.error("resources/list") == {"code": -32603, "message": words}
    assert place in caplog.text
    caplog.clear()
    with override_settings(MCP_DJANGO={**NOBODY_SIGNS_IN, "MASK_ERRORS": True}):
        assert wire.error("resources/list")["message"].startswith("The resource failed. ")
    assert place in caplog.text


def test_a_text_is_no_row_with_its_methods_as_values(wire: Wire, register: Any) -> None:
    def titled(title: str) -> str:
        """A book by its title."""
        return title

    register(titled, uri="library://titles/{title}", instances=lambda: ["Emma"])
    assert wire.error("resources/list")["message"] == (
        "The list of library://titles/{title} failed: instances= gave str without title"
    )


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("secret"),
        SystemExit(1),
        ExceptionGroup("", [OperationalError("secret")]),
    ],
)
def test_what_instances_raise_ends_the_request_alone(
    wire: Wire, register: Any, error: BaseException
) -> None:
    def broken() -> Any:
        raise error

    register(book, uri=BOOKS, instances=broken)
    for _ in range(2):
        answer = wire.error("resources/list")
        assert answer["code"] == -32603
        assert "secret" not in answer["message"]
    (inner,) = error.exceptions if isinstance(error, ExceptionGroup) else [error]
    assert len(inner.__notes__) == 1


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), BaseExceptionGroup("", [KeyboardInterrupt()])]
)
def test_an_interrupt_is_no_answer(wire: Wire, register: Any, error: BaseException) -> None:
    def interrupted() -> Any:
        raise error

    register(book, uri=BOOKS, instances=interrupted)
    with pytest.raises(type(error)):
        wire.modern("resources/list")


@pytest.mark.django_db
def test_the_instances_of_a_hidden_template_are_hidden(wire: Wire, register: Any) -> None:
    register(book, uri=BOOKS, instances=lambda: [{"isbn": "1"}], permission="app.add_book")
    with override_settings(MCP_DJANGO={}):
        assert uris(wire) == []
        wire.client.force_login(User.objects.create_user("ann"))
        assert uris(wire) == []
        assert refusal(wire, "library://books/1") == ""
        wire.client.force_login(User.objects.create_superuser("root"))
        assert uris(wire) == ["library://books/1"]
        assert text(wire, "library://books/1") == "book 1"


def test_the_resource_to_list_may_follow_from_templates_alone(wire: Wire, register: Any) -> None:
    register(book, uri=BOOKS)
    assert "resources" in wire.result("server/discover")["capabilities"]
    assert wire.result("resources/list")["resources"] == []


def test_a_list_shows_nothing_that_another_template_reads(wire: Wire, register: Any) -> None:
    def file(path: str, ext: str) -> str:
        """A file with an ending."""
        return f"file {path} {ext}"

    def bundle(path: str) -> str:
        """A bundle."""
        return f"bundle {path}"

    register(file, uri="library://{path}.{ext}", enabled=lambda context: False)
    register(
        bundle, uri="library://pre{path}", instances=lambda: [{"path": "fix"}, {"path": "a.b"}]
    )
    assert uris(wire) == ["library://prefix"]
    assert text(wire, "library://prefix") == "bundle fix"
    assert refusal(wire, "library://prea.b") == ""


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("rows", "order"),
    [
        (lambda: Branch.objects, 'ORDER BY "app_branch"."id" ASC LIMIT'),
        (lambda: Branch.objects.values("name"), 'ORDER BY "app_branch"."id" ASC LIMIT'),
        (lambda: Branch.objects.order_by("-name"), 'ORDER BY "app_branch"."name" DESC LIMIT'),
        (lambda: Branch.objects.values("name").distinct(), '"app_branch" LIMIT'),
        (lambda: Branch.objects.values("name").annotate(Count("pk")), "GROUP BY 1 LIMIT"),
        (lambda: Branch.objects.all()[:2], '"app_branch" LIMIT 2'),
        (lambda: Branch.objects.union(Branch.objects.all()), "LIMIT 1001"),
    ],
)
def test_rows_come_in_a_fixed_order(wire: Wire, register: Any, rows: Any, order: str) -> None:
    def branch(name: str) -> str:
        """A branch."""
        return name

    Branch.objects.create(name="north")
    register(branch, uri="library://branches/{name}", instances=rows)
    with CaptureQueriesContext(connection) as queries:
        assert uris(wire) == ["library://branches/north"]
    assert order in queries[-1]["sql"]

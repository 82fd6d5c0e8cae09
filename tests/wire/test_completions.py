"""``completion/complete``: what a client gets while its user fills in an argument."""

from __future__ import annotations

import datetime
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.db.models import CharField, Value
from django.db.models.functions import Lower
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.utils.translation import gettext_lazy
from pytest_django import DjangoAssertNumQueries

from mcp_django import Completion, Context, CurrentTenant, CurrentUser, server
from mcp_django.features.completion_rows import matching, rows_of
from mcp_django.test import MCPClient, MCPError
from tests.app.models import Book, Branch
from tests.wire.conftest import Wire

Offer = Callable[..., None]

LEGACY = ["2025-11-25", "2025-06-18", "2025-03-26"]
REVISIONS = ["2026-07-28", *LEGACY]
NOTHING: dict[str, Any] = {"values": [], "total": 0, "hasMore": False}


@pytest.fixture(autouse=True)
def _own_features() -> Iterator[None]:
    with (
        server.registry.isolated(),
        override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": []}),
    ):
        yield


@pytest.fixture
def offer() -> Offer:
    """``offer(source)``: a prompt ``wish`` whose ``topic`` is completed from it."""

    def register(source: Any, **options: Any) -> None:
        def wish(topic: str) -> str:
            """Wish for something."""
            return topic

        server.register(wish, kind="prompt", completers={"topic": source}, **options)

    return register


def asked(
    typed: str = "",
    argument: str = "topic",
    *,
    prompt: str = "wish",
    uri: str | None = None,
    client: MCPClient | None = None,
    **params: Any,
) -> dict[str, Any]:
    """The ``completion`` of the answer."""
    ref = {"type": "ref/resource", "uri": uri} if uri else {"type": "ref/prompt", "name": prompt}
    sent = {"ref": ref, "argument": {"name": argument, "value": typed}, **params}
    result = (client or MCPClient()).request("completion/complete", sent)
    completion: dict[str, Any] = result["completion"]
    return completion


def values(typed: str = "", argument: str = "topic", **more: Any) -> list[str]:
    found: list[str] = asked(typed, argument, **more)["values"]
    return found


def refusal(typed: str = "", argument: str = "topic", **more: Any) -> MCPError:
    with pytest.raises(MCPError) as caught:
        asked(typed, argument, **more)
    return caught.value


# Choices


@pytest.mark.parametrize("revision", REVISIONS)
def test_choices_that_begin_with_what_was_typed(revision: str) -> None:
    def advise(level: Literal["child", "adult", "Any"], loud: bool = False) -> str:
        """Give advice."""
        return level

    server.register(advise, kind="prompt")
    client = MCPClient(revision=revision)
    assert client.discover()["capabilities"]["completions"] == {}
    assert asked("", "level", prompt="advise", client=client) == {
        "values": ["child", "adult", "Any"],
        "total": 3,
        "hasMore": False,
    }
    assert values("A", "level", prompt="advise", client=client) == ["adult", "Any"]
    assert values("T", "loud", prompt="advise", client=client) == ["true"]
    assert asked("x", "loud", prompt="advise", client=client) == NOTHING


def test_what_is_completed_is_what_the_prompt_takes() -> None:
    def sort(tags: list[Literal["new", "old", "a, b"]], by: Literal[1, 2] = 1) -> str:
        """Sort books."""
        return f"{tags} {by}"

    server.register(sort, kind="prompt")
    (number,) = values("2", "by", prompt="sort")
    for typed, whole in [
        ("", ['["new"]', '["old"]', '["a, b"]']),
        ("O", ['["old"]']),
        ("[", ['["new"]', '["old"]', '["a, b"]']),
        ('["n', ['["new"]']),
        ('["new", ', ['["new", "new"]', '["new", "old"]', '["new", "a, b"]']),
        ('["new", "o', ['["new", "old"]']),
        ('["a, ', ['["a, b"]']),
        ('["new"]', []),
    ]:
        found = values(typed, "tags", prompt="sort")
        assert found == whole, typed
        for tags in found:
            arguments = {"tags": tags, "by": number}
            rendered = MCPClient().request("prompts/get", {"name": "sort", "arguments": arguments})
            assert rendered["messages"][0]["content"]["text"].endswith("2")


def test_an_argument_without_a_completer(offer: Offer) -> None:
    offer(["a"])

    def other(topic: str) -> str:
        """Another one."""
        return topic

    server.register(other, kind="prompt")
    assert asked("a", prompt="other") == NOTHING


def test_without_any_completer_there_is_no_such_method() -> None:
    def plain(topic: str) -> str:
        """A plain one."""
        return topic

    server.registry.clear()
    server.compile()
    server.register(plain, kind="prompt")
    assert "completions" not in MCPClient().discover()["capabilities"]
    assert refusal(prompt="plain").code == -32601


# Functions


def test_a_function_is_given_what_was_typed(offer: Offer) -> None:
    def topics(value: str) -> list[str]:
        return [f"{value}s", "another", value]

    offer(topics)
    assert asked("Dog") == {"values": ["Dogs", "another", "Dog"], "total": 3, "hasMore": False}


def test_a_function_without_value_is_narrowed(offer: Offer) -> None:
    def topics() -> Any:
        given: list[Any] = [
            "Dogs",
            "cats",
            12,
            None,
            datetime.date(2026, 1, 2),
            UUID(int=13),
            gettext_lazy("donkeys"),
            "",
        ]
        return (one for one in given)

    offer(topics)
    assert values("do") == ["Dogs", "donkeys"]
    assert values("1") == ["12"]
    assert values("2026-") == ["2026-01-02"]
    assert values("00000000-") == ["00000000-0000-0000-0000-00000000000d"]
    assert asked()["total"] == 6


def test_an_async_function(offer: Offer) -> None:
    async def topics(value: str, context: Context) -> list[str]:
        return [f"{value}-{context.feature.name}" if context.feature else ""]

    offer(topics)
    assert values("a") == ["a-wish"]


@pytest.mark.django_db
def test_an_async_function_may_hand_out_a_queryset(offer: Offer) -> None:
    User.objects.create(username="ann")

    async def names() -> Any:
        return User.objects.values_list("username", flat=True)

    offer(names)
    assert values("A") == ["ann"]


def test_a_hundred_at_most(offer: Offer) -> None:
    def numbers() -> range:
        return range(250)

    offer(numbers)
    found = asked()
    assert (len(found["values"]), found["total"], found["hasMore"]) == (100, 250, True)
    found = asked("1")
    assert (len(found["values"]), found["total"], found["hasMore"]) == (100, 111, True)
    assert asked("24")["total"] == 11
    exactly = asked("1", prompt="hundred") if _hundred() else {}
    assert (len(exactly["values"]), exactly["total"], exactly["hasMore"]) == (100, 100, False)


def _hundred() -> bool:
    def hundred(topic: Annotated[str, Completion([str(n) for n in range(100, 200)])]) -> str:
        """One of a hundred."""
        return topic

    server.register(hundred, kind="prompt")
    return True


@pytest.mark.parametrize("revision", REVISIONS)
def test_what_is_filled_already(revision: str, offer: Offer) -> None:
    def topics(context: Context) -> list[str]:
        return [f"{name}={value}" for name, value in context.arguments.items()] or ["nothing"]

    offer(topics)
    client = MCPClient(revision=revision)
    known = {"arguments": {"author": "Austen", "year": "1815"}}
    found = values(client=client, context=known)
    expected = ["author=Austen", "year=1815"]
    assert found == (["nothing"] if revision == "2025-03-26" else expected)
    for nothing in ({}, {"arguments": {}}, {"arguments": None}, None):
        assert values(client=client, context=nothing) == ["nothing"]


# Templates


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_variable_of_a_template(revision: str) -> None:
    def shelf(room: Literal["main", "attic"], number: int) -> str:
        """A shelf."""
        return f"{room} {number}"

    def shelves() -> str:
        """All shelves."""
        return ""

    server.register(shelf, uri="library://rooms/{room}/shelves/{number}")
    server.register(shelves, uri="library://rooms")
    client = MCPClient(revision=revision)
    template = "library://rooms/{room}/shelves/{number}"
    assert values("M", "room", uri=template, client=client) == ["main"]
    assert values("M", "room", uri="library://rooms/x/shelves/3", client=client) == ["main"]
    assert asked("1", "number", uri=template, client=client) == NOTHING
    for uri, argument, words in [
        (template, "shelf", f"The resource template {template} has no argument 'shelf'. It has "),
        ("library://rooms", "room", "The resource library://rooms has no argument 'room'. It has"),
        ("library://nowhere", "room", "Unknown resource template: library://nowhere"),
    ]:
        error = refusal("", argument, uri=uri, client=client)
        assert error.code == -32602
        assert error.message.startswith(words)


# Rows


@pytest.fixture
def _books(db: None) -> None:
    branch = Branch.objects.create(name="North")
    titles = ["Emma", "emile", "Middlemarch", "Emma", "50% off", "500 days", "a_b", "acb", ""]
    Book.objects.bulk_create(
        Book(title=title, branch=branch, pages=pages)
        for pages, title in enumerate(titles, start=10)
    )


@pytest.mark.usefixtures("_books")
def test_rows_that_begin_with_what_was_typed(
    offer: Offer, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    offer((Book.objects.all(), "title"))
    with django_assert_num_queries(1):
        assert sorted(values("EM")) == ["Emma", "emile"]
    assert values("Emm") == ["Emma"]
    assert values("50%") == ["50% off"]
    assert values("a_") == ["a_b"]
    assert values("\\") == []
    assert values("a\0") == []
    assert asked("nowhere") == NOTHING
    with django_assert_num_queries(1):
        found = asked()
    assert sorted(found["values"]) == sorted(
        {"50% off", "500 days", "Emma", "Middlemarch", "a_b", "acb", "emile"}
    )
    assert (found["total"], found["hasMore"]) == (7, False)


@pytest.mark.usefixtures("_books")
def test_rows_of_a_related_table_and_of_numbers_and_dates(offer: Offer) -> None:
    Branch.objects.create(name="Empty")

    def find(
        branch: Annotated[str, Completion(Book.objects, "branch__name")],
        title: Annotated[str, Completion(Branch.objects, "books__title")],
        pages: Annotated[int, Completion(Book.objects.filter(pages__gt=11))],
    ) -> str:
        """Find a book."""
        return branch

    server.register(find, kind="prompt")
    assert values("n", "branch", prompt="find") == ["North"]
    assert asked("", "title", prompt="find")["total"] == 7
    assert values("", "pages", prompt="find") == [str(pages) for pages in range(12, 19)]
    assert values("15", "pages", prompt="find") == ["15"]
    assert values("x", "pages", prompt="find") == []


def test_more_rows_than_are_sent(
    db: None, offer: Offer, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    Branch.objects.bulk_create(Branch(name=f"Branch {number:03}") for number in range(150))
    offer(Completion(Branch.objects.order_by("-name"), "name"))
    with CaptureQueriesContext(connection) as queries:
        found = asked("b")
    assert len(queries) == 2
    assert "LIMIT 101" in queries[0]["sql"]
    assert found["values"] == [f"Branch {number:03}" for number in range(100)]
    assert (found["total"], found["hasMore"]) == (150, True)
    with django_assert_num_queries(1):
        assert asked("branch 0")["total"] == 100


@pytest.mark.usefixtures("_books")
def test_rows_that_a_function_narrows_to_the_tenant() -> None:
    south = Branch.objects.create(name="South")
    Book.objects.create(title="Emma in the south", branch=south)

    def titles(branch: Annotated[Branch, CurrentTenant]) -> Any:
        return Book.objects.filter(branch=branch).values_list("title", flat=True)

    async def short(value: str, branch: Annotated[Branch | None, CurrentTenant]) -> Any:
        found = Book.objects.filter(branch=branch) if branch else Book.objects.none()
        return found.filter(title__contains=value).values_list("title", flat=True)

    def wish(
        topic: Annotated[str, Completion(titles)], short: Annotated[str, Completion(short)]
    ) -> str:
        """Wish for something."""
        return topic

    server.register(wish, kind="prompt")
    with _tenant(lambda request: south):
        with CaptureQueriesContext(connection) as queries:
            assert values("em") == ["Emma in the south"]
        assert any("LIMIT 101" in query["sql"] for query in queries)
        assert values("nowhere") == []
        assert values("south", "short") == ["Emma in the south"]
    with _tenant(lambda request: None):
        error = refusal("em")
        assert (error.code, error.message) == (-32603, "No tenant for this request")
        assert asked("em", "short") == NOTHING


def _tenant(find: Any) -> Any:
    return override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": [], "TENANT": find})


@pytest.mark.usefixtures("_books")
def test_querysets_of_values_of_every_look(offer: Offer) -> None:
    looks: list[Any] = [
        lambda: Book.objects.order_by("pages").values_list("title", flat=True)[:3],
        lambda: Book.objects.values_list(Lower("title"), flat=True),
        lambda: Book.objects.values_list("price", flat=True),
        lambda: Branch.objects.values_list(Value(None, CharField()), flat=True),
    ]
    found = []
    for look in looks:
        offer(look)
        found.append(values("em"))
        server.unregister("wish")
    assert found == [["Emma", "emile"], ["emile", "emma"], [], []]


@pytest.mark.usefixtures("_books")
def test_values_that_a_function_narrowed_are_counted_by_the_database(offer: Offer) -> None:
    """It costs two queries for any number of rows: those that are sent, and how many match."""
    branch = Branch.objects.get()
    Book.objects.bulk_create(Book(title=f"Z{n}", branch=branch, pages=n) for n in range(120))

    def titles(value: str) -> Any:
        newest = Book.objects.filter(title__startswith=value).order_by("-pages")
        return newest.values_list("title", flat=True)

    offer(titles)
    with CaptureQueriesContext(connection) as queries:
        found = asked("Z")
    assert len(queries) == 2
    assert found["values"][:2] == ["Z119", "Z118"]
    assert (len(found["values"]), found["total"], found["hasMore"]) == (100, 120, True)


@pytest.mark.postgresql
@pytest.mark.django_db
def test_indexes_serve_it() -> None:
    rows, table = rows_of(Book.objects.all(), "title"), Book._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE INDEX title_typed ON {table} (UPPER(title) text_pattern_ops)")
        cursor.execute(f"CREATE INDEX title_in_order ON {table} (title)")
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
    typed, untyped = matching(rows, "emm")[:101].explain(), matching(rows, "")[:101].explain()
    assert "title_typed" in typed
    assert "Index Cond" in typed
    assert "title_in_order" in untyped
    assert "Sort" not in untyped


# Who may


class Everybody:
    """An authentication class that knows nobody, so that signing in is possible."""

    def authenticate(self, request: Any) -> None:
        return None

    def authenticate_header(self, request: Any) -> str:
        return "Bearer"


SIGN_IN: dict[str, Any] = {"MCP_DJANGO": {"AUTHENTICATION_CLASSES": [Everybody]}}


@pytest.mark.django_db
def test_what_is_hidden_is_unknown(offer: Offer) -> None:
    offer(["a"], permission="app.add_book")

    def shelf(room: Literal["main"]) -> str:
        """A shelf."""
        return room

    server.register(shelf, uri="library://{room}", permission="app.add_book")
    ann = User.objects.create_user("ann")
    with override_settings(**SIGN_IN):
        assert refusal().status == 401
        assert refusal("", "room", uri="library://{room}").status == 401
        client = MCPClient()
        client.login(ann)
        hidden, unknown = refusal(client=client), refusal(prompt="none", client=client)
        assert hidden.code == unknown.code == -32602
        assert hidden.message == "Unknown prompt: wish"
        assert unknown.message == "Unknown prompt: none"
        error = refusal("", "room", uri="library://{room}", client=client)
        assert (error.code, error.message) == (
            -32602,
            "Unknown resource template: library://{room}",
        )
        # Not even whether it has such an argument.
        assert refusal("", "nothing", client=client).message == "Unknown prompt: wish"
        ann.user_permissions.add(
            Permission.objects.get(content_type__app_label="app", codename="add_book")
        )
        client.login(User.objects.get(pk=ann.pk))
        assert values(client=client) == ["a"]
        assert values("", "room", uri="library://{room}", client=client) == ["main"]


@pytest.mark.django_db
def test_of_templates_that_match_the_first_registered_one_decides() -> None:
    """As for reading: the same for every caller, so one that is hidden hides the URI."""

    def secret(page: Literal["s"]) -> str:
        """Secret pages."""
        return page

    def public(page: Literal["p"]) -> str:
        """Public pages."""
        return page

    def never() -> bool:
        return False

    server.register(secret, uri="pages://a{page}", enabled=never)
    server.register(public, uri="pages://{page}z")
    assert values("", "page", uri="pages://xz") == ["p"]
    error = refusal("", "page", uri="pages://axz")
    assert (error.code, error.message) == (-32602, "Unknown resource template: pages://axz")
    server.unregister("pages://a{page}")
    assert values("", "page", uri="pages://axz") == ["p"]


@pytest.mark.django_db
def test_what_a_fixed_resource_keeps_is_completed_for_nobody_else() -> None:
    def page(page: Literal["p"], q: str = "") -> str:
        """Pages."""
        return page

    def hours() -> str:
        """Opening hours."""
        return "9 to 5"

    server.register(page, uri="pages://{page}{?q}")
    server.register(hours, uri="pages://hours", enabled=lambda: False)
    assert values("", "page", uri="pages://other?q=1") == ["p"]
    for uri in ("pages://hours", "pages://h%6Furs", "pages://hours?q=1"):
        assert refusal("", "page", uri=uri).message == f"Unknown resource template: {uri}"


@pytest.mark.django_db
def test_a_function_that_needs_the_user(offer: Offer) -> None:
    def mine(user: CurrentUser) -> list[str]:
        return [user.username]

    offer(mine)
    error = refusal()
    assert (error.code, error.message) == (
        -32602,
        "'topic' is completed for signed-in users alone.",
    )
    with override_settings(**SIGN_IN):
        assert refusal().status == 401
        client = MCPClient()
        client.login(User.objects.create_user("ann"))
        assert values(client=client) == ["ann"]


# Refusals


@pytest.mark.parametrize("revision", ["2026-07-28", "2025-11-25"])
@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"argument": None}, "completion/complete needs argument, an object."),
        ({"argument": {"name": "topic"}}, "completion/complete needs argument.value, a string."),
        (
            {"argument": {"name": "topic", "value": 3}},
            "completion/complete needs argument.value, a string.",
        ),
        ({"argument": {"value": ""}}, "completion/complete needs argument.name, a string."),
        ({"ref": None}, "completion/complete needs ref, an object."),
        ({"ref": {"name": "wish"}}, "completion/complete needs ref.type, a string."),
        (
            {"ref": {"type": "ref/tool", "name": "wish"}},
            "ref.type is ref/prompt or ref/resource, not 'ref/tool'.",
        ),
        ({"ref": {"type": "ref/prompt"}}, "completion/complete needs ref.name, a string."),
        ({"ref": {"type": "ref/resource"}}, "completion/complete needs ref.uri, a string."),
        ({"ref": {"type": "ref/prompt", "name": "none"}}, "Unknown prompt: none"),
        (
            {"argument": {"name": "subject", "value": ""}},
            "The prompt wish has no argument 'subject'. It has topic.",
        ),
        ({"context": []}, "context is an object."),
        ({"context": {"arguments": []}}, "context.arguments is an object of strings."),
        ({"context": {"arguments": {"a": 1}}}, "context.arguments is an object of strings."),
    ],
)
def test_malformed_questions(
    offer: Offer, revision: str, params: dict[str, Any], words: str
) -> None:
    offer(["a"])
    sent = {
        "ref": {"type": "ref/prompt", "name": "wish"},
        "argument": {"name": "topic", "value": ""},
        **params,
    }
    with pytest.raises(MCPError) as caught:
        MCPClient(revision=revision).request("completion/complete", sent)
    assert (caught.value.code, caught.value.message) == (-32602, words)
    assert caught.value.status == 200


def test_an_argument_of_a_prompt_that_has_none(offer: Offer) -> None:
    offer(["a"])

    def bare() -> str:
        """A bare one."""
        return ""

    server.register(bare, kind="prompt")
    assert refusal(prompt="bare").message == (
        "The prompt bare has no argument 'topic'. It has none."
    )


@pytest.mark.django_db
def test_texts_too_long_to_look_for(offer: Offer) -> None:
    offer((Book.objects.all(), "title"))
    assert asked("x" * 1_000) == NOTHING
    error = refusal("x" * 1_001)
    assert (error.code, error.message) == (
        -32602,
        "argument.value has 1,001 characters; at most 1,000 are completed.",
    )


class Later:
    """What no completer should give."""

    def __aiter__(self) -> AsyncIterator[str]:
        raise AssertionError("read")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("given", "words"),
    [
        (lambda: None, "the completer gave NoneType: let it return a list"),
        (lambda: "abc", "the completer gave str: let it return a list"),
        (lambda: {"a": "A"}, "the completer gave dict: let it return a list"),
        (Later, "the completer gave Later: let it return a list"),
        (
            lambda: [object()],
            "object is no value to complete with: give strings, numbers or dates",
        ),
        (
            lambda: Book.objects.all(),
            "the completer gave rows of Book, not values: let it return "
            '….values_list("field", flat=True)',
        ),
    ],
)
def test_what_completes_nothing(offer: Offer, given: Any, words: str) -> None:
    offer(lambda: given())
    error = refusal()
    assert (error.code, error.message) == (-32603, words)


@pytest.mark.usefixtures("_books")
@pytest.mark.parametrize("flat", [{}, {"named": True}])
def test_rows_of_values_are_no_values(offer: Offer, flat: Any) -> None:
    offer(lambda: Book.objects.values_list("title", **flat))
    assert refusal().message.endswith(
        "is no value to complete with: give strings, numbers or dates"
    )


def test_a_function_that_raises(offer: Offer, caplog: pytest.LogCaptureFixture) -> None:
    def topics() -> list[str]:
        raise ValueError("the shelf is empty")

    offer(topics)
    assert (refusal().code, refusal().message) == (-32603, "the shelf is empty")
    masking = {"AUTHENTICATION_CLASSES": [], "MASK_ERRORS": True}
    with override_settings(MCP_DJANGO=masking):
        error = refusal()
    assert error.code == -32603
    assert error.message.startswith("The prompt failed. The operator finds the reason under ")
    assert "shelf" not in error.message
    assert "the shelf is empty" in caplog.text


def test_several_errors_are_all_told(offer: Offer) -> None:
    async def topics() -> list[str]:
        raise ExceptionGroup("both", [ValueError("one"), ValueError("two")])

    offer(topics)
    assert refusal().message == "one\ntwo"


def test_a_function_that_is_interrupted(offer: Offer) -> None:
    def topics() -> list[str]:
        raise KeyboardInterrupt

    def more() -> list[str]:
        raise BaseExceptionGroup("stopped", [KeyboardInterrupt()])

    offer(topics)
    with pytest.raises(KeyboardInterrupt):
        asked()
    server.unregister("wish")
    offer(more)
    with pytest.raises(BaseExceptionGroup):
        asked()


def test_more_than_a_server_sends(offer: Offer) -> None:
    offer(lambda: ["é" * 300, "é" * 300])
    limited = {"AUTHENTICATION_CLASSES": [], "MAX_RESULT_BYTES": 1_000}
    with override_settings(MCP_DJANGO=limited):
        error = refusal()
    assert error.code == -32603
    told = "completions have 1,200 bytes, more than the 1,000 that this server sends"
    assert told in error.message


def test_in_a_batch_each_question_is_its_own(offer: Offer, wire: Wire) -> None:
    def topics(value: str) -> list[str]:
        return [value]

    offer(topics)
    questions = [
        {
            "jsonrpc": "2.0",
            "id": typed,
            "method": "completion/complete",
            "params": {
                "ref": {"type": "ref/prompt", "name": "wish"},
                "argument": {"name": "topic", "value": typed},
            },
        }
        for typed in ("a", "b")
    ]
    answers = wire.send(questions, MCP_Protocol_Version="2025-03-26").json()
    assert {one["id"]: one["result"]["completion"]["values"] for one in answers} == {
        "a": ["a"],
        "b": ["b"],
    }
    assert all("resultType" not in one["result"] for one in answers)


@pytest.mark.usefixtures("_books")
@pytest.mark.parametrize("field", ["title", "branch__name", "pages"])
def test_what_is_null_or_empty_completes_nothing_in_a_list_or_a_queryset(
    offer: Offer, field: str
) -> None:
    branch = Branch.objects.create(name="")
    Book.objects.bulk_create(Book(title=title, branch=branch) for title in ("", "x", ""))
    found = Book.objects.order_by("pk").values_list(field, flat=True)
    sources: list[Any] = [lambda value: found, lambda value: list(found), lambda value: found[:50]]
    answers = []
    for source in sources:
        offer(source)
        answers.append(asked())
        server.unregister("wish")
    assert answers[0] == answers[1] == answers[2]
    assert "" not in answers[0]["values"]
    assert answers[0]["total"] == {"title": 9, "branch__name": 9, "pages": 12}[field]


@pytest.mark.django_db
def test_null_completes_nothing_either(offer: Offer) -> None:
    Branch.objects.create(name="North")
    offer(lambda value: Branch.objects.values_list("books__title", flat=True))
    assert asked() == NOTHING


@pytest.mark.django_db
def test_beyond_what_is_read_rows_are_counted(
    offer: Offer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcp_django.invocation.completing.MOST_READ", 120)
    Branch.objects.bulk_create(Branch(name=f"{n}") for n in range(150))
    branch = Branch.objects.create(name="")
    Book.objects.bulk_create(
        Book(title="x", branch=one) for one in [branch, *Branch.objects.exclude(name="")]
    )
    offer(lambda value: Book.objects.order_by("pk").values_list("branch__name", flat=True))
    found = asked()
    assert (len(found["values"]), found["total"], found["hasMore"]) == (100, 150, True)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("[[", []),
        ("[[1], ", ['[[1], "new"]']),
        ('["new" "', []),
        ('["new", {"', []),
    ],
)
def test_what_is_no_list_of_json_is_not_completed_to_one(typed: str, found: list[str]) -> None:
    def sort(tags: Annotated[list[str], Completion(lambda value: ["new"])]) -> str:
        """Sort."""
        return tags[0]

    server.register(sort, kind="prompt")
    assert values(typed, "tags", prompt="sort") == found

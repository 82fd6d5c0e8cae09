"""System checks: what works, but most likely not as its author believes."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Callable
from types import ModuleType
from typing import Annotated, Any, Literal
from unittest.mock import patch

import pytest
from django.contrib.auth.models import User
from django.core.checks import INFO, CheckMessage, run_checks
from django.db.models import QuerySet
from django.test import override_settings
from django.urls import path
from rest_framework import serializers
from rest_framework.authentication import SessionAuthentication, TokenAuthentication

from mcp_django import (
    Completion,
    Context,
    CurrentTenant,
    CurrentUser,
    Lookup,
    MCPServer,
    Resource,
    Tool,
    Toolset,
    prompt,
    tool,
)
from mcp_django import server as default_server
from mcp_django.checks import (
    check_deployment,
    check_endpoint,
    check_features,
    check_installed_last,
    check_sign_in,
)
from mcp_django.features.components import Component
from mcp_django.features.publishing import declared_by_itself
from mcp_django.features.registry import Registry
from mcp_django.invocation.resolvers import make_binder
from mcp_django.views import endpoint
from tests.app.models import Book, Branch
from tests.catalogued import URLS, branch_server, made_servers, only, only_server
from tests.declaring import tool_in

Check = Callable[..., list[CheckMessage]]


class Proxy(User):
    class Meta:
        proxy = True
        app_label = "app"


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
            return check_features(None)

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


def test_other_features_without_description(check: Check) -> None:
    (message,) = check(saying, uri="library://hours")
    assert message.msg == (
        "The resource 'library://hours' has no description, so a model can only guess when to "
        "use it."
    )

    def of_book(number: int) -> str:
        return str(number)

    (message,) = check(of_book, uri="library://books/{number}")
    assert message.msg.startswith("The resource template 'library://books/{number}' has no")
    (message,) = check(saying, kind="prompt", description="")
    assert message.id == "mcp_django.W002"


def saying() -> str: ...


def test_names_of_other_features(check: Check) -> None:
    (message,) = check(saying, kind="prompt", name="a.b", description="Say.")
    assert message.msg == "The prompt 'a.b' has a dot in its name, which some clients refuse."
    assert check(saying, uri="library://a.b", name="a.b" * 30, description="Say.") == []


def test_prompts_that_nobody_can_fill_in(check: Check) -> None:
    def talk(topics: list[str], level: str, facts: dict[str, int]) -> str:
        """Talk."""

    (first, second) = check(talk, kind="prompt")
    assert first.id == "mcp_django.W014"
    assert first.msg == (
        "The prompt 'talk' takes topics, an array: people fill in prompts by hand, and would have "
        "to write JSON."
    )
    assert first.hint == "Take a text and split it, or make it a tool."
    assert "takes facts, an object" in second.msg
    assert check(talk) == []


def test_arguments_of_prompts_that_nothing_is_said_of(check: Check) -> None:
    def pick(
        title: str,
        level: Literal["child", "adult"],
        kind: str,
        urgent: bool = False,
        near: Annotated[int, "How near, in km."] = 5,
        pages: Annotated[int, serializers.IntegerField(min_value=1, max_value=900)] = 300,
    ) -> str:
        """Pick a book."""
        return title

    (message,) = check(pick, kind="prompt", completers={"kind": ["novel", "poems"]})
    assert message.id == "mcp_django.I018"
    assert not message.is_serious()
    assert message.level == INFO
    assert message.msg == (
        "The prompt 'pick' does not describe pages (integer, 1 to 900): of a prompt's arguments "
        "clients get no schema, so that people see this name alone."
    )
    assert message.hint == (
        "Say what may be filled in: in the docstring, or as a text in Annotated."
    )
    assert message.obj == f"{__file__}:{pick.__code__.co_firstlineno}: pick"
    assert check(pick) == []  # of a tool clients get the schema


def isbns() -> list[str]:
    """The numbers that there are."""
    return ["978-0"]


Isbn = Annotated[str, Completion(isbns)]


def look_up(isbn: Annotated[str, Completion(isbns)], branch: str) -> str:
    """Look a book up."""
    return isbn


def look_up_shared(isbn: Isbn) -> str:
    """Look a book up."""
    return isbn


def discuss(isbn: Isbn) -> str:
    """Discuss a book."""
    return isbn


def test_a_completion_of_a_tool(check: Check) -> None:
    (message,) = check(look_up)
    assert message.id == "mcp_django.W017"
    assert message.msg == (
        "The tool 'look_up' has a Completion on isbn, which does nothing: clients complete the "
        "arguments of prompts and the variables of resource templates alone."
    )
    assert message.hint == (
        "Take it away; a Literal or an Enum tells a model the values. A type that a prompt or a "
        "template has too is not reported."
    )
    assert message.obj == f"{__file__}:{look_up.__code__.co_firstlineno}: look_up"
    assert check(look_up, kind="prompt") == []


def test_a_completed_type_that_tools_alone_have(check: Check) -> None:
    (message,) = check(look_up_shared)
    assert message.id == "mcp_django.W017"


@pytest.mark.parametrize("options", [{"kind": "prompt"}, {"uri": "library://books/{isbn}"}])
def test_a_completed_type_that_a_tool_shares(options: Any) -> None:
    tools, others = Server(), Server()
    tools.registry.register(look_up_shared)
    others.registry.register(discuss, **options)
    with patch("mcp_django.checks.servers", lambda: (tools, others)):
        assert check_features(None) == []


def test_a_function_that_is_a_tool_and_a_prompt() -> None:
    server = Server()
    server.registry.register(look_up)
    server.registry.register(look_up, kind="prompt")
    with patch("mcp_django.checks.servers", lambda: (server,)):
        assert check_features(None) == []


def test_methods_of_one_toolset_are_told_apart(check: Check) -> None:
    class Books(Toolset):
        """Of books."""

        @tool(name="find")
        def find(self, isbn: Annotated[str, Completion(isbns)]) -> str:
            """Find it."""
            return isbn

        @prompt(name="talk")
        def talk(self, isbn: Annotated[str, Completion(isbns)]) -> str:
            """Talk about it."""
            return isbn

    (message,) = check(Books)
    assert message.msg.startswith("The tool 'find' has a Completion on isbn")


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


def test_the_dot_of_a_name_is_explained(check: Check) -> None:
    (message,) = check(described, name="a.b")
    assert message.hint == (
        "Give it another name with name=. The dot that a Toolset's features have by default is "
        "not reported, for nobody chose it; name= on the method avoids it too."
    )


def any_user(user: User) -> None:
    """Take any user."""


def of_user(user: User) -> str:
    """Tell of any user."""
    return str(user)


def any_users(users: list[Proxy], branch: CurrentTenant) -> None:
    """Take any users."""


def member(user: Annotated[User, Lookup(of_branch)], caller: CurrentUser) -> None:
    """Take a user of the branch."""


def test_users_as_arguments(check: Check) -> None:
    (message,) = check(any_user, member)
    assert message.id == "mcp_django.W008"
    assert message.msg == (
        "The tool 'any_user' takes user, any User, as an argument from whoever calls it."
    )
    assert message.hint == (
        "If you mean the caller, write CurrentUser. If not, narrow it: Annotated[User, "
        "Lookup(function)], where function(context) returns a queryset."
    )
    (message,) = check(any_users)
    assert message.id == "mcp_django.W008"
    (message, undescribed_argument) = check(of_user, kind="prompt")
    assert undescribed_argument.id == "mcp_django.I018"
    assert message.msg == (
        "The prompt 'of_user' takes user, any User, as an argument from whoever gets it."
    )
    (message,) = check(of_user, uri="library://users/{user}")
    assert message.msg.endswith("takes user, any User, as an argument from whoever reads it.")


def found(*classes: type[Component]) -> list[CheckMessage]:
    """What the checks say of classes that discovery finds."""
    server = Server()
    for cls in classes:
        for declaration in declared_by_itself(cls):
            server.registry.declare(declaration)
    with patch("mcp_django.checks.servers", lambda: (server,)):
        return check_features(None)


def test_classes_that_publish_nothing() -> None:
    class Forgotten(Tool):
        def cal(self) -> None: ...

    class Read(Resource):
        uri = "library://read"

        def call(self) -> None: ...

    class Meant(Tool):
        abstract = True

    class Base(Tool): ...

    class Find(Base):
        """Find."""

        def call(self) -> None: ...

    class Open(Tool):
        @abstractmethod
        def call(self) -> None: ...

    class Undecorated(Toolset):
        def find(self) -> None: ...

    class Shelf(Toolset):
        abstract = True

    class Full(Shelf):
        @tool
        def seek(self) -> None:
            """Seek."""

    messages = found(Forgotten, Read, Meant, Base, Find, Open, Undecorated, Shelf, Full)
    assert told(messages) == [
        (
            "mcp_django.W005",
            f"The Tool {Forgotten.__qualname__} has no method call(), so it publishes nothing.",
        ),
        (
            "mcp_django.W005",
            f"The Resource {Read.__qualname__} has no method read(), so it publishes nothing.",
        ),
        (
            "mcp_django.W005",
            f"The Toolset {Undecorated.__qualname__} has no method that is decorated with @tool, "
            "@resource or @prompt, so it publishes nothing.",
        ),
    ]
    assert {message.hint for message in messages} == {
        "Write one, or take it for a base class: abstract = True."
    }
    assert messages[0].obj.endswith(": test_classes_that_publish_nothing.<locals>.Forgotten") or (
        messages[0].obj.endswith(": Forgotten")
    )


def test_a_decorated_class_without_call() -> None:
    server = Server()

    @tool_in(server.registry)
    class Forgotten(Tool): ...

    with patch("mcp_django.checks.servers", lambda: (server,)):
        assert [message.id for message in check_features(None)] == ["mcp_django.W005"]


def test_attributes_that_no_option_is_read_from(check: Check) -> None:
    class Find(Tool):
        """Find."""

        readonly = True
        openWorldHint = False  # noqa: N815
        limit = 20
        title = "Find"
        abstract = False
        _tag = "loans"

        @property
        def titles(self) -> str:
            return ""

        def call(self) -> None: ...

    messages = check(Find)
    assert [(m.id, m.msg.partition(" has ")[2], m.hint) for m in messages] == [
        (
            "mcp_django.W010",
            "the attribute 'openWorldHint', which is no option of a Tool.",
            "Did you mean 'open_world'? If it is one of your own, rename it.",
        ),
        (
            "mcp_django.W010",
            "the attribute 'readonly', which is no option of a Tool.",
            "Did you mean 'read_only'? If it is one of your own, rename it.",
        ),
    ]


def test_options_of_a_toolset(check: Check) -> None:
    class Books(Toolset):
        name = "books"
        nam = "books"
        permission = "app.view_book"

        @tool
        def find(self) -> None:
            """Find."""

        @tool
        def seek(self) -> None:
            """Seek."""

    messages = check(Books)
    assert [(m.msg.partition(" has ")[2], m.hint) for m in messages] == [
        (
            "the attribute 'nam', which is no option of a Toolset.",
            "Did you mean 'name'? If it is one of your own, rename it.",
        ),
        (
            "the attribute 'permission', which is no option of a Toolset.",
            "Give the decorators of its methods permission=. If it is one of your own, rename it.",
        ),
    ]


@pytest.mark.parametrize(
    ("permission", "problem", "fix"),
    [
        ("app.view_bok", "which no model of app has", "Did you mean 'app.view_book'?"),
        ("ap.view_book", "and there is no app 'ap'", "Did you mean 'app.view_book'?"),
        ("app.zzz", "which no model of app has", "Correct the name."),
    ],
)
def test_permissions_that_nobody_has(check: Check, permission: str, problem: str, fix: str) -> None:
    (message,) = check(described, permission=["app.add_book", permission])
    assert message.id == "mcp_django.W009"
    assert message.msg == f"The tool 'described' needs the permission {permission!r}, {problem}."
    assert message.hint == (
        f"{fix} If a migration or a backend of yours makes it, silence this check."
    )


def test_permissions_of_a_models_own(check: Check) -> None:
    with patch.object(Book._meta, "permissions", [("lend_book", "Can lend")]):
        assert check(described, permission="app.lend_book") == []


def misnamed(name: str = "", **more: Any) -> None:
    """Find.

    Args:
        nmae: The name.
        **more: Whatever else.
    """


def test_a_docstring_of_no_parameter(check: Check) -> None:
    class Find(Tool):
        """Find.

        Attributes:
            limit: The most.
            client: Whom to ask.
        """

        limit = 20

        def setup(self) -> None:
            self.client = None

        def call(self, text: str, user: CurrentUser | None) -> None:
            """Find.

            Args:
                text: The text.
                user: The caller.
                size: How many.
            """

    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    (message,) = check(misnamed, input_schema=schema)
    assert message.id == "mcp_django.W011"
    assert message.msg == (
        "The docstring of the tool 'misnamed' describes 'nmae', which is no parameter."
    )
    assert message.hint == "Correct the name: otherwise no model reads what is said of it."
    assert told(check(Find)) == [
        (
            "mcp_django.W011",
            "The docstring of the tool 'find' describes 'size', which is no parameter.",
        )
    ]


def test_no_url_leads_to_the_features() -> None:
    with override_settings(ROOT_URLCONF="tests.urls"), only(default_server):
        assert check_endpoint(None) == []
    with override_settings(ROOT_URLCONF="tests.unmounted_urls"), only(default_server):
        (message,) = check_endpoint(None)
    assert message.id == "mcp_django.W012"
    assert message.msg == "No URL of the project leads to its MCP features."
    assert message.hint == 'Add path("mcp", include("mcp_django.urls")) to ROOT_URLCONF.'
    with override_settings(ROOT_URLCONF="tests.nowhere"):
        assert check_endpoint(None) == []


def test_no_url_leads_to_another_server() -> None:
    _default, staff = made_servers()
    with override_settings(ROOT_URLCONF=URLS), only(*made_servers(), branch_server()):
        assert check_endpoint(None) == []
    with (
        override_settings(ROOT_URLCONF="tests.unmounted_urls"),
        only(staff),
        only_server("empty") as empty,
        only(default_server, staff, empty),
        default_server.registry.isolated() as registry,
    ):
        registry.clear()  # a project that has features on other servers alone
        (message,) = check_endpoint(None)
    assert message.id == "mcp_django.W012"
    assert message.msg == "No URL of the project leads to the features of the MCP server 'staff'."
    assert message.hint == 'Add path("staff/mcp", staff.urls) to ROOT_URLCONF.'
    assert message.obj == str(staff.source)


def urls_of(monkeypatch: pytest.MonkeyPatch, *patterns: Any) -> Any:
    """Settings whose URLs are these alone."""
    module = ModuleType("urls_of_a_test")
    module.urlpatterns = list(patterns)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return override_settings(ROOT_URLCONF=module.__name__)


def test_a_url_leads_to_a_server_without_features(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        only_server("empty") as empty,
        urls_of(monkeypatch, path("empty/mcp", empty.urls)),
        only(empty),
    ):
        (message,) = check_endpoint(None)
        assert message.id == "mcp_django.W015"
        assert message.msg == "A URL leads to the MCP server 'empty', which has no features."
        assert message.hint == "Give some of them server=empty, as in @tool(server=empty)."
        assert message.obj == str(empty.source)
        empty.register(described)
        assert check_endpoint(None) == []


def test_a_url_of_the_projects_own_making_leads_to_a_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _default, staff = made_servers()
    with only(staff), urls_of(monkeypatch, path("staff", endpoint(staff))):
        assert check_endpoint(None) == []


def test_two_servers_at_one_url(monkeypatch: pytest.MonkeyPatch) -> None:
    default, staff = made_servers()
    same = path("mcp", default.urls), path("mcp", staff.urls)
    with only(default, staff), urls_of(monkeypatch, *same, path("staff/mcp", staff.urls)):
        (message,) = check_endpoint(None)
    assert message.id == "mcp_django.W016"
    assert message.msg == (
        "The URL /mcp leads to the MCP server 'default', and never to the MCP server 'staff'."
    )
    assert message.hint == "Give each of them a URL of its own."


class BearerToken(TokenAuthentication):
    keyword = "Bearer"


class Unsure(TokenAuthentication):
    def authenticate_header(self, request: Any) -> str:
        raise KeyError("realm")


def test_nothing_reads_a_bearer_token() -> None:
    def ids(*classes: type) -> list[str | None]:
        with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": classes}):
            return [message.id for message in check_sign_in(None)]

    assert ids(SessionAuthentication, TokenAuthentication) == ["mcp_django.W013"]
    assert ids(SessionAuthentication, BearerToken) == []
    assert ids(Unsure) == []
    assert ids() == []


def test_what_reads_no_bearer_token_is_said_once_for_the_settings() -> None:
    def said(*classes: type) -> list[tuple[str, Any]]:
        with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": classes}):
            return [(message.msg, message.hint) for message in check_sign_in(None)]

    with only_server("staff") as staff, only(default_server, staff):
        (message,) = said(TokenAuthentication)
        assert message[0].startswith("No authentication class reads a Bearer token")
    with only():
        own = MCPServer("own", authentication_classes=[TokenAuthentication])
        ((msg, hint),) = said(BearerToken)
    assert own.name == "own"
    assert msg == (
        "No authentication class of the MCP server 'own' reads a Bearer token, which is what MCP "
        "clients send."
    )
    assert hint.startswith("Add one to authentication_classes= of the MCP server 'own', such as")


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

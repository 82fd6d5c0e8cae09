"""``manage.py mcp``: list, inspect, call."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.auth.models import Permission, User
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command, load_command_class
from django.db import OperationalError
from django.test import override_settings
from rest_framework.authtoken.models import Token
from rest_framework.permissions import IsAdminUser

from mcp_django import Context, CurrentUser, Image, ToolError, ToolResult, server
from tests.catalogued import READERS, only_catalogued


def run(*words: str) -> str:
    out = StringIO()
    call_command("mcp", *words, stdout=out, no_color=True)
    return out.getvalue()


def refused(*words: str) -> str:
    """The message of a command that exits with 2."""
    with pytest.raises(CommandError) as caught:
        run(*words)
    assert caught.value.returncode == 2
    return str(caught.value)


@pytest.fixture
def catalogued() -> Iterator[None]:
    with only_catalogued():
        yield


@pytest.fixture
def register() -> Iterator[Callable[..., Any]]:
    """``server.register`` for one test."""
    with server.registry.isolated():
        yield server.register


def whoami(*, user: CurrentUser, context: Context) -> dict[str, Any]:
    """Tell who calls, and how."""
    request = context.request
    return {
        "user": user.username,
        "region": request.headers.get("X-Region"),
        "host": request.get_host(),
        "secure": request.is_secure(),
        "path": request.path,
    }


class Raising:
    """An authentication backend with a mistake in it."""

    def has_perm(self, *args: Any, **kwargs: Any) -> bool:
        raise RuntimeError("oops")


def test_without_an_action_it_names_them() -> None:
    assert refused() == (
        "Say what to do: 'mcp list', 'mcp inspect NAME' or 'mcp call NAME [JSON]'. "
        "Each takes --help."
    )


def test_it_leaves_warnings_to_the_check_command() -> None:
    assert load_command_class("mcp_django", "mcp").requires_system_checks == []


@pytest.mark.usefixtures("catalogued")
class TestList:
    def test_tools_stand_under_their_app_with_hints_and_source(self) -> None:
        lines = run("list").splitlines()
        assert lines[0] == "App"
        assert lines[1] == "  find_loans    Find the caller's loans, newest first."
        hints, source = lines[2].strip().split(" · ")
        assert hints == "read-only, idempotent, closed world"
        assert source.startswith("tests/app/catalogued_tools.py:")
        assert "3 tools on the server “default”." in lines
        assert "1 tool on the server “staff”." in lines

    def test_from_another_folder_the_source_is_an_absolute_path(
        self, monkeypatch: Any, tmp_path: Any
    ) -> None:
        monkeypatch.chdir(tmp_path)
        source = run("list").splitlines()[2].rpartition(" · ")[2]
        assert source.startswith("/")
        assert "/tests/app/catalogued_tools.py:" in source

    def test_json_gives_the_definitions_as_clients_see_them(self) -> None:
        tools = json.loads(run("list", "--json"))
        assert [tool["name"] for tool in tools] == ["find_loans", "import_books", "report", "hello"]
        assert tools[0]["inputSchema"]["required"] == ["since"]
        assert tools[0]["outputSchema"]["type"] == "array"
        assert tools[0]["annotations"] == {
            "readOnlyHint": True,
            "idempotentHint": True,
            "openWorldHint": False,
        }

    def test_one_server_alone(self) -> None:
        assert [t["name"] for t in json.loads(run("list", "--json", "--server", "staff"))] == [
            "hello"
        ]

    def test_where_tools_were_looked_for_when_there_are_none(self, settings: Any) -> None:
        settings.MCP_DJANGO = {"MODULES": [__name__, "tests.nowhere"]}
        with server.registry.isolated() as registry, patch(READERS[1], lambda: [server]):
            registry.clear()
            lines = run("list").splitlines()
            assert json.loads(run("list", "--json")) == []
        assert lines[:3] == ["0 tools on the server “default”.", "", "Tools were looked for in:"]
        found = dict(line.split(maxsplit=1) for line in lines[3:-1])
        assert found[__name__] == "declares none"
        assert found["rest_framework.mcp_tools"] == "does not exist"
        assert found["tests.nowhere"] == "does not exist"
        assert "django.contrib.admin.mcp_tools" not in found
        assert lines[-1] == (
            'Decorate one with @tool there, or name other modules in MCP_DJANGO["MODULES"].'
        )

    def test_a_server_that_is_not_there(self) -> None:
        assert refused("list", "--server", "stuff") == (
            "There is no server 'stuff'. The servers are: default, staff."
        )


@pytest.mark.usefixtures("catalogued")
class TestInspect:
    def test_it_tells_all_about_one_tool(self) -> None:
        text = run("inspect", "find_loans")
        for words in (
            "find_loans\nTitle: Find loans\nServer: default\nApp: App\n",
            "Declared as: tests.app.catalogued_tools.find_loans",
            "Tags: loans, members",
            "Filled in by the server: user",
            "Description\n  Find the caller's loans, newest first.\n",
            "  It only reads. (readOnlyHint: true)",
            "Who may call it\n  Only users who are signed in.",
            '  status  string, one of "open", "returned", default "open"\n',
            "  limit   integer, 1 to 100, default 20\n          At most this many loans.\n",
            "  since   string, format date, required\n",
            "JSON Schema of the arguments\n  {\n",
            "Result\n  list of object\n  [].id     integer\n",
            "Example\n  python manage.py mcp call find_loans '{",
            "}' --user NAME",
        ):
            assert words in text, words

    def test_what_there_is_none_of_is_left_out(self) -> None:
        text = run("inspect", "hello")
        assert "Arguments\n  None.\n" in text
        assert "No structure is declared: text or other content." in text
        assert "JSON Schema of the result" not in text
        assert "Hints" not in text
        assert "Title" not in text

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("find_loan", "There is no tool 'find_loan'. Did you mean find_loans?"),
            ("books", "There is no tool 'books'. Did you mean import_books?"),
            ("xyz", "There is no tool 'xyz'. 'mcp list' shows all tools."),
        ],
    )
    def test_an_unknown_name_gets_the_nearest_ones(self, name: str, message: str) -> None:
        assert refused("inspect", name) == message


class TestCall:
    def test_a_structured_result_is_shown_once(self, register: Any) -> None:
        def add(a: int, b: int) -> dict[str, int]:
            """Add."""
            return {"sum": a + b}

        register(add)
        assert json.loads(run("call", "add", '{"a": 1, "b": 2}')) == {"sum": 3}

    def test_text_and_other_blocks_are_shown_too(self, register: Any) -> None:
        def draw() -> ToolResult:
            """Draw."""
            return ToolResult(
                content=["A dot.", Image(b"dot", "image/png")], structured={"dots": 1}
            )

        register(draw)
        assert run("call", "draw") == (
            '{\n  "dots": 1\n}\n'
            "A dot.\n"
            '{"type": "image", "data": "4 characters of base64", "mimeType": "image/png"}\n'
        )

    @pytest.mark.django_db
    def test_it_calls_as_the_given_user_and_leaves_no_trace(
        self, register: Any, settings: Any
    ) -> None:
        settings.ALLOWED_HOSTS = ["*", ".example.com"]
        user = User.objects.create_user("ann")
        register(whoami)
        text = run("call", "whoami", "--user", "ann", "--header", "X-Region: north")
        assert json.loads(text) == {
            "user": "ann",
            "region": "north",
            "host": "example.com",
            "secure": False,
            "path": "/mcp",
        }
        user.refresh_from_db()
        assert user.last_login is None
        assert not Session.objects.exists()

    @pytest.mark.django_db
    def test_middleware_sees_the_user_too(self, register: Any, settings: Any) -> None:
        User.objects.create_user("ann")
        seen = []

        def middleware(get_response: Any) -> Any:
            def watch(request: Any) -> Any:
                seen.append(str(request.user))
                return get_response(request)

            return watch

        globals()["_watching"] = middleware
        settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}._watching"]
        register(whoami)
        run("call", "whoami", "--user", "ann")
        assert seen == ["ann"]

    @pytest.mark.django_db
    def test_the_url_and_a_redirect_to_https(self, register: Any, settings: Any) -> None:
        settings.ALLOWED_HOSTS = ["*"]
        settings.SECURE_SSL_REDIRECT = True
        User.objects.create_user("ann")
        register(whoami)
        told = json.loads(run("call", "whoami", "--user", "ann", "--url", "/mcp/"))
        assert (told["host"], told["secure"], told["path"]) == ("localhost", True, "/mcp/")

    @pytest.mark.parametrize("way", ["raise", "return"])
    def test_an_error_of_the_tool_exits_with_1(self, register: Any, capsys: Any, way: str) -> None:
        def fail() -> ToolResult:
            """Fail."""
            if way == "raise":
                raise ToolError("No such book.")
            return ToolResult.error("No such book.")

        register(fail)
        with pytest.raises(SystemExit) as caught:
            call_command("mcp", "call", "fail")
        assert caught.value.code == 1
        assert capsys.readouterr().out == "No such book.\n"

    def test_an_argument_that_does_not_validate_is_an_error_of_the_tool(
        self, register: Any, capsys: Any
    ) -> None:
        def double(n: int) -> int:
            """Double."""
            return 2 * n

        register(double)
        with pytest.raises(SystemExit, match="1"):
            call_command("mcp", "call", "double", '{"n": "many"}')
        assert "n" in capsys.readouterr().out

    def test_an_unknown_tool(self, register: Any) -> None:
        register(whoami)
        assert refused("call", "whoamy") == ("There is no tool 'whoamy'. Did you mean whoami?")

    def test_a_caller_who_is_nobody_is_told_how_to_be_somebody(self, register: Any) -> None:
        register(whoami)
        assert refused("call", "whoami") == (
            "Sign in to use this: send credentials with the request. "
            "Call as a user by --user, or send credentials by --header."
        )

    @pytest.mark.django_db
    def test_a_tool_that_this_user_may_not_use(self, register: Any) -> None:
        user = User.objects.create_user("ann")
        register(whoami, permission="app.add_book")
        assert refused("call", "whoami", "--user", "ann") == (
            "Unknown tool: whoami. It exists, but the user 'ann' may not use it without the "
            "permission “Can add book” (app.add_book)."
        )
        user.user_permissions.add(
            Permission.objects.get(content_type__app_label="app", codename="add_book")
        )
        assert json.loads(run("call", "whoami", "--user", "ann"))["user"] == "ann"

    @pytest.mark.django_db
    def test_only_the_permissions_that_are_missing_are_named(self, register: Any) -> None:
        user = User.objects.create_user("ann")
        register(whoami, permission=["app.add_book", "app.change_book", "app.delete_book"])
        user.user_permissions.set(
            Permission.objects.filter(content_type__app_label="app", codename="add_book")
        )
        assert refused("call", "whoami", "--user", "ann").endswith(
            "without the permissions “Can change book” (app.change_book) and “Can delete book” "
            "(app.delete_book)."
        )

    @pytest.mark.django_db
    def test_permission_classes_that_refuse_are_told(self, register: Any) -> None:
        User.objects.create_user("ann")
        register(whoami, permission_classes=[IsAdminUser])
        assert refused("call", "whoami", "--user", "ann") == (
            "Unknown tool: whoami. It exists, but the user 'ann' may not use it. Who may: Only "
            "users who are signed in. IsAdminUser: Allows access only to admin users."
        )

    @pytest.mark.django_db
    def test_a_user_whom_headers_sign_in(self, register: Any) -> None:
        token = Token.objects.create(user=User.objects.create_user("ann"))
        register(whoami, permission="app.add_book")
        with override_settings(
            MCP_DJANGO={
                "AUTHENTICATION_CLASSES": ["rest_framework.authentication.TokenAuthentication"]
            }
        ):
            message = refused("call", "whoami", "--header", f"Authorization: Token {token.key}")
        assert message == (
            "Unknown tool: whoami. It exists, but this caller may not use it. Who may: Only users "
            "with the permission “Can add book” (app.add_book)."
        )

    @pytest.mark.django_db
    def test_a_user_who_is_not_active(self, register: Any) -> None:
        User.objects.create_superuser("ann", is_active=False)
        register(whoami, permission="app.add_book")
        assert refused("call", "whoami", "--user", "ann").endswith(
            "the user 'ann' may not use it, for this user is not active."
        )

    @pytest.mark.django_db
    def test_a_rule_that_raises_denies_here_too(self, register: Any, settings: Any) -> None:
        settings.AUTHENTICATION_BACKENDS = [f"{__name__}.Raising"]
        User.objects.create_user("ann")
        register(whoami, permission="app.add_book")
        assert "without the permission “Can add book”" in refused("call", "whoami", "--user", "ann")

    @pytest.mark.django_db
    def test_a_database_without_tables(self) -> None:
        problem = OperationalError('relation "auth_user" does not exist\nLINE 1: SELECT …')
        with patch.object(User._default_manager, "get", side_effect=problem):
            assert refused("call", "x", "--user", "ann") == (
                """The user 'ann' cannot be looked up: relation "auth_user" does not exist. If """
                "the database has no tables yet, run 'manage.py migrate' first."
            )

    def test_the_log_repeats_nothing(self, register: Any, caplog: Any, capsys: Any) -> None:
        def seven() -> int:
            """Give a number."""
            return "seven"  # type: ignore[return-value]

        register(whoami)
        register(seven)
        refused("call", "whoami")
        with pytest.raises(SystemExit):
            call_command("mcp", "call", "seven")
        told = capsys.readouterr()
        assert "seven" in told.out
        assert re.fullmatch(r"See tests/test_commands\.py:\d+\.\n", told.err)
        assert caplog.text == ""

    def test_the_log_has_the_traceback_of_what_a_tool_raises(
        self, register: Any, caplog: Any
    ) -> None:
        def fail() -> None:
            """Fail."""
            raise ValueError("no")

        register(fail)
        with pytest.raises(SystemExit):
            call_command("mcp", "call", "fail", stdout=StringIO())
        assert "Traceback" in caplog.text
        logging.getLogger("mcp_django").error("Heard again.")
        assert "Heard again." in caplog.text

    def test_another_error_of_the_protocol_is_told_as_it_is(self, register: Any) -> None:
        register(whoami)
        message = refused("call", "whoami", "--header", "Mcp-Method: tools/list")
        assert "(-32020)" in message

    @pytest.mark.django_db
    def test_a_user_who_is_not_there(self) -> None:
        assert refused("call", "x", "--user", "nobody") == ("There is no user 'nobody' (username).")

    def test_arguments_that_are_not_json(self) -> None:
        message = refused("call", "x", "{a: 1}")
        assert message.startswith("The arguments are not JSON (Expecting property name")
        assert message.endswith("""quote it for the shell: '{"name": "value"}'.""")

    def test_arguments_that_are_no_object(self) -> None:
        assert refused("call", "x", "[1]").startswith("The arguments are one JSON object")

    def test_a_header_that_is_none(self) -> None:
        assert refused("call", "x", "--header", "X-Region").startswith(
            "--header 'X-Region' is no header"
        )

    def test_a_path_where_there_is_no_endpoint(self) -> None:
        assert refused("call", "x", "--url", "/nowhere") == (
            "HTTP 404 is no answer of an MCP endpoint. Say where it is by --url."
        )

    @pytest.mark.urls("tests.unmounted_urls")
    def test_an_endpoint_that_is_not_mounted(self) -> None:
        assert refused("call", "x").startswith("The endpoint is not mounted.")

"""``manage.py mcp``: list, inspect, call."""

from __future__ import annotations

import json
import logging
import re
import shlex
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.auth.models import Permission, User
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command, load_command_class
from django.db import OperationalError
from django.http import Http404
from django.test import override_settings
from rest_framework.authtoken.models import Token
from rest_framework.permissions import IsAdminUser

from mcp_django import (
    Context,
    CurrentUser,
    EmbeddedResource,
    Image,
    PromptMessage,
    ResourceContents,
    ToolError,
    ToolResult,
    server,
)
from tests.catalogued import URLS, branch_server, only, only_catalogued, only_server


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


def ever() -> str:
    """Whenever you like."""
    return "Always."


class Raising:
    """An authentication backend with a mistake in it."""

    def has_perm(self, *args: Any, **kwargs: Any) -> bool:
        raise RuntimeError("oops")


def test_without_an_action_it_names_them() -> None:
    assert refused() == (
        "Say what to do: 'mcp list', 'mcp inspect NAME', 'mcp call NAME [JSON]', 'mcp read URI' "
        "or 'mcp prompt NAME [JSON]'. Each takes --help."
    )


def test_it_leaves_warnings_to_the_check_command() -> None:
    assert load_command_class("mcp_django", "mcp").requires_system_checks == []


@pytest.mark.usefixtures("catalogued")
class TestList:
    def test_features_stand_under_their_app_and_kind_with_hints_and_source(self) -> None:
        lines = run("list").splitlines()
        assert lines[0] == "App · Tools"
        assert lines[1] == "  find_loans    Find the caller's loans, newest first."
        hints, who, source = lines[2].strip().split(" · ")
        assert hints == "read-only, idempotent, closed world"
        assert who == "signed-in users"
        assert source.startswith("tests/app/catalogued_tools.py:")
        at = lines.index("App · Resources")
        assert lines[at + 1] == "  library://hours       When the library is open."
        assert lines[at + 2].strip().startswith("text/plain · tests/app/catalogued_tools.py:")
        assert lines[at + 4].strip().startswith("tests/app/catalogued_tools.py:")
        at = lines.index("App · Resource templates")
        assert lines[at + 1] == "  library://{branch}/books/{number}{?lang}  One book."
        assert lines[lines.index("App · Prompts") + 1].split() == [
            *("reading_list", "Make", "a", "reading", "list.")
        ]
        assert lines[-1] == "1 tool on the server “staff”, to which no URL leads."
        assert (
            "3 tools, 2 resources, 1 resource template, 2 prompts on the server “default”, at /mcp."
        ) in lines

    def test_what_not_anyone_may_use_says_who_may(self) -> None:
        lines = [line.strip() for line in run("list").splitlines()]
        said = {
            name: lines[at + 1].rpartition(" · ")[0]
            for at, line in enumerate(lines[:-1])
            for name in [line.partition("  ")[0]]
        }
        assert said["import_books"] == "destructive · with “Can add book”"
        assert said["report"] == "staff"
        assert said["library://{branch}/books/{number}{?lang}"] == (
            "application/json · staff, if enabled"
        )
        assert said["take_stock"] == "with “Can view book”"
        assert said["library://hours"] == "text/plain"
        assert said["hello"] == ""

    def test_where_there_is_one_kind_only_the_app_says_all(self) -> None:
        lines = run("list", "--server", "staff").splitlines()
        assert lines[0] == "App"
        assert lines[1] == "  hello  Say <b>hello</b> & wave."

    def test_one_kind_alone(self) -> None:
        lines = run("list", "--kind", "prompt").splitlines()
        assert lines[0] == "App"
        assert "find_loans" not in "".join(lines)
        assert lines[-1].startswith("0 prompts on the server “staff”")
        assert "2 prompts on the server “default”, at /mcp." in lines

    def test_where_there_is_one_server_its_url_goes_without_saying(self) -> None:
        with only_catalogued() as (default, _staff), only(default):
            assert run("list", "--kind", "tool").endswith("3 tools on the server “default”.\n")

    def test_outside_of_any_app(self, register: Any) -> None:
        with only(server), server.registry.isolated() as registry:
            registry.clear()
            server.compile()
            register(whoami)
            assert run("list").startswith("Outside of any app\n  whoami  Tell who calls")

    def test_from_another_folder_the_source_is_an_absolute_path(
        self, monkeypatch: Any, tmp_path: Any
    ) -> None:
        monkeypatch.chdir(tmp_path)
        source = run("list").splitlines()[2].rpartition(" · ")[2]
        assert source.startswith("/")
        assert "/tests/app/catalogued_tools.py:" in source

    def test_json_gives_the_definitions_as_clients_see_them(self) -> None:
        told = json.loads(run("list", "--json"))
        assert list(told) == ["default", "staff"]
        tools = told["default"]["tool"]
        assert [tool["name"] for tool in tools] == ["find_loans", "import_books", "report"]
        assert tools[0]["inputSchema"]["required"] == ["since"]
        assert tools[0]["outputSchema"]["type"] == "array"
        assert tools[0]["annotations"] == {
            "readOnlyHint": True,
            "idempotentHint": True,
            "openWorldHint": False,
        }
        assert [one["uri"] for one in told["default"]["resource"]] == [
            "library://hours",
            "library://covers/all",
        ]
        (template,) = told["default"]["resource_template"]
        assert template["uriTemplate"] == "library://{branch}/books/{number}{?lang}"
        assert told["default"]["prompt"][0]["arguments"][0] == {
            "name": "topic",
            "description": "What to read about.",
            "required": True,
        }

    def test_one_server_and_one_kind_alone(self) -> None:
        told = json.loads(run("list", "--json", "--server", "staff", "--kind", "tool"))
        assert [(name, list(kinds)) for name, kinds in told.items()] == [("staff", ["tool"])]
        assert [tool["name"] for tool in told["staff"]["tool"]] == ["hello"]

    def test_where_tools_were_looked_for_when_there_are_none(self, settings: Any) -> None:
        settings.MCP_DJANGO = {"MODULES": [__name__, "tests.nowhere"]}
        with server.registry.isolated() as registry, only(server):
            registry.clear()
            lines = run("list").splitlines()
            kinds = json.loads(run("list", "--json"))["default"]
        assert kinds == {"tool": [], "resource": [], "resource_template": [], "prompt": []}
        assert lines[:3] == [
            "0 tools on the server “default”.",
            "",
            "Tools, resources and prompts were looked for in:",
        ]
        found = dict(line.split(maxsplit=1) for line in lines[3:-1])
        assert found[__name__] == "declares none"
        assert found["rest_framework.mcp_tools"] == "does not exist"
        assert found["tests.nowhere"] == "does not exist"
        assert "django.contrib.admin.mcp_tools" not in found
        assert lines[-1] == (
            "Decorate a function with @tool, @resource or @prompt there, or name other modules in "
            'MCP_DJANGO["MODULES"].'
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
            "find_loans\nKind: Tool\nTitle: Find loans\nServer: default\nURL: /mcp\nApp: App\n",
            "Declared as: tests.app.catalogued_tools.find_loans",
            "Tags: loans, members",
            "Filled in by the server: user",
            "Description\n  Find the caller's loans, newest first.\n",
            "  It only reads. (readOnlyHint: true)",
            "Who may use it\n  Only users who are signed in.",
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
        assert "URL: none leads to this server\n" in text

    def test_it_tells_all_about_a_resource(self) -> None:
        text = run("inspect", "library://hours")
        assert text == run("inspect", "hours")
        for words in (
            "library://hours\nKind: Resource\nName: hours\nTitle: Opening hours\n",
            "MIME type: text/plain\nSize: 1.2\xa0KB\n",
            "Hints to clients\n  Meant for the user and the model.\n  Importance: 0.5 of 1.\n"
            "  Clients may keep it for 90 s.\n  Caches may share it between callers.\n",
            "Example\n  python manage.py mcp read library://hours\n",
        ):
            assert words in text, words
        assert "Arguments" not in text

    @pytest.mark.parametrize(
        "name",
        ["book", "library://{branch}/books/{number}{?lang}", "library://north/books/7?lang=de"],
    )
    def test_a_template_is_found_by_name_text_and_any_uri_of_it(self, name: str) -> None:
        text = run("inspect", name)
        for words in (
            "library://{branch}/books/{number}{?lang}\nKind: Resource template\nName: book\n",
            "Its resources in lists: Yes: those that instances= gives.",
            "Variables\n  branch  string, required, completed by rows of Branch by name\n",
            "JSON Schema of the variables\n  {\n",
            "Example\n  python manage.py mcp read 'library://text/books/1?lang=en' --user NAME\n",
        ):
            assert words in text, words

    def test_it_tells_all_about_a_prompt(self) -> None:
        text = run("inspect", "reading_list")
        for words in (
            "reading_list\nKind: Prompt\nTitle: Reading list\n",
            "  topic  string, required, completed by the function topics\n",
            "\n         What to read about.\n",
            """  python manage.py mcp prompt reading_list '{"topic": "text", "level": "adult", """,
        ):
            assert words in text, words
        assert "Result" not in text
        assert "template" not in text

    def test_a_name_of_several_kinds_asks_for_the_kind(self) -> None:
        with server.registry.isolated(), only(server):
            server.register(ever, name="hours")
            server.register(ever, name="hours", kind="prompt")
            server.register(ever, uri="library://hours", name="hours")
            server.register(ever, uri="library://today", name="hours")
            assert refused("inspect", "hours") == (
                "'hours' is the name of a tool, a prompt and several resources. Say which one is "
                "meant by --kind."
            )
            assert run("inspect", "hours", "--kind", "prompt").startswith("hours\nKind: Prompt\n")
            assert refused("inspect", "hours", "--kind", "resource") == (
                "'hours' is the name of several resources. Say which one is meant by its URI: "
                "library://hours or library://today."
            )
            assert run("inspect", "library://today").startswith("library://today\n")
            assert refused("inspect", "library://now", "--kind", "tool").startswith(
                "There is no tool 'library://now'."
            )

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("find_loan", "There is no feature 'find_loan'. Did you mean find_loans?"),
            ("port_books", "There is no feature 'port_books'. Did you mean import_books?"),
            ("reading", "There is no feature 'reading'. Did you mean reading_list?"),
            (
                "library://hour",
                "There is no feature 'library://hour'. Did you mean library://hours?",
            ),
            ("xyz", "There is no feature 'xyz'. 'mcp list' shows all there are."),
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
            '{"type": "image", "data": "3 bytes", "mimeType": "image/png"}\n'
        )

    def test_bytes_inside_of_a_block_by_their_length(self, register: Any) -> None:
        def cover() -> ToolResult:
            """The cover."""
            inside = EmbeddedResource("library://cover", data=b"cover", mime_type="image/png")
            return ToolResult(content=[inside])

        register(cover)
        assert json.loads(run("call", "cover"))["resource"]["blob"] == "5 bytes"

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


class TestRead:
    def test_text_as_it_is(self, register: Any) -> None:
        register(ever, uri="library://hours")
        assert run("read", "library://hours") == "Always.\n"

    def test_bytes_by_their_length(self, register: Any) -> None:
        def cover() -> ResourceContents:
            """The cover."""
            return ResourceContents(data=b"dot", mime_type="image/png")

        register(cover, uri="library://cover")
        assert json.loads(run("read", "library://cover")) == {
            "uri": "library://cover",
            "mimeType": "image/png",
            "blob": "3 bytes",
        }

    def test_one_byte(self, register: Any) -> None:
        def dot() -> bytes:
            """A dot."""
            return b"."

        register(dot, uri="library://dot")
        assert json.loads(run("read", "library://dot"))["blob"] == "1 byte"

    @pytest.mark.parametrize("option", ["-o", "--output"])
    def test_bytes_into_a_file(self, register: Any, tmp_path: Path, option: str) -> None:
        content = bytes(range(256))

        def cover() -> bytes:
            """The cover."""
            return content

        register(cover, uri="library://cover")
        path = tmp_path / "cover.png"
        assert (
            run("read", "library://cover", option, str(path)) == f"256 bytes written to {path}.\n"
        )
        assert path.read_bytes() == content

    def test_text_into_a_file_as_it_is(self, register: Any, tmp_path: Path) -> None:
        def hours() -> str:
            """When it is open."""
            return "Montag – geschlossen\n"

        register(hours, uri="library://hours")
        path = tmp_path / "hours.txt"
        run("read", "library://hours", "-o", str(path))
        assert path.read_text("utf-8") == "Montag – geschlossen\n"

    def test_several_contents_go_into_no_file(self, register: Any, tmp_path: Path) -> None:
        def shelf() -> list[ResourceContents]:
            """A shelf."""
            return [ResourceContents(text="One."), ResourceContents(text="Two.")]

        register(shelf, uri="library://shelf")
        path = tmp_path / "shelf.txt"
        assert refused("read", "library://shelf", "-o", str(path)) == (
            f"Nothing was written to {path}. It has 2 contents, and a file takes one."
        )
        assert not path.exists()

    def test_a_file_that_cannot_be_written(self, register: Any, tmp_path: Path) -> None:
        register(ever, uri="library://hours")
        path = tmp_path / "nowhere" / "hours.txt"
        message = refused("read", "library://hours", "-o", str(path))
        assert message.startswith(f"Nothing was written to {path}. [Errno 2]")

    def test_several_contents_below_their_uris(self, register: Any) -> None:
        def shelf() -> list[ResourceContents]:
            """A shelf."""
            return [
                ResourceContents(text="One.", uri="library://shelf/1"),
                ResourceContents(text="Two.", uri="library://shelf/2"),
            ]

        register(shelf, uri="library://shelf")
        assert run("read", "library://shelf") == (
            "library://shelf/1\nOne.\nlibrary://shelf/2\nTwo.\n"
        )

    @pytest.mark.django_db
    def test_as_the_given_user(self, register: Any) -> None:
        User.objects.create_user("ann")

        def mine(kind: str, *, user: CurrentUser) -> str:
            """What is yours."""
            return f"{kind} of {user.username}"

        register(mine, uri="library://mine/{kind}")
        assert run("read", "library://mine/loans", "--user", "ann") == "loans of ann\n"
        assert refused("read", "library://mine/loans").endswith("send credentials by --header.")

    def test_a_uri_of_nothing(self, register: Any) -> None:
        register(ever, uri="library://hours")
        assert refused("read", "library://hour") == (
            "There is no resource 'library://hour'. Did you mean library://hours?"
        )

    @pytest.mark.django_db
    def test_a_resource_that_this_user_may_not_read(self, register: Any) -> None:
        User.objects.create_user("ann")
        register(ever, uri="library://hours", permission="app.view_book")
        assert refused("read", "library://hours", "--user", "ann") == (
            "Resource not found: library://hours. It exists, but the user 'ann' may not use it "
            "without the permission “Can view book” (app.view_book)."
        )

    @pytest.mark.django_db
    def test_a_template_that_this_user_may_not_use(self, register: Any) -> None:
        def book(number: int) -> str:
            """One book."""
            return str(number)

        User.objects.create_user("ann")
        register(book, uri="library://books/{number}", permission="app.view_book")
        assert refused("read", "library://books/1", "--user", "ann").startswith(
            "Resource not found: library://books/1. It exists, but the user 'ann'"
        )

    def test_what_a_template_does_not_find_is_not_said_to_be_hidden(self, register: Any) -> None:
        def book(number: int) -> str:
            """One book."""
            raise Http404

        register(book, uri="library://books/{number}")
        assert refused("read", "library://books/1") == (
            "Resource not found: library://books/1 (-32602)"
        )
        assert "does not fit" in refused("read", "library://books/one")

    def test_an_error_while_it_is_read(self, register: Any) -> None:
        def broken() -> str:
            """Broken."""
            raise ToolError("The shelf is empty.")

        register(broken, uri="library://broken")
        assert "The shelf is empty." in refused("read", "library://broken")


class TestPrompt:
    def test_messages_below_their_roles(self, register: Any) -> None:
        def talk(topic: str, times: int = 1) -> list[PromptMessage]:
            """Talk."""
            return [
                PromptMessage(" ".join([topic] * times)),
                PromptMessage(Image(b"dot", "image/png"), role="assistant"),
            ]

        register(talk, kind="prompt")
        assert run("prompt", "talk", '{"topic": "moss", "times": 2}') == (
            "user:\nmoss moss\n"
            "assistant:\n"
            '{"type": "image", "data": "3 bytes", "mimeType": "image/png"}\n'
        )

    def test_without_arguments(self, register: Any) -> None:
        register(ever, kind="prompt")
        assert run("prompt", "ever") == "user:\nAlways.\n"

    def test_arguments_that_do_not_fit(self, register: Any) -> None:
        def talk(times: int) -> str:
            """Talk."""
            return str(times)

        register(talk, kind="prompt")
        assert "times" in refused("prompt", "talk", '{"times": "many"}')

    def test_an_unknown_prompt(self, register: Any) -> None:
        register(ever, kind="prompt")
        assert refused("prompt", "evre") == "There is no prompt 'evre'. Did you mean ever?"

    def test_where_there_are_no_prompts_at_all(self, register: Any) -> None:
        register(ever)
        assert refused("prompt", "some") == (
            "There is no prompt 'some'. 'mcp list' shows all there are."
        )

    @pytest.mark.django_db
    def test_a_prompt_that_this_user_may_not_use(self, register: Any) -> None:
        User.objects.create_user("ann")
        register(ever, kind="prompt", permission_classes=[IsAdminUser])
        assert refused("prompt", "ever", "--user", "ann") == (
            "Unknown prompt: ever. It exists, but the user 'ann' may not use it. Who may: "
            "IsAdminUser: Allows access only to admin users."
        )


class TestKindsCrossed:
    @pytest.fixture(autouse=True)
    def one_of_each_kind(self, register: Any) -> None:
        def book(number: int) -> str:
            """One book."""
            return str(number)

        register(whoami)
        register(ever, kind="prompt")
        register(ever, uri="library://hours", name="when")
        register(book, uri="library://books/{number}")

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (
                ("call", "ever"),
                "There is no tool 'ever'. It is a prompt: manage.py mcp prompt ever",
            ),
            (
                ("prompt", "whoami"),
                "There is no prompt 'whoami'. It is a tool: manage.py mcp call whoami",
            ),
            (
                ("read", "whoami"),
                "There is no resource 'whoami'. It is a tool: manage.py mcp call whoami",
            ),
            (
                ("read", "when"),
                "There is no resource 'when'. It is the name of a resource: "
                "manage.py mcp read library://hours",
            ),
            (
                ("read", "book"),
                "There is no resource 'book'. It is the name of a resource template: "
                "manage.py mcp read library://books/1",
            ),
            (
                ("read", "library://books/{number}"),
                "There is no resource 'library://books/{number}'. It is a resource template: "
                "manage.py mcp read library://books/1",
            ),
            (
                ("call", "library://hours"),
                "There is no tool 'library://hours'. It is a resource: "
                "manage.py mcp read library://hours",
            ),
            (
                ("inspect", "ever", "--kind", "tool"),
                "There is no tool 'ever'. It is a prompt: say --kind prompt, or leave --kind out.",
            ),
        ],
    )
    def test_the_right_command_is_told(self, words: tuple[str, ...], message: str) -> None:
        assert refused(*words) == message

    def test_what_is_told_works(self) -> None:
        assert run("read", "library://books/1") == "1\n"
        assert run("prompt", "ever") == "user:\nAlways.\n"

    def test_on_another_server(self) -> None:
        with only_server("staff") as staff, only(server, staff):
            staff.register(ever, name="never", kind="prompt")
            assert refused("call", "never") == (
                "There is no tool 'never'. It is a prompt: manage.py mcp prompt never "
                "--server staff"
            )


@pytest.mark.usefixtures("catalogued")
class TestSeveralServers:
    @pytest.mark.django_db
    @pytest.mark.urls(URLS)
    def test_whom_the_endpoint_lets_in(self) -> None:
        User.objects.create_user("ann")
        with override_settings(
            MCP_DJANGO={"PERMISSION_CLASSES": ["rest_framework.permissions.IsAdminUser"]}
        ):
            assert refused("call", "hello", "--server", "staff", "--user", "ann") == (
                "You may not use this endpoint. Whom the server 'staff' lets in: IsAdminUser: "
                "Allows access only to admin users."
            )

    @pytest.mark.urls(URLS)
    def test_each_at_its_own_url(self) -> None:
        assert run("call", "hello", "--server", "staff") == "hello\n"
        assert run("read", "library://hours") == "Monday to Friday\n"
        assert "at /staff/mcp." in run("list")

    @pytest.mark.urls(URLS)
    def test_what_another_server_has(self) -> None:
        assert refused("call", "hello") == (
            "There is no tool 'hello' on the server 'default', but on 'staff': say --server staff."
        )
        assert refused("inspect", "reading_list", "--server", "staff").endswith(
            "on the server 'staff', but on 'default': say --server default."
        )

    @pytest.mark.urls(URLS)
    def test_a_template_that_both_have_is_no_reason_to_ask_the_other(self) -> None:
        def book(number: int) -> str:
            """One book."""
            return str(number)

        with only_server("other") as other, only_catalogued() as catalogued:
            other.register(book, uri="library://books/{number}")
            with only(*catalogued, other):
                assert refused("read", "library://books/{number}").endswith(
                    "manage.py mcp read library://books/1 --server other"
                )
                with catalogued[0].registry.isolated():
                    catalogued[0].register(book, uri="library://books/{number}")
                    assert refused("read", "library://books/{number}").endswith(
                        "It is a resource template: manage.py mcp read library://books/1"
                    )

    @pytest.mark.urls(URLS)
    def test_a_feature_of_both_is_told_for_each(self) -> None:
        with only_server("other") as other, only_catalogued() as catalogued:
            other.register(ever, name="hello")
            with only(*catalogued, other):
                told = run("inspect", "hello").splitlines()
        assert told[0] == "hello"
        assert [line for line in told if line.startswith("Server: ")] == [
            "Server: staff",
            "Server: other",
        ]
        assert told[told.index("hello", 1) - 1] == ""

    def test_one_that_is_not_mounted(self) -> None:
        assert refused("call", "hello", "--server", "staff") == (
            'The endpoint is not mounted. Add path("staff/mcp", staff.urls) to the URLs of the '
            "project, or say where it is by --url."
        )

    @pytest.mark.urls(URLS)
    def test_a_url_with_a_part_that_is_captured(self) -> None:
        with only(branch_server()):
            assert refused("call", "branch_name") == (
                "The endpoint is at /<slug:branch>/mcp. Say which one is meant by --url PATH."
            )
            assert run("call", "branch_name", "--url", "/north/mcp") == "north\n"

    @pytest.mark.urls(URLS)
    def test_the_example_has_a_word_to_replace_in_the_url(self) -> None:
        with only(branch_server()):
            text = run("inspect", "branch_name")
            assert "\nURL: /<slug:branch>/mcp\n" in text
            example = text.rpartition("Example\n")[2].strip()
            assert example == (
                "python manage.py mcp call branch_name '{}' --server branches --url /BRANCH/mcp"
            )
            assert run(*shlex.split(example)[3:]) == "BRANCH\n"

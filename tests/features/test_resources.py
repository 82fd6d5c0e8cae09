"""Declaring resources and templates: what they become, and what stops start-up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import pytest
from django.utils.translation import gettext_lazy
from rest_framework import serializers
from rest_framework.permissions import AllowAny, IsAuthenticated

from mcp_django import (
    Annotations,
    Arguments,
    Context,
    CurrentTenant,
    CurrentUser,
    Icon,
    Inject,
    Resource,
    Toolset,
    resource,
    tool,
)
from mcp_django.features.base import Feature
from mcp_django.features.errors import AlreadyRegistered
from mcp_django.features.records import ResourceFeature, TemplateFeature
from mcp_django.features.registry import Registry
from tests.features.conftest import Project, Refused

Record = Callable[..., Any]

URI = "library://hours"
BOOKS = "library://books/{isbn}"


def hours() -> str:
    """When the library is open."""
    return "always"


def book(isbn: str) -> str:
    """One book.

    Args:
        isbn: Its number.
    """
    return isbn


# What they become.


def test_a_fixed_uri_is_a_resource(record: Record) -> None:
    feature: ResourceFeature = record(hours, uri=URI, mime_type="text/markdown", size=6)
    assert (feature.kind, feature.noun, feature.key) == ("resource", "resource", URI)
    assert (feature.name, feature.description) == ("hours", "When the library is open.")
    assert (feature.contents.mime_type, feature.size) == ("text/markdown", 6)
    assert feature.handler is hours
    assert (feature.ttl_ms, feature.is_public, feature.annotations) == (None, None, None)


def test_braces_make_a_template(record: Record) -> None:
    feature: TemplateFeature = record(book, uri=BOOKS, ttl_ms=0, cache_scope="public")
    assert (feature.kind, feature.noun) == ("resource_template", "resource template")
    assert feature.key == feature.template.text == BOOKS
    assert feature.arguments.schema["properties"]["isbn"]["description"] == "Its number."
    assert (feature.ttl_ms, feature.is_public) == (0, True)
    assert feature.instances is None


def test_the_name_of_a_resource_is_any_text(record: Record) -> None:
    assert record(hours, uri=URI, name=" Opening hours (today) ").name == "Opening hours (today)"
    assert record(hours, uri="a://b", title=gettext_lazy("Home")).title == "Home"


def test_what_all_kinds_have_in_common(record: Record) -> None:
    feature: Feature = record(
        hours,
        uri=URI,
        icons=Icon("https://example.com/a.png"),
        meta={"a": 1},
        tags="b",
        permission="app.add_book",
        permission_classes=[IsAuthenticated],
        annotations=Annotations(priority=0.5),
    )
    assert feature.icons == (Icon("https://example.com/a.png"),)
    assert (feature.meta, feature.tags) == ({"a": 1}, ("b",))
    assert feature.permissions == ("app.add_book",)
    assert feature.permission_classes == (IsAuthenticated,)
    assert feature.requires_user


@pytest.mark.parametrize(
    ("uri", "also"),
    [
        ("library://größe", "library://gr%c3%b6%C3%9fe"),
        ("library://a", "LIBRARY://a"),
        ("urn:isbn:1", "URN:isbn:1"),
        ("https://example.com/a?b=c#d", "https://example.com/a?b=c#d"),
    ],
)
def test_a_resource_is_found_however_its_uri_is_written(
    registry: Registry, uri: str, also: str
) -> None:
    registry.register(hours, uri=uri)
    for asked in (uri, also):
        found = registry.resource_at(asked)
        assert found is not None
        assert found.uri == uri
    for other in (f"{uri}x", "library://A", "", "no uri", "library://a/"):
        assert registry.resource_at(other) is None


class Isbn(serializers.Serializer[Any]):
    isbn = serializers.CharField()


@pytest.mark.parametrize(
    "options", [{"arguments": Isbn}, {"arguments": {"isbn": serializers.CharField()}}]
)
def test_variables_may_be_described_by_a_serializer(record: Record, options: Any) -> None:
    assert list(record(book, uri=BOOKS, **options).arguments.names) == ["isbn"]


def test_variables_taken_whole(record: Record) -> None:
    def whole(data: Arguments[Isbn]) -> str:
        return str(data["isbn"])

    assert record(whole, uri=BOOKS).whole_parameter == "data"


def test_what_blocks_is_known(record: Record) -> None:
    async def quick(isbn: str) -> str:
        return isbn

    async def slow(isbn: str) -> Any:
        return isbn

    assert not record(quick, uri="a://{isbn}").blocks
    assert record(slow, uri="b://{isbn}").blocks  # it may return a file, or rows
    assert record(quick, uri="c://{isbn}", enabled=lambda: True).blocks
    assert record(book, uri="d://{isbn}").blocks


def test_classes_and_their_attributes(record: Record) -> None:
    class Shelf(Resource):
        """Shelves."""

        mime_type = "text/markdown"
        ttl_ms = 5

        def read(self, number: int) -> str:
            return str(number)

    class Books(Shelf):
        uri = "library://shelves/{number}"
        cache_scope = "public"

    class Loans(Books):
        uri = "library://loans/{number}"
        title = "Loans"

    feature = record(Books)
    assert (feature.name, feature.ttl_ms, feature.is_public) == ("books", 5, True)
    assert feature.contents.mime_type == "text/markdown"
    assert record(Loans).title == "Loans"
    # The URI belongs to one feature alone: a class derived from it has none.
    assert record(Shelf, uri="library://any/{number}").key == "library://any/{number}"


def test_a_class_without_a_uri(refused: Refused) -> None:
    class Hours(Resource):
        def read(self) -> str:
            return "x"

    class Later(Hours): ...

    told = 'Hours: It has no URI. Give one to @resource("scheme://path"), or as the attribute uri.'
    assert refused(Hours).endswith(told)
    Hours.uri = URI
    assert "It has no URI" in refused(Later)


def test_a_decorated_class(registry: Registry) -> None:
    with pytest.raises(TypeError) as caught:

        @resource(URI)
        class Plain:
            pass

    assert "which is no Resource. Derive it from mcp_django.Resource and give it read()" in str(
        caught.value
    )
    with pytest.raises(TypeError, match=r"Desk\. Decorate its methods instead\."):

        @resource(URI)
        class Desk(Toolset):
            pass


# What stops start-up.


@pytest.mark.parametrize(
    ("uri", "told"),
    [
        ("", "It has no URI."),
        ("hours", "uri='hours' is no absolute URI. Begin it with a scheme, such as library://."),
        ("/hours", "uri='/hours' is no absolute URI."),
        ("{scheme}://x", "uri='{scheme}://x' is no absolute URI."),
        ("library://a b", "uri='library://a b' has characters that no URI has. Write them percent"),
        ("library://a\nb", "has characters that no URI has."),
        ("library://<a>", "has characters that no URI has."),
        ("library://100%", "has characters that no URI has."),
        ("library://" + "a" * 9000, "has characters that no URI has."),
        ("library://{", "The URI template 'library://{' cannot be read: "),
        ("library://}", "The URI template 'library://}' cannot be read: "),
        ("library://{a}{b}", "nothing separates a from b"),
        ("library://{a b}", "cannot be read: "),
    ],
)
def test_uris_that_are_none(refused: Refused, uri: str, told: str) -> None:
    options = {"uri": uri} if uri else {"kind": "resource"}
    assert told in refused(hours, **options)


def test_the_decorator_needs_a_uri() -> None:
    with pytest.raises(TypeError) as caught:
        resource(hours)  # type: ignore[arg-type]
    assert str(caught.value) == '@resource needs a URI. Write @resource("scheme://path").'


def test_a_parameter_that_nobody_fills(refused: Refused) -> None:
    def limited(limit: int = 3) -> str:
        return "x"

    def anything(**kwargs: Any) -> str:
        return "x"

    assert refused(limited, uri=URI).endswith(
        "limited: The parameter 'limit' cannot be filled, for 'library://hours' has no variables. "
        "Put the name in braces in the URI, or remove the parameter; if the server is to fill it, "
        "provide() its type, write Annotated[…, Inject(function)], or claim it with a "
        "ParameterResolver."
    )
    assert "The parameter '**kwargs' cannot be filled" in refused(anything, uri=URI)


def test_variables_and_parameters_are_the_same(refused: Refused) -> None:
    def two(isbn: str, page: int) -> str:
        return "x"

    assert refused(two, uri=BOOKS).endswith(
        "two: The parameter 'page' is no variable of 'library://books/{isbn}'. Put the name in "
        "braces in the template; if the server is to fill it, provide() its type, write "
        "Annotated[…, Inject(function)], or claim it with a ParameterResolver."
    )
    assert refused(book, uri="library://books/{isbn}/{page}/{line}").endswith(
        "book: The variables 'page', 'line' of 'library://books/{isbn}/{page}/{line}' have no "
        "parameter. Add page, line to the signature, or correct the template."
    )
    assert "has no parameter" in refused(hours, uri=BOOKS)


def test_a_field_without_a_variable(refused: Refused) -> None:
    class Two(serializers.Serializer[Any]):
        isbn = serializers.CharField()
        page = serializers.IntegerField(default=1)

    def page(isbn: str, page: int) -> str:
        return "x"

    assert "'page' is no variable of" in refused(page, uri=BOOKS, arguments=Two)


def test_a_variable_that_may_be_absent_has_a_default(refused: Refused, record: Record) -> None:
    def search(q: str) -> str:
        return q

    assert refused(search, uri="library://search{?q}").endswith(
        "search: The variable 'q' of 'library://search{?q}' may be absent from a URI, and the "
        "parameter has no default. Give it one."
    )


def test_segments_are_a_list_and_other_values_are_texts(refused: Refused, record: Record) -> None:
    def one(path: str) -> str:
        return path

    def several(path: list[str]) -> str:
        return str(path)

    def mapped(path: dict[str, Any]) -> str:
        return str(path)

    def anything(path: Annotated[Any, serializers.JSONField()]) -> str:
        return str(path)

    assert refused(one, uri="library://tree{/path*}").endswith(
        "one: The variable 'path' of 'library://tree{/path*}' is a list of segments, and the "
        "parameter takes none. Annotate it with list[str], or write {path}."
    )
    for function in (several, mapped):
        assert refused(function, uri="library://{path}").endswith(
            "The variable 'path' of 'library://{path}' is one text, which the parameter does not "
            "take. Annotate it with str, or write {/path*} for a list of segments."
        )
    assert record(several, uri="library://tree{/path*}")
    assert record(anything, uri="library://any{/path*}")
    assert record(anything, uri="library://one/{path}")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"mime_type": "text"}, "mime_type='text' is no MIME type. Write one such as \"text/mark"),
        ({"mime_type": 5}, "mime_type=5 is no MIME type."),
        ({"size": -1}, "size=-1 is no whole number from 0."),
        ({"size": True}, "size=True is no whole number from 0."),
        ({"ttl_ms": 1.5}, "ttl_ms=1.5 is no whole number from 0."),
        ({"cache_scope": "shared"}, 'cache_scope=\'shared\' is unknown. Give "public" or "private'),
        ({"annotations": {"priority": 7}}, "annotations={'priority': 7} cannot be read: "),
        ({"annotations": {"prio": 7}}, "annotations={'prio': 7} cannot be read: "),
        ({"annotations": 5}, "annotations=5 cannot be read: int is none. Give Annotations(…)."),
        ({"icons": ["x.png"]}, "icons holds 'x.png'"),
        ({"meta": {"mcp/x": 1, "io.mcp/x": 1}}, "meta has the key 'io.mcp/x'"),
        ({"name": " "}, "' ' is not a valid name. Give it one with name=."),
        ({"name": 5}, "5 is not a valid name."),
        (
            {"instances": list},
            "instances= is for templates, and 'library://hours' has no var",
        ),
        ({"completers": {}}, "completers= is for templates"),
        ({"arguments": Isbn}, "arguments= is for templates"),
        ({"returns": dict, "mime_type": "x"}, "mime_type='x' is no MIME type."),
        ({"enabled": True}, "enabled=True is no function. Give one that returns True or False"),
    ],
)
def test_options_that_cannot_be(refused: Refused, options: Any, told: str) -> None:
    assert told in refused(hours, uri=URI, **options)


def test_a_template_has_no_size(refused: Refused) -> None:
    assert refused(book, uri=BOOKS, size=3).endswith(
        "book: 'library://books/{isbn}' is a template, whose resources differ in size. Leave "
        "size= out."
    )


@pytest.mark.parametrize(
    "options",
    [
        {"permission": "app.add_book"},
        {"permission_classes": [IsAuthenticated]},
        {"permission_classes": [AllowAny & IsAuthenticated]},
        {"enabled": lambda: True},
    ],
)
def test_what_depends_on_the_caller_is_not_public(refused: Refused, options: Any) -> None:
    assert refused(hours, uri=URI, cache_scope="public", **options).endswith(
        'hours: It says cache_scope="public", but what it gives depends on the caller. Leave '
        "cache_scope out."
    )


def test_what_is_made_for_the_caller_is_not_public(refused: Refused, record: Record) -> None:
    def of_user(user: CurrentUser) -> str:
        return "x"

    def of_anyone(user: CurrentUser | None) -> str:
        return "x"

    def of_tenant(tenant: Annotated[Any, CurrentTenant]) -> str:
        return "x"

    def for_user(user: CurrentUser | None) -> int:
        return 3

    def of_function(desk: Annotated[int, Inject(for_user)]) -> str:
        return "x"

    def of_request(context: Context) -> str:
        return str(context.uri)

    for function in (of_user, of_anyone, of_tenant, of_function):
        assert "depends on the caller" in refused(function, uri=URI, cache_scope="public")
    assert record(of_request, uri=URI, cache_scope="public").is_public


@pytest.mark.parametrize("instances", [[], "books", dict, 5])
def test_what_gives_no_instances(refused: Refused, instances: Any) -> None:
    told = refused(book, uri=BOOKS, instances=instances)
    assert f"instances={instances!r} is neither a function nor a queryset." in told


def test_a_function_of_instances_that_needs_what_nobody_fills(refused: Refused) -> None:
    def of_shelf(shelf: int) -> list[Any]:
        return []

    def one_by_one() -> Any:
        yield {}

    assert "of_shelf, which fills 'instances': Nobody fills its parameter 'shelf'" in refused(
        book, uri=BOOKS, instances=of_shelf
    )
    assert "It is a generator" in refused(book, uri=BOOKS, instances=one_by_one)


def test_what_no_contents_come_from(refused: Refused) -> None:
    def nothing() -> None: ...

    assert "nothing returns nothing" in refused(nothing, uri=URI)


# Two of the same.


def taken(registry: Registry, target: Any, **options: Any) -> str:
    with pytest.raises(AlreadyRegistered) as caught:
        registry.register(target, **options)
    return str(caught.value)


def line_of(function: Any) -> int:
    return int(function.__code__.co_firstlineno)


def test_a_uri_that_is_taken_names_both_places(registry: Registry) -> None:
    def other() -> str:
        return "x"

    registry.register(hours, uri="library://größe")
    assert taken(registry, other, uri="library://größe") == (
        f"{__file__}:{line_of(other)}: {other.__qualname__.rpartition('.')[2]}: The URI "
        f"'library://größe' is taken by {__file__}:{line_of(hours)}: hours. Give one of the two "
        "another URI."
    )
    assert "is taken by" in taken(registry, other, uri="library://gr%C3%B6%C3%9Fe")
    assert len(registry.resources) == 1
    registry.register(other, uri="library://other")  # the names may be the same, URIs may not
    registry.register(hours, name="other", uri="library://another")


def test_templates_that_surely_overlap_name_both_places(registry: Registry) -> None:
    def other(number: str) -> str:
        return number

    registry.register(book, uri=BOOKS)
    assert taken(registry, other, uri="library://books/{number}") == (
        f"{__file__}:{line_of(other)}: other: The URI template 'library://books/{{number}}' "
        f"matches URIs that 'library://books/{{isbn}}' of {__file__}:{line_of(book)}: book matches "
        "too. Let them differ in a fixed part."
    )
    assert "The URI template 'library://books/{isbn}' is taken by" in taken(
        registry, book, uri=BOOKS, name="again"
    )
    assert list(registry.templates) == [BOOKS]


def test_where_overlap_cannot_be_told_the_first_one_stands_first(registry: Registry) -> None:
    def file(path: str, ext: str) -> str:
        return path

    def bundle(path: str) -> str:
        return path

    registry.register(file, uri="library://{path}.{ext}")
    registry.register(bundle, uri="library://pre{path}")
    found = [feature.name for feature, _ in registry.matching("library://prefix.txt")]
    assert found == ["file", "bundle"]


def test_a_mistake_in_a_module_of_an_app_stops_start_up(project: Project) -> None:
    project.write(
        "shop/mcp_tools.py",
        '''
        from mcp_django import resource

        @resource("shop://items/{item_id}")
        def item(number: int) -> str:
            """An item."""
            return str(number)
        ''',
    )
    assert project.refuses("shop") == (
        "…/shop/mcp_tools.py:4: item: The parameter 'number' is no variable of "
        "'shop://items/{item_id}'. Put the name in braces in the template; if the server is to "
        "fill it, provide() its type, write Annotated[…, Inject(function)], or claim it with a "
        "ParameterResolver."
    )


def test_overlap_between_two_apps_stops_start_up(project: Project) -> None:
    text = '''
    from mcp_django import resource

    @resource("shop://items/{%s}")
    def item(%s: str) -> str:
        """An item."""
        return "x"
    '''
    project.write("shop/mcp_tools.py", text % ("a", "a"))
    project.write("stock/mcp_tools.py", text % ("b", "b"))
    assert project.refuses("shop", "stock") == (
        "…/stock/mcp_tools.py:4: item: The URI template 'shop://items/{b}' matches URIs that "
        "'shop://items/{a}' of …/shop/mcp_tools.py:4: item matches too. Let them differ in a "
        "fixed part."
    )


def test_the_option_of_another_kind(registry: Registry) -> None:
    with pytest.raises(TypeError, match=r"^@tool has no option 'uri'; @resource has\. Leave"):
        tool(uri=URI)(hours)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"^@resource has no option 'read_only'; @tool has\. "):
        resource(URI, read_only=True)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^register\(\) has uri=, which makes a resource, "):
        registry.register(hours, kind="tool", uri=URI)

"""One serializer for all calls, or one for each: contexts, threads, and what may block."""

from __future__ import annotations

import inspect
import threading
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.test import RequestFactory
from django.urls import path
from rest_framework import serializers

from mcp_django.schema.errors import InvalidResult
from mcp_django.schema.results import ResultRule, result_rule
from mcp_django.schema.returning.representation import _CallContext, _context
from tests.app.models import Book, Branch

EMPTY = inspect.Signature.empty


class Sum(serializers.Serializer[Any]):
    sum = serializers.IntegerField()


class Loan(serializers.Serializer[Any]):
    due = serializers.DateField()
    fine = serializers.DecimalField(max_digits=6, decimal_places=2)
    note = serializers.CharField(allow_null=True, source="remark")


class BookSerializer(serializers.ModelSerializer[Book]):
    class Meta:
        model = Book
        fields = ["id", "title", "branch"]


class Linked(serializers.Serializer[Any]):
    url = serializers.HyperlinkedIdentityField(view_name="branch")
    logo = serializers.FileField(allow_null=True, source="none")


class Remembering(serializers.Serializer[Any]):
    """Keeps something on itself, as memoizing serializers do."""

    who = serializers.SerializerMethodField()

    def get_who(self, value: Any) -> str:
        if not hasattr(self, "_who"):
            self._who = self.context["name"]
        return str(self._who)


class Picking(serializers.Serializer[Any]):
    """Reads its context while it is made."""

    a = serializers.IntegerField()
    b = serializers.IntegerField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.context.get("only_a"):
            self.fields.pop("b")


class Waiting:
    """A value whose file is asked for while another call is under way."""

    def __init__(self, barrier: threading.Barrier) -> None:
        self.barrier = barrier
        self.file = self

    @property
    def url(self) -> str:
        self.barrier.wait(10)
        return "/a.png"


class Files(serializers.Serializer[Any]):
    file = serializers.FileField()


class Row:
    due = date(2026, 1, 2)
    fine = Decimal("1.5")
    remark = None
    pk = 7
    none = None


urlpatterns = [path("branches/<int:pk>/", lambda request: None, name="branch")]  # type: ignore[arg-type]


def rule(returns: Any, annotation: Any = EMPTY) -> ResultRule:
    return result_rule(annotation, returns, name="tool")


@pytest.mark.urls(__name__)
def test_serializers_find_the_request_in_their_context() -> None:
    context = {"request": RequestFactory().get("/", headers={"host": "example.com"})}

    assert rule(Linked).convert(Row(), context).structured == {
        "url": "http://example.com/branches/7/",
        "logo": None,
    }


def test_a_serializer_that_keeps_state_is_made_for_each_call() -> None:
    for made in (rule(Remembering), rule(Remembering(many=True))):
        for name in ("ann", "bob"):
            many = made.schema is not None and made.schema["type"] == "array"
            structured = made.convert([Row] if many else Row, {"name": name}).structured
            assert structured == ([{"who": name}] if many else {"who": name})


def test_a_serializer_may_read_its_context_while_it_is_made() -> None:
    made = rule(Picking)

    assert made.convert({"a": 1, "b": 2}).structured == {"a": 1, "b": 2}
    with pytest.raises(InvalidResult, match='"b" is missing'):
        made.convert({"a": 1, "b": 2}, {"only_a": True})


def test_calls_in_several_threads_keep_their_contexts_apart() -> None:
    made = rule(Files)
    value = Waiting(threading.Barrier(4))
    found: dict[str, Any] = {}

    def call(host: str) -> None:
        context = {"request": RequestFactory().get("/", headers={"host": host})}
        found[host] = made.convert(value, context).structured

    hosts = [f"{name}.example.com" for name in "abcd"]
    threads = [threading.Thread(target=call, args=[host]) for host in hosts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == {host: {"file": f"http://{host}/a.png"} for host in hosts}


def test_the_context_of_one_call_is_gone_after_it() -> None:
    made = rule(Files)
    value = Waiting(threading.Barrier(1))
    context = {"request": RequestFactory().get("/", headers={"host": "a.example.com"})}

    assert made.convert(value, context).structured == {"file": "http://a.example.com/a.png"}
    assert made.convert(value).structured == {"file": "/a.png"}


def test_a_shared_context_is_a_mapping_of_the_call_over_the_authors_own() -> None:
    context = _CallContext({"a": 1, "b": 2})
    token = _context.set({"b": 3})
    try:
        assert (dict(context), len(context), "c" in context) == ({"a": 1, "b": 3}, 2, False)
    finally:
        _context.reset(token)


def test_the_authors_context_stays() -> None:
    class Greeting(serializers.Serializer[Any]):
        def to_representation(self, instance: Any) -> Any:
            return {**self.context}

    made = rule(Greeting(context={"a": 1, "b": 2}))
    plain = rule(Files(context={"request": RequestFactory().get("/")}))

    assert made.convert(Row, {"b": 3}).structured == {"a": 1, "b": 3}
    value = Waiting(threading.Barrier(1))
    assert plain.convert(value, {"view": None}).structured == {"file": "http://testserver/a.png"}


class Nested(serializers.Serializer[Any]):
    inner = Sum()


class Deep(serializers.Serializer[Any]):
    name = serializers.CharField(source="branch.name")


class Several(serializers.Serializer[Any]):
    numbers = serializers.ListField(child=serializers.IntegerField())
    more = serializers.DictField(child=serializers.CharField())


class Checked(Sum):
    def validate_sum(self, value: Any) -> Any:
        return value


class Saved(Sum):
    def create(self, validated_data: Any) -> Any: ...

    def update(self, instance: Any, validated_data: Any) -> Any: ...

    def validate(self, attrs: Any) -> Any:
        return attrs


class Labelled(Sum):
    def updated_label(self) -> str:
        return "updated"


class Keyed(serializers.Serializer[Any]):
    branch = serializers.PrimaryKeyRelatedField(queryset=Branch.objects.all())


@pytest.mark.parametrize(
    ("returns", "blocks"),
    [
        (Sum, False),
        (Several, False),
        (Checked, False),
        (Saved, False),
        (Labelled, True),  # its name begins like update(), and anything may call it
        (Sum(many=True), True),  # of a queryset, perhaps
        (Loan, True),  # source= may be any attribute
        (Nested, True),
        (Deep, True),
        (Keyed, True),
        (BookSerializer, True),
        (Remembering, True),
    ],
)
def test_only_plain_fields_are_known_not_to_query(returns: Any, blocks: bool) -> None:
    assert rule(returns).blocks is blocks

"""Which members of a result are required, and which may be null."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.auth.models import User
from django.db import models
from django.test.utils import isolate_apps
from rest_framework import serializers

from mcp_django.schema.jsonschema import result_schema
from tests.app.models import Book


class BookSerializer(serializers.ModelSerializer[Book]):
    branch_name = serializers.CharField(source="branch.name", read_only=True)
    label = serializers.SerializerMethodField()

    class Meta:
        model = Book
        fields: ClassVar = ["id", "title", "pages", "branch", "branch_name", "label"]

    def get_label(self, book: Book) -> str:
        return book.title


class UserSerializer(serializers.ModelSerializer[User]):
    # The names of relations and columns, which may be empty whatever a field says of it.
    token = serializers.CharField(source="auth_token.key")
    seen = serializers.DateTimeField(source="last_login")
    method = serializers.CharField(source="get_full_name.first")
    beyond = serializers.CharField(source="email.domain")

    class Meta:
        model = User
        fields: ClassVar = ["token", "seen", "groups", "method", "beyond"]


def test_results_of_models_have_what_is_always_there() -> None:
    schema = result_schema(BookSerializer())
    assert schema["properties"]["branch"] == {"type": "integer"}
    assert schema["required"] == ["id", "title", "branch", "label"]
    plain = type("Plain", (serializers.Serializer,), {})
    plain._declared_fields = {
        "read": serializers.IntegerField(read_only=True),
        "optional": serializers.IntegerField(required=False),
        "default": serializers.IntegerField(default=1),
        "nullable": serializers.IntegerField(required=False, allow_null=True),
        "whole": serializers.DictField(source="*", read_only=True),
    }
    assert result_schema(plain())["required"] == ["default", "nullable", "whole"]


def test_results_of_models_may_be_null_where_a_column_may() -> None:
    properties = result_schema(UserSerializer())["properties"]
    assert properties["token"]["type"] == ["string", "null"]
    assert properties["seen"]["type"] == ["string", "null"]
    assert properties["groups"]["type"] == "array"
    assert properties["method"]["type"] == properties["beyond"]["type"] == "string"


@isolate_apps("tests.app")
def test_a_blank_column_with_choices_may_be_given() -> None:
    class Letter(models.Model):  # noqa: DJ008
        kind = models.CharField(choices=[("a", "a")], blank=True, max_length=1)

        class Meta:
            app_label = "app"

    class LetterSerializer(serializers.ModelSerializer[Letter]):
        class Meta:
            model = Letter
            fields: ClassVar = ["kind"]
            read_only_fields: ClassVar = ["kind"]

    kind = result_schema(LetterSerializer())["properties"]["kind"]
    assert kind == {"type": "string", "enum": ["a", ""]}

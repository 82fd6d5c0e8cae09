"""Books, as tools take them and give them.

Notes for readers of the code are comments: a serializer's docstring is shown to models.
"""

# mypy: disable-error-code="type-arg, var-annotated"

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from project.library.models import Book, Copy, check_isbn


# What find_books takes.
class BookSearch(serializers.Serializer):
    text = serializers.CharField(
        max_length=200,
        allow_blank=True,
        default="",
        help_text="Words of title, authors or subjects, all of which must fit; empty for any.",
    )
    subject = serializers.CharField(
        max_length=100, required=False, help_text="Exactly this subject, such as Poetry."
    )
    written_after = serializers.IntegerField(required=False, help_text="Written in or after.")
    written_before = serializers.IntegerField(required=False, help_text="Written before.")
    available = serializers.BooleanField(
        default=False, help_text="Only books with a copy on the shelf now."
    )
    limit = serializers.IntegerField(
        min_value=1, max_value=50, default=10, help_text="At most this many books."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        after, before = attrs.get("written_after"), attrs.get("written_before")
        if after is not None and before is not None and after >= before:
            raise serializers.ValidationError("written_after must come before written_before.")
        return attrs


# A book of a branch, from Book.objects.held_by(branch).with_names().
class BookSerializer(serializers.ModelSerializer):
    authors = serializers.SlugRelatedField("name", many=True, read_only=True)
    subjects = serializers.SlugRelatedField("name", many=True, read_only=True)
    copies_here = serializers.IntegerField(read_only=True, help_text="Copies of this branch.")
    available_here = serializers.IntegerField(read_only=True, help_text="Those on the shelf.")

    class Meta:
        model = Book
        fields = [
            "id",
            "title",
            "authors",
            "year",
            "subjects",
            "isbn",
            "copies_here",
            "available_here",
        ]


class CopySerializer(serializers.ModelSerializer):
    class Meta:
        model = Copy
        fields = ["barcode", "shelf_mark", "status"]


# A book with its copies, from books_of_caller.
class BookDetailsSerializer(BookSerializer):
    copies = CopySerializer(many=True, read_only=True, source="branch_copies")

    class Meta(BookSerializer.Meta):
        fields = [*BookSerializer.Meta.fields, "copies"]


# A book as import-catalogue takes it.
class CatalogueRecordSerializer(serializers.Serializer):
    title = serializers.CharField(max_length=200)
    authors = serializers.ListField(
        child=serializers.CharField(max_length=200), min_length=1, max_length=20
    )
    isbn = serializers.CharField(
        max_length=13, validators=[check_isbn], help_text="13 digits, without hyphens."
    )
    year = serializers.IntegerField(
        allow_null=True,
        default=None,
        min_value=-4000,
        max_value=9999,
        help_text="Negative before our era.",
    )
    subjects = serializers.ListField(
        child=serializers.CharField(max_length=100), max_length=20, default=list
    )


# What import-catalogue takes.
class CatalogueImport(serializers.Serializer):
    records = serializers.ListField(child=CatalogueRecordSerializer(), min_length=1, max_length=200)
    copies = serializers.IntegerField(
        min_value=1, max_value=20, default=1, help_text="New copies of each book."
    )

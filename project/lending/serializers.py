"""Loans, as tools take them and give them."""

# mypy: disable-error-code="type-arg, var-annotated"

from __future__ import annotations

from rest_framework import serializers

from project.lending.models import Loan


# What find_loans takes.
class LoanSearch(serializers.Serializer):
    status = serializers.ChoiceField(
        ["open", "overdue", "returned"],
        default="open",
        help_text="open: not yet returned, the overdue ones among them.",
    )
    limit = serializers.IntegerField(
        min_value=1, max_value=100, default=20, help_text="At most this many loans."
    )


# A loan, from Loan.objects.with_books().
class LoanSerializer(serializers.ModelSerializer):
    title = serializers.CharField(source="copy.book.title", read_only=True)
    authors = serializers.SlugRelatedField(
        "name", source="copy.book.authors", many=True, read_only=True
    )
    barcode = serializers.CharField(source="copy.barcode", read_only=True)
    status = serializers.ChoiceField(["open", "overdue", "returned"], read_only=True)

    class Meta:
        model = Loan
        fields = [
            "id",
            "title",
            "authors",
            "barcode",
            "borrowed_on",
            "due_on",
            "returned_on",
            "renewals",
            "status",
        ]

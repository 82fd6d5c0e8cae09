# mypy: disable-error-code="type-arg"

from __future__ import annotations

from django.contrib import admin

from project.lending.models import Hold, Loan


@admin.register(Loan)
class LoanAdmin(admin.ModelAdmin):
    list_display = ["copy", "title", "member", "borrowed_on", "due_on", "returned_on", "status"]
    list_filter = ["copy__branch", "due_on"]
    list_select_related = ["copy__book", "member"]
    search_fields = ["copy__barcode", "copy__book__search_text", "member__card_number"]
    autocomplete_fields = ["copy", "member"]

    @admin.display(ordering="copy__book__title")
    def title(self, loan: Loan) -> str:
        return loan.copy.book.title


@admin.register(Hold)
class HoldAdmin(admin.ModelAdmin):
    list_display = ["book", "member", "branch", "placed_at", "status"]
    list_filter = ["branch", "status"]
    list_select_related = ["book", "member", "branch"]
    search_fields = ["book__search_text", "member__card_number"]
    autocomplete_fields = ["book", "branch", "member", "copy"]

# mypy: disable-error-code="type-arg, no-any-return"

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.forms import BaseModelForm
from django.http import HttpRequest

from project.library.models import Author, Book, Branch, Copy, Member, OpeningHours, Subject


class OpeningHoursInline(admin.TabularInline):
    model = OpeningHours
    extra = 0


@admin.register(Branch)
class BranchAdmin(admin.ModelAdmin):
    list_display = ["name", "code", "address"]
    search_fields = ["name", "code"]
    inlines = [OpeningHoursInline]


@admin.register(Member)
class MemberAdmin(admin.ModelAdmin):
    list_display = ["card_number", "user", "branch"]
    list_filter = ["branch"]
    list_select_related = ["user", "branch"]
    search_fields = ["card_number", "user__username", "user__last_name"]
    autocomplete_fields = ["user", "branch"]


@admin.register(Author, Subject)
class NameAdmin(admin.ModelAdmin):
    search_fields = ["name"]


class CopyInline(admin.TabularInline):
    model = Copy
    extra = 0
    fields = ["barcode", "branch", "shelf_mark", "status"]


@admin.register(Book)
class BookAdmin(admin.ModelAdmin):
    list_display = ["title", "year", "isbn", "copies"]
    search_fields = ["search_text", "isbn"]
    autocomplete_fields = ["authors", "subjects"]
    inlines = [CopyInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Book]:
        return super().get_queryset(request).annotate(copy_count=Count("copies"))

    @admin.display(ordering="copy_count")
    def copies(self, book: Book) -> int:
        return book.copy_count  # type: ignore[attr-defined] # annotated above

    def save_related(
        self, request: HttpRequest, form: BaseModelForm, formsets: Any, change: bool
    ) -> None:
        super().save_related(request, form, formsets, change)
        form.instance.index()  # only now are its authors and subjects known


@admin.register(Copy)
class CopyAdmin(admin.ModelAdmin):
    list_display = ["barcode", "book", "branch", "shelf_mark", "status"]
    list_filter = ["branch", "status"]
    list_select_related = ["book", "branch"]
    search_fields = ["barcode", "book__search_text"]
    autocomplete_fields = ["book", "branch"]

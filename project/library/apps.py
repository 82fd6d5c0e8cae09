from __future__ import annotations

from django.apps import AppConfig

from mcp_django import provide


class LibraryConfig(AppConfig):
    name = "project.library"
    verbose_name = "Library"

    def ready(self) -> None:
        from project.library.shelves import ShelfMarks

        provide(ShelfMarks, ShelfMarks)  # made once a process; a tool asks for it by its type

from __future__ import annotations

import random
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from project.lending.models import Hold, Loan
from project.library.models import Book, Branch, Copy, Member
from project.sample.books import load_books, load_branches
from project.sample.loans import load_holds, load_loans
from project.sample.people import load_people


class Command(BaseCommand):
    help = "Loads the sample library. What is there already stays as it is."

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        chance = random.Random(1876)  # noqa: S311 - the same library every time
        branches = [] if Branch.objects.filter(code="north").exists() else load_branches()
        if branches:
            load_books(branches, chance)
        load_people()
        for branch in branches:
            load_loans(branch, chance)
            load_holds(branch)
        if options["verbosity"]:
            self.stdout.write("\n".join(_counts()))


def _counts() -> list[str]:
    models = [Branch, Member, Book, Copy, Loan, Hold]
    return [
        f"{model._default_manager.count()} {model._meta.verbose_name_plural}" for model in models
    ]

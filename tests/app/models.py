"""Models for the tests: branches of a library and their books."""

from __future__ import annotations

from django.db import models


class Branch(models.Model):
    """A branch: the tenant of the tests."""

    name = models.CharField(max_length=100, unique=True)

    def __str__(self) -> str:
        return self.name


class Book(models.Model):
    """A book at one branch."""

    title = models.CharField(max_length=200)
    branch = models.ForeignKey(Branch, on_delete=models.CASCADE, related_name="books")
    pages = models.PositiveIntegerField(default=1)
    price = models.DecimalField(max_digits=8, decimal_places=2, default=0)

    def __str__(self) -> str:
        return self.title

"""The 51 tools of our site, and as many more as ``BENCH_EXTRA_TOOLS`` says.

A resource and a prompt beside them; with ``BENCH_OWN=1`` each tool is for some callers only,
``BENCH_TEMPLATES`` is how many resource templates there are.
"""

from __future__ import annotations

import os
from typing import Any

from rest_framework import permissions, serializers

from benchmarks.exchanges import TEXT, URI
from mcp_django import prompt, resource, tool


class FromHere(permissions.BasePermission):
    """Callers on this machine."""

    def has_permission(self, request: Any, view: Any) -> bool:
        return bool(request.META["REMOTE_ADDR"] == "127.0.0.1")


RULES = [FromHere] if os.environ.get("BENCH_OWN") == "1" else []


class Addends(serializers.Serializer[Any]):
    a = serializers.IntegerField()
    b = serializers.IntegerField()


class Sum(serializers.Serializer[Any]):
    total = serializers.IntegerField()


class Order(serializers.Serializer[Any]):
    product = serializers.CharField()
    quantity = serializers.IntegerField()
    note = serializers.CharField(default="")
    express = serializers.BooleanField(default=False)
    discount = serializers.FloatField(default=0.0)


@tool(arguments=Addends, returns=Sum(), permission_classes=RULES)
def add(a: int, b: int) -> dict[str, int]:
    """Add two whole numbers."""
    return {"total": a + b}


def place_order(product: str, **order: Any) -> dict[str, Any]:
    """Place an order."""
    return {"product": product}


for number in range(50):
    tool(name=f"place_order_{number}", arguments=Order, permission_classes=RULES)(place_order)


def five_fields(number: int) -> type[serializers.Serializer[Any]]:
    """A serializer class that no other tool shares."""
    fields = {
        "product": serializers.CharField(max_length=100),
        "quantity": serializers.IntegerField(min_value=1),
        "note": serializers.CharField(default="", allow_blank=True),
        "express": serializers.BooleanField(default=False),
        "due": serializers.DateField(required=False),
    }
    return type(f"Order{number}", (serializers.Serializer,), fields)


for number in range(int(os.environ.get("BENCH_EXTRA_TOOLS", "0"))):
    tool(name=f"extra_{number}", arguments=five_fields(number))(place_order)


@resource(URI)
def text() -> str:
    """A page of a manual."""
    return TEXT


@prompt
def greet(name: str) -> str:
    """Greet somebody."""
    return f"Say hello to {name}."


def of_kind(number: int) -> str:
    """One of many."""
    return str(number)


for kind in range(int(os.environ.get("BENCH_TEMPLATES", "0"))):
    resource(f"bench://kind{kind}/{{number}}", name=f"kind_{kind}")(of_kind)

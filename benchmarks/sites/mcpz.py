"""django-mcpz, set up as its documentation shows, with 51 tools and no sign-in."""

from __future__ import annotations

from typing import Any

import django
import msgspec
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest
from django.urls import path

settings.configure(
    ROOT_URLCONF=__name__,
    SECRET_KEY="bench",
    ALLOWED_HOSTS=["127.0.0.1"],
    MIDDLEWARE=[],
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django_mcpz"],
    USE_TZ=True,
)
django.setup()

from django_mcpz.server import MCPServer, public  # noqa: E402

server = MCPServer(name="bench", version="1", auth=public)


class Addends(msgspec.Struct):
    a: int
    b: int


class Sum(msgspec.Struct):
    total: int


class Order(msgspec.Struct):
    product: str
    quantity: int
    note: str = ""
    express: bool = False
    discount: float = 0.0


@server.tool(description="Add two whole numbers.")
def add(request: HttpRequest, params: Addends) -> Sum:
    return Sum(total=params.a + params.b)


def place_order(request: HttpRequest, params: Order) -> dict[str, Any]:
    return {"product": params.product}


for number in range(50):
    server.tool(name=f"place_order_{number}", description="Place an order.")(place_order)

urlpatterns = [path("mcp", server)]
application = get_wsgi_application()

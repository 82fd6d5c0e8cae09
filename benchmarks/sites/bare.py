"""The yardstick: a Django view that does what any MCP server must do, and no more.

It parses a ``tools/call``, ``resources/read`` or ``prompts/get`` and answers the same bytes as
ours; a ``tools/list`` it answers with as many constant bytes as ours. No protocol rule is
looked at. JSON is read and written as Django itself does it, by the standard library;
``BENCH_ORJSON=1`` takes orjson, for a look at how much of the difference is that.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path

from benchmarks.exchanges import TEXT
from benchmarks.sites.project import SETTINGS

SERVER_INFO = {"io.modelcontextprotocol/serverInfo": {"name": "bench", "version": "1"}}
COMPLETE = {"resultType": "complete", "_meta": SERVER_INFO}

settings.configure(**{**SETTINGS, "ROOT_URLCONF": __name__})
django.setup()

# Imported for the row about memory: what a project with an API has loaded anyway.
import drf_spectacular.openapi  # noqa: E402, F401
import rest_framework.serializers  # noqa: E402, F401

if os.environ.get("BENCH_ORJSON") == "1":
    import orjson

    loads: Callable[[bytes], Any] = orjson.loads

    def dumps(value: Any) -> str:
        return orjson.dumps(value).decode()
else:
    import json

    loads = json.loads

    def dumps(value: Any) -> str:
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


# Quotes around, so that it is JSON of exactly that many bytes.
LISTING = b'"' + b"x" * (int(os.environ.get("BENCH_LIST_BYTES", "2")) - 2) + b'"'


def answer(request: HttpRequest) -> HttpResponse:
    """Parse the message, do what it asks for or return the constant."""
    message = loads(request.body)
    if message["method"] == "tools/list":
        return HttpResponse(LISTING, content_type="application/json")
    result = {**METHODS[message["method"]](message["params"]), **COMPLETE}
    body = dumps({"jsonrpc": "2.0", "id": message["id"], "result": result})
    return HttpResponse(body, content_type="application/json")


def add(params: dict[str, Any]) -> dict[str, Any]:
    arguments = params["arguments"]
    structured = {"total": arguments["a"] + arguments["b"]}
    content = [{"type": "text", "text": dumps(structured)}]
    return {"content": content, "structuredContent": structured}


def read(params: dict[str, Any]) -> dict[str, Any]:
    contents = [{"uri": params["uri"], "mimeType": "text/plain", "text": TEXT}]
    return {"contents": contents, "ttlMs": 0, "cacheScope": "private"}


def greet(params: dict[str, Any]) -> dict[str, Any]:
    text = f"Say hello to {params['arguments']['name']}."
    return {"messages": [{"role": "user", "content": {"type": "text", "text": text}}]}


METHODS = {"tools/call": add, "resources/read": read, "prompts/get": greet}


answer.csrf_exempt = True  # type: ignore[attr-defined]
urlpatterns = [path("mcp", answer)]
application = get_wsgi_application()

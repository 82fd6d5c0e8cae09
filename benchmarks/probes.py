"""Runs inside a contender's environment: ``python -m benchmarks.probes WHAT SITE``.

``cpu`` prints microseconds of CPU for one ``tools/call`` through the site's WSGI handler,
``startup`` milliseconds of CPU from nothing imported to a site that is ready, ``matching``
microseconds of CPU for finding the template of a URI, and ``database`` makes the database
of the row with the defaults.
"""

from __future__ import annotations

import importlib
import io
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

WARM_UP = 500
BATCH = 2_000
BATCHES = 7


def cpu(site: str) -> float:
    """Median over batches, each call with an environ and a body of its own, as a server gives."""
    application = importlib.import_module(site).application
    environ, body = _request()
    _batch(application, environ, body, WARM_UP)
    times = [_batch(application, environ, body, BATCH) for _ in range(BATCHES)]
    return statistics.median(times)


def startup(site: str) -> float:
    """The first import of the site sets Django up and so declares all of its tools."""
    importlib.import_module(site)
    return time.process_time() * 1e3


def matching(site: str) -> float:
    """Median over batches, for the last template but one: no order may help it."""
    importlib.import_module(site)
    from mcp_django import server

    templates = list(server.registry.templates)
    uri = templates[-2].replace("{number}", "17")
    times = []
    for _ in range(BATCHES):
        begun = time.process_time()
        for _ in range(BATCH):
            found = list(server.registry.matching(uri))
        times.append((time.process_time() - begun) / BATCH * 1e6)
        if [variables for _, variables in found] != [{"number": "17"}]:
            raise SystemExit(f"Wrong match: {found}")
    return statistics.median(times)


def database(site: str) -> float:
    """Migrate, and make one user with the token that the bench sends."""
    importlib.import_module(site)
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from rest_framework.authtoken.models import Token

    from benchmarks.contenders import TOKEN

    call_command("migrate", verbosity=0)
    user, _ = User.objects.get_or_create(username="bench")
    Token.objects.get_or_create(user=user, key=TOKEN)
    return 0.0


def _request() -> tuple[dict[str, Any], bytes]:
    """What a WSGI server would make of the call; ``wsgi.input`` is added for each."""
    from benchmarks.exchanges import CALL

    body = CALL.body.encode()
    headers = dict(CALL.headers)
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/mcp",
        "SCRIPT_NAME": "",
        "QUERY_STRING": "",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "127.0.0.1",
        "CONTENT_TYPE": headers.pop("Content-Type"),
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.url_scheme": "http",
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
    }
    for name, value in headers.items():
        environ["HTTP_" + name.upper().replace("-", "_")] = value
    return environ, body


def _batch(
    application: Callable[..., Iterable[bytes]], environ: dict[str, Any], body: bytes, calls: int
) -> float:
    """Microseconds of CPU per call."""
    statuses: set[str] = set()
    answer = b""

    def start_response(status: str, headers: list[tuple[str, str]]) -> None:
        statuses.add(status)

    begun = time.process_time()
    for _ in range(calls):
        response = application({**environ, "wsgi.input": io.BytesIO(body)}, start_response)
        answer = b"".join(response)
        response.close()  # type: ignore[attr-defined]
    spent = time.process_time() - begun
    if statuses != {"200 OK"} or b'"total":5' not in answer:
        raise SystemExit(f"Wrong answer: {statuses} {answer[:500]!r}")
    return spent / calls * 1e6


if __name__ == "__main__":
    probes = {"cpu": cpu, "startup": startup, "matching": matching, "database": database}
    print(probes[sys.argv[1]](sys.argv[2]))

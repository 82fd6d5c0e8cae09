"""Bodies that do not arrive whole, or that somebody has read before."""

from __future__ import annotations

import io
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import orjson
import pytest
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.test import RequestFactory, override_settings

from mcp_django import server
from mcp_django.views import endpoint
from tests.wire.conftest import Wire, error_of

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
OPEN = {"AUTHENTICATION_CLASSES": [], "MAX_BODY_BYTES": 100}

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture
def arriving() -> Iterator[Callable[..., HttpResponse]]:
    """A POST whose body comes from this stream, with these variables of WSGI."""

    def send(stream: Any, **environ: Any) -> HttpResponse:
        request = RequestFactory().post("/mcp", b"", content_type="application/json")
        given = {**request.environ, "wsgi.input": stream, "CONTENT_TYPE": "application/json"}
        given |= {"CONTENT_LENGTH": "", **environ}
        return endpoint(server)(type(request)(given))

    with override_settings(MCP_DJANGO=OPEN):
        yield send


class Breaking(io.RawIOBase):
    """A stream that fails as a server's reader of chunks does."""

    def read(self, size: int = -1) -> bytes:
        raise RuntimeError("Invalid chunk size: 'zz'")


CHUNKED = {"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input_terminated": True}


class TestInProcess:
    def test_chunks_are_read(self, arriving: Any) -> None:
        response = arriving(io.BytesIO(PING), **CHUNKED)
        assert orjson.loads(response.content) == {"jsonrpc": "2.0", "id": 1, "result": {}}

    def test_chunks_have_the_same_limit(self, arriving: Any) -> None:
        assert error_of(arriving(io.BytesIO(b" " * 101), **CHUNKED)) == (413, -32600)

    def test_chunks_whose_end_cannot_be_told(self, arriving: Any) -> None:
        response = arriving(io.BytesIO(PING), HTTP_TRANSFER_ENCODING="chunked")
        assert error_of(response) == (411, -32600)

    def test_malformed_chunks(self, arriving: Any, caplog: pytest.LogCaptureFixture) -> None:
        assert error_of(arriving(Breaking(), **CHUNKED)) == (400, -32600)
        assert not caplog.records

    def test_a_body_that_ends_early_is_not_executed(self, arriving: Any) -> None:
        short = arriving(io.BytesIO(PING), CONTENT_LENGTH=str(len(PING) + 1))
        assert error_of(short) == (400, -32600)
        assert "ended before its time" in orjson.loads(short.content)["error"]["message"]
        whole = arriving(io.BytesIO(PING + b" trailing"), CONTENT_LENGTH=str(len(PING)))
        assert whole.status_code == 200

    def test_a_client_that_has_left(self, arriving: Any) -> None:
        class Gone(io.RawIOBase):
            def read(self, size: int = -1) -> bytes:
                raise UnreadablePostError("gone")

        assert error_of(arriving(Gone(), CONTENT_LENGTH="40")) == (400, -32600)

    @pytest.mark.parametrize("length", ["x", "-5"])
    def test_a_length_that_is_none(self, arriving: Any, length: str) -> None:
        assert error_of(arriving(io.BytesIO(PING), CONTENT_LENGTH=length)) == (400, -32600)

    def test_djangos_own_limit_where_it_is_lower(self, arriving: Any) -> None:
        with override_settings(DATA_UPLOAD_MAX_MEMORY_SIZE=10):
            response = arriving(io.BytesIO(PING), CONTENT_LENGTH=str(len(PING)))
        assert error_of(response) == (413, -32600)
        assert "the 10 bytes" in orjson.loads(response.content)["error"]["message"]


def reads_the_form(get_response: Any) -> Any:
    def middleware(request: HttpRequest) -> Any:
        _ = request.POST
        return get_response(request)

    return middleware


def reads_the_stream(get_response: Any) -> Any:
    def middleware(request: HttpRequest) -> Any:
        request.read(1)
        return get_response(request)

    return middleware


@override_settings(MCP_DJANGO=OPEN, MIDDLEWARE=[f"{__name__}.reads_the_form"])
@pytest.mark.parametrize("content_type", ["multipart/form-data", "multipart/mixed"])
def test_a_form_that_a_middleware_has_read_is_415(wire: Wire, content_type: str) -> None:
    part = b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n'
    response = wire.send(part, content_type=f"{content_type}; boundary=x")
    assert error_of(response) == (415, -32600)


@override_settings(MCP_DJANGO=OPEN, MIDDLEWARE=[f"{__name__}.reads_the_stream"])
def test_json_that_a_middleware_has_read_is_its_fault(
    wire: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    assert error_of(wire.send(PING)) == (500, -32603)
    assert "RawPostDataException" in caplog.text


@override_settings(MCP_DJANGO=OPEN)
def test_head_has_headers_alone() -> None:
    response = endpoint(server)(RequestFactory().head("/mcp"))
    assert (response.status_code, response.content) == (405, b"")
    assert int(response["Content-Length"]) > 0


class Gunicorn:
    """Sends bytes to a real server, and shows the status and the body of its answer."""

    def __init__(self, port: int) -> None:
        self.port = port

    def send(self, body: bytes, *headers: str, method: str = "POST") -> tuple[int, bytes]:
        named = ("Host: testserver", "Content-Type: application/json", *headers)
        head = "\r\n".join((f"{method} /mcp HTTP/1.1", "Connection: close", *named, "", ""))
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as connection:
            connection.sendall(head.encode() + body)
            connection.shutdown(socket.SHUT_WR)
            answer = b"".join(iter(lambda: connection.recv(65536), b""))
        first, _, sent = answer.partition(b"\r\n\r\n")
        return int(first.split()[1]), sent


@pytest.fixture(scope="module")
def gunicorn() -> Iterator[Gunicorn]:
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "gunicorn", "--bind", "127.0.0.1:0"),
            "django.core.wsgi:get_wsgi_application()",
        ],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        listening = (re.search(r"Listening at: http://[\d.]+:(\d+)", x) for x in process.stderr)
        yield Gunicorn(int(next(found for found in listening if found)[1]))
    finally:
        process.terminate()
        log = process.communicate()[1]
    assert "Traceback" not in log
    assert "WARNING" not in log


class TestUnderGunicorn:
    def test_whole_bodies(self, gunicorn: Gunicorn) -> None:
        result = b'{"jsonrpc":"2.0","id":1,"result":{}}'
        assert gunicorn.send(PING, f"Content-Length: {len(PING)}") == (200, result)
        chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(PING), PING)
        assert gunicorn.send(chunks, "Transfer-Encoding: chunked") == (200, result)

    @pytest.mark.parametrize(
        "chunks",
        [
            b"zz\r\n",
            b"-5\r\n" + PING,
            b"28\r\n" + PING + b"0\r\n\r\n",
            b"28\r\n" + PING,
            b"ff\r\n" + PING,
            b"",
        ],
    )
    def test_malformed_chunks(self, gunicorn: Gunicorn, chunks: bytes) -> None:
        status, body = gunicorn.send(chunks, "Transfer-Encoding: chunked")
        assert (status, orjson.loads(body)["error"]["code"]) == (400, -32600)

    def test_a_body_that_ends_early(self, gunicorn: Gunicorn) -> None:
        status, body = gunicorn.send(PING, "Content-Length: 4000")
        assert (status, orjson.loads(body)["error"]["code"]) == (400, -32600)

    def test_head(self, gunicorn: Gunicorn) -> None:
        assert gunicorn.send(b"", method="HEAD") == (405, b"")

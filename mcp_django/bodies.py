"""The body of a Django request, read within a limit."""

from __future__ import annotations

from typing import Any

from django.conf import settings as django_settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, RawPostDataException, UnreadablePostError

from mcp_django.conf import settings
from mcp_django.protocol.errors import MCPError, invalid_request
from mcp_django.protocol.headers import JSON


def read_body(request: HttpRequest) -> bytes:
    """All of it, or 413. 411 where the server can't tell where a chunked one ends."""
    limit = settings.MAX_BODY_BYTES
    length = _content_length(request.META.get("CONTENT_LENGTH"))
    if length > limit:
        raise _too_large(limit)
    try:
        body = request.body if length or not _is_chunked(request) else _chunked(request, limit)
    except RequestDataTooBig:  # Django's own limit, which is the lower one
        raise _too_large(django_settings.DATA_UPLOAD_MAX_MEMORY_SIZE) from None
    except UnreadablePostError as error:  # the client has left
        raise _cut_short() from error
    except RawPostDataException:
        if request.content_type == JSON:
            raise  # by a middleware, which no client can do anything about
        return b""  # read as a form on the way here: refused for its Content-Type
    if len(body) < length:  # it may well be whole JSON, of another meaning
        raise _cut_short()
    if len(body) > limit:
        raise _too_large(limit)
    return body


def _content_length(given: Any) -> int:
    try:
        length = int(given or 0)
    except ValueError:
        length = -1
    if length < 0:
        raise invalid_request("The Content-Length is not a number of bytes.")
    return length


def _is_chunked(request: HttpRequest) -> bool:
    # ASGI hands over the whole body whatever its framing; Django's WSGI request reads
    # nothing where there is no Content-Length.
    encoding: str = request.META.get("HTTP_TRANSFER_ENCODING", "")
    return "chunked" in encoding.lower() and "wsgi.input" in request.META


def _chunked(request: HttpRequest, limit: int) -> bytes:
    if not request.META.get("wsgi.input_terminated"):
        raise invalid_request("Send the body with a Content-Length.", 411)
    # Where Django keeps a body that it has read: whoever asks for request.body gets it.
    request._body = body = _read(request.META["wsgi.input"], limit + 1)
    return body


def _read(stream: Any, size: int) -> bytes:
    try:
        return bytes(stream.read(size))
    except Exception as error:  # each server has its own for bad chunks and cut connections
        raise invalid_request("The chunks of the body are malformed, or end early.") from error


def _cut_short() -> MCPError:
    return invalid_request("The body ended before its time.")


def _too_large(limit: int) -> MCPError:
    return invalid_request(f"The body has more than the {limit:,} bytes that are taken here.", 413)

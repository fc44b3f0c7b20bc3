"""HTTP requests and answers as bytes, without I/O. A connection carries one request and one answer, or
becomes a WebSocket.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import BinaryIO

import h11

from turnwright.host.admission import HttpRefusal

NOTHING = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
"""The Content-Security-Policy of answers that are not pages. It forbids browsers to run or load anything."""
_HEADERS_MAX = 100
_VERSIONS = (b" HTTP/1.1", b" HTTP/1.0")
_BLANKS = (b" ", b"\t")
_LINE_ENDS = frozenset(b"\r\n")
_HEAD_ROOM = 16
_REASON_CHARACTERS = 100


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request without its body.

    Attributes:
        path: the path with its query.
        headers: names in lower case. The values of a repeated name are joined by ", ".
        version: the version of HTTP, "1.0" or "1.1".
    """

    method: str
    path: str
    headers: Mapping[str, str]
    version: str = "1.1"


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """An answer.

    Attributes:
        headers: further headers. Content-Type, Content-Length, Connection and the security headers are always
            sent.
        policy, cache: the Content-Security-Policy and the Cache-Control.
        bodiless: whether only the length of the body is sent, as in an answer to HEAD.
        file: an open file that is sent instead of `body`, from its position to its end. The server closes it.
        file_bytes: the number of these bytes.
    """

    status: int
    body: bytes
    content_type: str = "text/plain; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    policy: str = NOTHING
    cache: str = "no-store"
    bodiless: bool = False
    file: BinaryIO | None = None
    file_bytes: int = 0


def text(status: int, line: str, **headers: str) -> HttpResponse:
    """Return an answer with one line of text. In the names of `headers`, _ stands for -."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return HttpResponse(status, line.encode() + b"\n", headers=named)


def refused(refusal: HttpRefusal) -> HttpResponse:
    """Return the answer to a refused request."""
    if refusal.retry_after_s is None:
        return text(refusal.status, refusal.text)
    return text(refusal.status, refusal.text, Retry_After=str(refusal.retry_after_s))


def parse(head: bytes) -> HttpRequest | HttpResponse:
    """Return the request in a head. If the head is wrong, return the answer to it.

    h11 parses the head. Before that, we refuse heads that h11 accepts but that a proxy might read
    differently. These are heads with folded lines, with line ends other than CR LF, or of other HTTP
    versions. Source: RFC 9112 §2.2, §3 and §5.

    Args:
        head: the request line and the headers, without the empty line.
    """
    line, *fields = head.split(b"\r\n")
    if not line.endswith(_VERSIONS) or _LINE_ENDS.intersection(line):
        return text(400, "this is not a request of HTTP/1.1")
    if len(fields) > _HEADERS_MAX:
        return text(431, f"the request has more than {_HEADERS_MAX} headers")
    if any(field.startswith(_BLANKS) or _LINE_ENDS.intersection(field) for field in fields):
        return text(400, "the request has a malformed header")
    reader = h11.Connection(h11.SERVER, max_incomplete_event_size=len(head) + _HEAD_ROOM)
    try:
        reader.receive_data(head + b"\r\n\r\n")
        request = reader.next_event()
    except h11.RemoteProtocolError as error:
        return text(400, f"this is not a request of HTTP/1.1: {_printable(error)}")
    assert isinstance(request, h11.Request), "the head was whole"
    headers: dict[str, str] = {}
    for name, value in request.headers:
        key, content = name.decode("ascii"), value.decode("latin-1")
        headers[key] = f"{headers[key]}, {content}" if key in headers else content
    method, path, version = request.method, request.target, request.http_version
    return HttpRequest(method.decode("ascii"), path.decode("latin-1"), headers, version.decode("ascii"))


def _printable(error: Exception) -> str:
    return "".join(letter for letter in str(error) if letter.isprintable())[:_REASON_CHARACTERS]


def wants_upgrade(request: HttpRequest) -> bool:
    """Return whether the request asks for a WebSocket.

    Any path is accepted, as on the official server.
    """
    return request.method == "GET" and "websocket" in _tokens(request.headers.get("upgrade", ""))


def upgrade_refusal(request: HttpRequest) -> HttpResponse | None:
    """Return the answer to a request for an upgrade that is not possible. Return None if the upgrade is
    possible.

    Source: RFC 6455 §4.2.1.
    """
    headers = request.headers
    if request.version != "1.1":
        return text(505, "a WebSocket begins with a request of HTTP/1.1")
    if "upgrade" not in _tokens(headers.get("connection", "")):
        return text(400, "the request's Connection header does not say Upgrade")
    if headers.get("sec-websocket-version") != "13":
        return text(426, "this server speaks version 13 of WebSocket", Sec_WebSocket_Version="13")
    try:
        key = base64.b64decode(headers.get("sec-websocket-key", ""), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    return None if len(key) == 16 else text(400, "Sec-WebSocket-Key is not 16 bytes in Base64")


def encode(response: HttpResponse) -> bytes:
    """Return the bytes of an answer, without those of its `file`. The answer announces that the connection
    closes.
    """
    size = len(response.body) + response.file_bytes
    extra = "".join(f"{name}: {value}\r\n" for name, value in response.headers.items())
    head = (
        f"HTTP/1.1 {response.status} {HTTPStatus(response.status).phrase}\r\n"
        f"Content-Type: {response.content_type}\r\nContent-Length: {size}\r\n"
        f"Connection: close\r\n{extra}"
        f"X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
        f"Content-Security-Policy: {response.policy}\r\nCache-Control: {response.cache}\r\n\r\n"
    )
    return head.encode("latin-1") + (b"" if response.bodiless else response.body)


def _tokens(value: str) -> list[str]:
    return [token.strip().lower() for token in value.split(",")]

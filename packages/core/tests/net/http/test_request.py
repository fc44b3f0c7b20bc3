from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.host.admission import HttpRefusal
from turnwright.net.http.request import (
    HttpRequest,
    HttpResponse,
    encode,
    parse,
    refused,
    text,
    upgrade_refusal,
    wants_upgrade,
)

UPGRADE = {
    "upgrade": "websocket",
    "connection": "Upgrade",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
}


HOST = b"\r\nHost: localhost"


def test_a_request_is_its_method_path_and_headers() -> None:
    request = parse(b"GET /a?b HTTP/1.1\r\nHost: x\r\nX-Many:  1 \r\nx-many:2")
    assert request == HttpRequest("GET", "/a?b", {"host": "x", "x-many": "1, 2"})


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"", 400),
        (b"GET /", 400),
        (b"GET  HTTP/1.1", 400),
        (b"GET / HTTP/2", 400),
        (b"GET / HTTP/1.1", 400),
        (b"GET / HTTP/0.9" + HOST, 400),
        (b"GET / HTTP/1.10" + HOST, 400),
        (b"GET /a b HTTP/1.1" + HOST, 400),
        (b"GET /\xff HTTP/1.1" + HOST, 400),
        (b"G\x00T / HTTP/1.1" + HOST, 400),
        (b"\r\nGET / HTTP/1.1" + HOST, 400),
        (b"GET / HTTP/1.1\nX: HTTP/1.1" + HOST, 400),
        (b"GET / HTTP/1.1" + HOST + b"\r\nno colon", 400),
        (b"GET / HTTP/1.1" + HOST + b"\r\n: empty", 400),
        (b"GET / HTTP/1.1" + HOST + b"\r\nbad name: x", 400),
        (b"GET / HTTP/1.1" + HOST + b"\r\nbad\xffname: x", 400),
        (b"GET / HTTP/1.1" + HOST + b"\r\nX : x", 400),
        (b"GET / HTTP/1.1" + HOST + b"\r\nA: b\r\n folded", 400),
        (b"GET / HTTP/1.1" + HOST + b"\r\nA: b\r\n\tfolded", 400),
        (b"GET / HTTP/1.1" + HOST + b"\r\nA: b\nHost: evil.example", 400),
        (b"GET / HTTP/1.1" + HOST + b"\r\nA: b\rHost: evil.example", 400),
        (b"GET / HTTP/1.1" + HOST + b"\r\nA: \x00", 400),
        (b"GET / HTTP/1.1" + HOST + HOST, 400),
        (b"GET / HTTP/1.1" + HOST + b"\r\nContent-Length: 1\r\nContent-Length: 2", 400),
        (b"GET / HTTP/1.1" + HOST + b"\r\nContent-Length: -1", 400),
        (b"GET / HTTP/1.1" + HOST + b"\r\nTransfer-Encoding: gzip, chunked", 400),
        (b"GET / HTTP/1.1" + b"\r\nA: b" * 101, 431),
    ],
)
def test_an_invalid_request_gets_a_fitting_status(head: bytes, status: int) -> None:
    answer = parse(head)
    assert isinstance(answer, HttpResponse)
    assert answer.status == status


@given(st.binary(max_size=300))
def test_any_bytes_are_answered(head: bytes) -> None:
    parse(head)
    parse(b"GET / HTTP/1.1\r\n" + head)


@pytest.mark.parametrize(
    ("method", "upgrade", "wants"),
    [
        ("GET", "websocket", True),
        ("GET", "h2c, WebSocket", True),
        ("GET", "", False),
        ("POST", "websocket", False),
    ],
)
def test_an_upgrade_is_asked_for_by_get_and_by_name(method: str, upgrade: str, wants: bool) -> None:
    assert wants_upgrade(HttpRequest(method, "/", {"upgrade": upgrade})) is wants


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({}, None),
        ({"connection": "keep-alive, upgrade"}, None),
        ({"connection": "keep-alive"}, 400),
        ({"sec-websocket-version": "8"}, 426),
        ({"sec-websocket-key": "short"}, 400),
        ({"sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==, dGhlIHNhbXBsZSBub25jZQ=="}, 400),
        ({"sec-websocket-key": "é"}, 400),
    ],
)
def test_an_upgrade_has_to_be_whole(change: dict[str, str], status: int | None) -> None:
    answer = upgrade_refusal(HttpRequest("GET", "/", UPGRADE | change))
    assert (answer.status if answer else None) == status
    if status == 426:
        assert answer is not None
        assert b"Sec-WebSocket-Version: 13\r\n" in encode(answer)


def test_an_upgrade_by_http_1_0_is_refused() -> None:
    request = parse(b"GET / HTTP/1.0\r\nHost: x\r\nUpgrade: websocket")
    assert isinstance(request, HttpRequest)
    answer = upgrade_refusal(replace(request, headers=UPGRADE))
    assert answer is not None
    assert answer.status == 505
    assert b"HTTP/1.1" in answer.body


def test_an_answer_is_closed_counted_and_guarded() -> None:
    head, _, body = encode(text(404, "nothing", Allow="GET")).partition(b"\r\n\r\n")
    assert body == b"nothing\n"
    lines = head.split(b"\r\n")
    assert lines[0] == b"HTTP/1.1 404 Not Found"
    for line in (
        b"Content-Length: 8",
        b"Connection: close",
        b"Allow: GET",
        b"X-Content-Type-Options: nosniff",
        b"Referrer-Policy: no-referrer",
    ):
        assert line in lines
    assert any(line.startswith(b"Content-Security-Policy: default-src 'none'") for line in lines)


def test_a_refusal_says_when_to_come_again() -> None:
    assert b"Retry-After: 10\r\n" in encode(refused(HttpRefusal(503, "full", 10)))
    assert b"Retry-After" not in encode(refused(HttpRefusal(403, "no")))


def test_an_answer_has_its_own_policy_and_may_be_kept() -> None:
    head = encode(HttpResponse(200, b"page", policy="script-src 'self'", cache="no-cache"))
    assert b"Content-Security-Policy: script-src 'self'\r\n" in head
    assert b"Cache-Control: no-cache\r\n" in head
    assert encode(HttpResponse(200, b"page")).count(b"no-store") == 1


def test_a_body_may_be_counted_only() -> None:
    sent = encode(HttpResponse(200, b"page", bodiless=True))
    assert b"Content-Length: 4\r\n" in sent
    assert sent.endswith(b"\r\n\r\n")


@pytest.mark.parametrize("count", [99, 100])
def test_a_request_up_to_the_maximum_of_headers_is_accepted(count: int) -> None:
    request = parse(b"GET / HTTP/1.1" + HOST + b"\r\nA: b" * (count - 1))
    assert isinstance(request, HttpRequest)


def test_a_mistake_in_a_request_is_reported_in_one_printable_line() -> None:
    answer = parse(b"GET / HTTP/1.1" + HOST + b"\r\nContent-Length: \x1b[31m\x07" + b"x" * 5_000)
    assert isinstance(answer, HttpResponse)
    assert answer.body.count(b"\n") == 1
    assert answer.body.decode().strip().isprintable()
    assert len(answer.body) < 200


def test_the_old_version_is_read_too() -> None:
    assert parse(b"GET / HTTP/1.0\r\nHost: x") == HttpRequest("GET", "/", {"host": "x"}, "1.0")

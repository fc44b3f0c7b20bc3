"""Bodies of requests: received whole or not at all, in files that are synced, and never for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from packages.core.tests.net.fixtures import Stack, listening, until
from packages.core.tests.net.raw_client import RawClient
from turnwright.net.http import bodies
from turnwright.net.http import listener as front
from turnwright.net.http.bodies import BodyPlan, length_of
from turnwright.net.http.request import HttpRequest, HttpResponse, text

pytestmark = pytest.mark.process
SIZE = 900_000


@dataclass
class Taker:
    """Receives bodies into files of a folder, and keeps them.

    Attributes:
        answer: makes the response to a body.
    """

    folder: Path
    got: list[bytes] = field(default_factory=list)
    begun: int = 0
    answer: Callable[[bytes], HttpResponse] = lambda body: text(201, f"{len(body)} bytes")

    def take(self, request: HttpRequest, address: str) -> BodyPlan | HttpResponse:
        self.begun += 1
        if request.path == "/no":
            return text(403, "not here")
        if request.path == "/file":
            path = self.folder / str(self.begun)
            return BodyPlan(SIZE, lambda _: self._keep(path.read_bytes()), path)
        return BodyPlan(1_000, self._keep)

    def _keep(self, body: bytes) -> HttpResponse:
        self.got.append(body)
        return self.answer(body)

    @property
    def files(self) -> list[str]:
        return [one.name for one in self.folder.iterdir()]


@pytest.fixture
def taker(tmp_path: Path) -> Taker:
    return Taker(tmp_path)


def head(path: str, size: int | str, extra: str = "") -> bytes:
    return f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {size}\r\n{extra}\r\n".encode()


async def ask(port: int, *pieces: bytes) -> bytes:
    """Send pieces one after the other, each by itself, and return the whole answer."""
    raw = await RawClient.open(port)
    for piece in pieces:
        raw.write(piece)
        await raw.writer.drain()
        await asyncio.sleep(0)
    answer = await raw.reader.read()
    raw.abort()
    return answer


def run(stack: Stack, taker: Taker, claims: Callable[[int], object]) -> None:
    async def main() -> None:
        async with listening() as (app, port):
            app.front.take_body = taker.take
            await claims(port)  # type: ignore[misc]
            assert app.front.bodies == 0

    stack.run(main())


def test_a_body_arrives_whole_in_memory_or_in_a_file(stack: Stack, taker: Taker) -> None:
    large = bytes(range(256)) * (SIZE // 256)

    async def claims(port: int) -> None:
        assert (await ask(port, head("/", 4) + b"body")).endswith(b"4 bytes\n")
        assert (await ask(port, head("/", 4), b"bo", b"dy")).endswith(b"4 bytes\n")
        assert (await ask(port, head("/", 0))).endswith(b"0 bytes\n")
        assert (await ask(port, head("/", 2) + b"body")).endswith(b"2 bytes\n")
        said = await ask(port, head("/file", len(large)), large[:7], large[7:500_000], large[500_000:])
        assert said.startswith(b"HTTP/1.1 201 ")
        assert taker.got == [b"body", b"body", b"", b"bo", large]

    run(stack, taker, claims)


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        pytest.param(head("/", 1_001), 413, id="too long"),
        pytest.param(head("/file", SIZE + 1), 413, id="too long a file"),
        pytest.param(head("/", "x"), 400, id="no number"),
        pytest.param(head("/", "9" * 30), 400, id="endless"),
        pytest.param(b"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n", 411, id="no length"),
        pytest.param(
            b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", 411, id="chunks"
        ),
        pytest.param(head("/no", 4), 403, id="not wanted"),
        pytest.param(head("/", 4, "Origin: http://evil.example\r\n"), 403, id="foreign page"),
    ],
)
def test_an_unwanted_body_is_refused_before_it_arrives(
    request_bytes: bytes, status: int, stack: Stack, taker: Taker
) -> None:
    async def claims(port: int) -> None:
        assert (await ask(port, request_bytes)).startswith(f"HTTP/1.1 {status} ".encode())
        assert (taker.got, taker.files) == ([], [])

    run(stack, taker, claims)


def test_a_sender_that_waits_for_our_word_gets_it(stack: Stack, taker: Taker) -> None:
    async def claims(port: int) -> None:
        raw = await RawClient.open(port)
        raw.write(head("/", 4, "Expect: 100-continue\r\n"))
        assert (await raw.reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 100 ")
        raw.write(b"body")
        assert (await raw.reader.read()).endswith(b"4 bytes\n")
        raw.abort()

    run(stack, taker, claims)


def test_a_body_that_breaks_off_leaves_nothing(stack: Stack, taker: Taker) -> None:
    async def main() -> None:
        async with listening() as (app, port):
            app.front.take_body = taker.take
            for _ in range(3):
                raw = await RawClient.open(port)
                raw.write(head("/file", SIZE) + b"x" * 600_000)
                await raw.writer.drain()
                await until(lambda: bool(taker.files))
                raw.abort()
                await until(lambda: app.front.bodies == 0 and not taker.files)
            assert taker.got == []

    stack.run(main())


def test_slow_senders_end_and_delay_no_other_client(
    stack: Stack, taker: Taker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "STALL_S", 0.3)

    async def claims(port: int) -> None:
        slow = [await RawClient.open(port) for _ in range(20)]
        for raw in slow:
            raw.write(head("/file", 100) + b"x")
        assert (await ask(port, head("/", 4) + b"body")).endswith(b"4 bytes\n")
        for raw in slow:
            assert (await raw.reader.read()).startswith(b"HTTP/1.1 408 ")
            raw.abort()
        await until(lambda: not taker.files)

    run(stack, taker, claims)


def test_a_whole_body_may_not_take_for_ever(
    stack: Stack, taker: Taker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "BODY_S_MAX", 0.3)

    async def claims(port: int) -> None:
        raw = await RawClient.open(port)
        raw.write(head("/", 900))
        answer = asyncio.create_task(raw.reader.read())
        while not answer.done():  # it never pauses
            raw.write(b"x")
            await asyncio.wait([answer], timeout=0.01)
        assert (await answer).startswith(b"HTTP/1.1 408 ")
        raw.abort()

    run(stack, taker, claims)


def test_more_simultaneous_bodies_than_the_bound_are_refused(
    stack: Stack, taker: Taker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front, "BODIES_MAX", 2)

    async def claims(port: int) -> None:
        waiting = [await RawClient.open(port) for _ in range(2)]
        for raw in waiting:
            raw.write(head("/", 4))
        await until(lambda: taker.begun == 2)
        assert (await ask(port, head("/", 4) + b"body")).startswith(b"HTTP/1.1 503 ")
        for raw in waiting:
            raw.write(b"body")
            assert (await raw.reader.read()).endswith(b"4 bytes\n")
            raw.abort()

    run(stack, taker, claims)


def test_a_full_disk_and_an_error_of_the_server_are_reported(stack: Stack, taker: Taker) -> None:
    def fail(body: bytes) -> HttpResponse:
        raise RuntimeError("a mistake")

    async def claims(port: int) -> None:
        taker.folder = taker.folder / "gone"
        assert (await ask(port, head("/file", 4) + b"body")).startswith(b"HTTP/1.1 507 ")
        taker.answer = fail
        assert (await ask(port, head("/", 4) + b"body")).startswith(b"HTTP/1.1 500 ")

    run(stack, taker, claims)


def test_an_answer_is_sent_from_a_file(stack: Stack, taker: Taker, tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(bytes(range(256)) * 8_000)

    def from_file(body: bytes) -> HttpResponse:
        return HttpResponse(200, b"", file=path.open("rb"), file_bytes=path.stat().st_size)

    async def claims(port: int) -> None:
        taker.answer = from_file
        answer = await ask(port, head("/", 4) + b"body")
        assert answer.partition(b"\r\n\r\n")[2] == path.read_bytes()
        assert f"Content-Length: {path.stat().st_size}".encode() in answer

    run(stack, taker, claims)


def test_the_bound_itself_is_taken() -> None:
    ask = partial(HttpRequest, "POST", "/")
    assert length_of(ask({"content-length": "10"}), 10) == 10
    assert isinstance(length_of(ask({"content-length": "11"}), 10), HttpResponse)

"""Duties of a WebSocket connection, on both event loops."""

from __future__ import annotations

import asyncio
import os
import socket

import pytest
import websockets.asyncio.client
import websockets.exceptions

from packages.core.tests.net.fixtures import Stack, client, listening, until
from packages.core.tests.net.raw_client import BINARY, CONT, PING, PONG, TEXT, closing, frame
from turnwright.net.websocket.connection import FRAGMENTS_MAX
from turnwright.net.websocket.interface import MESSAGE_BYTES_MAX, echoed_code, short_reason

pytestmark = pytest.mark.process


@pytest.mark.parametrize("size", [0, 1, 125, 126, 8_192, 8_193, 65_535, 65_536, MESSAGE_BYTES_MAX])
def test_a_message_of_any_size_up_to_the_limit_comes_back_unchanged(stack: Stack, size: int) -> None:
    async def main() -> None:
        async with listening() as (app, port), client(port) as raw:
            text = b"x" * size
            raw.say(text)
            assert await raw.hear() == text
            assert app.texts == [text]

    stack.run(main())


def test_a_message_over_the_limit_is_closed_with_1009_and_the_peer_can_read_that(stack: Stack) -> None:
    async def main() -> None:
        async with listening() as (app, port), client(port) as raw:
            raw.say(b"x" * (MESSAGE_BYTES_MAX + 1))
            assert (await raw.farewell())[0] == 1009
            assert await raw.ended()
            await until(lambda: len(app.closed) == 1)
            assert app.texts == []

    stack.run(main())


def test_fragments_are_put_together_and_a_ping_between_them_is_answered(stack: Stack) -> None:
    async def main() -> None:
        async with listening() as (_, port), client(port) as raw:
            raw.write(frame(b"one ", TEXT, fin=False) + frame(b"now?", PING))
            raw.write(frame(b"two ", CONT, fin=False) + frame(b"", CONT, fin=False) + frame(b"three", CONT))
            raw.say(b"next")
            assert await raw.read() == (PONG, b"now?")
            assert await raw.hear() == b"one two three"
            assert await raw.hear() == b"next"

    stack.run(main())


def test_a_message_that_comes_byte_by_byte_is_one_message(stack: Stack) -> None:
    async def main() -> None:
        async with listening() as (_, port), client(port) as raw:
            for byte in frame(b"slow and steady" * 10):
                raw.write(bytes([byte]))
                await asyncio.sleep(0)
            assert await raw.hear() == b"slow and steady" * 10

    stack.run(main())


@pytest.mark.parametrize(
    ("bytes_sent", "code"),
    [
        pytest.param(frame(b"x", masked=False), 1002, id="unmasked"),
        pytest.param(frame(b"x", rsv=4), 1002, id="reserved bit 1"),
        pytest.param(frame(b"x", rsv=1), 1002, id="reserved bit 3"),
        pytest.param(frame(b"x", 3), 1002, id="unknown opcode"),
        pytest.param(frame(b"x", CONT), 1002, id="continuation of nothing"),
        pytest.param(frame(b"x", TEXT, fin=False) + frame(b"y", TEXT), 1002, id="message inside a message"),
        pytest.param(frame(b"x" * 126, PING), 1002, id="long ping"),
        pytest.param(frame(b"x", PING, fin=False), 1002, id="ping in pieces"),
        pytest.param(
            frame(b"x", TEXT, fin=False) + frame(b"x", CONT, fin=False) * FRAGMENTS_MAX,
            1009,
            id="many pieces",
        ),
        pytest.param(
            frame(b"x" * 600_000, TEXT, fin=False) + frame(b"x" * 600_000, CONT), 1009, id="long in pieces"
        ),
    ],
)
def test_a_breach_of_the_protocol_ends_the_connection_with_its_code(
    stack: Stack, bytes_sent: bytes, code: int
) -> None:
    async def main() -> None:
        async with listening() as (app, port), client(port) as raw:
            raw.write(bytes_sent)
            assert (await raw.farewell())[0] == code
            assert await raw.ended()
            await until(lambda: len(app.closed) == 1)
            assert app.texts == []

    stack.run(main())


def test_binary_messages_are_handed_on_as_such_whole_or_in_pieces(stack: Stack) -> None:
    async def main() -> None:
        async with listening() as (app, port), client(port) as raw:
            raw.write(frame(b"\xff", BINARY) + frame(b"\xff", BINARY, fin=False) + frame(b"\xfe", CONT))
            raw.say(b"text")
            assert await raw.hear() == b"text"
            assert app.texts == [b"text"]
            assert app.binaries == [b"\xff", b"\xff\xfe"]

    stack.run(main())


def test_utf8_is_left_to_the_decoder(stack: Stack) -> None:
    async def main() -> None:
        async with listening() as (app, port), client(port) as raw:
            raw.say(b"\xff\xfe")
            await until(lambda: app.texts == [b"\xff\xfe"])

    stack.run(main())


@pytest.mark.parametrize("code", [1000, 1001, 1008, 1011, 3000, 4999])
def test_a_close_of_the_peer_is_answered_with_its_code(stack: Stack, code: int) -> None:
    async def main() -> None:
        async with listening() as (app, port), client(port) as raw:
            raw.write(frame(b"last words") + closing(code, "bye"))
            assert (await raw.farewell())[0] == code
            assert await raw.ended()
            assert app.texts == [b"last words"]
            assert len(app.closed) == 1

    stack.run(main())


@pytest.mark.parametrize("code", [1001, 4999])
def test_the_first_of_two_close_frames_in_one_segment_is_answered_with_its_code(
    stack: Stack, code: int
) -> None:
    """Source: RFC 6455 §5.5.1: what comes after a close frame is not processed."""

    async def main() -> None:
        async with listening() as (app, port), client(port) as raw:
            raw.write(frame(b"last words") + closing(code) + closing(1000))
            assert (await raw.farewell())[0] == code
            await raw.ended()
            await until(lambda: len(app.closed) == 1)

    stack.run(main())


@pytest.mark.parametrize("code", [1000, 1001, 1008, 1009, 1011, 1013])
def test_our_close_carries_code_and_reason_and_nothing_is_handed_on_after_it(stack: Stack, code: int) -> None:
    async def main() -> None:
        async with listening() as (app, port), client(port) as raw:
            app.on_message = lambda c, _: c.close(code, "that is why")
            raw.write(frame(b"first") + frame(b"second"))
            assert await raw.farewell() == (code, "that is why")
            raw.write(frame(b"third") + closing(code))
            assert await raw.ended()
            await until(lambda: len(app.closed) == 1)
            assert app.texts == [b"first"]

    stack.run(main())


def test_a_peer_that_does_not_answer_our_close_is_dropped(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwright.net.websocket.close_handshake.CLOSE_WAIT_S", 0.1)

    async def main() -> None:
        async with listening() as (app, port), client(port) as raw:
            await until(lambda: app.open)
            app.open[0].close(1001, "stopping")
            assert await raw.farewell() == (1001, "stopping")
            await raw.ended()
            await until(lambda: len(app.closed) == 1)

    stack.run(main())


def test_a_reset_and_a_silent_peer_are_reported_once(stack: Stack) -> None:
    async def main() -> None:
        async with listening() as (app, port):
            async with client(port) as raw:
                raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
            await until(lambda: len(app.closed) == 1)
            async with client(port) as raw:
                raw.writer.write_eof()
                await until(lambda: len(app.closed) == 2)
            async with client(port):
                app.open[0].abort()
                await until(lambda: len(app.closed) == 3)
            for connection in app.closed:
                connection.send(b"too late")
                connection.ping()
                connection.close(1000)
                connection.abort()
                assert connection.backlog == 0

    stack.run(main())


def test_a_ping_of_ours_is_answered_and_counts_as_a_sign_of_life(stack: Stack) -> None:
    async def main() -> None:
        async with listening() as (app, port), client(port) as raw:
            await until(lambda: app.open)
            connection = app.open[0]
            raw.write(frame(b"unasked", PONG))
            raw.say(b"x")
            assert await raw.hear() == b"x"
            assert connection.trip_ns is None
            connection.heard = False
            connection.ping()
            opcode, payload = await raw.read()
            assert opcode == PING
            raw.write(frame(payload, PONG))
            await until(lambda: connection.heard)
            assert connection.trip_ns is not None
            assert connection.trip_ns > 0

    stack.run(main())


def test_sent_messages_have_left_when_send_returns(stack: Stack) -> None:
    async def main() -> None:
        async with listening() as (app, port), client(port) as raw:
            await until(lambda: app.open)
            with socket.socket(fileno=os.dup(raw.socket.fileno())) as kernel:
                kernel.setblocking(False)
                for size in (10, 700, 20_000):
                    app.open[0].send(b"x" * size)
                    assert len(kernel.recv(1 << 20)) >= size

    stack.run(main())


def test_a_peer_that_does_not_read_shows_as_backlog_and_pressure(stack: Stack) -> None:
    async def main() -> None:
        async with listening() as (app, port), client(port) as raw:
            raw.writer.transport.pause_reading()
            await until(lambda: app.open)
            connection = app.open[0]
            while connection.backlog < 1 << 20:
                connection.send(b"x" * 100_000)
            assert app.pressure == [True]
            backlog = connection.backlog
            for _ in range(1_000):
                raw.write(frame(b"x" * 125, PING))
            await asyncio.sleep(0.05)
            assert connection.backlog == backlog, "pongs are not piled up"
            raw.writer.transport.resume_reading()
            opcode, payload = await raw.read()
            assert (opcode, len(payload)) == (TEXT, 100_000)
            sink = asyncio.ensure_future(raw.ended())
            await until(lambda: connection.backlog == 0)
            assert app.pressure == [True, False]
            sink.cancel()

    stack.run(main())


def test_any_path_will_do_and_bytes_right_behind_the_request_are_not_lost(stack: Stack) -> None:
    async def main() -> None:
        async with listening() as (app, port):
            many = frame(b"early") + frame(b"x" * 40_000)
            async with client(port, path="/any/where?x=1", tail=many) as raw:
                assert await raw.hear() == b"early"
                assert await raw.hear() == b"x" * 40_000
            async with client(port, connection="keep-alive, Upgrade") as raw:  # as Firefox says it
                raw.say(b"hello")
                assert await raw.hear() == b"hello"
            assert app.peers[0].host == "127.0.0.1"

    stack.run(main())


def test_messages_of_one_client_stay_in_order(stack: Stack) -> None:
    async def main() -> None:
        async with listening() as (app, port), client(port) as raw:
            sent = [b"%d" % n for n in range(2_000)]
            raw.write(b"".join(frame(text) for text in sent))
            assert [await raw.hear() for _ in sent] == sent
            assert app.texts == sent

    stack.run(main())


def test_the_extension_that_compresses_is_not_taken_up(stack: Stack) -> None:
    async def main() -> None:
        offer = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
        async with listening() as (_, port), client(port, extra=offer) as raw:
            raw.say(b"plain")
            assert await raw.hear() == b"plain"

    stack.run(main())


def test_the_client_library_that_most_python_bots_use_gets_on_with_it(stack: Stack) -> None:
    async def main() -> None:
        async with (
            listening() as (app, port),
            websockets.asyncio.client.connect(f"ws://localhost:{port}/", ping_interval=0.02) as socket_,
        ):
            for text in ("hello", "é" * 1_000, "x" * 100_000):
                await socket_.send(text)
                assert await socket_.recv() == text.encode().decode()
            await socket_.send(["in ", "pieces"])
            assert await socket_.recv() == "in pieces"
            await (await socket_.ping())
            await asyncio.sleep(0.1)
            app.open[0].close(1013, "too slow")
            with pytest.raises(websockets.exceptions.ConnectionClosedError) as caught:
                await socket_.recv()
            assert caught.value.rcvd is not None
            assert (caught.value.rcvd.code, caught.value.rcvd.reason) == (1013, "too slow")

    stack.run(main())


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        (b"", 1000),
        (b"\x03\xe8", 1000),
        (b"\x03\xe9bye", 1001),
        (b"\x03", 1002),
        (b"\x03\xed", 1002),
        (b"\x03\xee", 1002),
        (b"\x03\xf8", 1002),
        (b"\x0b\xb8", 3000),
        (b"\xff\xff", 1002),
    ],
)
def test_a_code_that_may_not_be_sent_is_answered_with_1002(payload: bytes, code: int) -> None:
    assert echoed_code(payload) == code


def test_a_reason_is_cut_between_characters() -> None:
    assert short_reason("ok") == "ok"
    cut = short_reason("é" * 100)
    assert cut == "é" * 61
    assert len(cut.encode()) == 122

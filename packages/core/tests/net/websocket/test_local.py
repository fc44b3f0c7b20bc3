from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from packages.core.tests.net.echo import Recorder
from turnwright.net.websocket.interface import PeerAddress
from turnwright.net.websocket.local import LocalConnection


def connected(
    on_message: Callable[[bytes], None], on_close: Callable[[int, str], None] | None = None
) -> tuple[Recorder, LocalConnection]:
    app = Recorder()
    link = LocalConnection(app, PeerAddress("local", 1), on_message, on_close)
    app.on_open(link.server_end, link.peer)
    return app, link


def run(main: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(main, 60))


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_messages_go_both_ways_in_order_and_never_inside_send() -> None:
    async def main() -> None:
        heard: list[bytes] = []
        app, link = connected(heard.append)
        for n in range(50):
            link.send(b"%d" % n)
        assert app.texts == []
        await settle()
        assert heard == app.texts == [b"%d" % n for n in range(50)]

    run(main())


def test_an_answer_from_inside_the_callback_goes_round_and_lets_others_run() -> None:
    async def main() -> None:
        rounds = 0

        def answer(data: bytes) -> None:
            nonlocal rounds
            rounds += 1
            if rounds < 100:
                link.send(data)

        _, link = connected(answer)
        link.send(b"ball")
        await asyncio.sleep(0)
        assert rounds < 5, "the loop has its turn between two hand-overs"
        for _ in range(400):
            await asyncio.sleep(0)
        assert rounds == 100

    run(main())


def test_messages_of_a_leaving_client_are_read_and_its_end_is_reported_once() -> None:
    async def main() -> None:
        ends: list[tuple[int, str]] = []
        app, link = connected(lambda _: None, lambda *end: ends.append(end))
        link.send(b"last words")
        link.close()
        link.close()
        link.send(b"too late")
        await settle()
        assert app.texts == [b"last words"]
        assert app.closed == [link.server_end]
        assert ends == [(1000, "")]
        assert link.closed

    run(main())


def test_a_close_of_the_server_delivers_sent_messages_and_stops_reading() -> None:
    async def main() -> None:
        heard: list[bytes] = []
        ends: list[tuple[int, str]] = []
        app, link = connected(heard.append, lambda *end: ends.append(end))

        def farewell(connection: Any, data: bytes) -> None:
            connection.send(b"why")
            connection.close(1008, "because")

        app.on_message = farewell
        link.send(b"one")
        link.send(b"two")
        await settle()
        assert app.texts == [b"one"]
        assert heard == [b"why"]
        assert ends == [(1008, "because")]
        assert len(app.closed) == 1

    run(main())


def test_a_client_whose_callback_raises_is_gone_and_the_log_says_why(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def main() -> None:
        ends: list[tuple[int, str]] = []

        def close(code: int, reason: str) -> None:
            ends.append((code, reason))
            raise ValueError("again")

        app, link = connected(lambda data: [][len(data)], close)
        link.send(b"x")
        link.send(b"y")
        await settle()
        assert ends == [(1011, "the client failed")]
        assert len(app.closed) == 1

    run(main())
    assert caplog.text.count("IndexError") == 1
    assert "again" in caplog.text


def test_the_servers_end_counts_unread_bytes_and_always_lives() -> None:
    async def main() -> None:
        _, link = connected(lambda _: None)
        end = link.server_end
        end.send(b"four")
        assert end.backlog == 4
        end.heard = False
        end.ping()
        assert end.heard
        assert end.fileno() == -1
        await settle()
        assert end.backlog == 0
        end.abort()
        await settle()
        assert link.closed

    run(main())

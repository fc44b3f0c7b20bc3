"""A spectator that reads nothing costs a bounded memory and no work, over real sockets."""

from __future__ import annotations

import asyncio
import socket

import pytest

from packages.core.tests.net.raw_client import RawClient
from packages.core.tests.net.small_server import OPERATOR_SECRET, small_server, until
from turnwright.games.snake.game import SnakeGame
from turnwright.host import effects as fx
from turnwright.host.generic_protocol import GenericProtocol
from turnwright.host.watching.history import READ_BYTES_MAX, BattlePieces, Excerpt
from turnwright.net.history_writer import GAP_S

pytestmark = pytest.mark.process

WINDOW = 256 << 10
PIECE = b"x" * 1_000
PIECES = 20_000
"""20 MB in two seconds, of which a socket's buffers hold a small part."""
HELLO = b'{"type":"hello","protocol":1,"name":"asleep","role":"spectator","secret":"%b"}'
HELLO %= OPERATOR_SECRET.encode()


def test_a_sleeping_spectator_costs_bounded_memory_and_no_work() -> None:
    sent: list[Excerpt] = []

    class CountedProtocol(GenericProtocol):
        def history(self, part: Excerpt) -> bytes:
            sent.append(part)
            return b"%d %d\n" % (part.first, part.after) + part.lines

    async def main() -> None:
        async with small_server(protocol=CountedProtocol(SnakeGame(), "test 1")) as server:
            sleeper = await RawClient.connect(server.port)
            sleeper.say(HELLO)
            sleeper.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            sleeper.writer.transport.pause_reading()  # type: ignore[attr-defined]
            (connection,) = server.loop.connections.values()
            under = connection.under.get_extra_info("socket")  # type: ignore[attr-defined]
            under.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
            history = BattlePieces(WINDOW)
            server.loop.execute([fx.ReadHistory((connection.key,), history)])
            backlogs = []
            asleep_at = 0
            for number in range(PIECES):
                history.add(PIECE, b"")
                server.loop.execute([fx.HistoryGrew()])
                if number % 200 == 0:
                    await asyncio.sleep(GAP_S)
                    backlogs.append(connection.backlog)
                    if connection not in server.loop.connections.pressed:
                        asleep_at = len(backlogs)
            assert asleep_at < len(backlogs) / 2, "it sleeps for most of the time"
            assert max(backlogs) <= 4 * READ_BYTES_MAX
            assert backlogs[asleep_at:] == [backlogs[-1]] * (len(backlogs) - asleep_at)
            before = len(sent)
            sleeper.writer.transport.resume_reading()  # type: ignore[attr-defined]
            await until(lambda: len(sent) > before)
            last = 0
            while last < PIECES:
                head = (await sleeper.read())[1].partition(b"\n")[0]
                if head[:1] == b"{":
                    continue
                first, after = map(int, head.split())
                assert first >= last
                last = after
            assert sent[before].first >= history.first, "it continues in what is kept"

    asyncio.run(main())

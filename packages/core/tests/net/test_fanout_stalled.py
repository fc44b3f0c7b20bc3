"""Spectators that do not read, over real sockets: they cost little and delay no other client."""

from __future__ import annotations

import pytest

from packages.core.tests.net.fake_host import FakeHost
from packages.core.tests.net.fixtures import Stack, client, until
from packages.core.tests.net.raw_client import RawClient
from packages.core.tests.net.serving import serving
from turnwright.host import effects as fx
from turnwright.host.spectators import BACKLOG_BYTES_MAX

pytestmark = pytest.mark.process

FRAME_BYTES = 16_000


class Stage:
    """Sends a frame to connections 1 and 2 for each message that it receives."""

    def __init__(self, host: FakeHost) -> None:
        self.host, self.number = host, 0
        host.on["receive"] = lambda *_: self.show()

    def show(self) -> None:
        self.number += 1
        data = (b"frame %d " % self.number).ljust(FRAME_BYTES)
        self.host.do(fx.Publish((1, 2), data, droppable=True))


async def number(raw: RawClient) -> int:
    return int((await raw.hear()).split()[1])


def test_a_stalled_spectator_loses_frames_and_then_gets_the_next_ones(stack: Stack) -> None:
    async def main() -> None:
        async with serving(stack) as (host, server), client(server.port) as slow:
            slow.writer.transport.pause_reading()
            await until(lambda: host.told("connect"))
            async with client(server.port) as other:
                stage = Stage(host)
                for turn in range(1, 1_501):
                    other.say(b"go")
                    assert await number(other) == turn
                stalled = server.loop.connections[1]
                assert 0 < stalled.backlog <= BACKLOG_BYTES_MAX
                slow.writer.transport.resume_reading()
                await until(lambda: stalled.backlog == 0)
                other.say(b"go")
                seen = [0]
                while seen[-1] < stage.number:
                    seen.append(await number(slow))
                assert seen == sorted(seen)
                assert len(seen) < stage.number, "some are lost"
                assert not host.told("disconnect")

    stack.run(main())

"""Spectators of our stream that do not read, over real sockets: they cost little and hold nobody up."""

from __future__ import annotations

import pytest

from tests.net.fake_host import FakeHost
from tests.net.fixtures import Stack, client, until
from tests.net.raw_client import RawClient
from tests.net.serving import serving
from turnwright.host import effects as fx

pytestmark = pytest.mark.process

FRAME_BYTES = 4_000
KEYFRAME_BYTES = 36_000
BACKLOG_MAX = 65_536 + KEYFRAME_BYTES + 1_024
"""A connection is full above 64 KiB; what was sent just before that may be a keyframe."""


class Stage:
    """Shows a frame to connections 1 and 2 each time anybody speaks."""

    def __init__(self, host: FakeHost) -> None:
        self.host, self.number = host, 0
        host.on["receive"] = lambda *_: self.show()

    def show(self) -> None:
        self.number += 1
        before = (1, self.number - 1) if self.number > 1 else None
        data = b"delta %d " % self.number
        self.host.do(fx.ShowFrame((1, 2), (1, self.number), before, data.ljust(FRAME_BYTES), self.keyframe))

    def keyframe(self) -> tuple[fx.Mark, bytes]:
        return (1, self.number), (b"key %d " % self.number).ljust(KEYFRAME_BYTES)


async def number(raw: RawClient) -> tuple[str, int]:
    kind, count, *_ = (await raw.hear()).split()
    return kind.decode(), int(count)


def test_one_that_stalls_loses_frames_and_then_holds_the_newest_one(stack: Stack) -> None:
    async def main() -> None:
        async with serving(stack) as (host, server), client(server.port) as slow:
            slow.writer.transport.pause_reading()
            await until(lambda: host.told("connect"))
            async with client(server.port) as other:
                stage = Stage(host)
                other.say(b"go")
                assert await number(other) == ("key", 1)
                for turn in range(2, 3_001):
                    other.say(b"go")
                    assert await number(other) == ("delta", turn)
                stalled = server.loop.connections[1]
                assert 0 < stalled.backlog <= BACKLOG_MAX
                slow.writer.transport.resume_reading()
                held, lost = 0, 0
                while held < stage.number:
                    kind, got = await number(slow)
                    assert (kind, got) == ("delta", held + 1) or kind == "key"
                    lost += kind == "key" and got > 1
                    held = got
                assert lost == 1
                other.say(b"go")
                assert await number(slow) == ("delta", 3_001)
                assert not host.told("disconnect")

    stack.run(main())

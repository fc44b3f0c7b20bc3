"""Listeners, clients and event loops for tests with real sockets."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
import uvloop

from packages.core.tests.net.echo import Recorder
from packages.core.tests.net.raw_client import RawClient
from tests.portable.left_out import IS_PORTABLE
from turnwright.host.admission import AdmissionConfig
from turnwright.net.http.listener import Listener
from turnwright.net.http.ports import bind
from turnwright.net.websocket.connection import PLAIN, SocketOptions, attach

LOOPS: dict[str, Callable[[], asyncio.AbstractEventLoop]] = {"asyncio": asyncio.new_event_loop}
if not IS_PORTABLE:
    LOOPS["uvloop"] = uvloop.new_event_loop
USUAL_LOOP = list(LOOPS)[-1]


PATIENCE_S = 120.0
"""A limit against a hang. No test here is about how long something takes."""
FOR_EVER_S = 1e6
WAKINGS_MAX = 40


def every(usual: str, names: Iterable[str]) -> list[Any]:
    """Return the parameters of a fixture. Only the usual one is for `make test`."""
    return [pytest.param(n, marks=() if n == usual else pytest.mark.matrix) for n in names]


@dataclass(frozen=True)
class Stack:
    """An event loop."""

    loop: str

    def run(self, main: Coroutine[Any, Any, Any]) -> Any:
        with asyncio.Runner(loop_factory=LOOPS[self.loop]) as runner:
            return runner.run(asyncio.wait_for(main, PATIENCE_S))


@pytest.fixture(params=every(USUAL_LOOP, LOOPS))
def stack(request: pytest.FixtureRequest) -> Stack:
    return Stack(request.param)


@pytest.fixture(params=every(USUAL_LOOP, LOOPS))
def loop_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@asynccontextmanager
async def listening(
    gate: AdmissionConfig | None = None, application: Any = None, options: SocketOptions = PLAIN
) -> AsyncIterator[tuple[Any, int]]:
    """Yield an application behind a listener that echoes and notes what it receives, and the port."""
    application = application or Recorder()
    sockets = bind("127.0.0.1", 0)
    port = sockets[0].getsockname()[1]
    take = partial(attach, application, options=options)
    front = Listener(application.on_http, take, gate or AdmissionConfig())
    application.front = front
    await front.open(sockets)
    try:
        yield application, port
    finally:
        front.close()
        for connection in list(application.open):
            connection.abort()
        await settle()


def wakings() -> int:
    """Return the number of times that this thread has gone to sleep so far, as the kernel counts it."""
    return resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw


async def settle(rounds: int = 5) -> None:
    for _ in range(rounds):
        await asyncio.sleep(0)


async def until(condition: Callable[[], object], seconds: float = PATIENCE_S / 2) -> None:
    """Wait until `condition` holds. Fail if it does not in time."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while not condition():
        assert loop.time() < end, "waited in vain"
        await asyncio.sleep(0.002)


@asynccontextmanager
async def client(port: int, **options: Any) -> AsyncIterator[RawClient]:
    """A client whose frames are written byte by byte as the test wants them."""
    raw = await RawClient.connect(port, **options)
    try:
        yield raw
    finally:
        raw.abort()

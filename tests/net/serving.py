"""A live server around a host that a test commands."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.net.conftest import Stack
from tests.net.fake_host import FakeHost
from turnwright.net.live import LiveServer


@asynccontextmanager
async def serving(stack: Stack, **options: Any) -> AsyncIterator[tuple[FakeHost, LiveServer]]:
    host = FakeHost()
    server = LiveServer(host, transport=stack.transport, **options)
    await server.start()
    try:
        yield host, server
    finally:
        await server.stop()

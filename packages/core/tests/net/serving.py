"""A live server around a host that a test commands."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from packages.core.tests.net.fake_host import FakeHost
from packages.core.tests.net.fixtures import Stack
from turnwright.net.server import LiveServer


@asynccontextmanager
async def serving(stack: Stack, **options: Any) -> AsyncIterator[tuple[FakeHost, LiveServer]]:
    host = FakeHost()
    server = LiveServer(host, **options)
    await server.start()
    try:
        yield host, server
    finally:
        await server.stop()

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from socket import socket

import pytest

from packages.core.tests.net.bot_directories import make_bot
from packages.core.tests.net.participants.early_output import EarlyOutput
from packages.core.tests.net.small_server import BOT_SECRET, SNAKES
from turnwright.net.participants.kept_bots import KeptBots
from turnwright.net.participants.seating import entrants_of

pytestmark = pytest.mark.process


async def listen(bound: socket, name: str) -> Callable[[], None]:
    return bound.close


def test_early_output_of_a_new_program_is_remembered(tmp_path: Path) -> None:
    code = "import time; print('julia: not found', flush=True); time.sleep(60)"
    (place,) = entrants_of([make_bot(tmp_path, "Early", {"Early.py": code})], SNAKES, sys.executable)

    async def whole() -> None:
        async with EarlyOutput() as processes:
            bot = await KeptBots(processes, listen, BOT_SECRET).take(place, "source", 5, ())
            assert bot.process.output.last_lines() == ["julia: not found"]

    asyncio.run(whole())

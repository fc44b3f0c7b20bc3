"""Processes that have printed before their start is reported, as on a busy machine."""

from __future__ import annotations

import asyncio
from typing import Any

from turnwright.net.processes.bot_process import BotProcess, BotProcesses
from turnwright.net.processes.output import STDOUT


class EarlyOutput(BotProcesses):
    """Starts processes, and returns each when it has printed something."""

    async def start(self, *args: Any, **named: Any) -> BotProcess:
        process = await super().start(*args, **named)
        while not process.output.text(STDOUT):
            await asyncio.sleep(0.01)
        return process

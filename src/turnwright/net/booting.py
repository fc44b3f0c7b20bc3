"""Bots that an operator has started from the viewer: at most so many, from the list only, none left behind.

They end when a battle begins without them, and when the server stops.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from turnwright.errors import SetupError, TurnwrightError
from turnwright.kernel.game import SeatInfo
from turnwright.net.bootable import Start, find, listing, starts_of
from turnwright.net.process import LEAVE_S, BotProcess, BotProcesses, stop_all
from turnwright.wire.royale.codec import encode
from turnwright.wire.royale.faults import Fault, FaultCode, error_reply

__all__ = ["BOOTED_MAX", "Answer", "Booter", "no_booter"]

BOOTED_MAX = 100
"""Processes that run at the same time."""
_SEED_BITS = 48
_LAST_LINES = 5

Answer = Callable[[bytes], None]
"""Sends a message to the operator who asked, if it is still there."""

_log = logging.getLogger("turnwright")


class Booter:
    """Starts bots for one server.

    roots: directories that hold bot directories. secret: what bots have to show, or None. python: the
    interpreter for Python bots.
    """

    def __init__(
        self, roots: Sequence[str | os.PathLike[str]], secret: str | None, python: str | None = None
    ) -> None:
        self._roots = tuple(roots)
        self._secret = secret
        self._python = python
        self._server_url = ""
        self._processes = BotProcesses()
        self._running: dict[BotProcess, Start] = {}
        self._teams = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._one_at_a_time = asyncio.Lock()

    def open(self, server_url: str) -> None:
        """Tell it where the server listens; before that nothing can be started."""
        self._server_url = server_url

    @property
    def running(self) -> list[str]:
        """The names of the bots that run, in order of their start."""
        return [start.name for start in self._running.values()]

    def show(self, answer: Answer) -> None:
        """Answer with what can be started."""
        self._aside(self._show(answer))

    def boot(self, ids: Sequence[str], answer: Answer) -> None:
        """Start bots, all or none; `answer` is told when that cannot be, or when one ends by itself."""
        self._aside(self._boot(ids, answer))

    def battle_began(self, seats: Sequence[SeatInfo]) -> None:
        """End the bots whose names are not among those that play."""
        playing = {(seat.name, seat.version) for seat in seats}
        idle = [one for one, start in self._running.items() if (start.name, start.version) not in playing]
        for process in idle:
            del self._running[process]
        if idle:
            self._aside(stop_all(idle))

    async def stop(self) -> None:
        """End all bots. Harmless when called again."""
        self._running.clear()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._processes.stop(leave_s=LEAVE_S)

    def _aside(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("starting bots failed", exc_info=task.exception())

    async def _show(self, answer: Answer) -> None:
        answer(encode(listing(await asyncio.to_thread(find, self._roots))))

    async def _boot(self, ids: Sequence[str], answer: Answer) -> None:
        async with self._one_at_a_time:
            try:
                starts = await asyncio.to_thread(self._starts, ids)
                free = BOOTED_MAX - len(self._running)
                if len(starts) > free:
                    asked = f"{len(starts)} bots are asked for"
                    raise SetupError(f"{asked}, there is room for {free} more: start fewer")
                await self._start_all(starts, answer)
            except TurnwrightError as error:
                _tell(answer, str(error))

    def _starts(self, ids: Sequence[str]) -> list[Start]:
        """Return the processes for these ids. Raises: SetupError when one of them cannot be."""
        found = find(self._roots)
        starts: list[Start] = []
        for wanted in ids:
            if wanted not in found:
                raise SetupError(f"there is no bot {wanted[:80]!r} to start: choose from a new list")
            self._teams += 1
            starts += starts_of(
                found[wanted],
                server_url=self._server_url,
                secret=self._secret,
                seed=secrets.randbits(_SEED_BITS),
                team_id=self._teams,
                python=self._python,
            )
        return starts

    async def _start_all(self, starts: Sequence[Start], answer: Answer) -> None:
        """Start all. Raises: ParticipantStartError when one cannot be started; then none of them runs."""
        started: dict[BotProcess, Start] = {}
        try:
            for one in starts:
                process = await self._processes.start(one.name, one.argv, one.directory, one.environ)
                started[process] = one
        except TurnwrightError:
            await stop_all(list(started))
            raise
        self._running |= started
        for process, start in started.items():
            _log.info("started %s %s for an operator", start.name, start.version)
            self._aside(self._watch(process, answer))

    async def _watch(self, process: BotProcess, answer: Answer) -> None:
        """Say it when a bot ends that nobody stopped."""
        await process.exited.wait()
        if self._running.pop(process, None) is None:
            return
        await process.settle()
        words = "; ".join(process.stderr_tail()[-_LAST_LINES:])
        said = f"{process.name} ended ({process.exit_text()}){': ' if words else ''}{words}"
        _log.warning("%s", said)
        _tell(answer, said)


def no_booter(answer: Answer) -> None:
    """Answer for a server that starts no bots."""
    _tell(answer, "this server starts no bots: start them yourself with SERVER_URL in their environment")


def _tell(answer: Answer, text: str) -> None:
    answer(encode(error_reply(Fault(FaultCode.BAD_SETUP, text, refers_to="BootBots"))))

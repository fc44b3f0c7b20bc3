"""A thread with an event loop and a server that plays one battle after the other."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any
from weakref import finalize

from turnwright.app.live.kept_server import KeptServer, OpenAddress
from turnwright.net import loop as loops
from turnwright.net.participants.seating import Entrant
from turnwright_learn.envs.plan import EnvPlan

_JOIN_S = 15.0
"""The most seconds to wait until all programs have ended. They get a few seconds to end by themselves."""
Job = Callable[[KeptServer], Awaitable[None]]
"""Plays a battle, and never raises an exception."""


class BattleThread:
    """The thread of one environment. The first battle starts it, and so does the first one after `close`.

    Programs are served even if the learner's own thread pauses for minutes or has an event loop.

    Args:
        new_server: makes the server. It is called on the thread.
    """

    def __init__(self, new_server: Callable[[], KeptServer]) -> None:
        self._new_server = new_server
        self._thread: threading.Thread | None = None
        self._pid = 0

    @property
    def is_alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread is not None and self._thread.is_alive()

    def play(self, job: Job) -> None:
        """Play a battle as soon as the earlier ones are over.

        The call does not wait for the battle. If the thread is not started yet, the call starts it and waits
        until the server is made.

        Raises:
            Exception: the server cannot be made.
        """
        if self._thread is None or self._pid != os.getpid():  # a copy of a process has no such thread
            self._start()
        self.call(self._jobs.put_nowait, job)

    def call(self, function: Callable[..., object], *arguments: Any) -> None:
        """Call a function on the thread.

        `call` itself returns immediately. Nothing happens if the thread has ended.
        """
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(function, *arguments)

    def start(self, function: Callable[..., Awaitable[None]], *arguments: Any) -> None:
        """Start an asynchronous function on the thread. `start` itself returns immediately."""
        self.call(lambda: self._tasks.add(asyncio.ensure_future(function(*arguments))))

    def close(self) -> None:
        """End the running battle, the programs, the server and the thread. Wait for their end, at most 15 s.

        A second call has no effect.
        """
        thread, self._thread = self._thread, None
        if thread is None or self._pid != os.getpid():
            return
        self.call(self._main.cancel)
        if thread is not threading.current_thread():  # else it is garbage that this thread has found
            thread.join(_JOIN_S)

    def _start(self) -> None:
        self._pid = os.getpid()
        ready, failed = threading.Event(), list[Exception]()
        self._thread = threading.Thread(
            target=_run, args=(self._serve, ready, failed), name="turnwright-battles", daemon=True
        )
        self._thread.start()
        ready.wait()
        if failed:
            self._thread = None
            raise failed[0]

    async def _serve(self, ready: threading.Event) -> None:
        """Play battles until the task is cancelled."""
        self._loop, main = asyncio.get_running_loop(), asyncio.current_task()
        assert main is not None
        self._main = main
        self._jobs: asyncio.Queue[Job] = asyncio.Queue()
        self._tasks: set[asyncio.Future[None]] = set()
        server, playing = self._new_server(), None
        ready.set()
        try:
            while True:
                job = await self._jobs.get()
                playing = asyncio.ensure_future(job(server))
                await asyncio.wait([playing])
                self._tasks.clear()
        finally:
            if playing is not None:
                playing.cancel()
                await asyncio.wait([playing])
            await server.stop_here()


def thread_of(plan: EnvPlan, owner: object) -> BattleThread | None:
    """Return a thread for the battles of an environment. The first battle starts it.

    Return None if no program plays in the battles.

    Args:
        owner: the environment. The thread ends with it.
    """
    if not plan.has_programs:
        return None
    serving = plan.serving
    is_open = any(isinstance(one, Entrant) and one.connects is not None for one in plan.takers)
    address = OpenAddress(serving.host, serving.port, serving.secret) if is_open else None
    sandbox, python = serving.sandbox_level, serving.python
    thread = BattleThread(partial(KeptServer, None, address, pauses_gc=False, sandbox=sandbox, python=python))
    finalize(owner, thread.close)
    return thread


def _run(serve: Callable[[threading.Event], Any], ready: threading.Event, failed: list[Exception]) -> None:
    """Run the server's event loop in this thread.

    Args:
        failed: gets an exception that is raised before the thread is ready.
    """
    try:
        with suppress(asyncio.CancelledError), loops.runner() as runner:
            runner.run(serve(ready))
    except Exception as error:
        if ready.is_set():
            raise
        failed.append(error)
    finally:
        ready.set()

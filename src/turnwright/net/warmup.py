"""Have the rules, and the writer of observations, compiled before anybody waits for a turn.

A command that plays one battle loads them first (`warm_up`). Where somebody waits to see something, play
begins at once: where nothing is cached yet, another process compiles into the cache, battles begin
interpreted, which comes out the same to the bit, and the compiled rules are taken over between two battles,
or between two rounds of one that is watched (`Warmth`).
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from typing import Literal

from turnwright.errors import SetupError
from turnwright.games.tank import compiled
from turnwright.games.tank.game import TankGame
from turnwright.options import OnRulesError
from turnwright.wire.royale import fast_ticks

__all__ = ["Speed", "Warmth", "new_game", "warm_up"]

Speed = Literal["auto", "compiled", "interpreted"]
"""auto: compiled where Numba is installed."""

_COMPILE = (
    "from turnwright.games.tank import compiled; compiled.load();"
    "from turnwright.wire.royale import fast_ticks; fast_ticks.load()"
)
_NICENESS = 19


def new_game(tolerant: bool) -> TankGame:
    """Return the rules of the tank; tolerant: a stage that fails is skipped for that turn."""
    return TankGame(on_error="continue" if tolerant else "raise")


def warm_up(on_rules_error: OnRulesError, tell: Callable[[str], None]) -> None:
    """Load the compiled rules, if battles will use them; `tell` is told what takes long, and how long."""
    if new_game(on_rules_error == "continue").speed == "numba":
        compiled.load(tell)
        fast_ticks.load(tell)


class Warmth:
    """How fast the rules of the next battle run, or of the next round.

    speed: what was asked for. between_rounds: a battle that runs goes over to the compiled rules, too.
    Raises: SetupError when the speed cannot be had.
    """

    def __init__(
        self,
        speed: Speed,
        on_rules_error: OnRulesError,
        tell: Callable[[str], None],
        *,
        between_rounds: bool = False,
    ) -> None:
        if speed == "compiled" and not compiled.available():
            raise SetupError("speed is compiled, but Numba is not installed: install turnwright[fast]")
        self._wanted = speed != "interpreted" and on_rules_error == "void" and compiled.available()
        self._tell = tell
        self._between_rounds = between_rounds
        self._in_cache = False
        """It was compiled aside, and is not loaded yet."""
        self._runs_aside = False
        self._compiling: asyncio.Task[None] | None = None

    def new_game(self, tolerant: bool) -> TankGame:
        """Return the rules for a battle that begins now; it never waits for a compiler."""
        ready = self._wanted and compiled.is_loaded()
        return TankGame(
            "numba" if ready and not tolerant else "python",
            on_error="continue" if tolerant else "raise",
            faster=self.take_over if self._wanted and self._between_rounds else None,
        )

    def load_cached(self) -> bool:
        """Load what the cache holds; return whether something is left to compile."""
        if not self._wanted:
            return False
        if compiled.is_cached():
            compiled.load(self._tell)
        if fast_ticks.is_cached():
            fast_ticks.load(self._tell)
        return not (compiled.is_loaded() and fast_ticks.is_loaded())

    def is_preparing(self) -> bool:
        """Return whether compiled rules are made, or made and not taken over yet."""
        return self._runs_aside or self._in_cache

    def begin_aside(self) -> None:
        """Begin to compile in another process, if that is of use; `end_aside` ends it."""
        if self._wanted and self._compiling is None and not (compiled.is_loaded() and fast_ticks.is_loaded()):
            self._compiling = asyncio.create_task(self.compile_aside())

    async def end_aside(self) -> None:
        """End the other process; what it has finished is kept."""
        if self._compiling is not None:
            self._compiling.cancel()
            await asyncio.gather(self._compiling, return_exceptions=True)

    async def compile_aside(self) -> None:
        """Let another process compile into the cache. If it cannot, play goes on as it is."""
        started = time.monotonic()
        self._tell(
            "the battle begins with interpreted rules; they are being compiled aside, once for this version"
            if self._between_rounds
            else "compiling the rules aside (once for this version); until then they are interpreted"
        )
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            _COMPILE,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        _yield_to_battles(process.pid)
        self._runs_aside = True
        try:
            code = await process.wait()
        finally:
            self._runs_aside = False
            if process.returncode is None:
                process.kill()
                await process.wait()
        took_s = time.monotonic() - started
        self._in_cache = code == 0
        if self._in_cache:
            follows = "round" if self._between_rounds else "battle"
            self._tell(f"compiled in {took_s:.1f} s; the next {follows} runs compiled")
        else:
            self._tell(f"compiling failed (exit code {code}); the rules stay interpreted")

    def take_over(self) -> bool:
        """Load what was compiled aside, if it was; return whether the rules can run compiled.

        To be called while nobody waits for a turn, because it takes a moment.
        """
        if self._in_cache and not (compiled.is_loaded() and fast_ticks.is_loaded()):
            self.load_cached()
        self._in_cache = False
        return compiled.is_loaded()


def _yield_to_battles(pid: int) -> None:
    try:
        os.setpriority(os.PRIO_PROCESS, pid, _NICENESS)
    except (AttributeError, OSError):
        return

"""Compiles the rules and the writer of observations before the first turn.

A command that plays one battle loads them first (`warm_up`). A battle that is watched begins at once: if the
cache is empty, another process compiles into it, battles begin with interpreted rules, whose outcome is the
same to the bit, and the compiled rules take over between two battles or two rounds (`RulesSpeed`). Where many
battles are played, their starter lets another process compile (`to_compile`), and none of them waits.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable

from turnwright.errors import SetupError
from turnwright.games.tank.app.options import OnRulesError
from turnwright.games.tank.backends import Speed
from turnwright.games.tank.backends import compile as compiled
from turnwright.games.tank.game import TankGame
from turnwright.games.tank.wire.royale_fast import ticks

__all__ = ["COMPILE", "GOES_ON_S", "RulesSpeed", "new_game", "to_compile", "warm_up"]


GOES_ON_S = 120
"""The time for which `COMPILE` may go on when its starter has ended."""
COMPILE = (
    f"from turnwright.net.processes.parent_watch import end_with_stdin; end_with_stdin({GOES_ON_S});"
    "from turnwright.games.tank.backends import compile; compile.load();"
    "from turnwright.games.tank.wire.royale_fast import ticks; ticks.load()"
)
"""The program that another process runs to compile into the cache; it ends when its stdin does."""
_NICENESS = 19


def new_game(tolerant: bool) -> TankGame:
    """Return the rules of the tank.

    tolerant: a stage that fails is skipped for that turn.
    """
    return TankGame(on_error="continue" if tolerant else "raise")


def warm_up(on_rules_error: OnRulesError, tell: Callable[[str], None]) -> None:
    """Load the compiled rules, if battles will use them.

    `tell` gets a line about what takes long.
    """
    if new_game(on_rules_error == "continue").speed == "numba":
        compiled.load(tell)
        ticks.load(tell)


def to_compile() -> int:
    """Return about how many seconds `COMPILE` takes; 0 where it has nothing to do."""
    if not compiled.available() or compiled.cache_directory() is None:
        return 0
    about_s = 0
    for program in (compiled.RULES, ticks.PROGRAM):
        about_s += 0 if compiled.is_cached(program) else program.about_s
    return about_s


class RulesSpeed:
    """The speed of the rules of the next battle or round.

    speed: the requested one. between_rounds: a running battle changes to compiled rules, too.
    compiles: it may compile; False: somebody else does.
    Raises: SetupError when the speed is not available.
    """

    def __init__(
        self,
        speed: Speed,
        on_rules_error: OnRulesError,
        tell: Callable[[str], None],
        *,
        between_rounds: bool = False,
        compiles: bool = True,
    ) -> None:
        if speed == "compiled" and not compiled.available():
            raise SetupError("speed is compiled, but Numba is not installed: install turnwright[fast]")
        self._wanted = speed != "interpreted" and on_rules_error == "void" and compiled.available()
        self._tell = tell
        self._between_rounds = between_rounds
        self._compiles = compiles
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
        for program in (compiled, ticks):
            if not program.is_loaded() and program.is_cached():
                program.load(self._tell)
        return not (compiled.is_loaded() and ticks.is_loaded())

    def is_preparing(self) -> bool:
        """Return whether compiled rules are made, or made and not taken over yet."""
        return self._runs_aside or self._in_cache

    def begin_aside(self) -> None:
        """Begin to compile in another process, if that is of use; `end_aside` ends it."""
        wanted = self._wanted and self._compiles and self._compiling is None
        if wanted and not (compiled.is_loaded() and ticks.is_loaded()):
            self._compiling = asyncio.create_task(self.compile_aside())

    async def end_aside(self) -> None:
        """End the other process; finished results are kept."""
        if self._compiling is not None:
            self._compiling.cancel()
            await asyncio.gather(self._compiling, return_exceptions=True)

    async def compile_aside(self) -> None:
        """Let another process compile into the cache. If it cannot, play goes on as it is."""
        started = time.monotonic()
        self._tell(
            "the battle begins with interpreted rules while they are compiled in the"
            " background, once for this version"
            if self._between_rounds
            else "compiling the rules in the background (once for this version); until then"
            " they are interpreted"
        )
        process = subprocess.Popen(
            [sys.executable, "-c", COMPILE],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        _yield_to_battles(process.pid)
        self._runs_aside = True
        try:
            code = await asyncio.to_thread(process.wait)
        finally:
            self._runs_aside = False
            if process.poll() is None:
                process.kill()
                process.wait()
            assert process.stdin is not None
            process.stdin.close()
        took_s = time.monotonic() - started
        self._in_cache = code == 0
        if self._in_cache:
            follows = "round" if self._between_rounds else "battle"
            self._tell(f"compiled in {took_s:.1f} s; the next {follows} runs compiled")
        else:
            self._tell(f"compiling failed (exit code {code}); the rules stay interpreted")

    def take_over(self) -> bool:
        """Load what the other process compiled, if any.

        Return whether the rules can run compiled.

        Call it between battles: it takes a moment.
        """
        if self._in_cache and not (compiled.is_loaded() and ticks.is_loaded()):
            self.load_cached()
        self._in_cache = False
        return compiled.is_loaded()


def _yield_to_battles(pid: int) -> None:
    try:
        os.setpriority(os.PRIO_PROCESS, pid, _NICENESS)
    except (AttributeError, OSError):
        return

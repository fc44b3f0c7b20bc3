"""Compiles the rules aside while battles are played with interpreted ones.

    no cache yet  ──▶ RulesCompiler ──▶ a process that compiles into the cache
    battles       ──▶ workers, which load what the cache has and never compile (`app.battle.run`)

The cache is written when all is compiled, so a compiler that is killed leaves nothing. It may therefore
outlive a run that is over sooner, for a bounded time; else short runs would never get compiled rules.
Both speeds give the same results to the bit: see docs/explanation/determinism.md.
"""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache

from turnwright.app.game_parts import parts_of
from turnwright.app.prepared_battle import Compilation
from turnwright.net.portability import lower_priority
from turnwright.net.processes.parent_watch import GO_ON

__all__ = ["RulesCompiler", "compile_for_process"]

_NICENESS = 10


class RulesCompiler:
    """A process that compiles, if there is anything to compile.

    compilation: its program, or None. tell: told, in a line, what goes on. When its context is left it goes
    on alone for a bounded time, at low priority; it ends at `end`, when its context is left by an error, and
    when this process is killed.
    """

    def __init__(self, compilation: Compilation | None, tell: Callable[[str], None]) -> None:
        self._compilation, self._tell = compilation, tell
        self._process: subprocess.Popen[bytes] | None = None
        self._began = 0.0

    def __enter__(self) -> RulesCompiler:
        if self._compilation is not None:
            self._begin(self._compilation)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        compilation, process = self._compilation, self._process
        if kind is not None or compilation is None or not compilation.goes_on_s:
            self.end()
        elif process is not None and self.is_running():
            self._process = None
            assert process.stdin is not None
            with suppress(OSError):
                process.stdin.write(GO_ON)
            _close(process)
            threading.Thread(target=process.wait, name="turnwright-compiler", daemon=True).start()
            self._tell(
                "the rules are compiled in the background, for at most"
                f" {compilation.goes_on_s} s more: the next run may be faster"
            )

    def end(self) -> None:
        """End it, and what it has done is lost; a second call does nothing."""
        process = self._process
        if process is not None and self.is_running():
            self._process = None
            process.kill()
            process.wait()
            _close(process)
            self._tell("the end came before the rules were compiled; the next run compiles them")

    def _begin(self, compilation: Compilation) -> None:
        try:
            self._process = subprocess.Popen(
                compilation.argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            self._tell(
                f"the rules cannot be compiled ({error.strerror}); they are interpreted: slower, same results"
            )
            return
        lower_priority(self._process.pid, _NICENESS)
        self._began = time.monotonic()
        self._tell(
            f"compiling the rules, once for this version of turnwright: about {compilation.about_s} s; until"
            " then battles are played with interpreted rules: slower, same results"
        )

    @property
    def seconds(self) -> float | None:
        """The time since it began, seconds; None where nothing is compiled."""
        return time.monotonic() - self._began if self.is_running() else None

    def is_running(self) -> bool:
        """Return whether it compiles. Its end is told once."""
        process = self._process
        if process is None:
            return False
        code = process.poll()
        if code is None:
            return True
        self._process = None
        _close(process)
        took_s = time.monotonic() - self._began
        if code == 0:
            self._tell(f"compiled in {took_s:.1f} s: battles are faster from now on")
        else:
            self._tell(
                f"compiling failed (exit code {code}); the rules stay interpreted: slower, same results"
            )
        return False


def _close(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    with suppress(OSError):
        process.stdin.close()


_starting = threading.Lock()


def compile_for_process(game: str) -> None:
    """Compile the rules of a game aside, for all processes of this machine.

    It is begun once for this process, by whichever thread is first, and ends with it. Later calls see whether
    it has ended. Nobody is told.
    """
    with _starting:
        _compiler_of(game).is_running()


@cache
def _compiler_of(game: str) -> RulesCompiler:
    return RulesCompiler(parts_of(game).compilation({}), _tell_nobody).__enter__()


def _tell_nobody(_line: str) -> None:
    """Tell nobody."""

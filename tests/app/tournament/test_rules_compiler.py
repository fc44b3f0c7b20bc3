from __future__ import annotations

import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from tests.messages import missing
from tests.net.processes.alive import is_alive
from turnwright.app.prepared_battle import Compilation
from turnwright.app.tournament.rules_compiler import RulesCompiler, compile_for_process

pytestmark = pytest.mark.process


def compiler(program: str, told: list[str]) -> RulesCompiler:
    return RulesCompiler(Compilation((sys.executable, "-c", program), 20, 60), told.append)


def program(begun: Path, done: Path) -> str:
    """A program that says that it has begun, and waits until it may be done."""
    return f"""
import os, pathlib, time
from turnwright.net.processes.parent_watch import end_with_stdin
end_with_stdin(60)
pathlib.Path({str(begun)!r}).write_text(str(os.getpid()) + ".")
while not pathlib.Path({str(done)!r}).exists():
    time.sleep(0.01)
pathlib.Path({str(done)!r}).write_text("finished")
"""


def until(done: Callable[[], bool]) -> None:
    limit = time.monotonic() + 60
    while not done():
        assert time.monotonic() < limit
        time.sleep(0.01)


def test_it_tells_at_once_what_goes_on_and_once_that_it_is_done(tmp_path: Path) -> None:
    told: list[str] = []
    with compiler(program(tmp_path / "begun", tmp_path / "done"), told) as one:
        assert len(told) == 1
        assert not missing(told[0], "compiling", "once", "20 s", "interpreted", "same results")
        assert one.is_running()
        assert one.seconds is not None
        (tmp_path / "done").touch()
        until(lambda: not one.is_running())
        assert not one.is_running()
        assert one.seconds is None
    assert len(told) == 2
    assert not missing(told[1], "compiled in")


def test_it_tells_that_it_failed() -> None:
    told: list[str] = []
    with compiler("raise SystemExit(3)", told) as one:
        until(lambda: not one.is_running())
    assert len(told) == 2
    assert not missing(told[1], "exit code 3", "interpreted")


def test_a_run_that_is_over_sooner_leaves_it_to_finish_so_that_the_next_one_need_not(tmp_path: Path) -> None:
    told: list[str] = []
    begun, done = tmp_path / "begun", tmp_path / "done"
    with compiler(program(begun, done), told):
        until(lambda: begun.exists() and begun.read_text().endswith("."))
    assert len(told) == 2
    assert not missing(told[1], "background", "at most 60 s", "next run")
    done.touch()
    until(lambda: done.read_text() == "finished")
    until(lambda: not is_alive(int(begun.read_text().rstrip("."))))


@pytest.mark.parametrize("by_error", [False, True])
def test_its_process_ends_with_a_run_that_was_interrupted_or_failed(tmp_path: Path, by_error: bool) -> None:
    told: list[str] = []
    begun = tmp_path / "begun"
    with suppress(ZeroDivisionError), compiler(program(begun, tmp_path / "never"), told) as one:
        until(lambda: begun.exists() and begun.read_text().endswith("."))
        if by_error:
            raise ZeroDivisionError
        one.end()
        one.end()
    assert not is_alive(int(begun.read_text().rstrip(".")))
    assert len(told) == 2
    assert not missing(told[1], "the next run")


def test_many_threads_of_a_worker_have_one_compiler_whose_end_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, done = tmp_path / "begun", tmp_path / "done"
    asked: list[str] = []

    class Parts:
        def compilation(self, settings: object) -> Compilation:
            time.sleep(0.05)  # so that others come in between
            asked.append("once more")
            return Compilation((sys.executable, "-c", program(begun, done)), 20, 60)

    monkeypatch.setattr("turnwright.app.tournament.rules_compiler.parts_of", lambda _: Parts())
    game = f"a game of this test only, {tmp_path}"
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(compile_for_process, [game] * 8))
    assert len(asked) == 1
    until(lambda: begun.exists() and begun.read_text().endswith("."))
    done.touch()

    def is_reaped() -> bool:
        compile_for_process(game)
        return not Path("/proc", begun.read_text().rstrip(".")).exists()

    until(is_reaped)
    assert len(asked) == 1


def test_where_nothing_is_to_be_compiled_nothing_is_told() -> None:
    told: list[str] = []
    with RulesCompiler(None, told.append) as one:
        assert not one.is_running()
    assert told == []

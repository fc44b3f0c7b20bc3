from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.messages import missing
from tests.net.processes.alive import is_alive
from turnwright.app.prepared_battle import Compilation
from turnwright.app.tournament.compiler import RulesCompiler

pytestmark = pytest.mark.process


def compiler(program: str, told: list[str]) -> RulesCompiler:
    return RulesCompiler(Compilation((sys.executable, "-c", program), 20), told.append)


def program(begun: Path, done: Path) -> str:
    """A program that says that it has begun, and waits until it may be done."""
    return f"""
import os, pathlib, time
pathlib.Path({str(begun)!r}).write_text(str(os.getpid()) + ".")
while not pathlib.Path({str(done)!r}).exists():
    time.sleep(0.01)
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


def test_its_process_ends_with_its_context(tmp_path: Path) -> None:
    told: list[str] = []
    begun = tmp_path / "begun"
    with compiler(program(begun, tmp_path / "never"), told):
        until(lambda: begun.exists() and begun.read_text().endswith("."))
    assert not is_alive(int(begun.read_text().rstrip(".")))
    assert not missing(told[1], "the next run")


def test_where_nothing_is_to_be_compiled_nothing_is_told() -> None:
    told: list[str] = []
    with RulesCompiler(None, told.append) as one:
        assert not one.is_running()
    assert told == []

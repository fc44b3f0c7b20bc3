"""A tournament of tanks: no battle waits for the compiler, and results do not depend on it."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.messages import missing
from turnwright import Tournament
from turnwright.games.tank.backends import compile as compiled
from turnwright.games.tank.backends.warm_up import to_compile

pytestmark = [
    pytest.mark.process,
    pytest.mark.long,
    pytest.mark.skipif(not compiled.available(), reason="nothing is compiled without Numba"),
]


@contextmanager
def compiler_held_up(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Yield an environment with an empty cache, for which nobody can compile."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    place = compiled.cache_directory()
    assert place is not None
    with Path(place, "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # whoever compiles, or waits for that, waits for us
        yield dict(os.environ)
        assert not compiled.is_cached()
        for one in compilers(cache):
            os.kill(one, signal.SIGKILL)


def compilers(cache: Path) -> list[int]:
    """The processes that compile into a cache, or wait for that."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            environ, command = ((place / name).read_bytes() for name in ("environ", "cmdline"))
            if f"XDG_CACHE_HOME={cache}".encode() in environ and b"end_with_stdin(" in command:
                found.append(int(place.name))
    return found


def run(*words: str, environ: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "turnwright.cli", *words],
        capture_output=True, text=True, env=environ, timeout=300, check=True,
    )  # fmt: skip
    return done.stderr


def results(folder: Path) -> list[tuple[str, str, list[float]]]:
    return [(one.id, one.digest, [row.score for row in one.scores]) for one in Tournament(folder).battles()]


def test_battles_begin_at_once_and_come_out_the_same_as_with_compiled_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    battles = ("house/Spinner", "house/Rammer", "--battles", "2", "--rounds", "1", "--jobs", "2")
    with compiler_held_up(tmp_path / "cache", monkeypatch) as environ:
        told = run("tournament", "run", str(tmp_path / "slow"), *battles, environ=environ)
    assert not missing(told, "compiling the rules", "interpreted", "in the background", "the next run")
    monkeypatch.undo()
    compiled.load()
    told = run("tournament", "run", str(tmp_path / "fast"), *battles)
    assert results(tmp_path / "slow") == results(tmp_path / "fast")
    assert len(results(tmp_path / "slow")) == 2


def test_a_run_that_is_over_before_the_compiler_lets_it_finish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    battles = ("house/Spinner", "house/Rammer", "--battles", "1", "--rounds", "1", "--jobs", "2")
    told = run("tournament", "run", str(tmp_path / "short"), *battles, environ=dict(os.environ))
    assert not missing(told, "in the background", "the next run"), "the run was over first"
    limit = time.monotonic() + 240
    while compilers(tmp_path / "cache"):
        assert time.monotonic() < limit
        time.sleep(0.2)
    assert to_compile() == 0


def test_a_comparison_begins_at_once_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with compiler_held_up(tmp_path / "cache", monkeypatch) as environ:
        told = run("compare", "Spinner", "Rammer", "--points", "20", environ=environ)
    assert not missing(told, "compiling the rules", "interpreted")

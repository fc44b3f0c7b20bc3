"""A tournament of tanks: no battle waits for the compiler, and results do not depend on it."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.messages import missing
from turnwright import Tournament
from turnwright.games.tank.backends import compile as compiled

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
    assert not missing(told, "compiling the rules", "interpreted", "the next run")
    monkeypatch.undo()
    compiled.load()
    told = run("tournament", "run", str(tmp_path / "fast"), *battles)
    assert results(tmp_path / "slow") == results(tmp_path / "fast")
    assert len(results(tmp_path / "slow")) == 2


def test_a_comparison_begins_at_once_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with compiler_held_up(tmp_path / "cache", monkeypatch) as environ:
        told = run("compare", "Spinner", "Rammer", "--points", "20", environ=environ)
    assert not missing(told, "compiling the rules", "interpreted")

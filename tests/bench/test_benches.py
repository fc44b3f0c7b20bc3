"""Every bench runs, with little to do, to its end or for some seconds."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ENDS_S = 120.0
RUNS_S = 2.0
"""Seconds for which a bench of LONG runs."""

LITTLE = {
    "envs": "--repeat 1 --quick",
    "planning": "--turns 2 --only small",
    "promptness": "--starts 2",
    "records": "--turns 30 --repeat 1",
    "server": "--bots 2 --runs 1 --warm 0.3 --measure 0.5 --only turnwright",
    "spectators": "--spectators 2 --bots 2 --measure 0.5 --only ours --repeat 1 --rounds 1",
    "tournament": "--battles 1",
    "tournament_statistics": "--rounds 2 --runs 5",
    "world": "--players 2 --creatures 2 --seconds 1 --runs 1",
}
"""The arguments that leave a bench little to do."""

LONG = [
    "envs",
    "records",
    "server",
    "spectators",
    "tournament_statistics",
    "world",
]
"""Benches that no arguments make short."""


def test_every_bench_is_run() -> None:
    there = {path.stem for path in (ROOT / "bench").glob("*.py")}
    assert there == {*LITTLE, "rig"}


@pytest.mark.long
@pytest.mark.process
@pytest.mark.parametrize("name", LITTLE)
def test_a_bench_runs(name: str, tmp_path: Path) -> None:
    words = [sys.executable, str(ROOT / "bench" / f"{name}.py"), *LITTLE[name].split()]
    process = subprocess.Popen(
        words,
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        printed = process.communicate(timeout=RUNS_S if name in LONG else ENDS_S)[0]
    except subprocess.TimeoutExpired:
        assert name in LONG, f"it has not ended after {ENDS_S:g} s"
        process.send_signal(signal.SIGINT)  # so it ends the servers that it has started
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=ENDS_S / 4)
        return
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert "Traceback" not in printed, printed[-2_000:]
    assert process.returncode == 0 or name == "promptness", "a busy machine breaks its bounds"

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
    "arena": "--people 2 --watching 2 --sandbox none --seconds 1",
    "browser_rules": "--turns 60 --repeat 1 --chromium=",
    "clock": "--players 3 --seconds 20 --timers 100",
    "codec": "--json",
    "compare_aces": "self --seeds 1 --points 20",
    "env_programs": "--repeat 1",
    "envs": "--repeat 1 --quick",
    "equity": "--minutes 1",
    "faults": "--faults 2",
    "memory": "--turns 20000 --warm 500",
    "own_minds": "--turns 4 --only greedy",
    "pacing": "--tps 100 --measure 0.5 --lateness-s 0.5",
    "packed": "--players 2 --seconds 1",
    "physics": "--turns 5 --repeat 1",
    "planning": "--turns 2 --only small",
    "policies": "--turns 50 --widths 8",
    "promptness": "",
    "raising": "--seconds 1",
    "records": "--turns 30 --repeat 1",
    "sandbox": "--starts 2 --battles 1",
    "scale": "--battle-s 1",
    "server": "--bots 2 --runs 1 --warm 0.3 --measure 0.5 --only turnwright",
    "spectators": "--spectators 2 --bots 2 --measure 0.5 --only ours --repeat 1 --rounds 1",
    "spread": "--bots 2 --measure 0.5",
    "tournament": "--battles 1",
    "tournament_statistics": "--rounds 2 --runs 5",
    "transport": "--bots 2 --runs 1 --measure 0.3",
    "vicious": "",
    "world": "--players 2 --creatures 2 --seconds 1 --runs 1",
    "world_turn": "--turns 1 --repeat 1",
}
"""The arguments that leave a bench little to do."""

LONG = [
    "arena",
    "compare_aces",
    "env_programs",
    "envs",
    "pacing",
    "policies",
    "promptness",
    "records",
    "sandbox",
    "server",
    "spectators",
    "tournament_statistics",
    "vicious",
    "world",
]
"""Benches that no arguments make short."""

LEFT_OUT = {
    "beside_runner": "needs the official runner",
    "cluster": "needs Dask and Ray",
    "envs_peers": "needs environments of other projects",
    "instructions": "needs Valgrind",
    "peer": "needs the official server",
    "rig": "is no bench: their shared parts",
    "trained": "needs PyTorch",
    "viewer": "needs Chromium",
}


def test_every_bench_is_run_or_left_out_with_a_reason() -> None:
    there = {path.stem for path in (ROOT / "bench").glob("*.py")}
    assert there == set(LITTLE) | set(LEFT_OUT)
    assert not set(LITTLE) & set(LEFT_OUT)


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
    assert process.returncode == 0, printed[-2_000:]

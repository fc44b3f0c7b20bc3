"""The compiled rules run without errors under the address and undefined-behaviour sanitizers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.house.source import PACKAGES, ROOT
from turnwright_tank.backends.sources import hash_of_c

CC = shutil.which("gcc")
BACKENDS = Path("turnwright_tank") / "backends"
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
WORDS = ["-O1", "-g", "-std=c11", "-ffp-contract=off", "-fPIC", "-pthread", "-shared", *SANITIZERS]
PLAY = """
from packages.tank.tests.battles import play
from packages.learn.tests.tank.single import fighting
from turnwright_tank.backends import extension
from turnwright_learn.tank.batch import IN_BATCHES
from turnwright_tank.envs.spaces import ENVS
from turnwright_learn.tank.vector import TankVectorEnv
from turnwright_tank.game import TankGame
from turnwright_tank.wire.royale_fast.ticks import TickWriter

assert "_rules" in extension.load().__name__
MESSAGES = [
    b'{"type":"BotIntent","turnRate":-4.123456789012345,"firepower":1e-7,"rescan":true}',
    b' { "targetSpeed" : 123456789012345678901234567890.5 , "fireAssist" : false , "type" : "BotIntent" } ',
    b'{"type":"BotIntent","gunTurnRate":5e-324,"radarTurnRate":0.1e23,"adjustGunForBodyTurn":null}',
]
turns = 0
for number in range(60):
    writer = None
    for state, _ in play(TankGame("compiled"), number, turns=60):
        writer = writer or TickWriter(state)
        writer.write(state, list(range(len(state.lineup.seats))))
        state.tables.snapshot()
        seat = turns % len(state.lineup.seats)
        message = MESSAGES[turns % len(MESSAGES)]
        read = [state.tables.read_intent(seat, message[:end]) for end in range(len(message) + 1)]
        state.tables.store_read({seat: read[-1]})
        turns += 1
for name in ENVS:
    env = ENVS[name]
    count = env["seats"]
    envs = TankVectorEnv(
        4 * count,
        env=name,
        opponents="self",
        autoreset_mode="SameStep",
        max_turns=50,
        threads=3,
        settings={"gun_cooling_rate": 2.0},
    )
    observations, _ = envs.reset(seed=1)
    for _ in range(120):
        observations = envs.step(fighting(observations[None])[0])[0]
for name in IN_BATCHES:
    envs = TankVectorEnv(3, opponents=name, autoreset_mode="SameStep", max_turns=200, threads=2)
    observations, _ = envs.reset(seed=1)
    for _ in range(300):
        observations = envs.step(fighting(observations[:, None])[:, 0])[0]
print(turns)
"""

pytestmark = [pytest.mark.process, pytest.mark.long, pytest.mark.skipif(CC is None, reason="there is no gcc")]


def library(name: str) -> str:
    """The path of a library of the compiler."""
    assert CC is not None
    return subprocess.run([CC, f"-print-file-name={name}"], capture_output=True, text=True).stdout.strip()


def test_random_battles_access_only_their_own_memory(tmp_path: Path) -> None:
    assert CC is not None
    source = tmp_path / "src"
    for name, folder in PACKAGES.items():
        shutil.copytree(folder, source / name, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    backends = source / BACKENDS
    built = ["-o", str(backends / "_rules.abi3.so"), str(backends / "c" / "module.c")]
    headers = f"-I{sysconfig.get_path('include')}"
    subprocess.run([CC, *WORDS, f'-DC_HASH="{hash_of_c()}"', headers, *built], check=True, timeout=120)
    environ = {
        **os.environ,
        "PYTHONPATH": f"{source}{os.pathsep}{ROOT}",
        "PYTHONMALLOC": "malloc",  # every table has its own neighbourhood
        "ASAN_OPTIONS": "detect_leaks=0",  # of the interpreter itself
        "LD_PRELOAD": f"{library('libasan.so')} {library('libubsan.so')}",
    }
    done = subprocess.run(
        [sys.executable, "-c", PLAY], env=environ, cwd=tmp_path, capture_output=True, text=True, timeout=240
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) == 60 * 60

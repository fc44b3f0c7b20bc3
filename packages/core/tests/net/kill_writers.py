"""Writes records in many processes, kills each one at a random moment, and prints the times.

    python -m packages.core.tests.net.kill_writers FOLDER COUNT AT_ONCE SEED

Every turn says when it was handed to the archive. Prints one JSON object a process: the file, when it began
and when it was killed (ns of the monotonic clock, which all processes share).
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from turnwright.games.countdown.game import Countdown
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import Header, TurnEntry, TurnRules
from turnwright.net.files.writer import LineFiles, RecordWriter
from turnwright.wire.record.v2 import Encoder

_TURN_S = 0.01
_LIFE_S = (0.0, 2.2)


def write(path: Path) -> None:
    """Write a record until the process is killed."""
    recorder = RecordWriter(LineFiles(lambda battle: path), lambda: Encoder(Countdown().write_intent))
    recorder.open(1, Header("countdown", 1, 7, {"pile": 50, "turns": 30}, (SeatInfo("a"),), TurnRules()))
    turn = 0
    while True:
        turn += 1
        stamp = (("at", str(time.monotonic_ns())),)
        recorder.turn(1, TurnEntry(turn, {0: 1 + turn % 3}, digest="000000", faults=stamp))
        time.sleep(_TURN_S)


def main(folder: Path, count: int, at_once: int, seed: int) -> None:
    """Start and kill `count` writers, `at_once` of them alive together, and print a line for each."""
    chance = random.Random(seed)
    for first in range(0, count, at_once):
        doomed = []
        for number in range(first, min(count, first + at_once)):
            path = folder / f"{number}.twr"
            began_ns = time.monotonic_ns()
            if (pid := os.fork()) == 0:
                write(path)
            doomed.append((began_ns + round(chance.uniform(*_LIFE_S) * 1e9), began_ns, pid, path))
        for due_ns, began_ns, pid, path in sorted(doomed):
            time.sleep(max(0.0, (due_ns - time.monotonic_ns()) / 1e9))
            os.kill(pid, signal.SIGKILL)
            killed_ns = time.monotonic_ns()
            os.waitpid(pid, 0)
            print(json.dumps({"file": str(path), "began_ns": began_ns, "killed_ns": killed_ns}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:5]))

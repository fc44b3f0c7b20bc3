"""Whether minds that use all they get make a world's turns longer: document 004's joke, in the product.

    python bench/raising.py [--seconds 180] [--cpus 1] [--minds 20] [--mind-ms 19] [--turn-max 1000]

Starts `turnwright world demo` with turns that may grow, pinned to so many processors, a program that is
there, and minds that compute for so long in each plan; says every ten seconds how long a turn takes.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

from turnwright.games.world.client.bot import WorldBot
from turnwright.games.world.client.bot import run as play

GREEDY = """import time


def plan(view, random):
    began = time.thread_time_ns()
    while time.thread_time_ns() - began < {ns}:
        pass
    return None
"""
LAND = """[settings]
start = "field"
home = "field"

[place.field]
name = "A field"
text = "Grass."
area = "field"

[kind.person]
name = "person"

[kind.thinker]
name = "thinker"
mind = "greedy"

[[spawn]]
kind = "thinker"
place = "field"
count = {count}
"""


class Idler(WorldBot):
    """Is there, and does nothing."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=int, default=180)
    parser.add_argument("--cpus", type=int, default=1)
    parser.add_argument("--minds", type=int, default=20)
    parser.add_argument("--mind-ms", type=float, default=19.0)
    parser.add_argument("--turn-max", type=int, default=1_000)
    given = parser.parse_args()
    print(f"load average before: {os.getloadavg()[0]:.1f}; pinned to {given.cpus} processor(s)")
    with tempfile.TemporaryDirectory() as folder:
        run(given, Path(folder))


def run(given: argparse.Namespace, folder: Path) -> None:
    """Serve the world and watch it."""
    (folder / "minds").mkdir()
    (folder / "minds" / "greedy.py").write_text(GREEDY.format(ns=int(given.mind_ms * 1e6)))
    (folder / "field.toml").write_text(LAND.format(count=given.minds))
    words = ["world", "demo", "--port", "0", "--telnet-port", "0", "--no-open", "--content", str(folder)]
    words += ["--data", str(folder / "world.db"), "--turn-max", f"{given.turn_max}ms"]
    cpus = sorted(os.sched_getaffinity(0))[: given.cpus]
    process = subprocess.Popen(
        [sys.executable, "-m", "turnwright.cli", *words],
        stdout=subprocess.PIPE,
        stderr=(folder / "log").open("w"),
        text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, cpus),
    )
    try:
        assert process.stdout is not None
        page = process.stdout.readline().split()[1]
        threading.Thread(target=_be_there, args=(page,), daemon=True).start()
        _watch(page, given.seconds)
    finally:
        process.terminate()
        process.wait(30)
    print("last lines of the log:")
    print("\n".join((folder / "log").read_text().splitlines()[-3:]))


def _be_there(page: str) -> None:
    with contextlib.suppress(Exception):  # the server ends first
        play(Idler(), page.replace("http", "ws").rstrip("/"))


def _watch(page: str, seconds: int) -> None:
    began = time.monotonic()
    while (passed := time.monotonic() - began) < seconds:
        time.sleep(min(10.0, seconds - passed))
        status = _status(page)
        turn = status["durations"][0]
        misses = {row["reason"]: row["count"] for row in status["misses"]}
        print(
            f"{time.monotonic() - began:5.0f} s: {turn['ms']:.0f} ms a turn, raised {turn['raised']} times,"
            f" turn {status['turn']}, planning {status.get('planning')}, missed {misses}",
            flush=True,
        )


def _status(page: str) -> dict[str, Any]:
    with urllib.request.urlopen(page + "world.json", timeout=10) as answer:
        status: dict[str, Any] = json.load(answer)
        return status


if __name__ == "__main__":
    main()

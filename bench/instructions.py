"""Processor instructions a turn of the whole server takes, now and before, counted by Valgrind's callgrind.

    python bench/instructions.py [--before DIR] [--bots 2,10,100] [--seconds 15]

Counts do not depend on what else the machine does, so they show changes of a percent that times on a shared
machine hide. DIR is another checkout, e.g. of `git worktree add --detach DIR v0.1.0`. The rules are
interpreted, so that versions that compiled while they ran can be compared, too. The client is the C swarm of
server.py.
Debian: apt-get install valgrind.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import rig
from rig import INTERPRETED, Contestant, Swarm, markdown, metrics, playing, serving

HERE = Path(__file__).resolve().parents[1]
START_S = 8.0
"""Valgrind starts a server some fifty times slower."""
WARM_S = 10.0
TIMEOUT_US = 2_000_000
"""No turn is missed because of Valgrind."""


def main() -> int:
    """Count and print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--bots", default="2,10,100")
    parser.add_argument("--seconds", type=float, default=15.0)
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("valgrind is not installed (apt-get install valgrind)", file=sys.stderr)
        return 2
    rig.SETTLE_S = START_S
    rows = []
    for bots in map(int, options.bots.split(",")):
        now, turns = count(HERE, bots, options.seconds)
        row = [bots, f"{now:,.0f}", f"{turns:,.0f}"]
        if options.before is not None:
            before, _ = count(options.before.resolve(), bots, options.seconds)
            row += [f"{before:,.0f}", f"{now / before:.3f}×"]
        rows.append(tuple(row))
    head = ("bots", "instructions a turn", "turns counted", "before", "now to before")
    print(markdown(head[: len(rows[0])], rows))
    return 0


def count(checkout: Path, bots: int, seconds: float) -> tuple[float, float]:
    """Return instructions a turn of a checkout's server, and of how many turns."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "counts"
        valgrind = f"valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file={out} -q "
        path = ("PYTHONPATH", str(checkout / "src"))
        contestant = Contestant("counted", valgrind + INTERPRETED.command, (*INTERPRETED.environment, path))
        swarm = Swarm.of(bots, warm_s=WARM_S, measure_s=seconds + 60, timeout_us=TIMEOUT_US)
        with serving(contestant) as server, playing(server, swarm):
            time.sleep(WARM_S)
            _control(server.pid, "-i", "on")
            first = metrics(server.port)["turnwright_turns_total"]
            time.sleep(seconds)
            turns = metrics(server.port)["turnwright_turns_total"] - first
            _control(server.pid, "-d")
        dumped = out.with_suffix(".1").read_text(encoding="utf-8")
    total = next(line for line in dumped.splitlines() if line.startswith(("totals:", "summary:")))
    return int(total.split()[1]) / turns, turns


def _control(pid: int, *words: str) -> None:
    subprocess.run(["callgrind_control", *words, str(pid)], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main())

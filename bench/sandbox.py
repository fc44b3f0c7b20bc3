"""The cost of boxes, the delay of a neighbour beside nasty bots in boxes, and what 1,000 starts leave behind.

    python bench/sandbox.py [--starts 1000] [--battles 3]

Start: from the order to the listening socket at the server, and without a box to the running program.
Beside: the answer times of an honest boxed bot whose opponent is calm or nasty; battles with a calm one
alternate with the others, so that both have the same machine. Left: processes, mounts, control groups and
temporary folders after the starts, compared with before. Exit code 1 when something is left.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rig import markdown

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.games.tank.bot_programs import SPINNING_BOT
from tests.net.bot_directories import make_bot

from turnwright import run_battle
from turnwright.net.processes.bot_process import BotProcesses
from turnwright.net.sandbox.boxes import Boxes
from turnwright.net.sandbox.cgroups import find_groups
from turnwright.net.sandbox.level import ability

_AT_ONCE = 4
_TPS = 100
_FOLDERS = ("turnwright-box-",)
_FORKED = "import os, sys, time, socket\nif os.fork() == 0:\n    time.sleep(3)\n    while True:\n        {}\n"
NASTY = {
    "calm": "",
    "computes with 100 processes": _FORKED.format("try: os.fork()\n        except OSError: pass"),
    "prints without end": _FORKED.format("os.write(1, b'x' * 65536); os.write(2, b'x' * 65536)"),
    "forks without end": _FORKED.format("try: os.fork() or os._exit(0)\n        except OSError: pass"),
    "holds memory without end": _FORKED.format("sys.modules[len(sys.modules)] = b'x' * (8 << 20)"),
    "connects without end": _FORKED.format(
        "try: s = socket.create_connection(('127.0.0.1', 7654)); s.send(b'x')\n        except OSError: pass"
    ),
    "writes files without end": _FORKED.format(
        "try: open(f'/tmp/{time.monotonic_ns()}', 'w').write('x' * 4096)\n        except OSError: pass"
    ),
}
"""Beginnings of bots that play like the calm one beside what they do."""


async def _started(folder: Path, *, boxed: bool) -> float:
    """Start a program and end it; return the seconds until it ran."""

    async def listen(bound: socket.socket, _name: str) -> Callable[[], None]:
        return bound.close

    async with BotProcesses() as processes:
        boxes = Boxes(listen)
        began = time.perf_counter()
        if boxed:
            await boxes.start(processes, "bot", ["sleep", "60"], folder, boxes.environment())
        else:
            await processes.start("bot", ["sleep", "60"], folder, {"PATH": "/usr/bin:/bin"})
        return time.perf_counter() - began


def start_times(folder: Path, count: int = 40) -> None:
    """Print how long a start takes, one after the other."""
    rows = []
    for boxed in (False, True):
        times = sorted(1000 * asyncio.run(_started(folder, boxed=boxed)) for _ in range(count))
        rows.append(("in a box" if boxed else "without", times[0], statistics.median(times), times[-2]))
    print(markdown(("start of a program, ms", "least", "median", "95 %"), [_row(row) for row in rows]))


def _row(row: tuple[str, *tuple[float, ...]]) -> tuple[str, ...]:
    return row[0], *(f"{value:.1f}" for value in row[1:])


def beside(folder: Path, battles: int) -> None:
    """Print the answer times of an honest bot beside each nasty one."""
    honest = make_bot(folder, "Honest", {"Honest.py": SPINNING_BOT})
    rows = []
    for number, (name, text) in enumerate(NASTY.items()):
        nasty = make_bot(folder, f"Bot{number}", {f"Bot{number}.py": text + SPINNING_BOT})
        calm = folder / "Bot0"
        found: dict[Path, list[tuple[float, float, int, int]]] = {calm: [], nasty: []}
        for _ in range(battles):
            for opponent in dict.fromkeys((calm, nasty)):
                result = run_battle(
                    honest, opponent, rounds=1, tps=_TPS, sandbox="full", python=sys.executable, seed=3
                )
                row = result.latency["Honest"]
                late = result.server_late_turns
                found[opponent].append((row.p50_us / 1000, row.p99_us / 1000, row.skipped, late))
        rows.append((name, *_compared(found[calm], found[nasty])))
    head = (
        "beside a bot that",
        "p50, ms",
        "p99, ms",
        "beside the calm one, p99, ms",
        "skipped",
        "server late",
    )
    print(markdown(head, rows))


def _compared(
    calm: list[tuple[float, float, int, int]], other: list[tuple[float, float, int, int]]
) -> list[str]:
    middle = [statistics.median(column) for column in zip(*other, strict=True)]
    base = statistics.median(row[1] for row in calm)
    sums = [sum(row[place] for row in other) for place in (2, 3)]
    return [f"{middle[0]:.2f}", f"{middle[1]:.2f}", f"{base:.2f}", *map(str, sums)]


def _there() -> dict[str, int]:
    """Return how much there is of what a start could leave behind."""
    temporary = [name for name in os.listdir(tempfile.gettempdir()) if name.startswith(_FOLDERS)]
    groups = [
        str(one)
        for parent in dict(find_groups().parents).values()
        for one in Path(parent).glob("turnwright-*")
    ]
    names = [_name_of(pid) for pid in os.listdir("/proc") if pid.isdigit()]
    return {
        "processes of boxes": sum(name in ("bwrap", "sleep") for name in names),
        "mounts": len(Path("/proc/self/mounts").read_text().splitlines()),
        "control groups": len(groups),
        "temporary folders": len(temporary),
        "descriptors": len(os.listdir("/proc/self/fd")),
    }


def _name_of(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def leftovers(folder: Path, starts: int) -> bool:
    """Start and end boxes, print what is left; return whether nothing is."""

    async def many() -> None:
        for _ in range(starts // _AT_ONCE):
            await asyncio.gather(*(_started(folder, boxed=True) for _ in range(_AT_ONCE)))

    asyncio.run(_started(folder, boxed=True))
    before, began = _there(), time.perf_counter()
    asyncio.run(many())
    took = time.perf_counter() - began
    time.sleep(1)
    after = _there()
    rows = [(name, str(before[name]), str(after[name])) for name in before]
    print(markdown((f"{starts} starts and ends, {took:.0f} s", "before", "after"), rows))
    return all(after[name] <= before[name] for name in before)


def main() -> int:
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--starts", type=int, default=1000)
    parser.add_argument("--battles", type=int, default=3)
    given = parser.parse_args()
    print(f"sandbox: {ability().words}\n")
    with tempfile.TemporaryDirectory(prefix="bench-sandbox-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "Empty").mkdir()
        start_times(folder / "Empty")
        clean = leftovers(folder / "Empty", given.starts)
        beside(folder, given.battles)
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())

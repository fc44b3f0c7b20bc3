"""Measures short times that we promise, e.g. of commands, the bot Ace, telnet and an idle server.

Each row has a measured value and its limit. The limits are for a machine that does nothing else. The exit
code is 1 if a value is above its limit.

If this machine has the sandbox, the bench then starts and ends many sandboxes, and compares the numbers of
processes, mounts, control groups, temporary folders and descriptors before and after. The exit code is 1 if
something remains.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path

from rig import markdown, parser

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from packages.core.tests.app.served import Served
from packages.core.tests.net.attacker import KINDS
from packages.core.tests.net.besieged import COUNTDOWN, TIMEOUT_US, besieged
from packages.tank.tests.bots.battles import fight
from packages.world.tests.net.text_game import game, player
from turnwright.net.processes.bot_process import BotProcesses
from turnwright.net.sandbox.cgroups import find_groups
from turnwright.net.sandbox.level import ability
from turnwright.net.sandbox.sandboxes import Sandboxes
from turnwright_tank.bots.house import HOUSE
from turnwright_tank.bots.house.ace import Ace

RUNS = 5
TPS = 50
IDLE_S = 2.5
AT_ONCE = 4
STORMS = (b"\xff\xff", b"\xff\xfa\x1f", b"a\x08")
HELP = ("--help",)
FIRST_BATTLE = ("battle", "Spinner", "Dodger", "--rounds", "1", "--seed", "1")
_IMPORT = "import time; t = time.perf_counter(); import turnwright; print(time.perf_counter() - t)"


def importing() -> float:
    """Return the shortest of some times of `import turnwright`, in seconds."""
    command = [sys.executable, "-c", _IMPORT]
    return min(float(subprocess.check_output(command, text=True)) for _ in range(RUNS))


def commanding(*words: str) -> float:
    """Return the shortest of some times of a command, in seconds."""
    took = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(RUNS):
            began = time.perf_counter()
            command = [sys.executable, "-m", "turnwright.cli", *words]
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
            took.append(time.perf_counter() - began)
    return min(took)


def ace() -> float:
    """Return the median time of an answer of Ace in three rounds, in seconds."""
    spent: list[float] = []

    class Timed(Ace):
        def step(self, observation):  # type: ignore[no-untyped-def]
            began = time.perf_counter()
            intent = super().step(observation)
            spent.append(time.perf_counter() - began)
            return intent

    fight(Timed, HOUSE["Dodger"], rounds=3)
    return statistics.median(spent)


def first_byte() -> float:
    """Return the median time until a telnet client gets the first byte, in seconds."""

    async def main() -> float:
        waits = []
        async with game() as (_, _, port):
            for _ in range(RUNS):
                began = time.perf_counter()
                async with player(port) as silent:
                    await silent.more()
                    waits.append(time.perf_counter() - began)
        return statistics.median(waits)

    return asyncio.run(main())


def storm() -> float:
    """Return the longest processor time for which the bytes of one client hold up the loop, in seconds."""

    async def main() -> float:
        rounds = []
        for bytes_ in STORMS:
            async with game() as (_, _, port), player(port) as stormy:
                await stormy.sees("Name? ")
                stormy.type(bytes_ * 400_000)
                for _ in range(60):
                    began = time.thread_time()
                    await asyncio.sleep(0.005)
                    rounds.append(time.thread_time() - began)
        return max(rounds)

    return asyncio.run(main())


def idle() -> float:
    """Return the share of a processor that an idle server uses."""
    served = Served("--tps", TPS)
    try:
        time.sleep(1)
        before = _cpu_s(served.run.process.pid)
        time.sleep(IDLE_S)
        return (_cpu_s(served.run.process.pid) - before) / IDLE_S
    finally:
        served.run.process.kill()
        served.run.process.wait()


def floods() -> float:
    """Return the longest time between two turns of a battle during floods of each kind, in seconds."""
    served = Served("--game", "countdown", "--tps", TPS, "--turn-timeout", f"{TIMEOUT_US}us")
    try:
        players = [one for kind in KINDS for one in asyncio.run(besieged(served, COUNTDOWN, kind))]
        return max(after - before for one in players for before, after in pairwise(one.seen_s))
    finally:
        served.run.process.kill()
        served.run.process.wait()


def _cpu_s(pid: int) -> float:
    words = Path(f"/proc/{pid}/schedstat").read_text().split()
    return int(words[0]) / 1e9


async def _started(folder: Path, *, sandboxed: bool) -> float:
    """Start a program, end it, and return the seconds that the start took."""

    async def listen(bound: socket.socket, _name: str) -> Callable[[], None]:
        return bound.close

    async with BotProcesses() as processes:
        sandboxes = Sandboxes(listen)
        began = time.perf_counter()
        if sandboxed:
            await sandboxes.start(processes, "bot", ["sleep", "60"], folder, sandboxes.environment())
        else:
            await processes.start("bot", ["sleep", "60"], folder, {"PATH": "/usr/bin:/bin"})
        return time.perf_counter() - began


def sandbox() -> float:
    """Print the median times to start a program, and return the difference in seconds."""
    with _folder() as folder:
        plain, sandboxed = (
            statistics.median(asyncio.run(_started(folder, sandboxed=sandboxed)) for _ in range(4 * RUNS))
            for sandboxed in (False, True)
        )
    print(
        f"start of a program: {1e3 * plain:.1f} ms without sandbox, {1e3 * sandboxed:.1f} ms in the sandbox"
    )
    return sandboxed - plain


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="bench-sandbox-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def _there() -> dict[str, int]:
    """Return the number of things of each kind that a sandbox could leave behind."""
    temporary = [name for name in os.listdir(tempfile.gettempdir()) if name.startswith("turnwright-box-")]
    groups = [
        str(one)
        for parent in dict(find_groups().parents).values()
        for one in Path(parent).glob("turnwright-*")
    ]
    names = [_name_of(pid) for pid in os.listdir("/proc") if pid.isdigit()]
    return {
        "processes of sandboxes": sum(name in ("bwrap", "sleep") for name in names),
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


def leftovers(starts: int) -> bool:
    """Start and end sandboxes, print what remains, and return whether nothing does."""

    async def many(folder: Path) -> None:
        for _ in range(starts // AT_ONCE):
            await asyncio.gather(*(_started(folder, sandboxed=True) for _ in range(AT_ONCE)))

    with _folder() as folder:
        asyncio.run(_started(folder, sandboxed=True))
        before, began = _there(), time.perf_counter()
        asyncio.run(many(folder))
        took = time.perf_counter() - began
    time.sleep(1)
    after = _there()
    rows = [(name, str(before[name]), str(after[name])) for name in before]
    print(markdown((f"{starts} starts and ends, {took:.0f} s", "before", "after"), rows))
    return all(after[name] <= before[name] for name in before)


PROMISES: tuple[tuple[str, Callable[[], float], float], ...] = (
    ("import turnwright, s", importing, 0.15),
    ("turnwright --help, s", partial(commanding, *HELP), 0.25),
    ("turnwright battle with built-in bots, s", partial(commanding, *FIRST_BATTLE), 0.6),
    ("start in a sandbox, longer by, s", sandbox, 0.15),
    ("answer of Ace, s", ace, 0.001),
    ("first byte of telnet, s", first_byte, 0.05),
    ("server held up by slow telnet bytes, CPU s", storm, 0.08),
    ("idle server, share of a processor", idle, 0.01),
    ("longest gap between turns during floods, s", floods, 1.5),
)


def main() -> int:
    """Measure, print the tables, and return the exit code."""
    words = parser(__doc__)
    words.add_argument("--starts", type=int, default=1000, help="sandboxes to start")
    given = words.parse_args()
    has_sandbox = ability().level == "full"
    rows, good = [], True
    for name, measure, bound in PROMISES:
        if measure is sandbox and not has_sandbox:
            continue
        seen = measure()
        good &= seen <= bound
        rows.append((name, f"{seen:.4f}", bound, "" if seen <= bound else "too high"))
    print(markdown(("what", "measured", "limit", ""), rows), flush=True)
    if has_sandbox:
        good &= leftovers(given.starts)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

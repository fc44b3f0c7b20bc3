"""Duels of programs per hour: a tournament beside the official runner, in turns.

    python bench/beside_runner.py BOT BOT [BOT …] [--classpath CLASSPATH] [--python PYTHON]

BOT: bot directories; every two of them meet. --classpath: the official runner with all that it needs; left
out: ours alone is measured. --python: an interpreter that has the official Python API. Each repetition has
three ways, in an order that rotates: ours with processes that are kept, ours with new ones (`--fresh`), and
the official runner. All play the same duels of ten rounds as fast as they can, each way as one command from
its start to its end; ours writes a record of each battle, which is verified afterwards. The rules are
compiled before.

Processor time is that of all processes of a way, and beside it that of the bots' processes alone (those whose
working directory is a BOT's, looked at four times a second): no server can need less than that, so it bounds
the battles an hour. Linux only.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from rig import markdown

from turnwright.app.tournament.tournament import Tournament
from turnwright.net.processes.processors import processors

ROUNDS = 10
WAYS = ("kept", "fresh", "runner")
LEFT_S = 15.0
"""Processes that a command leaves behind are waited for so long."""
_DRIVER = Path(__file__).with_name("RunDuels.java")
_PR_SET_CHILD_SUBREAPER = 36
_LOOK_S = 0.25
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


@dataclass
class Spent:
    """Wall and processor seconds of a command with all its processes. bots_s: of the bots alone."""

    wall_s: float = 0.0
    processor_s: float = 0.0
    bots_s: float = 0.0
    of_bots: dict[int, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Measured:
    """One way in one repetition: battles, and seconds a battle. load: of the machine, behind it."""

    battles: int
    wall_s: float
    processor_s: float
    bots_s: float
    load: float

    @property
    def per_hour(self) -> float:
        """Battles an hour."""
        return 3600 / self.wall_s


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("bots", nargs="+", type=Path)
    parser.add_argument("--classpath")
    parser.add_argument("--python")
    parser.add_argument("--battles", type=int, default=2, help="of each pair")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    given = parser.parse_args()
    ways = [way for way in given.ways if way != "runner" or given.classpath]
    _reap_all()
    found: dict[str, list[Measured]] = {way: [] for way in ways}
    for number in range(given.repeat):
        turned = number % len(ways)
        for way in [*ways[turned:], *ways[:turned]]:
            one = official(given) if way == "runner" else ours(given, fresh=way == "fresh")
            found[way].append(one)
            print(f"{number + 1} {way}: {one}", flush=True)
    print(_table(found))


def _table(found: Mapping[str, Sequence[Measured]]) -> str:
    rows = []
    for way, runs in found.items():
        beside = "—"
        if "runner" in found:
            runner = found["runner"]
            beside = _spread([a.per_hour / b.per_hour for a, b in zip(runs, runner, strict=True)])
        columns = ("per_hour", "wall_s", "processor_s", "bots_s", "load")
        rows.append((way, beside, *(_spread([getattr(one, name) for one in runs]) for name in columns)))
    names = ("battles an hour / runner's", "battles an hour", "wall s", "processor s", "of the bots", "load")
    bots_s = min(statistics.median(one.bots_s for one in runs) for runs in found.values())
    most = 3600 * processors() / bots_s
    bound = f"a server that needs no time: at most {most:.4g} battles an hour on {processors():g} processors"
    if "runner" in found:
        share = most / statistics.median(one.per_hour for one in found["runner"])
        bound += f", {share:.3g} times the runner's"
    return f"\n{markdown(('way, a battle', *names), rows)}\n{bound}"


def _spread(values: Sequence[float]) -> str:
    return f"{statistics.median(values):.3g} ({min(values):.3g}…{max(values):.3g})"


# ---- ways --------------------------------------------------------------------------------------------------


def ours(given: argparse.Namespace, *, fresh: bool) -> Measured:
    """Measure a tournament, and verify its records.

    A battle that is played again because the machine was late counts each time: the official runner does not
    look at that.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "bots"
        bots = list(_copied(given.bots, folder))
        words = [f"--battles={given.battles}", f"--jobs={given.jobs}", *(["--fresh"] if fresh else [])]
        if given.python:
            words.append(f"--python={given.python}")
        _, spent = _run(_tournament(folder, *words), bots, os.environ)
        battles = list(Tournament(folder).battles())
        _verify(folder)
    failed = [row.failure for battle in battles for row in battle.scores if row.failure]
    played = sum(battle.attempts for battle in battles)
    if failed or played > len(battles):
        print(f"  {len(failed)} failures, {played - len(battles)} played again")
    return _measured(played, spent)


def _tournament(folder: Path, *words: str) -> list[str]:
    command = [sys.executable, "-m", "turnwright.cli", "tournament", "run", str(folder)]
    return [*command, "--game-type=1v1", f"--rounds={ROUNDS}", *words]


def _verify(folder: Path) -> None:
    command = [sys.executable, "-m", "turnwright.cli", "tournament", "verify", str(folder)]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


def _copied(bots: Sequence[Path], folder: Path) -> Iterator[Path]:
    """Copy bots into a new folder, with the library that lies beside them; yield where they are."""
    folder.mkdir()
    library = bots[0].resolve().parent / "lib"
    if library.is_dir():
        shutil.copytree(library, folder / "lib")
    for bot in bots:
        shutil.copytree(bot, folder / bot.name)
        for file in (folder / bot.name).glob("*.sh"):
            file.chmod(0o755)
        yield folder / bot.name


def official(given: argparse.Namespace) -> Measured:
    """Measure the official runner."""
    bots = [bot.resolve() for bot in given.bots]
    pairs = [pair for pair in combinations(map(str, bots), 2) for _ in range(given.battles)]
    words = ["java", "-cp", given.classpath, str(_DRIVER), str(ROUNDS)]
    environ = dict(os.environ)
    if given.python:
        environ["PATH"] = f"{Path(given.python).parent}:{environ['PATH']}"
    said, spent = _run([*words, *(bot for pair in pairs for bot in pair)], bots, environ)
    whole = [line.split()[0] for line in said.splitlines()].count(str(ROUNDS))
    if whole < len(pairs):
        print(f"  {len(pairs) - whole} battles failed")
    return _measured(whole, spent)


def _measured(battles: int, spent: Spent) -> Measured:
    assert battles, "no battle was played to its end"
    wall_s, processor_s, bots_s = (
        round(one / battles, 2) for one in (spent.wall_s, spent.processor_s, spent.bots_s)
    )
    return Measured(battles, wall_s, processor_s, bots_s, round(os.getloadavg()[0], 1))


# ---- processes ---------------------------------------------------------------------------------------------


def _reap_all() -> None:
    """Make processes whose parent has ended children of this one, which are counted when they end."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _run(argv: Sequence[str], bots: Sequence[Path], environ: Mapping[str, str]) -> tuple[str, Spent]:
    """Run a command to its end; return what it printed, and what it and all its processes spent."""
    spent = Spent()
    before_s, began = _children_s(), time.monotonic()
    with _watched(lambda: _look(bots, spent)), tempfile.TemporaryFile("w+") as errors:
        done = subprocess.run(argv, env=environ, stdout=subprocess.PIPE, stderr=errors, text=True)
        spent.wall_s = time.monotonic() - began
        if done.returncode:
            errors.seek(0)
            sys.exit(f"{argv[0]} … ended with {done.returncode}: {errors.read()[-2_000:]}")
        _wait_for_all()
    spent.processor_s = _children_s() - before_s
    spent.bots_s = sum(spent.of_bots.values())
    return done.stdout, spent


@contextmanager
def _watched(look: Callable[[], None]) -> Iterator[None]:
    """Look now and then, from a thread."""
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(_LOOK_S):
            look()

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _look(bots: Sequence[Path], spent: Spent) -> None:
    """Note the processor time of the bots' processes."""
    places = {str(bot) for bot in bots}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(process / "cwd") in places:
                fields = (process / "stat").read_text().rpartition(")")[2].split()
                spent.of_bots[int(process.name)] = (int(fields[11]) + int(fields[12])) / _TICKS_PER_S
        except (OSError, IndexError):
            continue  # it has ended


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _wait_for_all() -> None:
    """Wait until this process has no children."""
    until = time.monotonic() + LEFT_S
    while time.monotonic() < until:
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.05)
        except ChildProcessError:
            return
    print("  some processes still run: they are not counted")


if __name__ == "__main__":
    main()

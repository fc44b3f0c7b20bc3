"""Duels of programs per hour: a tournament beside the official runner, in alternation.

    python bench/beside_runner.py BOT BOT [BOT …] [--classpath CLASSPATH] [--python PYTHON]

BOT: bot directories; every two of them meet. --classpath: the official runner with all that it needs; left
out: ours alone is measured. --python: an interpreter that has the official Python API. Each repetition has
three ways: ours with processes that are kept, ours with new ones (`--fresh`), and the official runner. All
play the same duels of ten rounds as fast as they can, and ours writes a record of each.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

from turnwright import run_tournament
from turnwright.app.tournament.check import verify_tournament

ROUNDS = 10
_DRIVER = Path(__file__).with_name("RunDuels.java")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("bots", nargs="+", type=Path)
    parser.add_argument("--classpath")
    parser.add_argument("--python")
    parser.add_argument("--battles", type=int, default=2, help="of each pair")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    ways: dict[str, Callable[[], tuple[int, float]]] = {
        "kept": lambda: ours(given, fresh=False),
        "fresh": lambda: ours(given, fresh=True),
    }
    if given.classpath:
        ways["runner"] = lambda: official(given)
    found: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(given.repeat):
        for name, measure in ways.items():
            battles, took_s = measure()
            found[name].append(3600 * battles / took_s)
            load = os.getloadavg()[0]
            print(f"{number + 1} {name}: {battles} battles, {took_s:.1f} s, load {load:.1f}", flush=True)
    for name, rates in found.items():
        print(f"{name}: {_spread(rates)} battles an hour")
        if name != "kept":
            print(f"  kept / {name}: {_spread([a / b for a, b in zip(found['kept'], rates, strict=True)])}")


def _spread(values: list[float]) -> str:
    return f"median {statistics.median(values):.4g} (min {min(values):.4g}, max {max(values):.4g})"


def ours(given: argparse.Namespace, *, fresh: bool) -> tuple[int, float]:
    """Return battles and seconds of a tournament, whose records are then verified.

    A battle that is played again because the machine was late counts each time: the official runner does not
    look at that.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "bots"
        folder.mkdir()
        for bot in given.bots:
            shutil.copytree(bot, folder / bot.name)
            for file in (folder / bot.name).glob("*.sh"):
                file.chmod(0o755)
        library = given.bots[0].parent / "lib"
        if library.is_dir():
            shutil.copytree(library, folder / "lib")
        began = time.monotonic()
        found = run_tournament(
            folder,
            battles=given.battles,
            jobs=given.jobs,
            fresh=fresh,
            rounds=ROUNDS,
            game_type="1v1",
            python=given.python,
        )
        took_s = time.monotonic() - began
        battles = list(found.battles())
        assert verify_tournament(folder).ok
        failed = [row.failure for battle in battles for row in battle.scores if row.failure]
        played = sum(battle.attempts for battle in battles)
        if failed or played > len(battles):
            again = played - len(battles)
            print(f"  {len(failed)} failures, {again} played again, {found.table.suspect} suspect")
        return played, took_s


def official(given: argparse.Namespace) -> tuple[int, float]:
    """Return battles and seconds of the official runner, its start included."""
    pairs = [pair for pair in combinations(map(str, given.bots), 2) for _ in range(given.battles)]
    words = ["java", "-cp", given.classpath, str(_DRIVER), str(ROUNDS)]
    environ = dict(os.environ)
    if given.python:
        environ["PATH"] = f"{Path(given.python).parent}:{environ['PATH']}"
    began = time.monotonic()
    done = subprocess.run(
        [*words, *(bot for pair in pairs for bot in pair)], env=environ, stdout=subprocess.PIPE, text=True
    )
    took_s = time.monotonic() - began
    assert done.returncode == 0
    rounds = [line.split()[0] for line in done.stdout.splitlines()]
    whole = rounds.count(str(ROUNDS))
    if whole < len(pairs):
        print(f"  {len(pairs) - whole} battles failed")
    return whole, took_s


if __name__ == "__main__":
    main()

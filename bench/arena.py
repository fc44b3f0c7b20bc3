"""A class at an arena: people who upload tanks within a minute, others who watch.

    python bench/arena.py [--people N] [--watching N] [--sandbox full|none] [--seconds N]

It prints when each upload had its first result, missed turns, late turns of the server, and the load.
Watching is asking for the page's content and the standings every two seconds.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.app.arena.client import ArenaClient
from tests.app.arena.served import Served

from turnwright import Tournament

WITHIN_S = 55.0
BOT = b"""
from turnwright.bots import Bot

class MyBot(Bot):
    def on_tick(self, observation):
        self.turn_rate = 5
        self.target_speed = 6

    def on_scanned_bot(self, event):
        self.fire(1)

MyBot.main()
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--people", type=int, default=60)
    parser.add_argument("--watching", type=int, default=100)
    parser.add_argument("--sandbox", default="full")
    parser.add_argument(
        "--seconds", type=float, default=60.0, help="of the ladder, after the last first result"
    )
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="arena-"))
    folder.chmod(0o755)
    print(f"load {os.getloadavg()[0]:.1f} before")
    served = Served("--data", str(folder / "club"), "--sandbox", given.sandbox)
    try:
        answers = measure(served, given.people, given.watching, given.seconds)
        served.stop()
        print_ladder(folder / "club")
        print(f"{answers.total()} answers to those who watch: {dict(answers)}; load {os.getloadavg()[0]:.1f}")
    finally:
        served.stop()
        shutil.rmtree(folder, ignore_errors=True)


def measure(served: Served, people: int, watching: int, ladder_s: float) -> Counter[int]:
    """Let people upload and others watch; return the answers to those who watch, by status."""
    page, over = served.page(), threading.Event()
    answers: Counter[int] = Counter()
    watchers = [threading.Thread(target=watch, args=(page, over, answers)) for _ in range(watching)]
    for one in watchers:
        one.start()
    try:
        with ThreadPoolExecutor(people) as pool:
            uploads = list(
                pool.map(lambda number: come(page, number, number * WITHIN_S / people), range(people))
            )
        print_first_results(uploads)
        time.sleep(ladder_s)
    finally:
        over.set()
        for one in watchers:
            one.join()
    return answers


def watch(page: str, over: threading.Event, answers: Counter[int]) -> None:
    """Ask as an open page does."""
    client = ArenaClient(page)
    while not over.is_set():
        for path in ("/api/arena", "/standings.json"):
            answers[client.ask("GET", path)[0]] += 1
        over.wait(2.0)


def come(page: str, number: int, after_s: float) -> Callable[[], tuple[float, Any]]:
    """Make an account and upload; return what waits for the first result."""
    time.sleep(after_s)
    client = ArenaClient(page)
    client.register(f"Person{chr(97 + number // 26)}{chr(97 + number % 26)}")
    began = time.monotonic()
    status, said = client.upload(b"# %d" % number + BOT, "MyBot.py")
    assert status == 202, said
    result: list[tuple[float, Any]] = []

    def settle() -> None:
        upload = client.until_settled(said["upload"], pause_s=1.0)
        result.append((time.monotonic() - began, upload))

    thread = threading.Thread(target=settle)
    thread.start()

    def settled() -> tuple[float, Any]:
        thread.join()
        return result[0]

    return settled


def print_first_results(uploads: list[Callable[[], tuple[float, Any]]]) -> None:
    """Print when uploads had their first results, and what was missed in them."""
    found = [settled() for settled in uploads]
    waits = [wait_s for wait_s, _ in found]
    trials = [one["trial"] for _, one in found if one["trial"] is not None]
    print(f"{len(found)} uploads: {dict(Counter(one['state'] for _, one in found))}")
    print(
        f"first result after {min(waits):.1f} s at least, {median(waits):.1f} median, {max(waits):.1f} most"
    )
    turns, skipped = (sum(one[name] for one in trials) for name in ("turns", "skipped"))
    print(f"first battles: {turns} turns, {skipped} missed")


def print_ladder(folder: Path) -> None:
    """Print what the ladder played, and late turns of the server."""
    battles = list(Tournament(folder).battles())
    turns, late = sum(one.turns for one in battles), sum(one.server_late_turns for one in battles)
    counted = sum(one.counts for one in battles)
    print(f"ladder: {len(battles)} battles, {counted} count; {late} of {turns} turns late")


if __name__ == "__main__":
    main()

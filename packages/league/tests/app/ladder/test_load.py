"""A whole class: 60 people upload within a minute, and 100 people watch."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from packages.league.tests.app.ladder.client import LadderClient, enroll
from packages.league.tests.app.ladder.served import Served
from packages.league.tests.app.ladder.zips import zip_of
from turnwright_league import Tournament
from turnwright_league.app.check import verify_tournament

pytestmark = [pytest.mark.process, pytest.mark.long]

PEOPLE, NEW, WATCHERS = 60, 10, 100
"""The people who upload, how many of them create their account then, and the spectators."""
PAUSE_S = 0.3
BOT = """\
import random
from turnwright.client import play

play(lambda seen: random.choice(["up", "down", "left", "right"]))
"""


def name_of(number: int) -> str:
    return f"Person{chr(ord('a') + number // 26)}{chr(ord('a') + number % 26)}"


def test_sixty_uploads_in_a_minute_and_a_hundred_spectators_lose_nothing(
    tmp_path: Path,
) -> None:
    """Counts, and no time: every upload that was taken plays in the end, and battles were in time."""
    enroll(tmp_path / "club", *map(name_of, range(NEW, PEOPLE)))
    served = Served("--data", str(tmp_path / "club"), "--game", "snake", "--sandbox", "none")
    page = served.page()
    over = threading.Event()
    answers: Counter[int] = Counter()

    def watch() -> None:
        client = LadderClient(page)
        while not over.is_set():
            for path in ("/api/ladder", "/standings.json"):
                answers[client.ask("GET", path)[0]] += 1
            over.wait(2.0)

    def come(number: int) -> tuple[LadderClient, int]:
        client = LadderClient(page, "" if number < NEW else name_of(number))
        if number < NEW:
            client.register(name_of(number))
        data = zip_of({"Mine/Mine.py": f"# {number}\n{BOT}"})
        status, said = client.upload(data, "Mine.zip")
        assert status == 202, said
        return client, said["upload"]

    watchers = [threading.Thread(target=watch, daemon=True) for _ in range(WATCHERS)]
    try:
        for watcher in watchers:
            watcher.start()
        with ThreadPoolExecutor(PEOPLE) as pool:
            people = list(pool.map(come, range(PEOPLE)))
        assert len({number for _, number in people}) == PEOPLE
        for client, number in people:
            upload = client.until_settled(number, PAUSE_S)
            assert upload["state"] == "plays", upload
        first = people[0][0]
        first.until("the ladder goes on", lambda: first.get("/api/ladder")["battles"] >= 20, PAUSE_S)
        first.until("all of them play", lambda: first.get("/api/ladder")["bots"] == PEOPLE, PAUSE_S)
    finally:
        over.set()
        for watcher in watchers:
            watcher.join()
        assert served.stop() == 0
    assert set(answers) == {200}
    battles = list(Tournament(tmp_path / "club").battles())
    turns, late = sum(one.turns for one in battles), sum(one.server_late_turns for one in battles)
    counted = sum(one.counts for one in battles)
    print(f"{len(battles)} battles, {counted} count; {late} of {turns} turns late; {answers.total()} answers")
    assert late <= 0.02 * turns
    assert counted >= 0.8 * len(battles)
    assert not verify_tournament(tmp_path / "club").wrong

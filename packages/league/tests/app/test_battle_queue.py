"""The queue of battles, with workers whose answers the test decides."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from packages.core.tests.messages import missing
from turnwright.errors import SetupError
from turnwright_league.app.battle_queue import ATTEMPTS_MAX, BattleQueue, QueuedBattle
from turnwright_league.app.battle_workers import BattleWorkers
from turnwright_league.app.options import JOBS_MAX
from turnwright_league.app.pool import WorkerLost
from turnwright_league.app.worker import BattleJob, JobResult
from turnwright_league.tournament.battle_spec import BattleSpec

SPEC = BattleSpec("dice", 1, "{}", ("ann", "bob"), 1)
PLAYED = JobResult("played", "ok")


class Workers:
    """Two workers that begin battles; the test ends them."""

    slows_down, capacity = True, 2

    def __init__(self) -> None:
        self.out: list[Future[JobResult]] = []
        self.cannot: dict[str, str] = {}

    def cannot_play(self, spec: BattleSpec) -> str:
        return next((self.cannot[one] for one in spec.seats if one in self.cannot), "")

    def play(self, job: BattleJob) -> Future[JobResult]:
        self.out.append(Future())
        return self.out[-1]

    def __enter__(self) -> BattleWorkers:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class Played:
    """A queue of battles between these pairs, and their results."""

    def __init__(self, *pairs: tuple[str, str], part: Path | None = None) -> None:
        self.workers, self.told = Workers(), list[str]()
        self.kept: list[tuple[BattleSpec, int, JobResult]] = []
        record = None if part is None else str(part)
        self.queue = BattleQueue(
            self.workers, 2, lambda spec: BattleJob(spec, "dice", {}, record=record), self.told.append
        )
        self.next = iter([QueuedBattle(replace(SPEC, seats=pair), " v ".join(pair)) for pair in pairs])

    def fill(self) -> bool:
        return self.queue.fill(lambda: next(self.next, None))

    def end(self, result: JobResult | Exception) -> None:
        """End the battle that has run for the longest time, and fill the queue again."""
        future = self.workers.out.pop(0)
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)
        self.queue.take(self.take)
        self.fill()

    def take(self, battle: QueuedBattle, result: JobResult) -> None:
        if not self.queue.again(battle, result.why):
            self.kept.append((battle.spec, battle.attempt, result))


def test_the_queue_plays_its_number_of_battles_and_then_the_next() -> None:
    played = Played(("ann", "bob"), ("ann", "cem"), ("bob", "cem"))
    assert played.fill()
    assert [one.names for one in played.queue.running] == ["ann v bob", "ann v cem"]
    played.end(PLAYED)
    assert [one.names for one in played.queue.running] == ["ann v cem", "bob v cem"]
    assert not played.told


@pytest.mark.parametrize("error", [WorkerLost("killed"), RuntimeError("boom")])
def test_a_battle_whose_worker_fails_is_void_and_played_until_it_was_played_often_enough(
    error: Exception,
) -> None:
    played = Played(("ann", "bob"))
    played.fill()
    for _ in range(ATTEMPTS_MAX):
        assert not played.kept
        played.end(error)
    [(_, attempt, result)] = played.kept
    assert (attempt, result.kind, played.queue.running) == (ATTEMPTS_MAX, "void", [])
    assert len(played.told) == ATTEMPTS_MAX - 1
    assert not missing(played.told[0], "ann v bob", str(error), "played again")


def test_an_error_for_the_operator_is_raised() -> None:
    played = Played(("ann", "bob"))
    played.fill()
    with pytest.raises(SetupError, match="the cluster is gone"):
        played.end(SetupError("the cluster is gone"))


def test_a_battle_that_no_worker_can_play_waits_and_the_others_are_played() -> None:
    played = Played(("ann", "bob"), ("bob", "cem"))
    played.workers.cannot["ann"] = "java is missing"
    assert not played.fill()
    assert ([one.names for one in played.queue.running], played.queue.stuck) == (["bob v cem"], "")
    played.end(PLAYED)
    assert not missing(played.queue.stuck, "java is missing", "1 battles")


def test_the_queue_stops_choosing_when_too_many_battles_wait() -> None:
    played, chosen = Played(), count()
    played.workers.cannot["ann"] = "java is missing"
    battles = iter(lambda: QueuedBattle(SPEC, f"battle {next(chosen)}"), None)
    played.queue.fill(lambda: next(battles))
    assert next(chosen) == 4 * JOBS_MAX
    assert not missing(played.queue.stuck, f"{4 * JOBS_MAX} battles")


@pytest.fixture
def part(tmp_path: Path) -> Path:
    part = tmp_path / "a.part.twr"
    part.write_bytes(b"x")
    return part


def test_an_unwanted_record_is_deleted(part: Path) -> None:
    played = Played(("ann", "bob"), part=part)
    played.fill()
    played.end(replace(PLAYED, why="suspect"))
    assert not part.exists()


def test_battles_that_ended_when_a_run_fails_are_still_passed_on(part: Path) -> None:
    played = Played(("ann", "bob"), ("ann", "cem"), part=part)
    played.fill()
    played.workers.out[0].set_result(PLAYED)
    played.workers.out[1].set_exception(WorkerLost("the pool was stopped"))
    played.queue.take_finished(played.take)
    assert [spec.seats for spec, _, _ in played.kept] == [("ann", "bob")]
    played.queue.delete_parts()
    assert not part.exists()

"""A tournament on up to 1,000 workers: costs measured here, the rest by simulation.

    python bench/scale.py [--measure] [--battle-s S …]

--measure: the costs of one battle at the caller (job, answer, record, insert, plan, with 1,000 battles handed
out at once) and at Dask's scheduler, measured on this machine; else those of COSTS. The simulation takes each
as a queue in front of one server, and battles of random length (lognormal).
"""

from __future__ import annotations

import argparse
import heapq
import math
import os
import random
import statistics
import tempfile
import time
from collections import deque
from collections.abc import Collection, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from cluster import _dask, _processor_s
from rig import markdown

from turnwright.app.tournament.clusters.interface import ClusterWorker, RemoteAnswer

US = 1e-6
WORKERS = (2, 10, 100, 300, 1_000)
SPREAD = 0.5
"""Standard deviation of the logarithm of a battle's length."""
BATTLES_A_WORKER = 40
AHEAD = 0.25
"""Battles that wait at the cluster, as a part of its workers: as in clusters/workers.py."""


@dataclass(frozen=True)
class Costs:
    """Measured costs.

    caller_s: of a battle at the caller, by the clock, which counts its waits for the disk (and, on a busy
    machine, for a processor); caller_processor_s: processor time alone; insert_s: that of the database.
    scheduler_s: at the scheduler, without records. record: bytes. archive: bytes of a bot. wire: bytes a
    second of a network card. delay_s: between two machines, one way. fetch_s: a worker's first look at a bot.
    """

    caller_s: float = 1_645 * US
    caller_processor_s: float = 1_646 * US
    insert_s: float = 46 * US
    scheduler_s: float = 880 * US
    record: int = 217_000
    archive: int = 20_000
    wire: float = 125e6
    delay_s: float = 0.000_5
    fetch_s: float = 0.01


COSTS = Costs()


class Server:
    """A server that does one thing after the other. busy_s: in all."""

    def __init__(self) -> None:
        self.free_at = self.busy_s = 0.0

    def take(self, now: float, cost: float) -> float:
        """Return when something is done that arrives now."""
        self.free_at = max(now, self.free_at) + cost
        self.busy_s += cost
        return self.free_at


@dataclass(frozen=True)
class Outcome:
    """The outcome of a simulation: shares of the time, battles a second, seconds.

    efficiency: the part of the workers that play, between the first battles and the last.
    """

    efficiency: float
    rate: float
    scheduler: float
    caller: float
    network: float
    answer_s: float


class Cluster:
    """A simulated tournament. bots: entries; each worker fetches those that it has not seen."""

    def __init__(self, workers: int, battle_s: float, costs: Costs, bots: int = 40) -> None:
        self._workers, self._costs, self._bots = workers, costs, bots
        self._total = BATTLES_A_WORKER * workers
        self._rng = random.Random(1)
        self._mu = math.log(battle_s) - SPREAD * SPREAD / 2
        self._scheduler, self._caller = Server(), Server()
        self._to_caller, self._from_scheduler = Server(), Server()
        self._seen: list[set[int]] = [set() for _ in range(workers)]
        self._idle, self._waiting = list(range(workers)), 0
        self._events: list[tuple[float, int, str, int]] = []
        self._count = self._started = 0
        self._played: list[tuple[float, float]] = []
        self._answers: list[float] = []
        self._drained = math.inf
        self._warm_s = 5 * battle_s

    def play(self) -> Outcome:
        """Play all battles."""
        for _ in range(self._workers + 1 + int(AHEAD * self._workers)):
            self._hand_out(0.0)
        now = 0.0
        while self._events:
            now, _, what, which = heapq.heappop(self._events)
            getattr(self, f"_{what}")(now, which)
        end = self._drained
        busy = sum(max(0.0, min(b, end) - max(a, self._warm_s)) for a, b in self._played)
        servers = (self._scheduler, self._caller, self._to_caller)
        return Outcome(
            busy / self._workers / (end - self._warm_s),
            self._total / now,
            *(one.busy_s / now for one in servers),
            statistics.median(self._answers),
        )

    def _at(self, time_s: float, what: str, which: int = 0) -> None:
        self._count += 1
        heapq.heappush(self._events, (time_s, self._count, what, which))

    def _hand_out(self, now: float) -> None:
        if self._started < self._total:
            self._started += 1
            self._at(self._scheduler.take(now + self._costs.delay_s, self._costs.scheduler_s / 2), "queued")

    def _queued(self, now: float, _: int) -> None:
        if self._idle:
            self._begin(now, self._idle.pop())
        else:
            self._waiting += 1

    def _begin(self, now: float, worker: int) -> None:
        costs, fetch = self._costs, 0.0
        for bot in self._rng.sample(range(self._bots), 2):
            if bot not in self._seen[worker]:
                self._seen[worker].add(bot)
                fetch += costs.fetch_s + self._from_scheduler.take(now, costs.archive / costs.wire) - now
        begun = now + costs.delay_s + fetch
        over = begun + self._rng.lognormvariate(self._mu, SPREAD)
        self._played.append((begun, over))
        self._at(over + costs.delay_s, "over", worker)

    def _over(self, now: float, worker: int) -> None:
        costs = self._costs
        told = self._scheduler.take(now, costs.scheduler_s / 2)
        self._at(told, "free", worker)
        arrived = self._to_caller.take(told + costs.delay_s, costs.record / costs.wire)
        kept = self._caller.take(arrived, costs.caller_s)
        self._answers.append(kept - now)
        self._at(kept, "kept")

    def _free(self, now: float, worker: int) -> None:
        if self._waiting:
            self._waiting -= 1
            self._begin(now, worker)
        else:
            self._idle.append(worker)
            if self._started == self._total:
                self._drained = min(self._drained, now)

    def _kept(self, now: float, _: int) -> None:
        self._hand_out(now)


def main() -> None:
    """Measure, simulate and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--battle-s", type=float, nargs="*", default=[1.0, 10.0, 60.0])
    given = parser.parse_args()
    costs = measured() if given.measure else COSTS
    print(costs)
    print(f"load {os.getloadavg()[0]:.1f}\n")
    rows = []
    for battle_s in given.battle_s:
        for workers in WORKERS:
            found = Cluster(workers, battle_s, costs).play()
            shares = (found.scheduler, found.caller, found.network)
            rows.append(
                (
                    f"{battle_s:g} s",
                    workers,
                    f"{found.efficiency:.3f}",
                    f"{found.rate:.1f}",
                    *(f"{share:.0%}" for share in shares),
                    f"{1000 * found.answer_s:.0f} ms",
                )
            )
    names = ("battle", "workers", "of linear", "battles/s", "scheduler", "caller", "network", "until kept")
    print(markdown(names, rows))


# ---- measuring ---------------------------------------------------------------------------------------------


def measured() -> Costs:
    """Return the costs on this machine."""
    with tempfile.TemporaryDirectory() as name:
        costs = _caller(Path(name))
        scheduler_s = _scheduler(Path(name))
    return replace(costs, scheduler_s=scheduler_s)


class AnswersAtOnce:
    """An engine of 800 workers that knows all answers: what is left is the caller's work."""

    where = "the bench"

    def __init__(self, record: bytes, result: Any) -> None:
        self._record, self._result = record, result

    def workers(self) -> Sequence[ClusterWorker]:
        """Return enough for 1,000 battles at once."""
        return [ClusterWorker("bench", 800)]

    def keep(self, digest: str, archive: Path) -> None:
        """Do nothing."""

    def drop(self, key: str) -> str:
        """Do nothing."""
        return ""

    def submit(
        self, key: str, job: bytes, archives: Sequence[str], without: Collection[str]
    ) -> Future[RemoteAnswer]:
        """Answer at once."""
        from turnwright.app.tournament.clusters.messages import RemoteResult, read_job, written
        from turnwright.tournament.battle_spec import BattleSpec

        spec = BattleSpec.from_json(read_job(job).spec)
        scores = tuple(
            replace(row, entry=entry, seat=seat)
            for row, (seat, entry) in zip(self._result.scores, enumerate(spec.seats), strict=True)
        )
        answer: Future[RemoteAnswer] = Future()
        result = replace(self._result, scores=scores)
        answer.set_result(("bench", written(RemoteResult(spec.id, "bench:1", result, self._record))))
        return answer

    def stop(self) -> None:
        """Do nothing."""


def _caller(place: Path, battles: int = 4_000) -> Costs:
    """Return the costs of a battle at the caller.

    The engine answers at once and the caller works on one thread, so what the clock counts beyond processor
    time are its waits: for the disk (record, its folder, the database), on a quiet machine for nothing else.
    Making up the answers counts, too, so this is an upper bound.
    """
    from cluster import ROUNDS, _jobs

    from turnwright.app.tournament.clusters import dask
    from turnwright.app.tournament.folder import TournamentFolder
    from turnwright.app.tournament.options import TournamentOptions
    from turnwright.app.tournament.run import play_tournament
    from turnwright.app.tournament.store import open_store
    from turnwright.app.tournament.worker import play_job

    _, jobs = _jobs(TournamentFolder(place), 5)
    results = [play_job(job) for job in jobs]
    records = [Path(str(job.record)).read_bytes() for job in jobs]
    record = sorted(records, key=len)[len(records) // 2]
    engine = AnswersAtOnce(record, results[0])
    began, began_at = time.process_time(), time.perf_counter()
    options = TournamentOptions(
        bots=("Spinner", "Rammer", "Tracker", "Crawler", "Dodger"), battles=battles // 10, on="dask://bench:1"
    )
    with patch.object(dask, "DaskEngine", lambda where, resource: engine):
        end = play_tournament(place / "many", options, "tank", {"rounds": ROUNDS, "game_type": "1v1"})
    took, by_clock = time.process_time() - began, time.perf_counter() - began_at
    played = list(end.tournament.battles())
    assert len(played) == battles
    store = open_store(place / "again.sqlite", writing=True)
    began = time.process_time()
    for one in played:
        store.add(one)
    inserted = time.process_time() - began
    store.close()
    return replace(
        COSTS,
        caller_s=by_clock / battles,
        caller_processor_s=took / battles,
        insert_s=inserted / battles,
        record=len(record),
    )


def _scheduler(place: Path, jobs: int = 3_000) -> float:
    """Return seconds of the scheduler's processor for a job that is answered at once."""
    from turnwright.app.tournament.clusters.dask import DaskEngine
    from turnwright.app.tournament.clusters.messages import RemoteJob, written

    refused = written(RemoteJob('["snake",1,{},["a","b"],1]', "snake", {}, {}, False, "0", "0"))
    with _dask(place, 2) as (on, (scheduler, *_)):
        engine = DaskEngine(on.removeprefix("dask://"))
        try:
            for half in (0, 1):
                before = _processor_s(scheduler)
                waiting = deque[Future[Any]]()
                for number in range(jobs):
                    waiting.append(engine.submit(f"bench-{half}-{number}", refused, (), ()))
                    if len(waiting) > 100:
                        waiting.popleft().result()
                for one in waiting:
                    one.result()
            return (_processor_s(scheduler) - before) / jobs
        finally:
            engine.stop()


if __name__ == "__main__":
    main()

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
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from cluster import _dask
from rig import markdown

US = 1e-6
WORKERS = (2, 10, 100, 300, 1_000)
SPREAD = 0.5
"""Standard deviation of the logarithm of a battle's length."""
AHEAD = 0.25
"""Battles that wait at the cluster, as a part of its workers: as in clusters/workers.py."""


@dataclass(frozen=True)
class Costs:
    """Measured costs.

    caller_s, insert_s: time of a battle at the caller, and its part in the database. scheduler_s: at the
    scheduler, without records. record: bytes. archive: bytes of a bot. wire: bytes a second of a network
    card. delay_s: between two machines, one way. fetch_s: a worker's first look at a bot.
    """

    caller_s: float = 1_500 * US
    insert_s: float = 300 * US
    scheduler_s: float = 1_000 * US
    record: int = 250_000
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
    """The outcome of a simulation: shares of the time, battles a second, seconds."""

    efficiency: float
    rate: float
    scheduler: float
    caller: float
    network: float
    answer_s: float


def simulate(workers: int, battle_s: float, costs: Costs, bots: int = 40, battles: int = 0) -> Outcome:
    """Play a tournament. bots: entries; each worker fetches those that it has not seen."""
    rng = random.Random(1)
    total = battles or 40 * workers
    mu = math.log(battle_s) - SPREAD * SPREAD / 2
    scheduler, caller, network = Server(), Server(), Server()
    seen: list[set[int]] = [set() for _ in range(workers)]
    idle, waiting = list(range(workers)), deque[float]()
    events: list[tuple[float, int, str, int]] = []
    count = started = done = 0
    played_s = 0.0
    answers = []

    def at(time_s: float, what: str, which: int = 0) -> None:
        nonlocal count
        count += 1
        heapq.heappush(events, (time_s, count, what, which))

    def hand_out(now: float) -> None:
        nonlocal started
        started += 1
        at(scheduler.take(now + costs.delay_s, costs.scheduler_s / 2), "queued")

    def begin(now: float, worker: int) -> None:
        nonlocal played_s
        length = rng.lognormvariate(mu, SPREAD)
        fetch = 0.0
        for bot in rng.sample(range(bots), 2):
            if bot not in seen[worker]:
                seen[worker].add(bot)
                arrived = network.take(now, costs.archive / costs.wire)
                fetch += costs.fetch_s + arrived - now
        played_s += length
        at(now + 2 * costs.delay_s + fetch + length, "played", worker)

    for _ in range(min(total, workers + 1 + int(AHEAD * workers))):
        hand_out(0.0)
    now = 0.0
    while events:
        now, _, what, which = heapq.heappop(events)
        if what == "queued":
            if idle:
                begin(now, idle.pop())
            else:
                waiting.append(now)
        elif what == "played":
            told = scheduler.take(now + costs.delay_s, costs.scheduler_s / 2)
            arrived = network.take(told, costs.record / costs.wire)
            at(told, "free", which)
            kept = caller.take(arrived + costs.delay_s, costs.caller_s)
            answers.append(kept - now)
            at(kept, "kept")
        elif what == "free":
            if waiting:
                waiting.popleft()
                begin(now, which)
            else:
                idle.append(which)
        else:
            done += 1
            if started < total:
                hand_out(now)
    assert done == total
    steady = now - 1.5 * battle_s  # the last battles end one by one: that is no cost of the cluster
    shares = (one.busy_s / now for one in (scheduler, caller, network))
    return Outcome(min(1.0, played_s / workers / steady), total / now, *shares, statistics.median(answers))


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
            found = simulate(workers, battle_s, costs)
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
        caller_s, insert_s, record = _caller(Path(name))
        scheduler_s = _scheduler(Path(name))
    return replace(COSTS, caller_s=caller_s, insert_s=insert_s, record=record, scheduler_s=scheduler_s)


class AnswersAtOnce:
    """An engine of 800 workers that knows all answers: what is left is the caller's work."""

    where = "the bench"

    def __init__(self, record: bytes, result: Any) -> None:
        self._record, self._result = record, result

    def workers(self) -> int:
        """Return enough for 1,000 battles at once."""
        return 800

    def keep(self, digest: str, archive: bytes) -> None:
        """Do nothing."""

    def submit(self, key: str, job: bytes, archives: Sequence[str]) -> Future[bytes]:
        """Answer at once."""
        from turnwright.app.tournament.clusters.messages import RemoteResult, read_job, written
        from turnwright.tournament.battle_spec import BattleSpec

        spec = BattleSpec.from_json(read_job(job).spec)
        scores = tuple(
            replace(row, entry=entry, seat=seat)
            for row, (seat, entry) in zip(self._result.scores, enumerate(spec.seats), strict=True)
        )
        answer: Future[bytes] = Future()
        result = replace(self._result, scores=scores)
        answer.set_result(written(RemoteResult(spec.id, "bench:1", result, self._record)))
        return answer

    def stop(self) -> None:
        """Do nothing."""


def _caller(place: Path, battles: int = 4_000) -> tuple[float, float, int]:
    """Return seconds of a battle at the caller, those of its insert, and the bytes of a record."""
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
    began = time.perf_counter()
    options = TournamentOptions(
        bots=("Spinner", "Rammer", "Tracker", "Crawler", "Dodger"), battles=battles // 10, on="dask://bench:1"
    )
    with patch.object(dask, "DaskEngine", lambda where: engine):
        end = play_tournament(place / "many", options, "tank", {"rounds": ROUNDS, "game_type": "1v1"})
    took = time.perf_counter() - began
    played = list(end.tournament.battles())
    assert len(played) == battles
    store = open_store(place / "again.sqlite", writing=True)
    began = time.perf_counter()
    for one in played:
        store.add(one)
    inserted = time.perf_counter() - began
    store.close()
    return took / battles, inserted / battles, len(record)


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
                waiting = deque[Future[bytes]]()
                for number in range(jobs):
                    waiting.append(engine.submit(f"bench-{half}-{number}", refused, ()))
                    if len(waiting) > 100:
                        waiting.popleft().result()
                for one in waiting:
                    one.result()
            return (_processor_s(scheduler) - before) / jobs
        finally:
            engine.stop()


def _processor_s(pid: int) -> float:
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()

"""Battles of a tournament on our own pool, Dask and Ray, with two workers, in turns.

    python bench/cluster.py [--battles N] [--rounds N] [--times N] [--workers N]

Each plays the same duels of house bots, with records, in an order that rotates. *Linear* is the time of the
same battles in one process, divided by the number of workers. Ray is measured where it is installed:
pip install 'turnwright[dask,ray]'.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import combinations, cycle, islice
from pathlib import Path
from typing import Any

from rig import markdown

from turnwright.app.game_parts import parts_of
from turnwright.app.tournament.battle_workers import BattleWorkers, open_workers
from turnwright.app.tournament.folder import TournamentBot, TournamentFolder
from turnwright.app.tournament.options import settings_given
from turnwright.app.tournament.worker import BattleJob, JobResult, play_job
from turnwright.tournament.battle_spec import BattleSpec, settings_text

HOUSE = ("Spinner", "Rammer", "Tracker", "Crawler", "Dodger")
ROUNDS = 10
GAME = "tank"
STEP_S = 60.0
QUIET = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
}
"""Settings without which an idle worker of Dask takes 3 % of a processor: its profiler, its monitor."""


@dataclass(frozen=True)
class Measured:
    """One run. begin_s: until the first battles are over. processor_s: of all processes together."""

    wall_s: float
    processor_s: float
    begin_s: float = 0.0
    memory_mb: float = 0.0


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--battles", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = TournamentFolder(name)
        bots, jobs = _jobs(folder, given.battles, given.rounds)
        places: dict[str, str | None] = {"own pool": None}
        dask = stack.enter_context(_dask(Path(name), given.workers)) if find_spec("distributed") else None
        if dask is not None:
            places["Dask"] = dask[0]
        if find_spec("ray"):
            places["Ray"] = "ray"
        found: dict[str, list[Measured]] = {one: [] for one in places}
        alone: list[Measured] = []
        _serial(jobs[:2])
        for number in range(given.times):
            alone.append(_serial(jobs))
            order = list(places)[number % len(places) :] + list(places)[: number % len(places)]
            for one in order:
                servers = dask[1] if dask is not None and one == "Dask" else []
                found[one].append(_played(places[one], given.workers, folder, bots, jobs, servers))
                print(f"{one}: {found[one][-1]} beside {alone[-1]}", flush=True)
    wall_s = statistics.median(one.wall_s for one in alone)
    print(f"\n{given.battles} duels of {given.rounds} rounds, {given.workers} workers, {given.times} times;")
    print(f"in one process {wall_s:.2f} s; load {os.getloadavg()[0]:.1f}\n")
    print(_table(found, alone, given.workers))


def _table(found: Mapping[str, list[Measured]], alone: list[Measured], workers: int) -> str:
    rows = []
    for name, runs in found.items():
        linear = [one.wall_s / workers / run.wall_s for one, run in zip(alone, runs, strict=True)]
        beside = [own.wall_s / run.wall_s for own, run in zip(found["own pool"], runs, strict=True)]
        processor = [run.processor_s / one.processor_s for one, run in zip(alone, runs, strict=True)]
        memory = statistics.median(run.memory_mb for run in runs)
        begin = statistics.median(run.begin_s for run in runs)
        shares = map(_spread, (linear, beside, processor))
        rows.append((name, *shares, f"{memory:.0f} MB", f"{begin:.1f} s"))
    names = ("of linear", "beside our own pool", "processor time of one process", "memory", "first battles")
    return markdown(("workers", *names), rows)


def _spread(values: list[float]) -> str:
    return f"{statistics.median(values):.3f} ({min(values):.3f}…{max(values):.3f})"


def _jobs(
    folder: TournamentFolder, number: int, rounds: int = ROUNDS
) -> tuple[dict[str, TournamentBot], list[BattleJob]]:
    parts = parts_of(GAME)
    bots = {bot.entry.id: bot for name in HOUSE for bot in folder.named(name, parts.bots, GAME)}
    settings = settings_text(settings_given(GAME, {"game_type": "1v1", "rounds": rounds}))
    version = parts.light_rules().behaviour_version
    jobs = []
    for seed, pair in enumerate(islice(cycle(combinations(bots, 2)), number)):
        spec = BattleSpec(GAME, version, settings, pair, seed)
        record = str(folder.new_record(spec.id))
        jobs.append(BattleJob(spec, GAME, {one: bots[one].given for one in pair}, record=record))
    return bots, jobs


def _serial(jobs: list[BattleJob]) -> Measured:
    """Play the jobs in this process."""
    began, processor = time.perf_counter(), time.process_time()
    for job in jobs:
        _good(play_job(job))
    return Measured(time.perf_counter() - began, time.process_time() - processor)


def _played(
    on: str | None,
    workers: int,
    folder: TournamentFolder,
    bots: dict[str, TournamentBot],
    jobs: list[BattleJob],
    servers: list[int],
) -> Measured:
    began = time.perf_counter()
    with open_workers(on, workers, None, GAME, folder, bots, print) as opened:
        _all(opened, jobs[: 3 * workers])
        family = _family({os.getpid(), *servers}, without_dask=not servers)
        before, begun = sum(map(_processor_s, family)), time.perf_counter()
        _all(opened, jobs)
        wall = time.perf_counter() - begun
        processor = sum(map(_processor_s, family)) - before
        return Measured(wall, processor, begun - began, sum(map(_pss_mb, family)))


def _all(workers: BattleWorkers, jobs: list[BattleJob]) -> None:
    waiting, running = list(reversed(jobs)), set[Future[JobResult]]()
    while waiting or running:
        while waiting and len(running) < workers.capacity:
            running.add(workers.play(waiting.pop()))
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for one in done:
            _good(one.result())


def _good(result: JobResult) -> None:
    assert result.kind == "played", result


@contextmanager
def _dask(place: Path, workers: int) -> Iterator[tuple[str, list[int]]]:
    """Start a scheduler and workers; give where they are, and their processes."""
    file = place / "scheduler.json"
    common = ["--host", "127.0.0.1", "--no-dashboard"]
    started = [_start("scheduler", "--port", "0", "--scheduler-file", str(file), *common)]
    limit = time.monotonic() + STEP_S
    while not file.exists() or not file.read_text().endswith("}"):
        assert time.monotonic() < limit
        time.sleep(0.05)
    address = file.read_text().partition('"address": "')[2].partition('"')[0]
    more = ["--nthreads", "1", "--local-directory", str(place / "dask")]
    started += [_start("worker", address, "--no-nanny", *more, *common) for _ in range(workers)]
    try:
        from distributed import Client

        with Client(address) as client:
            client.wait_for_workers(workers, timeout=STEP_S)
        yield address.replace("tcp://", "dask://"), [one.pid for one in started]
    finally:
        for one in reversed(started):
            one.kill()  # a worker that is asked to end looks for its scheduler first
            one.wait()


def _start(kind: str, *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *words]
    environment = {**os.environ, **QUIET}
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _family(roots: set[int], *, without_dask: bool) -> set[int]:
    """Return processes and what they have started; without those of Dask where another is measured."""
    below: dict[int, list[int]] = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            if without_dask and b"distributed.cli" in (place / "cmdline").read_bytes():
                continue
        except OSError:
            continue
        below.setdefault(parent, []).append(int(place.name))
    found, waiting = set[int](), list(roots)
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += below.get(one, [])
    return found


def _pss_mb(pid: int) -> float:
    """Return a process's share of memory in MB, 0 when it has ended."""
    try:
        rows: Any = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(row.split()[1]) for row in rows if row.startswith("Pss:")) / 1000


def _processor_s(pid: int) -> float:
    """Return the seconds of processors that a process and its ended children have used."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()

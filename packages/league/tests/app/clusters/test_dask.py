"""Tournaments on a real Dask cluster, whose workers and scheduler are killed."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.app.bots import write_bot
from packages.core.tests.messages import missing
from packages.core.tests.waiting import wait_until
from packages.league.tests.app.clusters.dask_cluster import DaskCluster, kill
from packages.league.tests.app.playing import results
from turnwright_league import Tournament
from turnwright_league.app.check import verify_tournament
from turnwright_league.app.clusters import workers
from turnwright_league.app.options import TournamentOptions
from turnwright_league.app.run import play_tournament

pytestmark = [pytest.mark.process, pytest.mark.long, pytest.mark.timeout(900)]

STILL = 'from turnwright.client import play\nplay(lambda seen: "up")\n'


def play(folder: Path, *bots: str, on: str | None = None, **options: Any) -> Tournament:
    folder.mkdir(exist_ok=True)
    asked = TournamentOptions(bots=bots, on=on, **options)
    return play_tournament(folder, asked, "snake", on_notice=lambda line: None).tournament


def facts(tournament: Tournament) -> list[tuple[Any, ...]]:
    return [(b.id, b.state, b.digest, [(r.entry, r.score, r.rounds) for r in b.scores])
            for b in tournament.battles()]  # fmt: skip


def command(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "turnwright.cli", "tournament", "run", str(folder), "--game", "snake", *words],
        capture_output=True, text=True, timeout=120, env={**os.environ, **environment},
    )  # fmt: skip


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 2, done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    return done.stderr


@contextmanager
def disturbed(folder: Path, disturb: Callable[[int], None], after: tuple[int, ...]) -> Iterator[None]:
    """Call `disturb` with 0, 1 … as soon as there are as many results as `after` says."""
    over = threading.Event()

    def watch() -> None:
        for number, least in enumerate(after):
            while results(folder) < least and not over.wait(0.05):
                pass
            if over.is_set():
                return
            disturb(number)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """A cluster of several tests. They leave it with its two workers, and with an empty cache of bots."""
    with DaskCluster(tmp_path_factory.mktemp("shared") / "dask", workers=2) as cluster:
        wait_for_workers(cluster, 2)
        yield cluster


@pytest.fixture(scope="module")
def unfit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """A cluster of two workers that cannot play. One has an older installation, the other two threads."""
    with DaskCluster(tmp_path_factory.mktemp("unfit") / "dask") as cluster:
        cluster.workers = [cluster.add_worker(older="installed"), cluster.add_worker(threads=2)]
        wait_for_workers(cluster, 2)
        yield cluster


def test_workers_that_are_killed_change_nothing_in_any_battle(shared: DaskCluster, tmp_path: Path) -> None:
    folder = tmp_path / "there"
    killed: list[int] = []

    def disturb(number: int) -> None:
        worker = shared.workers.pop(0)
        os.kill(worker.pid, signal.SIGKILL)
        killed.append(worker.wait())
        shared.workers.append(shared.add_worker())

    with disturbed(folder, disturb, (4, 14, 24)):
        found = play(folder, "Greedy", "Wanderer", battles=40, keep="none", on=shared.on)
    assert killed == [-signal.SIGKILL] * 3
    battles = list(found.battles())
    assert len(battles) == 40
    assert all(battle.counts for battle in battles)
    assert len({battle.worker for battle in battles}) >= 4
    here = play(tmp_path / "here", "Greedy", "Wanderer", battles=40, keep="none")
    assert facts(found) == facts(here)
    assert found.standings == here.standings


def test_bots_in_directories_play_on_workers_with_records_that_verify(
    shared: DaskCluster, tmp_path: Path
) -> None:
    folder = tmp_path / "bots"
    write_bot(folder, "Once", STILL)
    found = play(folder, "Greedy", battles=6, on=shared.on)
    assert [battle.state for battle in found.battles()] == ["ok"] * 6
    assert len(list(shared.bots.glob("*/Once/Once.py"))) == 1
    assert verify_tournament(folder).checked == 6


def test_a_killed_scheduler_ends_the_run_in_one_line_and_the_next_run_resumes(
    shared: DaskCluster, tmp_path: Path
) -> None:
    folder = tmp_path / "bots"
    folder.mkdir()
    with DaskCluster(tmp_path / "dask", workers=1) as cluster:
        words = ["Greedy", "Wanderer", "--battles", "100000", "--keep", "none", "--on", cluster.on]
        with disturbed(folder, lambda number: kill(cluster.scheduler), (10,)):
            line = one_line(command(folder, *words))
    assert "Dask" in line
    before = results(folder)
    assert before >= 10
    found = play(folder, battles=before + 10, keep="none", on=shared.on)
    assert len(facts(found)) == before + 10


def test_a_killed_run_leaves_no_job_at_the_scheduler_and_the_next_run_resumes(
    shared: DaskCluster, tmp_path: Path
) -> None:
    from distributed import Client

    folder = tmp_path / "bots"
    write_bot(folder, "Still", STILL)
    words = [sys.executable, "-m", "turnwright.cli", "tournament", "run", str(folder), "Greedy"]
    words += ["--game", "snake", "--battles", "1000", "--on", shared.on]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: results(folder) >= 3, 400)
    process.kill()
    process.wait()
    with Client(shared.address, timeout=20) as client:
        wait_until(lambda: not client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)), 400)
    battles = results(folder) + 2
    assert len(facts(play(folder, battles=battles, on=shared.on))) == battles


def test_a_cluster_without_a_fit_worker_is_refused_in_one_line(unfit: DaskCluster, tmp_path: Path) -> None:
    folder = tmp_path / "bots"
    folder.mkdir()
    line = one_line(command(folder, "Greedy", "Wanderer", "--on", unfit.on))
    assert "0.0.9" in line
    assert "--nthreads 1" in line
    assert results(folder) == 0


def test_a_worker_of_older_code_is_refused_in_one_line(shared: DaskCluster, tmp_path: Path) -> None:
    folder = tmp_path / "bots"
    folder.mkdir()
    with further_workers(shared, {"older": "code", "more": ("--resources", "old=1")}):
        wait_for_workers(shared, 3)
        line = one_line(command(folder, "Greedy", "Wanderer", "--on", shared.on, "--resource", "old"))
    assert "0.0.9" in line
    assert results(folder) == 0


def test_unfit_workers_are_set_aside_and_named_and_the_fit_one_plays_all(
    unfit: DaskCluster, tmp_path: Path
) -> None:
    folder = tmp_path / "bots"
    write_bot(folder, "Still", STILL)
    bare = {"environment": without_programs(tmp_path)}  # without bubblewrap
    with further_workers(unfit, {}, {"older": "code"}, bare):
        wait_for_workers(unfit, 5)
        done = command(folder, "Greedy", "--battles", "8", "--on", unfit.on, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["battles"]
    assert [(one["state"], one["sandbox"]) for one in found] == [("ok", "full")] * 8
    assert not missing(done.stderr, "0.0.9", "--nthreads 1", "bubblewrap")
    told = [line for line in done.stderr.splitlines() if "worker" in line and "workers" not in line]
    assert len(told) <= 5, done.stderr


def test_only_workers_with_the_resource_play(shared: DaskCluster, tmp_path: Path) -> None:
    folder = tmp_path / "bots"
    with further_workers(shared, {"more": ("--resources", "java=1")}) as (worker,):
        wait_for_workers(shared, 3)
        found = play(folder, "Greedy", "Wanderer", battles=10, on=shared.on, resource="java")
    assert [battle.worker.rpartition(":")[2] for battle in found.battles()] == [str(worker.pid)] * 10


def test_a_stopped_worker_does_not_end_a_tournament(
    shared: DaskCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "BATTLE_S_MAX", 15.0)
    folder, told = tmp_path / "bots", list[str]()
    folder.mkdir()
    with further_workers(shared, {}) as (worker,):
        wait_for_workers(shared, 3)
        with disturbed(folder, lambda number: os.kill(worker.pid, signal.SIGSTOP), (10,)):
            asked = TournamentOptions(bots=("Greedy", "Wanderer"), on=shared.on, battles=60, keep="none")
            found = play_tournament(folder, asked, "snake", on_notice=told.append).tournament
    assert [battle.counts for battle in found.battles()] == [True] * 60
    assert any("tcp://" in line for line in told), told


def test_archives_do_not_pass_the_memory_of_the_scheduler(shared: DaskCluster, tmp_path: Path) -> None:
    folder, size = tmp_path / "bots", 40 << 20
    write_bot(folder, "Large", STILL)
    (folder / "Large" / "weights.bin").write_bytes(random.Random(1).randbytes(size))
    with further_workers(shared, {}):
        wait_for_workers(shared, 3)
        Path(f"/proc/{shared.scheduler.pid}/clear_refs").write_text("5")  # forget the most so far
        before = most_memory(shared.scheduler.pid)
        found = play(folder, "Greedy", battles=6, on=shared.on)
        grown = most_memory(shared.scheduler.pid) - before
    assert [battle.state for battle in found.battles()] == ["ok"] * 6
    assert len({battle.worker for battle in found.battles()}) == 3
    assert grown < size // 2, f"the scheduler took {grown >> 20} MiB for an archive of {size >> 20} MiB"


def test_an_archive_whose_holders_are_killed_is_sent_again(shared: DaskCluster, tmp_path: Path) -> None:
    folder = tmp_path / "bots"
    write_bot(folder, "Still", STILL)

    def replace_workers(number: int) -> None:
        for worker in shared.workers:
            kill(worker)
        shutil.rmtree(shared.bots)
        shared.workers = [shared.add_worker() for _ in range(2)]

    with disturbed(folder, replace_workers, (2,)):
        found = play(folder, "Greedy", battles=8, on=shared.on)
    assert [battle.state for battle in found.battles()] == ["ok"] * 8


@contextmanager
def further_workers(cluster: DaskCluster, *each: dict[str, Any]) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Add workers, and kill them in the end."""
    added = [cluster.add_worker(**words) for words in each]
    try:
        yield added
    finally:
        for worker in added:
            kill(worker)


def without_programs(folder: Path) -> dict[str, str]:
    return {**os.environ, "PATH": str(folder)}


def most_memory(pid: int) -> int:
    """Return the most bytes of memory that a process has used."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM:"))


def wait_for_workers(cluster: DaskCluster, number: int = 1) -> None:
    """Wait until its workers are there."""
    from distributed import Client

    with Client(cluster.address, timeout=20) as client:
        client.wait_for_workers(number, timeout=120)


def test_a_missing_cluster_is_reported_in_one_line(tmp_path: Path) -> None:
    folder = tmp_path / "bots"
    folder.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        assert "does not answer" in one_line(
            command(folder, "Greedy", "Wanderer", "--on", f"dask://127.0.0.1:{port}")
        )
    assert "does not answer" in one_line(
        command(folder, "Greedy", "Wanderer", "--on", f"dask://127.0.0.1:{port}")
    )


def test_without_the_extra_a_line_says_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    (tmp_path / "none").mkdir()
    for name, on in (("distributed", "dask://127.0.0.1:8786"), ("ray", "ray")):
        (tmp_path / "none" / f"{name}.py").write_text("raise ImportError\n")
        words = ("Greedy", "Wanderer", "--on", on)
        line = one_line(command(tmp_path / "bots", *words, PYTHONPATH=str(tmp_path / "none")))
        assert "pip install 'turnwright[" in line


def test_a_full_sandbox_is_played_or_refused(shared: DaskCluster, tmp_path: Path) -> None:
    folder = tmp_path / "bots"
    write_bot(folder, "Still", STILL)
    words = ("--sandbox", "full", "--on", shared.on)
    done = command(folder, "Greedy", "--battles", "1", *words, "--json")
    if done.returncode == 0:
        assert [battle["sandbox"] for battle in json.loads(done.stdout)["battles"]] == ["full"]
        bare = {"environment": without_programs(tmp_path), "more": ("--resources", "bare=1")}
        with further_workers(shared, bare):
            wait_for_workers(shared, 3)
            done = command(folder, "--battles", "2", *words, "--resource", "bare")
    assert "bubblewrap" in one_line(done)


def test_a_cluster_that_grows_is_used(tmp_path: Path) -> None:
    folder = tmp_path / "bots"
    write_bot(folder, "Slow", f"import time\n\ntime.sleep(3)\n{STILL}")  # so that both workers come in time
    with DaskCluster(tmp_path / "dask") as cluster:
        later = threading.Timer(2.0, lambda: cluster.workers.extend(cluster.add_worker() for _ in range(2)))
        later.start()
        found = play(folder, "Wanderer", battles=6, keep="none", on=cluster.on)
        later.join()
    assert len({battle.worker for battle in found.battles()}) == 2

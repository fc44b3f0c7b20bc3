"""Battles on a cluster, whose engine is a thread of this process, with data in and data out."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.app.bots import dice_game, write_bot
from packages.core.tests.messages import missing, naming
from packages.core.tests.net.fixtures import PATIENCE_S
from turnwright.errors import SetupError
from turnwright_league import Tournament
from turnwright_league.app.check import verify_tournament
from turnwright_league.app.clusters import dask, remote, workers
from turnwright_league.app.clusters.archives import ArchiveCache
from turnwright_league.app.clusters.interface import ClusterWorker, RemoteAnswer
from turnwright_league.app.clusters.messages import RemoteResult, read_job, read_result, written
from turnwright_league.app.clusters.remote import play_remote
from turnwright_league.app.options import TournamentOptions
from turnwright_league.app.pool import WorkerLost
from turnwright_league.app.run import TournamentEnd, play_tournament
from turnwright_league.app.worker import BattleJob, JobResult
from turnwright_league.tournament.battle_spec import BattleSpec

Change = Callable[[int, bytes], bytes]
Play = Callable[[bytes, Callable[[str], bytes]], bytes]


class ThreadEngine:
    """Plays jobs in a thread, as workers w0, w1 … that take turns.

    Args:
        change: changes the n-th answer. It may raise the errors of an engine.
        troubles: the reasons why some workers cannot play.
        plays: how some workers play instead. Workers in `hanging` never answer.
    """

    where = "the cluster of the tests"

    def __init__(
        self,
        change: Change = lambda number, answer: answer,
        workers: int = 1,
        troubles: Mapping[str, str] | None = None,
        plays: Mapping[str, Play] | None = None,
        hanging: Collection[str] = (),
    ) -> None:
        self._change = change
        self._troubles, self._plays, self._hanging = troubles or {}, plays or {}, hanging
        self._names = [f"w{number}" for number in range(workers)]
        self._thread = ThreadPoolExecutor(1)
        self.kept: dict[str, bytes] = {}
        self.fetched: list[str] = []
        self.keys: list[str] = []
        self.jobs: list[bytes] = []
        self.given: list[str] = []
        """The workers that got the jobs."""
        self.hung: dict[str, str] = {}
        self.stopped = False

    def workers(self) -> list[ClusterWorker]:
        found = [(name, self._troubles.get(name, "")) for name in self._names]
        return [ClusterWorker(name, int(not trouble), trouble) for name, trouble in found]

    def keep(self, digest: str, archive: Path) -> None:
        self.kept[digest] = archive.read_bytes()

    def submit(
        self, key: str, job: bytes, archives: Sequence[str], without: Collection[str]
    ) -> Future[RemoteAnswer]:
        self.keys.append(key)
        self.jobs.append(job)
        fit = [one.name for one in self.workers() if one.battles and one.name not in without]
        number = len(self.keys)
        name = fit[number % len(fit)] if fit else "none"
        self.given.append(name)
        if name in self._hanging:
            self.hung[key] = name
            return Future()
        played = self._plays.get(name, play_remote)
        return self._thread.submit(lambda: (name, self._change(number, played(job, self._fetch))))

    def drop(self, key: str) -> str:
        return self.hung.get(key, "")

    def _fetch(self, digest: str) -> bytes:
        self.fetched.append(digest)
        return self.kept[digest]

    def stop(self) -> None:
        self.stopped = True
        self._thread.shutdown(cancel_futures=True)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., ThreadEngine]:
    monkeypatch.setenv("TURNWRIGHT_BOT_CACHE", str(tmp_path / "cache"))

    def make(*given: Any, **named: Any) -> ThreadEngine:
        made = ThreadEngine(*given, **named)
        monkeypatch.setattr(dask, "DaskEngine", lambda where, resource: made)
        return made

    return make


def play(folder: Path, *bots: str, on: str | None = "dask://test:1", **options: Any) -> TournamentEnd:
    game = options.pop("game", "snake")
    settings = options.pop("settings", {})
    folder.mkdir(exist_ok=True)
    return play_tournament(
        folder, TournamentOptions(bots=bots, on=on, **options), game, settings, on_notice=told.append
    )


told: list[str] = []
NO_SANDBOX: Any = {"settings": {"sandbox": "none"}}
PATIENT: Any = {"settings": {"sandbox": "none", "turn_timeout_us": 60_000_000}}
"""Timeouts with which no program is late, so that no battle is played again because the machine is slow."""


@pytest.fixture(autouse=True)
def nothing_told() -> None:
    told.clear()


def facts(tournament: Tournament) -> list[tuple[Any, ...]]:
    return [(b.id, b.state, b.digest, [(r.entry, r.score, r.rounds) for r in b.scores])
            for b in tournament.battles()]  # fmt: skip


def test_a_tournament_on_a_cluster_is_that_of_this_machine_with_its_records(
    tmp_path: Path, engine: Callable[..., ThreadEngine]
) -> None:
    used = engine()
    there = play(tmp_path / "there", "Greedy", "Wanderer", battles=4).tournament
    here = play(tmp_path / "here", "Greedy", "Wanderer", battles=4, on=None, jobs=1).tournament
    assert facts(there) == facts(here)
    assert there.standings == here.standings
    assert verify_tournament(tmp_path / "there").checked == 4
    assert all(battle.worker for battle in there.battles())
    assert not list((tmp_path / "there").glob("records/*/*.part*"))
    assert used.stopped


@pytest.mark.process
@pytest.mark.long
def test_a_bot_goes_to_a_worker_once_and_plays_from_there(
    tmp_path: Path, engine: Callable[..., ThreadEngine]
) -> None:
    used = engine()
    write_bot(tmp_path / "bots", "Still", "from turnwright.client import play\nplay(lambda seen: 'up')\n")
    found = play(tmp_path / "bots", "Greedy", battles=4).tournament
    assert all(battle.state == "ok" for battle in found.battles())
    assert used.fetched == list(used.kept)
    assert len(used.kept) == 1
    assert all(len(job) < 1_000 for job in used.jobs)


def test_a_battle_that_was_lost_is_played_again_and_a_late_answer_changes_nothing(
    tmp_path: Path, engine: Callable[..., ThreadEngine]
) -> None:
    def lose(number: int, answer: bytes) -> bytes:
        if number in (1, 3):
            raise WorkerLost("killed when it had played")
        return answer

    used = engine(lose)
    end = play(tmp_path / "bots", "Greedy", "Wanderer", battles=4)
    assert (end.played, end.again, len(set(used.keys))) == (4, 2, 6)
    assert [battle.counts for battle in end.tournament.battles()] == [True] * 4
    engine()
    assert play(tmp_path / "bots", battles=4).played == 0
    assert facts(Tournament(tmp_path / "bots")) == facts(end.tournament)


@pytest.mark.parametrize("wrong", [b"", b"\x80", "an object", None])
def test_a_wrong_answer_makes_no_result(
    wrong: Any, tmp_path: Path, engine: Callable[..., ThreadEngine]
) -> None:
    engine(lambda number, answer: wrong if number <= 3 else answer)
    found = play(tmp_path / "bots", "Greedy", "Wanderer", battles=1).tournament
    assert [(battle.state, battle.attempts) for battle in found.battles()] == [("void", 3)]
    engine()
    again = play(tmp_path / "bots", battles=1).tournament
    assert [(battle.state, battle.attempts) for battle in again.battles()] == [("ok", 4)]


def test_a_lost_cluster_ends_the_run_in_one_line_and_the_next_run_resumes(
    tmp_path: Path, engine: Callable[..., ThreadEngine]
) -> None:
    def go(number: int, answer: bytes) -> bytes:
        if number == 3:
            raise SetupError("the cluster of the tests is gone")
        return answer

    used = engine(go)
    with pytest.raises(SetupError, match="gone"):
        play(tmp_path / "bots", "Greedy", "Wanderer", battles=6)
    assert used.stopped
    assert not list((tmp_path / "bots").glob("records/*/*.part*"))
    assert 2 <= len(facts(Tournament(tmp_path / "bots"))) < 6
    engine()
    assert len(facts(play(tmp_path / "bots", battles=6).tournament)) == 6


def test_battles_played_before_the_cluster_was_lost_are_saved_also_later(
    tmp_path: Path, engine: Callable[..., ThreadEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped, stop, write = threading.Event(), ThreadEngine.stop, workers.write_file
    places: list[Path] = []

    def go(number: int, answer: bytes) -> bytes:
        if number == 3:
            raise SetupError("the cluster of the tests is gone")
        return answer

    def write_late(place: Path, data: bytes) -> None:
        places.append(place)
        if len(places) == 2:
            assert stopped.wait(PATIENCE_S), "the run goes on"
        write(place, data)

    def stop_and_tell(one: ThreadEngine) -> None:
        stopped.set()
        stop(one)

    monkeypatch.setattr(workers, "write_file", write_late)
    monkeypatch.setattr(ThreadEngine, "stop", stop_and_tell)
    engine(go)
    with pytest.raises(SetupError, match="gone"):
        play(tmp_path / "bots", "Greedy", "Wanderer", battles=6)
    assert len(facts(Tournament(tmp_path / "bots"))) == 2
    assert len(list((tmp_path / "bots").glob("records/*/*.twr"))) == 2


@pytest.mark.parametrize(
    ("field", "value"), [("turnwright", "0.0.9"), ("python", "2.7"), ("spec", None), ("bots", None)]
)
def test_a_worker_of_another_version_refuses(
    field: str, value: Any, tmp_path: Path, engine: Callable[..., ThreadEngine]
) -> None:
    used = engine()
    play(tmp_path / "bots", "Greedy", "Wanderer", battles=1)
    job = read_job(used.jobs[0])
    changed: dict[str, Any] = {name: getattr(job, name) for name in job.__struct_fields__}
    changed[field] = value
    if field == "spec":
        changed[field] = job.spec.replace('["snake",', '["snake",9', 1)
    elif field == "bots":
        changed[field] = {one: type(bot)(bot.given, bot.archive, "0") for one, bot in job.bots.items()}
    answer = play_remote(written(type(job)(**changed)), lambda digest: b"")
    found = read_result(answer, BattleSpec.from_json(job.spec if field != "spec" else changed["spec"]))
    assert (found.result.kind, found.unfit, found.result.of_machine) == ("void", True, True)


UNFIT = "it has turnwright 0.0.9"


def unfit(job: bytes, fetch: Callable[[str], bytes]) -> bytes:
    return play_remote(job, fetch, UNFIT)


@pytest.fixture
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "TROUBLE_PAUSE_S", 0.0)


@pytest.mark.usefixtures("no_pause")
def test_an_unfit_worker_is_set_aside_and_named_and_the_others_play_on(
    tmp_path: Path, engine: Callable[..., ThreadEngine]
) -> None:
    used = engine(workers=3, plays={"w1": unfit})
    found = play(tmp_path / "bots", "Greedy", "Wanderer", battles=12)
    assert [(one.state, one.attempts) for one in found.tournament.battles()] == [("ok", 1)] * 12
    named = [line for line in told if UNFIT in line]
    assert len(named) == 1
    assert not missing(named[0], remote.worker_name())
    last = len(used.given) - 1 - used.given[::-1].index("w1")
    assert last < 8, "it gets no battle any more"


def test_a_worker_that_the_engine_finds_unfit_gets_no_battle_and_is_named_once(
    tmp_path: Path, engine: Callable[..., ThreadEngine]
) -> None:
    used = engine(workers=2, troubles={"w0": UNFIT})
    found = play(tmp_path / "bots", "Greedy", "Wanderer", battles=4)
    assert [one.counts for one in found.tournament.battles()] == [True] * 4
    assert set(used.given) == {"w1"}
    assert [line for line in told if "w0" in line and UNFIT in line] == told


@pytest.mark.usefixtures("no_pause")
@pytest.mark.parametrize("found", ["by the engine", "by their answers"])
def test_a_run_ends_with_the_reason_where_no_worker_is_fit(
    found: str, tmp_path: Path, engine: Callable[..., ThreadEngine]
) -> None:
    both = {"w0": UNFIT, "w1": "it has two threads"}
    plays = {name: lambda job, fetch, why=why: play_remote(job, fetch, why) for name, why in both.items()}
    used = engine(workers=2, **({"plays": plays} if found == "by their answers" else {"troubles": both}))
    with pytest.raises(SetupError) as raised:
        play(tmp_path / "bots", "Greedy", "Wanderer", battles=4)
    assert not missing(str(raised.value), UNFIT, "two threads", "same command")
    assert used.stopped
    assert len(used.keys) < 8
    assert not list(Tournament(tmp_path / "bots").battles())


@pytest.mark.usefixtures("no_pause")
def test_a_worker_that_hangs_is_set_aside_after_the_limit_of_a_battle(
    tmp_path: Path, engine: Callable[..., ThreadEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "BATTLE_S_MAX", 4.0)
    used = engine(workers=3, hanging=["w2"])
    found = play(tmp_path / "bots", "Greedy", "Wanderer", battles=6)
    assert [(one.state, one.attempts) for one in found.tournament.battles()] == [("ok", 1)] * 6
    assert any("w2" in line for line in told)
    assert used.given[-1] != "w2"


@pytest.mark.usefixtures("no_pause")
def test_a_worker_that_lacks_a_bots_runtime_plays_all_others(
    tmp_path: Path, engine: Callable[..., ThreadEngine]
) -> None:
    """The bot does not forfeit: its battles go to the worker that has what it needs."""
    write_bot(tmp_path / "bots", "Needs", "from turnwright.client import play\nplay(lambda seen: 'up')\n")

    def lacks(job: bytes, fetch: Callable[[str], bytes]) -> bytes:
        spec = BattleSpec.from_json(read_job(job).spec)
        needs = [one for one, bot in read_job(job).bots.items() if bot.given == "Needs"]
        if not needs:
            return play_remote(job, fetch)
        void = JobResult("void", why="Needs needs dotnet", of_machine=True, lacking=tuple(needs))
        return written(RemoteResult(spec.id, "host:9", void))

    used = engine(workers=2, plays={"w0": lacks})
    found = play(tmp_path / "bots", "Greedy", "Wanderer", battles=6, **PATIENT)
    assert [(one.state, one.attempts) for one in found.tournament.battles()] == [("ok", 1)] * 18
    assert len([line for line in told if "dotnet" in line]) == 1
    assert used.given.count("w0") >= 2

    used = engine(workers=2, plays={"w0": lacks, "w1": lacks})
    told.clear()
    with pytest.raises(SetupError, match="dotnet"):
        play(tmp_path / "bots", "Greedy", "Wanderer", battles=10)
    battles = list(Tournament(tmp_path / "bots").battles())
    assert len(battles) == 18 + 4
    assert {one.state for one in battles} == {"ok"}


BROKEN: dict[str, Callable[[], Exception]] = {
    "its cache cannot be used": lambda: SetupError("/cache cannot be used: Read-only file system"),
    "its cache cannot be locked": lambda: SetupError("/cache/x.lock cannot be locked: No locks available"),
    "its disk is full": lambda: OSError(28, "No space left on device"),
}


@pytest.fixture
def break_caches(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[int]]:
    """Breaks the caches of workers in jobs whose number (1 and up) is broken; returns the numbers of all."""

    def broken_in(is_broken: Callable[[int], bool], error: Callable[[], Exception]) -> list[int]:
        jobs: list[int] = []

        def cache() -> ArchiveCache:
            jobs.append(len(jobs) + 1)
            if is_broken(len(jobs)):
                raise error()
            return ArchiveCache()

        monkeypatch.setattr(remote, "ArchiveCache", cache)
        monkeypatch.setattr(remote, "TROUBLE_PAUSE_S", 0.0)
        return jobs

    return broken_in


@pytest.mark.parametrize("error", BROKEN.values(), ids=BROKEN)
def test_battles_of_a_machine_in_trouble_are_given_to_others(
    error: Callable[[], Exception],
    tmp_path: Path,
    engine: Callable[..., ThreadEngine],
    break_caches: Callable[..., list[int]],
) -> None:
    engine(workers=2)
    jobs = break_caches(lambda number: number % 5 != 0, error)
    found = play(tmp_path / "bots", "Greedy", "Wanderer", battles=4)
    assert [(one.state, one.attempts) for one in found.tournament.battles()] == [("ok", 1)] * 4
    assert len(jobs) == 20
    why = error()
    named = [line for line in told if (getattr(why, "strerror", None) or str(why)) in line]
    assert len(named) == 1, "a machine is named once"


def test_a_battle_whose_record_a_worker_cannot_write_is_given_to_others(
    tmp_path: Path, engine: Callable[..., ThreadEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine(workers=2)
    played, full = remote.play_job, iter((True,))

    def spoil(job: BattleJob) -> JobResult:
        error = "No space left on device" if next(full, False) else None
        return replace(played(job), record_error=error)

    monkeypatch.setattr(remote, "play_job", spoil)
    monkeypatch.setattr(remote, "TROUBLE_PAUSE_S", 0.0)
    found = play(tmp_path / "bots", "Greedy", "Wanderer", battles=4)
    battles = found.tournament.battles()
    assert [(one.state, one.attempts, one.record is not None) for one in battles] == [("ok", 1, True)] * 4
    assert next(full, False) is False


@pytest.mark.parametrize("error", BROKEN.values(), ids=BROKEN)
def test_a_run_ends_with_the_trouble_where_no_machine_can_play(
    error: Callable[[], Exception],
    tmp_path: Path,
    engine: Callable[..., ThreadEngine],
    break_caches: Callable[..., list[int]],
) -> None:
    used = engine()
    jobs = break_caches(lambda number: number > 2, error)
    why = error()
    with pytest.raises(SetupError, match=getattr(why, "strerror", None) or str(why)):
        play(tmp_path / "bots", "Greedy", "Wanderer", battles=6)
    assert len(jobs) <= 20
    assert used.stopped
    kept = Tournament(tmp_path / "bots")
    assert [one.state for one in kept.battles()] == ["ok"] * 2
    assert not list((tmp_path / "bots").glob("records/*/*.part*"))


@pytest.mark.process
def test_a_spoilt_archive_ends_the_run_and_is_named_while_others_play(
    tmp_path: Path, engine: Callable[..., ThreadEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "TROUBLE_PAUSE_S", 0.0)
    used = engine(workers=2)
    monkeypatch.setattr(
        used, "keep", lambda digest, archive: used.kept.update({digest: archive.read_bytes() + b"!"})
    )
    write_bot(tmp_path / "bots", "Spoilt", "from turnwright.client import play\nplay(lambda seen: 'up')\n")
    with pytest.raises(SetupError) as raised:
        play(tmp_path / "bots", "Greedy", "Wanderer", battles=40)
    assert naming(str(raised.value), "Spoilt", "hash", *used.kept)
    assert used.stopped
    assert len(used.keys) < 100, "it does not wait until all others are played"


def test_a_game_in_a_folder_and_a_bot_with_links_stay_here(
    tmp_path: Path, engine: Callable[..., ThreadEngine]
) -> None:
    used = engine()
    with pytest.raises(SetupError, match=r"turnwright\.games"):
        play(tmp_path / "dice", "Low", "High", game=dice_game(tmp_path / "rules"), battles=1)
    place = write_bot(tmp_path / "bots", "Linked")
    (place / "data").symlink_to("Linked.py")
    with pytest.raises(SetupError, match=r"Linked .*data"):
        play(tmp_path / "bots", "Greedy", battles=1)
    assert used.stopped


def test_a_cluster_without_workers_is_reported_and_gets_a_battle(
    tmp_path: Path, engine: Callable[..., ThreadEngine]
) -> None:
    engine(workers=0)
    assert play(tmp_path / "bots", "Greedy", "Wanderer", battles=2).played == 2
    assert any("no workers" in line for line in told)


def test_invalid_places_of_a_cluster_are_refused() -> None:
    for on in ("", "dask", "dask://", "dask://host", "ray://host", "ray:", "http://host:1", "dask://host:x"):
        with pytest.raises(SetupError, match="--on"):
            TournamentOptions(on=on)
    for on in ("local", "ray", "ray://host:10001", "dask://host:8786", "dask://[::1]:8786"):
        assert TournamentOptions(on=on).on == on

"""Plays a bot arena's battles: first battles of uploads, the ladder, tournaments.

    received ──check──▶ checked ──trial against a house bot──▶ plays ──▶ the ladder
                 │                       │
                 ▼                       ▼
              refused                 failed

Trials come before battles of the ladder and have a worker of their own; a tournament has the workers of the
ladder while it is played. What was being played when the arena was killed is played again.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from turnwright.app.arena.arena import ArenaFolder
from turnwright.app.arena.battles import ArenaJob, play_arena_job
from turnwright.app.arena.check import CheckReport, UploadCheck, check_upload
from turnwright.app.arena.cups import CupPlayer
from turnwright.app.arena.files import OWN
from turnwright.app.arena.game import ArenaGame
from turnwright.app.arena.ladder import LadderBattles
from turnwright.app.arena.live import LiveChannel
from turnwright.app.arena.records import ArenaRecords
from turnwright.app.arena.results import (
    is_doubtful_trial,
    played_battle,
    printed_of,
    trial_failure,
    trial_result,
)
from turnwright.app.arena.store import PrintedText, Upload
from turnwright.app.arena.uploads import UploadProblem
from turnwright.app.tournament.folder import TournamentBot, file_hash, sources_of
from turnwright.app.tournament.pool import WorkerLost, WorkerPool
from turnwright.app.tournament.store import EntryState, KeptEntry, ResultStore
from turnwright.app.tournament.tournament import in_standings
from turnwright.app.tournament.worker import BattleJob, JobResult
from turnwright.errors import SetupError
from turnwright.kernel.units import NS_PER_US
from turnwright.net.participants.directory import load
from turnwright.tournament.battle_spec import BattleSpec
from turnwright.tournament.entries import TournamentEntry
from turnwright.tournament.ledger import ResultLedger
from turnwright.tournament.pairings import battle_of
from turnwright.tournament.played_battle import PlayedBattle
from turnwright.tournament.standings import entry_labels

ATTEMPTS_MAX = 3
"""Times that a battle is played until it counts, or is given up until the arena is started again."""
_TICK_S = 0.2
_PAUSE_S_MAX = 30
"""The longest pause after battles that could not be played."""
_QUEUE = 4

_log = logging.getLogger("turnwright")


@dataclass(slots=True)
class _Task:
    """Something that a worker does.

    upload: of a check or a trial. part: a record that is being written.
    """

    kind: str
    spec: BattleSpec | None = None
    upload: int | None = None
    part: Path | None = None
    names: str = ""


class ArenaBattleRunner(threading.Thread):
    """Plays battles in a thread until it is stopped.

    ledger: the results of the entries that play. on_results: called in this thread now and then, when results
    came. tell: gets lines for the operator. live: where spectators of battles come from, or None.
    """

    def __init__(
        self,
        arena: ArenaFolder,
        game: ArenaGame,
        store: ResultStore,
        on_results: Callable[[ArenaBattleRunner], None] = lambda _: None,
        tell: Callable[[str], None] = _log.warning,
        live: LiveChannel | None = None,
    ) -> None:
        super().__init__(name="turnwright-arena", daemon=True)
        self.arena, self.game, self.store = arena, game, store
        self.jobs = arena.options.ladder_jobs
        self.error: BaseException | None = None
        self._on_results, self._tell, self._live = on_results, tell, live
        self._results = {battle.id: battle for battle in store.battles()}
        self._follow_entries(())
        self._known = {number for number, battle in self._results.items() if battle.counts}
        self._attempts: Counter[str] = Counter()
        self._running: dict[Future[Any], _Task] = {}
        self._queue: list[BattleSpec] = []
        self._late = 0
        self._trial_attempts: Counter[int] = Counter()
        self._bots: dict[str, TournamentBot] = {}
        self._ladder_due, self._failures = 0.0, 0
        self._records = ArenaRecords(arena, store, arena.options.records_mib << 20, tell)
        self._wake = threading.Event()
        self._ending = threading.Event()
        self._cups = CupPlayer(arena, game.game, dict(game.machine), game.rules.settings, self.jobs, tell)

    # ---- what others ask ---------------------------------------------------------------------------------

    def wake(self) -> None:
        """Look for something new to do."""
        self._wake.set()

    def stop(self) -> None:
        """End what is being played, and return when all is over.

        It is played again another day.
        """
        self._ending.set()
        self._wake.set()
        if self.is_alive():
            self.join()

    def results(self) -> list[PlayedBattle]:
        """Return all battles so far."""
        return list(self._results.values())

    def running(self) -> dict[str, str]:
        """Return what is being played: names, by the battle's id."""
        return {one.spec.id: one.names for one in list(self._running.values()) if one.spec is not None}

    def is_record_deleted(self, battle: str) -> bool:
        """Return whether the record of a battle was deleted to make room.

        battle: the id of one of the ladder, or of a first battle.
        """
        if (played := self._results.get(battle)) is not None:
            return played.record_deleted
        return self.arena.is_trial_record_deleted(battle)

    @property
    def cups(self) -> CupPlayer:
        """The tournaments."""
        return self._cups

    # ---- the thread --------------------------------------------------------------------------------------

    def run(self) -> None:
        """Play. An error that ends it is kept in `error`."""
        try:
            with WorkerPool(self.jobs + 1) as pool, WorkerPool(1) as checks:
                self._pool, self._checks = pool, checks
                self._records.scan(self._results)
                while not self._ending.is_set():
                    self._step()
                self._cups.stop()
        except BaseException as error:
            self.error = error
            _log.exception("the arena's battles ended")
        finally:
            for task in self._running.values():
                self._delete_part(task)

    def _step(self) -> None:
        """Begin what can begin, take what is done, and wait a moment."""
        self._keep_entries()
        self._begin_checks()
        self._begin_trials()
        self._cups.look()
        if not self._cups.is_playing:
            self._begin_ladder()
        if self._running:
            done, _ = wait(self._running, timeout=_TICK_S, return_when=FIRST_COMPLETED)
        else:
            done = set()
            self._wake.wait(_TICK_S)
        self._wake.clear()
        for future in done:
            self._take(self._running.pop(future), future)
        self._on_results(self)
        if self.arena.may_free:
            for one in self.arena.free_unneeded(self._used()):
                if one.trial is not None and one.trial.record is not None:
                    self._records.forget(one.trial.record)
        for played in self._records.make_room(self._results):
            self._take_result(played)

    def _used(self) -> set[int]:
        """Return the uploads that are being checked or played."""
        tasks = list(self._running.values())
        seats = {entry for task in tasks if task.spec is not None for entry in task.spec.seats}
        played = {one.id for one in self.arena.uploads() if one.entry is not None and one.entry.id in seats}
        return played | {task.upload for task in tasks if task.upload is not None}

    def _keep_entries(self) -> None:
        """Let the entries be those of the house and of the uploads that play."""
        wanted = {bot.entry.id: bot for bot in self.game.house}
        uploads = {one.entry.id: one for one in self.arena.playing() if one.entry is not None}
        wanted |= {number: self._bot_of(one) for number, one in uploads.items()}
        if wanted.keys() == self._bots.keys():
            return
        kept = {one.entry.id: one for one in self.store.entries()}
        states = {one.entry.id: one.state for one in self.arena.uploads() if one.entry is not None}
        joined = max((one.joined for one in kept.values()), default=0)
        for number, before in kept.items():
            gone: EntryState = "removed" if states.get(number) == "removed" else "changed"
            if number not in wanted and before.state != gone:
                self.store.put_entry(replace(before, state=gone))
        for number, bot in wanted.items():
            earlier = kept.get(number)
            if earlier is None or earlier.state != "plays":
                self.arena.folder.keep_sources(bot)
                if number in uploads:
                    self.arena.measure(uploads[number].id)
                joined += 1
                place = earlier.joined if earlier is not None else joined
                self.store.put_entry(KeptEntry(bot.entry, bot.origin, bot.seats, "plays", place))
        self._bots = wanted
        self._records.set_players(wanted.keys())
        self._follow_entries(in_standings(self.store.entries(), ()))
        self._queue = [spec for spec in self._queue if set(spec.seats) <= wanted.keys()]

    def _follow_entries(self, entries: Sequence[TournamentEntry]) -> None:
        """Let the results and the next battles be those of these entries."""
        self.ledger = ResultLedger(entries, self._results.values())
        house = {bot.entry.id for bot in self.game.house}
        self._ladder = LadderBattles(self.ledger, house, self.game.rules)
        self._labels = entry_labels(entries)

    def _take_result(self, played: PlayedBattle) -> None:
        self._results[played.id] = played
        self.ledger.add(played)

    def _bot_of(self, one: Upload) -> TournamentBot:
        assert one.entry is not None
        assert one.directory is not None
        return TournamentBot(one.entry, one.directory, str(self.arena.places.path / one.directory))

    # ---- checks ------------------------------------------------------------------------------------------

    def _begin_checks(self) -> None:
        if any(task.kind == "check" for task in self._running.values()):
            return
        for one in self.arena.waiting("received")[:1]:
            places = self.arena.places
            player = self.arena.people.name_of(one.folded)
            job = UploadCheck(places.upload(one.id), one.file, player, places.bot(one.id))
            self._running[self._checks.submit(check_upload, job)] = _Task("check", upload=one.id)

    def _take_check(self, number: int, future: Future[CheckReport]) -> None:
        try:
            report = future.result()
        except WorkerLost:
            report = CheckReport((UploadProblem("checking it did not end: it crashes Python's parser"),))
        except Exception as error:
            self._tell(f"upload {number} could not be checked: {error}")
            report = CheckReport((UploadProblem(f"it could not be checked: {type(error).__name__}"),))
        if report.entry is None or report.directory is None:
            self.arena.change_upload(number, state="refused", bot=report.bot, problems=report.problems)
            return
        if why := self.arena.quota_problem(number, report.bot):
            told = (UploadProblem(why), *report.problems)
            self.arena.change_upload(number, state="refused", bot=report.bot, problems=told)
            return
        upload = next(one for one in self.arena.uploads() if one.id == number)
        nth = self.arena.next_number(upload.folded, report.bot, number)
        self.arena.change_upload(
            number,
            state="checked",
            bot=report.bot,
            number=nth,
            problems=report.problems,
            directory=f"{OWN}/bots/{number}/{report.bot}",
            entry=replace(report.entry, version=str(nth)),
        )

    # ---- trials ------------------------------------------------------------------------------------------

    def _begin_trials(self) -> None:
        """Begin first battles, on any worker that is free."""
        busy = {task.upload for task in self._running.values() if task.kind == "trial"}
        for one in self.arena.waiting("checked"):
            if self._battles() > self.jobs:
                return
            if one.id in busy or one.entry is None:
                continue
            opponent = self.game.first_opponent or next(iter(self._bots.values()), None)
            if opponent is None or not Path(self._bot_of(one).given).is_dir():
                if opponent is None:
                    self.arena.let_play(one.id)
                else:
                    self.arena.change_upload(one.id, state="received")
                continue
            rules = self.game.trial_rules(one.id)
            spec = battle_of((one.entry.id, opponent.entry.id), rules, 0)
            bots = {opponent.entry.id: opponent, one.entry.id: self._bot_of(one)}
            part = self.arena.places.trials / f".{spec.id}.part.twr"
            part.unlink(missing_ok=True)
            names = f"first battle of {one.entry.name}"
            self._submit(spec, bots, _Task("trial", spec, one.id, part, names), self.game.machine)

    def _battles(self) -> int:
        return sum(task.kind != "check" for task in self._running.values())

    def _take_trial(self, task: _Task, result: JobResult) -> None:
        assert task.spec is not None
        assert task.upload is not None
        upload = next(one for one in self.arena.uploads() if one.id == task.upload)
        if upload.entry is None:
            return
        entry = upload.entry.id
        self._trial_attempts[upload.id] += 1
        if is_doubtful_trial(result, entry) and self._trial_attempts[upload.id] < ATTEMPTS_MAX:
            return  # it is still "checked", so it begins again
        record = None
        if task.part is not None and task.part.exists() and result.kind == "played":
            record = task.spec.id
            task.part.replace(self.arena.places.trials / f"{record}.twr")
        trial = trial_result(result, entry, self._name_of(task.spec, entry), record)
        if trial_failure(result, entry) is None:
            now = self.arena.let_play(upload.id, trial=trial)
        else:
            now = self.arena.change_upload(upload.id, state="failed", trial=trial)
        if now.state == "removed" and record is not None:  # meanwhile: nothing else knows of this file
            (self.arena.places.trials / f"{record}.twr").unlink(missing_ok=True)
        elif record is not None:
            self._records.add_trial(now)

    def _name_of(self, spec: BattleSpec, entry: str) -> str:
        others = [one for one in spec.seats if one != entry]
        known = {bot.entry.id: bot.entry.name for bot in (*self.game.house, *self._bots.values())}
        return known.get(others[0], "") if others else ""

    # ---- the ladder --------------------------------------------------------------------------------------

    def _begin_ladder(self) -> None:
        """Begin battles of the ladder while workers are free that no trial waits for."""
        if self.arena.waiting("checked") or time.monotonic() < self._ladder_due:
            return
        while self._battles() < self.jobs:
            if not self._queue:
                self._queue = self._next_battles()
            if not self._queue:
                return
            spec = self._queue.pop(0)
            bots = {one: self._bots[one] for one in dict.fromkeys(spec.seats)}
            names = " v ".join(self._labels.get(one, "?") for one in bots)
            part = self.arena.folder.new_record(spec.id)
            paced = {**self.game.machine, "tps": self.arena.options.tps}
            self._submit(spec, bots, _Task("ladder", spec, None, part, names), paced)

    def _next_battles(self) -> list[BattleSpec]:
        tasks = self._running.values()
        waiting = [task.spec for task in tasks if task.spec is not None and task.kind == "ladder"]
        return self._ladder.next(self._known, _QUEUE, waiting)

    def _submit(
        self,
        spec: BattleSpec,
        bots: Mapping[str, TournamentBot],
        task: _Task,
        machine: Mapping[str, Any],
    ) -> None:
        job = BattleJob(
            spec,
            self.game.game,
            {one: bot.given for one, bot in bots.items()},
            {one: bot.entry.source for one, bot in bots.items() if bot.directory is not None},
            str(task.part),
            machine,
            errors_public=False,
        )
        self._running[self._pool.submit(play_arena_job, ArenaJob(job, self._live))] = task

    def _take(self, task: _Task, future: Future[Any]) -> None:
        if task.kind == "check":
            assert task.upload is not None
            self._take_check(task.upload, future)
            return
        try:
            result: JobResult = future.result()
        except WorkerLost as error:
            result = JobResult("void", why=f"its worker was lost ({error})")
        except Exception as error:
            result = JobResult("void", why=f"internal error: {type(error).__name__}: {error}")
        if any(words.startswith("the server was late") for words in result.suspect):
            self._slow_down()
        elif not result.suspect:
            self._late = 0
        if task.kind == "trial":
            self._take_trial(task, result)
        else:
            self._take_battle(task, result)
        self._delete_part(task)

    def _slow_down(self) -> None:
        """Play fewer battles at once when two in a row made the server late."""
        self._late += 1
        if self._late > 1 and self.jobs > 1:
            self.jobs, self._late = self.jobs - 1, 0
            self._tell(f"the machine is too slow for so many battles: {self.jobs} at once from now on")

    def _take_battle(self, task: _Task, result: JobResult) -> None:
        """Keep a result of the ladder: first its record, then one insert."""
        assert task.spec is not None
        spec = task.spec
        self._attempts[spec.id] += 1
        if self._attempts[spec.id] >= ATTEMPTS_MAX:
            self._known.add(spec.id)
        self._failures = self._failures + 1 if result.kind in ("refused", "changed", "void") else 0
        self._ladder_due = time.monotonic() + min(_PAUSE_S_MAX, self._failures)
        if result.kind in ("refused", "changed"):
            self._tell(f"{task.names} is not played: {result.why}")
            self._leave_gone(spec)
            return
        before = self._results.get(spec.id)
        attempts = 1 + (before.attempts if before is not None else 0)
        record = self._kept_record(task, result)
        played = played_battle(
            spec,
            result,
            record,
            attempts,
            time.time_ns() // NS_PER_US,
            "" if record is None else file_hash(self.arena.folder.record(spec.id)),
        )
        self.store.add(played)
        self._take_result(played)
        self._records.add_battle(played)
        if played.counts:
            self._known.add(spec.id)
        self._keep_prints(played, result)

    def _kept_record(self, task: _Task, result: JobResult) -> str | None:
        """Keep the record of a battle of the ladder; return its name, or None."""
        if task.spec is None or task.part is None or not task.part.exists() or result.kind != "played":
            return None
        with suppress(OSError):
            self.arena.folder.take_record(task.part, task.spec.id)
            return self.arena.folder.record_name(task.spec.id)
        return None

    def _leave_gone(self, spec: BattleSpec) -> None:
        """Take bots off the ladder whose directories are no longer what was checked."""
        for one in self.arena.playing():
            if one.entry is None or one.entry.id not in spec.seats:
                continue
            try:
                same = sources_of(load(self._bot_of(one).given)) == one.entry.source
            except SetupError:
                same = False
            if not same:
                self.arena.change_upload(one.id, state="received")

    def _keep_prints(self, played: PlayedBattle, result: JobResult) -> None:
        """Keep what bots of people printed, for their owners."""
        house = {bot.entry.id for bot in self.game.house}
        prints = [
            PrintedText(played.id, entry, played.played_us, lines)
            for entry, lines in printed_of(result).items()
            if entry not in house and lines
        ]
        self.arena.store.put_prints(played.id, prints)

    def _delete_part(self, task: _Task) -> None:
        if task.part is not None:
            with suppress(OSError):
                task.part.unlink(missing_ok=True)

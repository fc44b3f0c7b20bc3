"""Plays a ladder server's battles: first checks of uploads, the ladder, and tournaments.

First checks have priority over battles of the ladder, and their own worker. While a tournament runs,
the ladder begins no battles. After the ladder server was killed, the battles that were running are played
again.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from functools import partial

from turnwright.net.gc_pause import GcPause
from turnwright_league.app.battle_queue import BattleQueue, QueuedBattle
from turnwright_league.app.battle_workers import LocalWorkers
from turnwright_league.app.ladder.first_checks import FirstBattles, UploadChecks
from turnwright_league.app.ladder.folder import LadderFolder
from turnwright_league.app.ladder.game import LadderGame
from turnwright_league.app.ladder.ladder import Ladder
from turnwright_league.app.ladder.live import LiveChannel, play_watched
from turnwright_league.app.ladder.records import LadderRecords
from turnwright_league.app.ladder.tournaments import TournamentPlayer
from turnwright_league.app.pool import WorkerPool
from turnwright_league.app.store import ResultStore
from turnwright_league.app.worker import BattleJob, JobResult
from turnwright_league.tournament.battle_spec import BattleSpec

_log = logging.getLogger("turnwright")


class LadderBattleRunner(threading.Thread):
    """Plays battles in a thread until it is stopped.

    Args:
        on_results: is called in this thread several times per second, even without a new result.
        live: the source of spectators, or None.
    """

    def __init__(
        self,
        ladder_folder: LadderFolder,
        game: LadderGame,
        store: ResultStore,
        on_results: Callable[[LadderBattleRunner], None] = lambda _: None,
        live: LiveChannel | None = None,
    ) -> None:
        super().__init__(name="turnwright-ladder", daemon=True)
        self.ladder_folder, self.game = ladder_folder, game
        self.error: BaseException | None = None
        self._on_results, tell = on_results, _log.warning
        self._records = LadderRecords(ladder_folder, store, ladder_folder.options.records_mib_max << 20, tell)
        self.ladder = Ladder(ladder_folder, game, store, self._records, tell)
        self._first_checks = FirstBattles(ladder_folder, game, self.ladder, self._records)
        jobs = ladder_folder.options.ladder_jobs
        self._workers = LocalWorkers(jobs + 1, partial(play_watched, live))
        self._check_workers = WorkerPool(1)
        self._queue = BattleQueue(self._workers, jobs, self._job, tell)
        self._checks = UploadChecks(ladder_folder, self._check_workers, self._queue.bell, tell)
        self._ending = threading.Event()
        self.tournaments = TournamentPlayer(
            ladder_folder, game.game, dict(game.machine), game.rules.settings, jobs, tell
        )

    # ---- calls from other threads ------------------------------------------------------------------------

    @property
    def jobs(self) -> int:
        """The number of the ladder's battles that may run at the same time now."""
        return self._queue.at_once

    def wake(self) -> None:
        """Make the runner look for new work."""
        self._queue.bell.set()

    def stop(self) -> None:
        """Stop all running battles, and return when they have ended.

        The next start plays them again.
        """
        self._ending.set()
        self.wake()
        if self.is_alive():
            self.join()

    def running(self) -> dict[str, str]:
        """Return the names in the running battles, by the battle's id."""
        return {one.spec.id: one.names for one in self._queue.running}

    def is_record_deleted(self, battle: str) -> bool:
        """Return whether the record of a battle was deleted to make room.

        Args:
            battle: the id of a battle of the ladder, or of a first check.
        """
        if (played := self.ladder.results.get(battle)) is not None:
            return played.record_deleted
        return self.ladder_folder.is_first_check_record_deleted(battle)

    # ---- the thread --------------------------------------------------------------------------------------

    def run(self) -> None:
        """Play battles. `error` gets the error that ends this."""
        try:
            with (
                self._workers,
                self._check_workers,
                GcPause(),
            ):  # a full collection would delay the next battle
                self._records.scan(self.ladder.results)
                while not self._ending.is_set():
                    self._step()
                self.tournaments.stop()
        except BaseException as error:
            self.error = error
            _log.exception("the ladder server's battles ended")
        finally:
            self._queue.delete_parts()

    def _step(self) -> None:
        """Begin the battles that can begin, wait a moment, and take results."""
        self.ladder.keep_entries()
        self._checks.begin()
        self._queue.fill(self._first_checks.next, more=1)
        self.tournaments.look()
        if not self.tournaments.is_playing and not self.ladder_folder.waiting("checked"):
            self._queue.fill(self._next_of_ladder)
        self._queue.wait()
        self._checks.take()
        self._queue.take(self._take)
        self._on_results(self)
        self._make_room()

    def _next_of_ladder(self) -> QueuedBattle | None:
        specs = (one.spec for one in self._queue.running)
        return self.ladder.next([spec for spec in specs if spec.id not in self._first_checks])

    def _job(self, spec: BattleSpec) -> BattleJob:
        return self._first_checks.job(spec) if spec.id in self._first_checks else self.ladder.job(spec)

    def _take(self, battle: QueuedBattle, result: JobResult) -> None:
        user = self._first_checks if battle.spec.id in self._first_checks else self.ladder
        user.take(battle, result)

    def _make_room(self) -> None:
        """Delete the files of uploads and the records that are no longer needed."""
        if self.ladder_folder.may_free:
            for one in self.ladder_folder.free_unneeded(self._used()):
                if one.trial is not None and one.trial.record is not None:
                    self._records.forget(one.trial.record)
        for played in self._records.make_room(self.ladder.results):
            self.ladder.change_result(played)

    def _used(self) -> set[int]:
        """Return the ids of the uploads that are being checked or played."""
        seats = {entry for one in self._queue.running for entry in one.spec.seats}
        played = {
            one.id for one in self.ladder_folder.uploads() if one.entry is not None and one.entry.id in seats
        }
        return played | self._first_checks.uploads | self._checks.uploads

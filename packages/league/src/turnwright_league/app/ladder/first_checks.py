"""Checks the files of an upload, and then plays its first check, a battle against a built-in bot.

received ──check──▶ checked ──first battle──▶ plays
             │                     │
             ▼                     ▼
          refused               failed
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from turnwright.kernel.failure import OUT_REASONS
from turnwright_league.app.battle_queue import ATTEMPTS_MAX, QueuedBattle, TaskQueue
from turnwright_league.app.folder import TournamentBot
from turnwright_league.app.ladder.files import OWN
from turnwright_league.app.ladder.folder import LadderFolder
from turnwright_league.app.ladder.game import LadderGame
from turnwright_league.app.ladder.ladder import Ladder, bot_of_upload
from turnwright_league.app.ladder.records import LadderRecords
from turnwright_league.app.ladder.store import FirstCheck, Upload
from turnwright_league.app.ladder.upload_check import CheckReport, UploadCheck, check_upload
from turnwright_league.app.ladder.uploads import UploadProblem
from turnwright_league.app.pool import WorkerLost, WorkerPool
from turnwright_league.app.worker import BattleJob, JobResult
from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.pairings import battle_of
from turnwright_league.tournament.played_battle import EntryScore


class UploadChecks:
    """Checks of uploads, one at a time.

    Args:
        bell: is set when a check is over.
        tell: gets lines for the operator.
    """

    def __init__(
        self,
        ladder_folder: LadderFolder,
        workers: WorkerPool,
        bell: threading.Event,
        tell: Callable[[str], None],
    ) -> None:
        self._ladder_folder, self._workers, self._tell = ladder_folder, workers, tell
        self._tasks: TaskQueue[Upload, CheckReport] = TaskQueue(self._failed, bell)

    @property
    def uploads(self) -> set[int]:
        """The ids of the uploads that are being checked."""
        return {one.id for one in self._tasks.running.values()}

    def begin(self) -> None:
        """Begin the next check, unless one is running."""
        for one in self._ladder_folder.waiting("received")[: 1 - len(self._tasks.running)]:
            places = self._ladder_folder.places
            player = self._ladder_folder.people.name_of(one.folded)
            job = UploadCheck(places.upload(one.id), one.file, player, places.bot(one.id))
            self._tasks.begin(one, self._workers.submit(check_upload, job))

    def take(self) -> None:
        """Store the findings of finished checks."""
        for upload, report in self._tasks.results():
            self._keep(upload.id, report)

    def _failed(self, error: Exception) -> CheckReport:
        if isinstance(error, WorkerLost):
            why = "the check did not end, because the upload crashes Python's parser"
        else:
            self._tell(f"an upload could not be checked: {error}")
            why = f"it could not be checked: {type(error).__name__}"
        return CheckReport((UploadProblem(why),))

    def _keep(self, number: int, report: CheckReport) -> None:
        refuse = partial(self._ladder_folder.change_upload, number, state="refused", bot=report.bot)
        if report.entry is None or report.directory is None:
            refuse(problems=report.problems)
            return
        if why := self._ladder_folder.quota_problem(number, report.bot):
            refuse(problems=(UploadProblem(why), *report.problems))
            return
        upload = next(one for one in self._ladder_folder.uploads() if one.id == number)
        nth = self._ladder_folder.next_number(upload.folded, report.bot, number)
        self._ladder_folder.change_upload(
            number,
            state="checked",
            bot=report.bot,
            number=nth,
            problems=report.problems,
            directory=f"{OWN}/bots/{number}/{report.bot}",
            entry=replace(report.entry, version=str(nth)),
        )


class FirstBattles:
    """First checks of uploads. A bot that passes plays on the ladder."""

    def __init__(
        self, ladder_folder: LadderFolder, game: LadderGame, ladder: Ladder, records: LadderRecords
    ) -> None:
        self._ladder_folder, self._game, self._ladder, self._records = ladder_folder, game, ladder, records
        self._attempts: Counter[int] = Counter()
        self._out: dict[str, tuple[Upload, TournamentBot]] = {}
        """The running first checks by id, each with its upload and opponent."""

    @property
    def uploads(self) -> set[int]:
        """The ids of the uploads whose first checks are running."""
        return {upload.id for upload, _ in self._out.values()}

    def __contains__(self, battle: str) -> bool:
        """Return whether a battle is a running first check.

        Args:
            battle: its id.
        """
        return battle in self._out

    def next(self) -> QueuedBattle | None:
        """Return the first check that begins next, or None if no upload waits for one.

        An upload without its bot directory is checked again. Without an opponent, it plays on the ladder at
        once.
        """
        busy = self.uploads
        for one in self._ladder_folder.waiting("checked"):
            if one.id in busy or one.entry is None:
                continue
            opponent = self._game.first_opponent or next(iter(self._ladder.bots.values()), None)
            if opponent is None:
                self._ladder_folder.let_play(one.id)
            elif not Path(bot_of_upload(self._ladder_folder, one).given).is_dir():
                self._ladder_folder.change_upload(one.id, state="received")
            else:
                rules = self._game.first_check_rules(one.id)
                spec = battle_of((one.entry.id, opponent.entry.id), rules, 0)
                self._out[spec.id] = one, opponent
                return QueuedBattle(spec, f"first battle of {one.entry.name}")
        return None

    def job(self, spec: BattleSpec) -> BattleJob:
        """Return the job of a first check."""
        upload, opponent = self._out[spec.id]
        part = self._ladder_folder.places.first_checks / f".{spec.id}.part.twr"
        part.unlink(missing_ok=True)
        bots = (opponent, bot_of_upload(self._ladder_folder, upload))
        return self._game.job(spec, {bot.entry.id: bot for bot in bots}, part)

    def take(self, battle: QueuedBattle, result: JobResult) -> None:
        """Store a result, unless the machine may have caused a failure.

        In that case the upload stays "checked", and its first check begins again.
        """
        before, opponent = self._out.pop(battle.spec.id)
        upload = next(one for one in self._ladder_folder.uploads() if one.id == before.id)
        if upload.entry is None:
            return
        entry = upload.entry.id
        self._attempts[upload.id] += 1
        if is_doubtful(result, entry) and self._attempts[upload.id] < ATTEMPTS_MAX:
            return
        record = None
        if battle.part is not None and battle.part.exists() and result.kind == "played":
            record = battle.spec.id
            battle.part.replace(self._ladder_folder.places.first_checks / f"{record}.twr")
        check = first_check_of(result, entry, opponent.entry.name, record)
        if first_check_failure(result, entry) is None:
            now = self._ladder_folder.let_play(upload.id, trial=check)
        else:
            now = self._ladder_folder.change_upload(upload.id, state="failed", trial=check)
        if now.state == "removed" and record is not None:  # meanwhile: nothing else knows of this file
            (self._ladder_folder.places.first_checks / f"{record}.twr").unlink(missing_ok=True)
        elif record is not None:
            self._records.add_first_check(now)


# ---- what a result means -----------------------------------------------------------------------------------


def _score_of(result: JobResult, entry: str) -> EntryScore | None:
    return next((row for row in result.scores if row.entry == entry), None)


def is_doubtful(result: JobResult, entry: str) -> bool:
    """Return whether the machine may have caused the failure in a first check.

    If so, the first check is repeated.
    """
    own = _score_of(result, entry)
    return result.kind == "void" or (bool(result.suspect) and own is not None and own.failure is not None)


def first_check_failure(result: JobResult, entry: str) -> str | None:
    """Return why a bot fails its first check, in one line, or None if it passes."""
    own = _score_of(result, entry)
    failure = None if own is None else own.failure
    is_out = entry in result.no_answer or entry in result.disqualified
    if failure is not None and (is_out or failure.reason in OUT_REASONS):
        return _told(result, entry)
    return result.why if result.kind in ("void", "refused", "changed") else None


def _told(result: JobResult, entry: str) -> str:
    """Return why an entry failed, with the cause of a failed start, or "" if it did not fail."""
    failure = result.failures.get(entry)
    if failure is None:
        return ""
    cause = result.start_cause(entry)
    if cause and result.for_author:
        return f"{failure.text}: {cause}"
    return f"{failure.full_text} ({cause})" if cause else failure.full_text


def first_check_of(result: JobResult, entry: str, opponent: str, record: str | None) -> FirstCheck:
    """Return the result of an entry's first check.

    Args:
        opponent: the opponent's name.
        record: the battle's id if it has a record, or None.
    """
    own = _score_of(result, entry)
    other = next((row for row in result.scores if row.entry != entry), None)
    return FirstCheck(
        opponent=opponent,
        why=_told(result, entry) or first_check_failure(result, entry) or "",
        score=own.score if own is not None else 0.0,
        opponent_score=other.score if other is not None else 0.0,
        turns=result.turns,
        skipped=own.skipped if own is not None else 0,
        p99_us=own.p99_us if own is not None else 0,
        printed=result.printed.get(entry, ()),
        sandbox=result.sandbox,
        record=record,
    )

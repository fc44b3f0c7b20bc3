"""Plays one battle of a tournament in a worker process. Job and result are data."""

from __future__ import annotations

import logging
import math
import signal
import threading
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec

from turnwright._version import __version__
from turnwright.app.battle import PlayPrograms, run
from turnwright.app.game.playable import PlayableGame, find_game
from turnwright.app.live.kept_server import KeptServer
from turnwright.app.options import GenericBattleOptions
from turnwright.app.results import BattleResult, ResultRow
from turnwright.app.watch import HandedSpectators
from turnwright.errors import MissingProgramError, TurnwrightError, VoidBattleError
from turnwright.kernel.failure import Failure, FailureReason
from turnwright.kernel.skipped_turns import LATE_TURNS_MIN
from turnwright.net.participants.directory import load
from turnwright.net.processes.parent_watch import end_with_starter
from turnwright.net.sandbox import SandboxLevel
from turnwright.net.sandbox.level import level_of
from turnwright_league.app.folder import sources_of
from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.played_battle import BattleState, EntryScore, PlayedBattle

PRINTED_LINES_MAX = 40
"""The most lines of an entry that are stored with a result. The last ones are stored."""
PRINTS_MAX = 20_000
"""The most characters of a bot's output in a battle that its record keeps. The first ones are kept."""
_LATE = "the server was late"
LATE_PARTS_MAX = 0.005
"""The most turns that bots may miss together, or because the server is late, as a part of all turns."""


class GivenBot(Protocol):
    """A bot of a battle.

    Attributes:
        given: the bot as `run_battle` takes it.
        source: the hash that the sources of its directory must have, or None.
    """

    @property
    def given(self) -> Any: ...

    @property
    def source(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class BattleJob:
    """One battle to play.

    Attributes:
        game: the game's name in the catalog, or the path of its folder.
        bots: the bots as `run_battle` takes them, by the entry's id.
        sources: the hash that the sources of a directory must have, by the entry's id.
        record: the path of its record, or None.
        machine: the settings for starting programs.
        keep: whether programs may have played earlier battles and stay for the next one.
        errors_public: whether the error of a failed bot and its last lines are recorded and shown to
            spectators. The result has them in any case.
    """

    spec: BattleSpec
    game: str
    bots: Mapping[str, str]
    sources: Mapping[str, str] = field(default_factory=dict)
    record: str | None = None
    machine: Mapping[str, Any] = field(default_factory=dict)
    keep: bool = False
    errors_public: bool = True

    @classmethod
    def of(
        cls, spec: BattleSpec, game: str, bots: Mapping[str, GivenBot], *rest: Any, **more: Any
    ) -> BattleJob:
        """Return the job of a battle.

        Args:
            bots: the bots by their entries' ids. Bots of other battles are ignored.
            rest, more: the fields from `record` on.
        """
        mine = {one: bots[one] for one in spec.seats}
        sources = {one: bot.source for one, bot in mine.items() if bot.source is not None}
        return cls(spec, game, {one: bot.given for one, bot in mine.items()}, sources, *rest, **more)


@dataclass(frozen=True, slots=True)
class JobResult:
    """The result of a job.

    Attributes:
        kind: "blamed" means that bots did not start or all have failed, and `scores` names them. "refused"
            means that the battle can never be played with these inputs. "changed" means that the sources
            named by `why` have changed.
        why: the reason in one line, or "" if there was no problem.
        record_error: why the record is missing or incomplete, or None.
        worker: the name of a cluster's worker.
        kept: the number of bots whose processes had played before.
        printed: the last lines that the bots printed, by the entry's id.
        no_answer: the entries that did not start or never answered.
        disqualified: the entries that missed too many turns in a row, in addition to any other failure.
        of_machine: whether it is void because of a problem of the worker's machine, e.g. a full disk. Another
            machine may play it.
        wrong_archive: the entry whose archive arrived damaged, or "". Then of_machine is set, too.
        lacking: the entries that need a program that the machine lacks. Then of_machine is set, too.
        for_author: the text of `why` for the author of the bot that did not start, if it differs.
    """

    kind: Literal["played", "blamed", "void", "refused", "changed"]
    state: BattleState = "void"
    scores: tuple[EntryScore, ...] = ()
    turns: int = 0
    suspect: tuple[str, ...] = ()
    server_late_turns: int = 0
    digest: str = ""
    sandbox: str = "none"
    why: str = ""
    record_error: str | None = None
    worker: str = ""
    kept: int = 0
    printed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    no_answer: tuple[str, ...] = ()
    disqualified: tuple[str, ...] = ()
    of_machine: bool = False
    wrong_archive: str = ""
    for_author: str = ""
    lacking: tuple[str, ...] = ()

    @property
    def is_late(self) -> bool:
        """Whether the server was late in more turns than allowed."""
        return any(why.startswith(_LATE) for why in self.suspect)

    @property
    def failures(self) -> dict[str, Failure]:
        """The failures of entries, by id."""
        return {row.entry: row.failure for row in self.scores if row.failure is not None}

    @property
    def at_start(self) -> tuple[str, ...]:
        """The entries that did not start, or whose program ended before its first answer."""
        found = self.failures
        return tuple(
            entry
            for entry in self.no_answer
            if self.kind == "blamed" or found[entry].reason is not FailureReason.SILENT
        )

    def start_cause(self, entry: str) -> str:
        """Return why an entry did not start, for its owner, or ""."""
        return (self.for_author or self.why) if self.kind == "blamed" and entry in self.no_answer else ""

    def printed_for_owners(self) -> Mapping[str, tuple[str, ...]]:
        """Return the cause of a failed start and the last printed lines, by the entry's id."""
        causes = {entry: cause for entry in self.no_answer if (cause := self.start_cause(entry))}
        return {**self.printed, **{one: (cause, *self.printed.get(one, ())) for one, cause in causes.items()}}

    def battle(
        self,
        spec: BattleSpec,
        attempts: int,
        played_us: int = 0,
        record: str | None = None,
        record_hash: str = "",
    ) -> PlayedBattle:
        """Return the battle for the store.

        Args:
            record: the name of its record, or None.
            record_hash: the hash of the record's file.
        """
        nothing = tuple(EntryScore(spec.seats.index(one), one, 0.0) for one in dict.fromkeys(spec.seats))
        return PlayedBattle(
            spec,
            self.state,
            self.scores or nothing,
            self.turns,
            self.suspect,
            self.server_late_turns,
            self.digest,
            record,
            __version__,
            self.sandbox,
            attempts,
            played_us,
            self.worker,
            self.kept,
            record_hash=record_hash,
        )


def prepare_worker() -> None:
    """Make this process a worker.

    It ignores Ctrl-C, which is for its parent, writes no log, and ends when its parent has ended.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    log = logging.getLogger("turnwright")
    log.addHandler(logging.NullHandler())
    log.propagate = False
    end_with_starter()


_of_thread = threading.local()


def kept_server() -> KeptServer:
    """Return this thread's server, whose bots stay from battle to battle. Create it if there is none."""
    server: KeptServer | None = getattr(_of_thread, "server", None)
    if server is None or server.is_stopped:
        server = _of_thread.server = KeptServer()
    return server


def play_job(job: BattleJob, spectators: HandedSpectators | None = None) -> JobResult:
    """Play a battle. A mistake of a bot, the rules or the settings never raises an exception.

    If a process fails that has played an earlier battle, the battle is played again with new processes, so
    that only failures of this battle count. If this happens to a bot again, the bot gets a new process for
    each battle from then on. A failure does not count if the machine was too slow.

    Args:
        spectators: the spectators of a battle whose programs are not kept, or None.
    """
    if not job.keep:
        return _played(job, None, spectators)
    server = kept_server()
    server.reused = frozenset()
    result = _played(job, server)
    failed = _failed_seats(job.spec, result) & server.reused
    if failed:
        server.play_afresh(frozenset() if result.suspect else failed)
        result = _played(job, server)
    return replace(result, kept=len(server.reused))


def _failed_seats(spec: BattleSpec, result: JobResult) -> Set[int]:
    failed = result.failures
    return {seat for seat, entry in enumerate(spec.seats) if entry in failed}


def _played(
    job: BattleJob, server: KeptServer | None, spectators: HandedSpectators | None = None
) -> JobResult:
    try:
        for entry, source in job.sources.items():
            if sources_of(load(job.bots[entry])) != source:
                return JobResult("changed", why=job.bots[entry])
        play = None if server is None else server.play
        return _result(job, _run(job, play, spectators))
    except VoidBattleError as error:
        return JobResult("void", why=_line(error))
    except TurnwrightError as error:
        if not error.seats:
            return JobResult("refused", why=_line(error))
        if isinstance(error, MissingProgramError):
            lacking = tuple(job.spec.seats[seat] for seat in error.seats)
            why, level = _line(error), _level(job)
            return JobResult("void", why=why, sandbox=level, of_machine=True, lacking=lacking)
        return replace(_blamed(job.spec, error), sandbox=_level(job))


def _level(job: BattleJob) -> SandboxLevel:
    """Return the sandbox level for the bots of a job."""
    return level_of(job.machine.get("sandbox", "none"))


def _run(job: BattleJob, play: PlayPrograms | None, spectators: HandedSpectators | None) -> BattleResult:
    """Play a battle of a job."""
    game = find_game(job.game)
    return run(
        options_of_job(job, game),
        play_programs=play,
        spectators=spectators,
        errors_public=job.errors_public,
        prints_max=PRINTS_MAX,
        game=game,
    )


def _blamed(spec: BattleSpec, error: TurnwrightError) -> JobResult:
    """Return the result of a battle that could not begin or was not played to its end."""
    unknown = Failure(FailureReason.SILENT, error="it did not start")
    failures = {seat: error.failures.get(seat, unknown) for seat in error.seats}
    scores = _forfeits(spec, failures)
    blamed = [row.entry for row in scores if row.failure is not None]
    printed = {blamed[0]: _more_lines(error)} if len(blamed) == 1 else {}
    began = any(failure.turn for failure in failures.values())
    why = "" if began else _line(error)
    return JobResult(
        "blamed",
        "forfeit",
        scores,
        why=why,
        printed=printed,
        no_answer=() if began else tuple(blamed),
        for_author="" if began else error.for_author,
    )


def _line(error: Exception) -> str:
    return str(error).split("\n", 1)[0]


def _more_lines(error: Exception) -> tuple[str, ...]:
    """Return the lines after the first one of an error, which a bot that did not start printed."""
    return tuple(line[2:] for line in str(error).split("\n")[1:] if line.startswith("  "))


def options_of_job(job: BattleJob, game: PlayableGame) -> Any:
    """Return the options of the battle that a job plays.

    Raises:
        SetupError: the battle cannot be played with these options.
    """
    kind = game.options
    settings = msgspec.json.decode(job.spec.settings)
    if issubclass(kind, GenericBattleOptions):
        own = settings.pop("settings", {})
        settings["settings"] = tuple(own.items())
    bots = tuple(job.bots[entry] for entry, _ in entry_seats(job.spec))
    record = None if job.record is None else Path(job.record)
    return kind(bots=bots, game=job.game, seed=job.spec.seed, record=record, **settings, **job.machine)


def entry_seats(spec: BattleSpec) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield each entry of a battle with its seats, in order."""
    for entry, seats in groupby(range(len(spec.seats)), key=lambda seat: spec.seats[seat]):
        yield entry, tuple(seats)


# ---- results -----------------------------------------------------------------------------------------------


def _result(job: BattleJob, result: BattleResult) -> JobResult:
    by_seats = {row.seats: row for row in result.results}
    rows = {entry: by_seats[seats] for entry, seats in entry_seats(job.spec)}
    scores = [_score(entry, row, result) for entry, row in rows.items()]
    busy = sum(row.is_of_machine for row in scores)
    marks = suspicions(
        result.turns, result.late_missed_turns, _shared(result), _answering(rows.values()), busy
    )
    return JobResult(
        "played",
        "forfeit" if any(row.is_forfeit for row in scores) else "ok",
        tuple(scores),
        result.turns,
        marks,
        result.server_late_turns,
        result.digest,
        result.sandbox,
        record_error=result.record_error,
        printed=_printed(job.spec, result),
        no_answer=tuple(entry for entry, row in rows.items() if row.never_answered and row.failure),
        disqualified=tuple(entry for entry, row in rows.items() if row.disqualified),
    )


def _printed(spec: BattleSpec, result: BattleResult) -> dict[str, tuple[str, ...]]:
    found = {}
    for entry, seats in entry_seats(spec):
        lines = [line for seat in seats for line in result.printed.get(result.names[seat], ())]
        if lines:
            told = sorted(lines, key=lambda line: (line.round, line.turn))[-PRINTED_LINES_MAX:]
            found[entry] = tuple(f"{line.round}.{line.turn} {line.text}" for line in told)
    return found


def _shared(result: BattleResult) -> int:
    """Return the number of turns that bots missed together, or 0 if a bot failed."""
    failed = any(row.failure is not None or row.disqualified_rounds for row in result.results)
    gone = any(row.left for row in result.latency.values())
    return 0 if failed or gone else result.shared_skip_turns


def _answering(rows: Iterable[ResultRow]) -> int:
    """Return the number of entries that answered, even late."""
    return sum(not row.never_answered for row in rows)


def suspicions(
    turns: int, late_missed: int, shared_skips: int, answering: int, busy: int = 0
) -> tuple[str, ...]:
    """Return the reasons to play a battle again because the machine was too slow for it, or ().

    Args:
        late_missed: the number of turns in which the server was late and an answer came after the end of the
            turn, but by less time than the server was late.
        shared_skips: the number of turns that two or more bots missed, or 0 if a bot failed.
        answering: the number of entries that answered. If only one entry answered, a faster machine would not
            change the result, and the entries that never answered forfeit.
        busy: the number of entries that were disqualified because the machine was busy.
    """
    most = LATE_PARTS_MAX * turns
    found: list[str] = []
    if answering < 2:
        return ()
    if late_missed >= LATE_TURNS_MIN and late_missed > most:
        found.append(f"{_LATE} in {late_missed} of {turns} turns that a bot just missed")
    if shared_skips > most:
        found.append(f"bots missed {shared_skips} of {turns} turns together")
    if busy:
        found.append("a bot was disqualified because the machine was busy")
    return tuple(found)


def _score(entry: str, row: ResultRow, result: BattleResult) -> EntryScore:
    times = [result.latency[result.names[seat]] for seat in row.seats]
    score = math.fsum(row.rounds)
    survival = row.columns.get("survival")
    return EntryScore(
        seat=row.seats[0],
        entry=entry,
        score=score,
        rounds=row.rounds,
        survival=None if survival is None else float(survival),
        columns={k: float(v) for k, v in row.columns.items() if isinstance(v, int | float)},
        skipped=sum(one.skipped for one in times),
        late=sum(one.late for one in times),
        p50_us=max(one.p50_us for one in times),
        p99_us=max(one.p99_us for one in times),
        max_us=max(one.max_us for one in times),
        failure=None if row.failure is None else replace(row.failure, printed=()),
    )


def _forfeits(spec: BattleSpec, failures: Mapping[int, Failure]) -> tuple[EntryScore, ...]:
    """Return the scores of a battle without a winner, in which the failed seats forfeit."""
    rows = []
    for entry, seats in entry_seats(spec):
        failure = next((failures[seat] for seat in seats if seat in failures), None)
        told = None if failure is None else replace(failure, printed=())
        rows.append(EntryScore(seats[0], entry, 0.0, failure=told))
    return tuple(rows)

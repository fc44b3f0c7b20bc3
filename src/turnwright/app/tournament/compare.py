"""Compares two versions of a program by battles, until a verdict: `compare`."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field, fields
from signal import SIGINT, SIGTERM, signal
from statistics import fmean
from typing import Any, Protocol

from turnwright._version import __version__
from turnwright.app.game_parts import parts_of
from turnwright.app.options import battle_options_of
from turnwright.app.tournament.compare_options import NEW, OLD, CompareOptions, compared_bots
from turnwright.app.tournament.options import machine_settings, settings_given
from turnwright.app.tournament.pool import WorkerLost, WorkerPool
from turnwright.app.tournament.worker import BattleJob, JobResult, play_job
from turnwright.catalog import DEFAULT_GAME
from turnwright.errors import ParticipantStartError, SetupError, VoidBattleError
from turnwright.net.processes.processors import processors
from turnwright.tournament.battle_spec import BattleSpec, settings_text
from turnwright.tournament.pairings import PairingRules
from turnwright.tournament.played_battle import EntryScore, PlayedBattle
from turnwright.tournament.sequential import (
    BLOCK_ROUNDS,
    Comparison,
    block_battles,
    block_values,
    compared_shares,
    sequential_verdict,
)

COMPARE_ATTEMPTS_MAX = 3
"""The times that a battle is played until it counts; then its block is left out."""
_VOID_MAX = 5
"""Battles that come to nothing, while none counts, until the comparison is given up."""
_LOOKED_PART = 0.05
"""The part of the blocks, at most, that is added before the next look: the first verdict stands anyway."""
_TICK_S = 0.2

_log = logging.getLogger("turnwright")


@dataclass(frozen=True, slots=True)
class ComparisonProgress:
    """The progress of a comparison.

    rounds: of NEW; jobs: battles at once; played: battles."""

    comparison: Comparison
    rounds: int
    played: int
    jobs: int


@dataclass(frozen=True, slots=True)
class OpponentShares:
    """The mean score shares of OLD and NEW against one opponent, 0 to 100.

    opponent: name and version, or None where they played each other. battles: of NEW.
    """

    opponent: str | None
    old: float
    new: float
    battles: int


@dataclass(frozen=True, slots=True)
class ComparisonResult:
    """The result of a comparison of NEW with OLD.

    verdict: "better", "worse", "no difference" (above `points`) or "undecided". difference: in points of
    score share, with its 95 % interval low … high; None as long as it would be wider than the scale.
    rounds: of NEW, that were used. old, new: name and version. shares: by opponent. failures: battles in
    which a program failed, by name and version. not_counted: battles that were void or suspect at each
    attempt.
    interrupted: before there was a verdict.
    """

    verdict: str
    difference: float | None
    low: float | None
    high: float | None
    points: float
    rounds: int
    blocks: int
    old: str
    new: str
    shares: tuple[OpponentShares, ...]
    seed: int
    failures: Mapping[str, int] = field(default_factory=dict)
    not_counted: int = 0
    interrupted: bool = False

    def to_line(self) -> str:
        """Return the result as a sentence for people."""
        says = {
            "better": f"{self.new} is better than {self.old}",
            "worse": f"{self.new} is worse than {self.old}",
            "no difference": f"no difference above {self.points:g} points between {self.new} and {self.old}",
            "undecided": f"undecided whether {self.new} is better than {self.old}",
        }[self.verdict]
        played = f"{self.rounds:,} rounds{', interrupted' if self.interrupted else ''}"
        if self.difference is None:
            return f"{says}: {played}"
        has_ends = self.low is not None and self.high is not None
        interval = f"{self.low:+.1f} … {self.high:+.1f}" if has_ends else "–"
        return f"{says}: {self.difference:+.1f} points of score share (95 %: {interval}), {played}"

    def to_data(self) -> dict[str, Any]:
        """Return the result as JSON values."""
        return {**asdict(self), "shares": [asdict(one) for one in self.shares]}


def compare(
    old: Any,
    new: Any,
    *,
    against: Sequence[Any] = (),
    game: str = DEFAULT_GAME,
    settings: Mapping[str, Any] | None = None,
    **options: Any,
) -> ComparisonResult:
    """Compare two versions of a program, and return the verdict.

    old, new, against: as `run_battle` takes bots; of `against`, a directory of bot directories, too. With
    classes, functions or objects among them, battles are played in this process, one after the other.
    options: the fields of `CompareOptions`, e.g. points=2.0, rounds_max=2000, jobs=2, seed=1, and those of a
    battle of the game. settings: of the battles, for names that are both.
    Raises: SetupError for what cannot be played; ParticipantStartError for a bot that does not start.
    """
    own = {one.name for one in fields(CompareOptions)} - {"old", "new", "against"}
    given = {name: value for name, value in options.items() if name in own}
    others = {name: value for name, value in options.items() if name not in own}
    asked = CompareOptions(old=old, new=new, against=tuple(against), **given)
    result = play_comparison(asked, game, {**others, **(settings or {})})
    if result.interrupted:
        raise KeyboardInterrupt
    return result


def play_comparison(
    options: CompareOptions,
    game: str = DEFAULT_GAME,
    values: Mapping[str, Any] | None = None,
    on_progress: Callable[[ComparisonProgress], None] | None = None,
    on_notice: Callable[[str], None] | None = None,
) -> ComparisonResult:
    """Play battles until there is a verdict, or it is interrupted. See `compare`.

    values: settings of the battles, by field. on_progress: told after each block. on_notice: told, in a line,
    which battles do not count.
    """
    return _ComparisonRun(options, game, values or {}, on_progress, on_notice or _log.warning).play()


class _BattleTaker(Protocol):
    """Plays battles: a pool of processes, or this process."""

    def submit(self, task: Callable[[Any], JobResult], argument: Any) -> Future[JobResult]: ...


class _ThisProcess:
    """Plays each battle at once, in this process."""

    def submit(self, task: Callable[[Any], JobResult], argument: Any) -> Future[JobResult]:
        """Return the future of a battle that is over."""
        done: Future[JobResult] = Future()
        done.set_result(task(argument))
        return done


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A battle that is being played, for the n-th time."""

    spec: BattleSpec
    number: int = 1


class _ComparisonRun:
    """One comparison."""

    def __init__(
        self,
        options: CompareOptions,
        game: str,
        values: Mapping[str, Any],
        report: Callable[[ComparisonProgress], None] | None,
        tell: Callable[[str], None],
    ) -> None:
        self._options, self._game, self._report, self._tell = options, game, report, tell
        parts = parts_of(game)
        self._bots = compared_bots(options, parts.bots, values.get("python"))
        self._against = tuple(one for one in self._bots if one not in (OLD, NEW))
        self._machine = machine_settings(values)
        rules = parts.light_rules()
        members = {one: bot.seats for one, bot in self._bots.items() if bot.seats > 1}
        own = {one.name for one in fields(battle_options_of(game))}
        rounds = {"rounds": BLOCK_ROUNDS} if "rounds" in own else {}
        self._battles = 1 if rounds else BLOCK_ROUNDS
        defaults = parts.tournament_settings("round-robin", 2, teams=bool(members))
        given = settings_given(game, {**defaults, **values, **rounds})
        settings = settings_text(given)
        self._rules = PairingRules(
            rules.name, rules.behaviour_version, settings, options.seed, members=members
        )
        self._here = any(not isinstance(bot.given, str) for bot in self._bots.values())
        self._jobs = 1 if self._here else options.jobs or max(1, round(processors()))
        self._blocks_max = options.rounds_max // BLOCK_ROUNDS
        self._waiting = self._specs()
        self._running: dict[Future[JobResult], _Attempt] = {}
        self._played: dict[str, PlayedBattle] = {}
        self._has_played: set[str] = set()
        self._has_failed: set[str] = set()
        self._complete = self._next_look = self._late = self._voids = 0
        self._found = self._look()

    def play(self) -> ComparisonResult:
        """Play until there is a verdict."""
        interrupted = False
        pool = nullcontext(_ThisProcess()) if self._here else WorkerPool(self._jobs)
        try:
            with pool as player, _signals_kept(wanted=not self._here) as signals:
                while not self._found.decided and not signals and self._begin(player):
                    done, _ = wait(self._running, timeout=_TICK_S, return_when=FIRST_COMPLETED)
                    for future in done:
                        self._take(player, self._running.pop(future), future)
                interrupted = bool(signals)
        except KeyboardInterrupt:
            interrupted = True
        self._found = self._look()
        return self._result(interrupted=interrupted and not self._found.decided)

    # ---- battles -----------------------------------------------------------------------------------------

    def _block(self, index: int) -> list[BattleSpec]:
        return block_battles(OLD, NEW, self._rules, index, self._against, self._battles)

    def _specs(self) -> Iterator[BattleSpec]:
        for index in range(self._blocks_max):
            yield from self._block(index)

    def _begin(self, player: _BattleTaker) -> bool:
        """Begin battles while there is room; return whether any is running."""
        while len(self._running) < self._jobs:
            spec = next(self._waiting, None)
            if spec is None:
                break
            self._submit(player, _Attempt(spec))
        return bool(self._running)

    def _submit(self, player: _BattleTaker, attempt: _Attempt) -> None:
        bots = {one: self._bots[one] for one in dict.fromkeys(attempt.spec.seats)}
        job = BattleJob(
            attempt.spec,
            self._game,
            {one: bot.given for one, bot in bots.items()},
            {one: bot.source for one, bot in bots.items() if bot.source is not None},
            machine=self._machine,
        )
        self._running[player.submit(play_job, job)] = attempt

    def _take(self, player: _BattleTaker, attempt: _Attempt, future: Future[JobResult]) -> None:
        """Keep a result, or play the battle again."""
        try:
            result = future.result()
        except WorkerLost as error:
            result = JobResult("void", why=f"its worker was lost ({error})")
        if result.kind == "refused":
            raise SetupError(result.why)
        if result.kind == "changed":
            raise SetupError(f"{result.why} was changed during the comparison: start again")
        spec = attempt.spec
        why = result.why if result.kind in ("void", "blamed") else "; ".join(result.suspect)
        if result.suspect:
            self._slow_down()
        if why and attempt.number < COMPARE_ATTEMPTS_MAX:
            self._tell(f"{self._names(spec)}: {why}; played again")
            self._submit(player, _Attempt(spec, attempt.number + 1))
            return
        self._refuse_failed(result)
        scores = result.scores or tuple(
            EntryScore(spec.seats.index(one), one, 0.0) for one in set(spec.seats)
        )
        played = PlayedBattle(
            spec,
            result.state,
            scores,
            result.turns,
            result.suspect,
            result.server_late_turns,
            result.digest,
            turnwright=__version__,
            attempts=attempt.number,
        )
        self._played[spec.id] = played
        if not played.counts:
            self._tell(f"{self._names(spec)} does not count: {why}")
        self._refuse_void(played, why)
        self._follow()

    def _slow_down(self) -> None:
        """Play fewer battles at once when two in a row were not played in time."""
        self._late += 1
        if self._late > 1 and self._jobs > 1:
            self._jobs, self._late = self._jobs - 1, 0
            self._tell(f"the machine is too slow for so many battles: {self._jobs} at once from now on")

    def _refuse_failed(self, result: JobResult) -> None:
        """Give up when a program fails in its first battle.

        On a machine that was too slow for the battle, only where it gave no answer at all.
        """
        self._has_played.update(row.entry for row in result.scores if row.failure is None)
        failures = result.failures
        blamed = result.no_answer if result.suspect else failures
        first = [entry for entry in blamed if entry not in self._has_played]
        if first:
            told = [f"{self._bots[one].label} cannot be compared: {failures[one].full_text}" for one in first]
            raise ParticipantStartError("; ".join(told) + (f" ({result.why})" if result.why else ""))
        for entry in failures.keys() - self._has_failed:
            self._has_failed.add(entry)
            self._tell(f"{self._bots[entry].label} {failures[entry].full_text}")

    def _refuse_void(self, played: PlayedBattle, why: str) -> None:
        self._voids += played.state == "void"
        if self._voids >= _VOID_MAX and not any(one.counts for one in self._played.values()):
            raise VoidBattleError(f"{self._voids} battles are void and none counts: {why}")

    def _names(self, spec: BattleSpec) -> str:
        return " v ".join(self._bots[one].label for one in dict.fromkeys(spec.seats))

    # ---- verdict -----------------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Look at the blocks that are complete, when it is time."""
        before = self._complete
        while self._complete < self._blocks_max and all(
            spec.id in self._played for spec in self._block(self._complete)
        ):
            self._complete += 1
        if self._complete == before:
            return
        if self._complete >= self._next_look or self._complete == self._blocks_max:
            self._found = self._look()
            self._next_look = self._complete + max(1, int(self._complete * _LOOKED_PART))
        if self._report is not None:
            each = BLOCK_ROUNDS * max(1, len(self._against))
            progress = ComparisonProgress(
                self._found, self._found.blocks * each, len(self._played), self._jobs
            )
            self._report(progress)

    def _look(self) -> Comparison:
        played = self._played.values()
        values = block_values(OLD, NEW, self._rules, played, self._against, self._battles)
        largest = 100.0 if self._against else 50.0
        return sequential_verdict(values, self._options.points, blocks_max=self._blocks_max, largest=largest)

    def _result(self, *, interrupted: bool) -> ComparisonResult:
        found, used = self._found, list(self._used(self._found.blocks))
        labels = {one: bot.label for one, bot in self._bots.items()}
        if labels[OLD] == labels[NEW]:
            labels |= {OLD: f"{labels[OLD]} (OLD)", NEW: f"{labels[NEW]} (NEW)"}
        failed = [row.entry for one in used for row in one.scores if row.failure is not None]
        return ComparisonResult(
            found.verdict,
            found.difference,
            found.low,
            found.high,
            found.margin,
            found.blocks * BLOCK_ROUNDS * max(1, len(self._against)),
            found.blocks,
            labels[OLD],
            labels[NEW],
            tuple(self._shares(used)),
            self._options.seed,
            {labels[one]: failed.count(one) for one in labels if one in failed},
            sum(not one.counts for one in self._played.values()),
            interrupted,
        )

    def _used(self, blocks: int) -> Iterator[PlayedBattle]:
        """Yield the battles of the blocks that the verdict is of."""
        for index in range(self._complete):
            if not blocks:
                return
            block = [self._played[spec.id] for spec in self._block(index)]
            if all(one.counts for one in block):
                blocks -= 1
                yield from block

    def _shares(self, used: Sequence[PlayedBattle]) -> Iterator[OpponentShares]:
        for opponent in self._against or (None,):
            met = [one.spec.seats for one in used]
            mine: dict[str, list[float]] = {OLD: [], NEW: []}
            for battle, seats in zip(used, met, strict=True):
                if opponent is None or opponent in seats:
                    shares = compared_shares(OLD, NEW, battle)
                    for one in mine.keys() & shares.keys():
                        mine[one].append(100 * shares[one])
            if mine[OLD] and mine[NEW]:
                name = None if opponent is None else self._bots[opponent].label
                yield OpponentShares(name, fmean(mine[OLD]), fmean(mine[NEW]), len(mine[NEW]))


@contextmanager
def _signals_kept(*, wanted: bool) -> Iterator[list[int]]:
    """Yield a list of Ctrl-C and SIGTERM; the second raises KeyboardInterrupt.

    So the first stops no call of the pool in the middle. Only possible in the main thread.
    """
    caught: list[int] = []
    if not wanted or threading.current_thread() is not threading.main_thread():
        yield caught
        return

    def note(number: int, _: object) -> None:
        caught.append(number)
        if len(caught) > 1:
            raise KeyboardInterrupt

    before = [(number, signal(number, note)) for number in (SIGINT, SIGTERM)]
    try:
        yield caught
    finally:
        for number, handler in before:
            signal(number, handler)

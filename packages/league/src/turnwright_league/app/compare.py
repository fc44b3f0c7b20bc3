"""Compares two versions of a program by battles until there is a verdict (`compare`)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field, fields
from statistics import fmean
from typing import Any

from turnwright.app.game.playable import find_game
from turnwright.catalog import default_game
from turnwright.errors import ParticipantStartError, SetupError, VoidBattleError
from turnwright.net.processes.processors import processors
from turnwright_league.app.battle_queue import BattleQueue, Interrupts, QueuedBattle
from turnwright_league.app.battle_workers import BattleWorkers, LocalWorkers
from turnwright_league.app.compare_options import NEW, OLD, CompareOptions, compared_bots
from turnwright_league.app.options import machine_settings, settings_given
from turnwright_league.app.worker import BattleJob, JobResult, play_job
from turnwright_league.tournament.battle_spec import BattleSpec, settings_text
from turnwright_league.tournament.pairings import PairingRules
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.sequential import (
    BLOCK_ROUNDS,
    Comparison,
    block_battles,
    block_values,
    compared_shares,
    sequential_verdict,
)

_VOID_MAX = 5
"""The battles without a result after which the comparison is given up, if no battle has counted."""
_LOOKED_PART = 0.05
"""The most blocks between two computations of the verdict, as a part of all blocks. The first verdict is
final, so rare computations do no harm.
"""

_log = logging.getLogger("turnwright")


@dataclass(frozen=True, slots=True)
class ComparisonProgress:
    """The progress of a comparison.

    Attributes:
        rounds: the rounds of NEW.
        jobs: the number of battles at the same time.
        played: the number of played battles.
    """

    comparison: Comparison
    rounds: int
    played: int
    jobs: int


@dataclass(frozen=True, slots=True)
class OpponentShares:
    """The mean score shares of OLD and NEW against one opponent, 0 to 100.

    Attributes:
        opponent: its name and version, or None if OLD and NEW played each other.
        battles: the number of battles of NEW.
    """

    opponent: str | None
    old: float
    new: float
    battles: int


@dataclass(frozen=True, slots=True)
class ComparisonResult:
    """The result of a comparison of NEW with OLD.

    Attributes:
        verdict: "better", "worse", "no difference" (above `points`) or "undecided".
        difference: the share of NEW minus the share of OLD, in points of score share. None without a block.
        low, high: the 95 % interval of the difference, or None while the interval is wider than the scale.
        rounds: the rounds of NEW that the verdict uses.
        old, new: their names and versions.
        shares: the shares by opponent.
        failures: the number of battles in which a program failed, by name and version.
        not_counted: the number of battles that were void or suspect at each attempt.
        interrupted: whether the comparison was interrupted before a verdict.
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
    game: str | None = None,
    settings: Mapping[str, Any] | None = None,
    **options: Any,
) -> ComparisonResult:
    """Compare two versions of a program, and return the verdict.

    Args:
        old, new, against: bots, as `run_battle` takes them. `against` may also be a directory of bot
            directories. With classes, functions or objects, battles are played in this process, one after the
            other.
        options: the fields of `CompareOptions`, e.g. points=2.0, rounds_max=2000, jobs=2, seed=1, and the
            options of a battle of the game.
        settings: settings of the battles that cannot be in `options`, because an option has the same name.

    Raises:
        SetupError: the comparison cannot be played.
        ParticipantStartError: a bot does not start, or fails in its first battle.
        VoidBattleError: several battles are void, and none counts.
        KeyboardInterrupt: it was interrupted before a verdict.
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
    game: str | None = None,
    values: Mapping[str, Any] | None = None,
    on_progress: Callable[[ComparisonProgress], None] | None = None,
    on_notice: Callable[[str], None] | None = None,
) -> ComparisonResult:
    """Play battles until there is a verdict or an interruption. See `compare`.

    Args:
        values: the settings of the battles, by field.
        on_progress: is called after each block.
        on_notice: gets a line for each battle that does not count.
    """
    return _ComparisonRun(
        options, game or default_game(), values or {}, on_progress, on_notice or _log.warning
    ).play()


class _ThisProcess:
    """Plays each battle immediately in this process."""

    slows_down = False
    capacity = 1

    def cannot_play(self, spec: BattleSpec) -> str:
        """Return "". A program that cannot be started fails in its first battle."""
        return ""

    def play(self, job: BattleJob) -> Future[JobResult]:
        """Play a battle to its end, and return its finished future."""
        done: Future[JobResult] = Future()
        try:
            done.set_result(play_job(job))
        except Exception as error:
            done.set_exception(error)
        return done

    def __enter__(self) -> BattleWorkers:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class _Blocks:
    """The blocks of a comparison: their battles, and the verdict so far.

    Args:
        battles: the battles in a block for each pair of programs.
        labels: the labels of OLD, NEW and the opponents.
    """

    def __init__(
        self, rules: PairingRules, battles: int, labels: Mapping[str, str], options: CompareOptions
    ) -> None:
        self._rules, self._battles, self._labels, self._options = rules, battles, labels, options
        self._against = tuple(one for one in labels if one not in (OLD, NEW))
        self._most = options.rounds_max // BLOCK_ROUNDS
        self.played: dict[str, PlayedBattle] = {}
        self._complete = self._next_look = 0
        self.found = self._look()

    def specs(self) -> Iterator[BattleSpec]:
        """Yield all battles, block by block."""
        for index in range(self._most):
            yield from self._block(index)

    def _block(self, index: int) -> list[BattleSpec]:
        return block_battles(OLD, NEW, self._rules, index, self._against, self._battles)

    @property
    def rounds(self) -> int:
        """The rounds of NEW that the verdict uses."""
        return self.found.blocks * BLOCK_ROUNDS * max(1, len(self._against))

    def add(self, played: PlayedBattle) -> bool:
        """Add a battle, and return whether its block is complete. If it is due, compute the verdict."""
        self.played[played.id] = played
        before = self._complete
        while self._complete < self._most and all(
            spec.id in self.played for spec in self._block(self._complete)
        ):
            self._complete += 1
        if self._complete == before:
            return False
        if self._complete >= self._next_look or self._complete == self._most:
            self.found = self._look()
            self._next_look = self._complete + max(1, int(self._complete * _LOOKED_PART))
        return True

    def _look(self) -> Comparison:
        played = self.played.values()
        values = block_values(OLD, NEW, self._rules, played, self._against, self._battles)
        largest = 100.0 if self._against else 50.0
        return sequential_verdict(values, self._options.points, blocks_max=self._most, largest=largest)

    def result(self, *, interrupted: bool) -> ComparisonResult:
        """Return the result of the battles that were played.

        Args:
            interrupted: whether the operator ended the comparison.
        """
        found = self.found = self._look()
        used = list(self._used(found.blocks))
        labels = dict(self._labels)
        if labels[OLD] == labels[NEW]:
            labels |= {OLD: f"{labels[OLD]} (OLD)", NEW: f"{labels[NEW]} (NEW)"}
        failed = [row.entry for one in used for row in one.scores if row.failure is not None]
        return ComparisonResult(
            found.verdict,
            found.difference,
            found.low,
            found.high,
            found.margin,
            self.rounds,
            found.blocks,
            labels[OLD],
            labels[NEW],
            tuple(self._shares(used)),
            self._options.seed,
            {labels[one]: failed.count(one) for one in labels if one in failed},
            sum(not one.counts for one in self.played.values()),
            interrupted and not found.decided,
        )

    def _used(self, blocks: int) -> Iterator[PlayedBattle]:
        """Yield the battles of the blocks that the verdict uses."""
        for index in range(self._complete):
            if not blocks:
                return
            block = [self.played[spec.id] for spec in self._block(index)]
            if all(one.counts for one in block):
                blocks -= 1
                yield from block

    def _shares(self, used: Sequence[PlayedBattle]) -> Iterator[OpponentShares]:
        for opponent in self._against or (None,):
            mine: dict[str, list[float]] = {OLD: [], NEW: []}
            for battle in used:
                if opponent is None or opponent in battle.spec.seats:
                    shares = compared_shares(OLD, NEW, battle)
                    for one in mine.keys() & shares.keys():
                        mine[one].append(100 * shares[one])
            if mine[OLD] and mine[NEW]:
                name = None if opponent is None else self._labels[opponent]
                yield OpponentShares(name, fmean(mine[OLD]), fmean(mine[NEW]), len(mine[NEW]))


class _ComparisonRun:
    """A running comparison, which plays battles until there is a verdict."""

    def __init__(
        self,
        options: CompareOptions,
        game: str,
        values: Mapping[str, Any],
        report: Callable[[ComparisonProgress], None] | None,
        tell: Callable[[str], None],
    ) -> None:
        self._options, self._game, self._report, self._tell = options, game, report, tell
        played = find_game(game)
        self._bots = compared_bots(options, played.bots, values.get("python"))
        self._machine = machine_settings(values)
        rules = played.rules()
        members = {one: bot.seats for one, bot in self._bots.items() if bot.seats > 1}
        own = {one.name for one in fields(played.options)}
        rounds = {"rounds": BLOCK_ROUNDS} if "rounds" in own else {}
        defaults = played.battles.tournament_settings("round-robin", 2, teams=bool(members))
        given = settings_given(played, {**defaults, **values, **rounds})
        pairing = PairingRules(
            rules.name, rules.behaviour_version, settings_text(given), options.seed, members=members
        )
        labels = {one: bot.label for one, bot in self._bots.items()}
        self._blocks = _Blocks(pairing, 1 if rounds else BLOCK_ROUNDS, labels, options)
        self._here = any(not isinstance(bot.given, str) for bot in self._bots.values())
        self._jobs = 1 if self._here else options.jobs or max(1, round(processors()))
        self._unplayed = (QueuedBattle(spec, self._names(spec)) for spec in self._blocks.specs())
        self._has_played: set[str] = set()
        self._has_failed: set[str] = set()
        self._voids = 0

    def play(self) -> ComparisonResult:
        """Play until there is a verdict, an interruption, or no battle left, and return the result.

        Raises:
            SetupError: a participant or the game does not work.
        """
        signals = Interrupts(most=1)
        is_stopped = False
        try:
            with (
                _ThisProcess() if self._here else LocalWorkers(self._jobs) as workers,
                nullcontext() if self._here else signals.caught(),
            ):
                self._queue = BattleQueue(workers, self._jobs, self._job, self._tell)
                while not self._blocks.found.decided and not signals.count and self._is_playing():
                    self._queue.wait()
                    self._queue.take(self._take)
        except KeyboardInterrupt:
            is_stopped = True
        return self._blocks.result(interrupted=is_stopped or signals.count > 0)

    # ---- battles -----------------------------------------------------------------------------------------

    def _is_playing(self) -> bool:
        """Begin as many battles as may run, and return whether any is running.

        Raises:
            SetupError: no worker can play the remaining battles.
        """
        self._queue.fill(lambda: next(self._unplayed, None))
        if self._queue.stuck:
            raise SetupError(self._queue.stuck)
        return bool(self._queue.running)

    def _job(self, spec: BattleSpec) -> BattleJob:
        return BattleJob.of(spec, self._game, self._bots, machine=self._machine)

    def _take(self, battle: QueuedBattle, result: JobResult) -> None:
        """Store a result, or play the battle again."""
        if result.kind == "refused":
            raise SetupError(result.why)
        if result.kind == "changed":
            raise SetupError(f"{result.why} was changed during the comparison: start again")
        why = result.why if result.kind in ("void", "blamed") else "; ".join(result.suspect)
        if self._queue.again(battle, why):
            return
        self._refuse_failed(result)
        played = result.battle(battle.spec, battle.attempt)
        if not played.counts:
            self._tell(f"{battle.names} does not count: {why}")
        is_complete = self._blocks.add(played)
        self._refuse_void(played, why)
        if is_complete and self._report is not None:
            blocks = self._blocks
            progress = ComparisonProgress(
                blocks.found, blocks.rounds, len(blocks.played), self._queue.at_once
            )
            self._report(progress)

    def _refuse_failed(self, result: JobResult) -> None:
        """Raise an error if a program fails in its first battle.

        If the machine was too slow for the battle, the failure counts only if the program gave no answer at
        all.
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
        if self._voids >= _VOID_MAX and not any(one.counts for one in self._blocks.played.values()):
            raise VoidBattleError(f"{self._voids} battles are void and none counts: {why}")

    def _names(self, spec: BattleSpec) -> str:
        return " v ".join(self._bots[one].label for one in dict.fromkeys(spec.seats))

"""The analysis of a battle. It takes the turns one by one and returns all facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from turnwright.kernel.failure import Failure
from turnwright.kernel.units import NS_PER_US
from turnwright_tank.analysis.counts import add_up
from turnwright_tank.analysis.facts import (
    BattleFact,
    BotFact,
    Fact,
    NoteFact,
    OutFact,
    ResultFact,
    RoundFact,
    TankInfo,
    TotalFact,
)
from turnwright_tank.analysis.findings import notes
from turnwright_tank.analysis.round import OutReason, RoundAnalysis
from turnwright_tank.analysis.timing import Timing
from turnwright_tank.analysis.turns import Setting, TurnSeen
from turnwright_tank.analysis.verdict import fate_in_battle, verdict


@dataclass(frozen=True, slots=True)
class AnalysedRound:
    """The facts of a round: the line of the round, the lines of its tanks, the events in order of time, and
    notes about the tanks.
    """

    fact: RoundFact
    bots: Sequence[BotFact]
    events: Sequence[Fact]
    notes: Sequence[NoteFact]


class Analysis:
    """Analyses a battle. Call `take` for every turn, then `finish`.

    Attributes:
        rounds: the analysed rounds, without the current one.
        timing: the timing of each bot, by bot id.
        battle, totals, results: the facts of the whole battle. `finish` sets these attributes.
    """

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.rounds: list[AnalysedRound] = []
        self.battle: BattleFact
        self.totals: list[TotalFact] = []
        self.results: Sequence[ResultFact] = ()
        self.timing = {one.id: Timing(one.id) for one in setting.fighters}
        self._out: dict[int, tuple[OutReason, str]] = {}
        self._failures: dict[int, Failure] = {}
        self._round: RoundAnalysis | None = None
        self._turns = 0
        self._server_late_turns = 0

    def take(self, seen: TurnSeen) -> None:
        """Add the next turn of the battle. The first turn of a round completes the previous round."""
        current = self._round
        self._turns += 1
        self._server_late_turns += seen.server_late_ns > 0
        self._failures.update(seen.failures)
        if current is None or current.round != seen.frame.round_number:
            self._end_round(complete=True)
            stay = self._failures.keys()
            self._out = {bot: out for bot, out in self._out.items() if out[0] == "left" or bot in stay}
            current = self._round = RoundAnalysis(self.setting, seen, self._out)
        if self.setting.leavers_die:
            self._note_out(current, seen, seen.gone, "left")
        current.take(seen)
        current.note_prints(seen)
        self._note_time(current, seen)
        self._note_out(current, seen, seen.disqualified, "disqualified")
        if not self.setting.leavers_die:
            self._tell_out(current, seen, seen.gone, "left")

    def _note_out(self, current: RoundAnalysis, seen: TurnSeen, bots: Iterable[int], why: OutReason) -> None:
        for bot in bots:
            failure = seen.out.get(bot) or self._failures.get(bot)
            self._out.setdefault(bot, (why, "" if failure is None else failure.why_out))
        self._tell_out(current, seen, bots, why)

    def _tell_out(self, current: RoundAnalysis, seen: TurnSeen, bots: Iterable[int], why: OutReason) -> None:
        turn = seen.frame.turn_number
        for bot in bots:
            failure = self._failures.get(bot) or seen.out.get(bot)
            told = None if failure is None else failure.full_text
            current.events.append(OutFact(round=current.round, turn=turn, bot=bot, why=why, failure=told))

    def _note_time(self, current: RoundAnalysis, seen: TurnSeen) -> None:
        turn = seen.frame.turn_number
        for bot in seen.skipped:
            if bot in self.timing:
                self.timing[bot].skip(current.round, turn)
            if bot in current.stats:
                current.stats[bot].tally.skipped += 1
        for bot, late_ns in seen.late_ns.items():
            if bot in self.timing:
                self.timing[bot].answered_late(current.round, turn, late_ns)
            if bot in current.stats:
                current.stats[bot].tally.late += 1
        for bot, answer_ns in seen.answer_ns.items():
            if bot in self.timing:
                self.timing[bot].answers_ns.append(answer_ns)

    def _end_round(self, *, complete: bool) -> None:
        if self._round is not None:
            fact, bots = self._round.end(complete=complete)
            told = _notes_of_round(self.setting, fact, bots, self._failures)
            self.rounds.append(AnalysedRound(fact, bots, self._round.events, told))
            self._round = None

    def finish(
        self, ending: str | None, results: Sequence[ResultFact] = (), differs: str | None = None
    ) -> None:
        """Complete the last round, and set `battle`, `totals` and `results`.

        Args:
            ending: "over", "aborted" or "void". None means that the file is truncated.
            results: the results, best first. This method writes their `verdict`.
            differs: the turn in which a replay differs from its record, or None.
        """
        self._end_round(complete=ending == "over")
        for row in results:
            row.verdict = verdict(results, row)
        self.results = results
        setting = self.setting
        timeout = setting.turn_timeout_ns
        self.battle = BattleFact(
            game_type=setting.game_type,
            width=setting.width,
            height=setting.height,
            rounds=len(self.rounds),
            rounds_planned=setting.rounds,
            turns=self._turns,
            seed=setting.seed,
            turn_timeout_us=None if timeout is None else timeout // NS_PER_US,
            server_late_turns=self._server_late_turns,
            ending=ending,
            differs=differs,
            bots=tuple(
                [TankInfo(one.id, one.name, one.version, one.team, one.droid) for one in setting.fighters]
            ),
        )
        for one in setting.fighters:
            rounds = [line for _, line in self.rounds_of(one.id)]
            total = add_up(line.tally for line in rounds)
            fate = fate_in_battle(setting, rounds)
            self.totals.append(TotalFact(bot=one.id, name=one.name, tally=total, fate=fate))

    def facts(self, *, events: bool = True) -> list[Fact]:
        """Return all facts in order: the battle, results, totals, notes, timing, then each round.

        Call `finish` before.

        Args:
            events: whether events are included, such as missed turns, late answers, hits and deaths.
        """
        found: list[Fact] = [self.battle, *self.results, *self.totals]
        for one in self.setting.fighters:
            found += self.notes_of(one.id)
        for timing in self.timing.values():
            found.append(timing.fact(self.setting.fighter(timing.bot).name))
            if events:
                found += [*timing.clusters, *timing.late]
        for analysed in self.rounds:
            found += [analysed.fact, *analysed.bots, *analysed.notes]
            if events:
                found += analysed.events
        return found

    def notes_of(self, bot: int) -> list[NoteFact]:
        """Return the notes about a bot in the whole battle, largest weight first. Call `finish` before."""
        totals = {total.bot: total.tally for total in self.totals}
        failure = self._failures.get(bot)
        return notes(self.setting, bot, totals, self.rounds_of(bot), failure=failure)

    def rounds_of(self, bot: int) -> list[tuple[RoundFact, BotFact]]:
        """Return each round that a bot played, with the bot's facts in this round."""
        return [(told.fact, line) for told in self.rounds for line in told.bots if line.bot == bot]


def _notes_of_round(
    setting: Setting, fact: RoundFact, bots: Sequence[BotFact], failures: Mapping[int, Failure]
) -> list[NoteFact]:
    tallies = {line.bot: line.tally for line in bots}
    found = []
    for line in bots:
        found += notes(setting, line.bot, tallies, [(fact, line)], fact.round, failures.get(line.bot))
    return found


def results_of(rows: Iterable[Mapping[str, Any]]) -> tuple[ResultFact, ...]:
    """Return the rows of JSON results as facts, in the same order. A missing rank or rank 0 becomes 1."""
    return tuple(
        [msgspec.convert({"kind": "result", **row, "rank": row.get("rank") or 1}, ResultFact) for row in rows]
    )

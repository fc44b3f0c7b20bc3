"""The story of a battle: takes moments, one a turn, and becomes the lines of a trace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from turnwright.games.tank.story.chapter import Chapter, Why
from turnwright.games.tank.story.facts import (
    BattleFact,
    BotFact,
    Fact,
    OutFact,
    ResultFact,
    RoundFact,
    TotalFact,
    Who,
)
from turnwright.games.tank.story.moment import Moment, Setting
from turnwright.games.tank.story.notes import notes
from turnwright.games.tank.story.tally import add_up
from turnwright.games.tank.story.timing import Timing

__all__ = ["Story", "Told", "results_of"]

_NS_PER_US = 1000


@dataclass(frozen=True, slots=True)
class Told:
    """A round that has been told: its line, its tanks' lines, and its events in order of time."""

    fact: RoundFact
    bots: Sequence[BotFact]
    events: Sequence[Fact]


class Story:
    """Takes every turn of a battle with `take`, then `finish`. rounds: those that were told."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.rounds: list[Told] = []
        self.battle: BattleFact
        self.totals: list[TotalFact] = []
        self.results: Sequence[ResultFact] = ()
        self.timing = {one.id: Timing(one.id) for one in setting.fighters}
        self._out: dict[int, Why] = {}
        self._chapter: Chapter | None = None
        self._turns = 0
        self._server_late_turns = 0

    def take(self, moment: Moment) -> None:
        """Take the next turn of the battle."""
        chapter = self._chapter
        self._turns += 1
        self._server_late_turns += moment.server_late_ns > 0
        if chapter is None or chapter.round != moment.frame.round_number:
            self._end_chapter(complete=True)
            chapter = self._chapter = Chapter(self.setting, moment, self._out)
        if self.setting.leavers_die:
            self._note_out(chapter, moment, moment.gone, "left")
        chapter.take(moment)
        self._note_time(chapter, moment)
        self._note_out(chapter, moment, moment.disqualified, "disqualified")
        if not self.setting.leavers_die:
            self._tell_out(chapter, moment, moment.gone, "left")

    def _note_out(self, chapter: Chapter, moment: Moment, bots: Iterable[int], why: Why) -> None:
        for bot in bots:
            self._out.setdefault(bot, why)
        self._tell_out(chapter, moment, bots, why)

    def _tell_out(self, chapter: Chapter, moment: Moment, bots: Iterable[int], why: Why) -> None:
        turn = moment.frame.turn_number
        for bot in bots:
            chapter.events.append(OutFact(round=chapter.round, turn=turn, bot=bot, why=why))

    def _note_time(self, chapter: Chapter, moment: Moment) -> None:
        turn = moment.frame.turn_number
        for bot in moment.skipped:
            if bot in self.timing:
                self.timing[bot].skip(chapter.round, turn)
            if bot in chapter.books:
                chapter.books[bot].tally.skipped += 1
        for bot, late_ns in moment.late_ns.items():
            if bot in self.timing:
                self.timing[bot].answered_late(chapter.round, turn, late_ns)
            if bot in chapter.books:
                chapter.books[bot].tally.late += 1
        for bot, answer_ns in moment.answer_ns.items():
            if bot in self.timing:
                self.timing[bot].answers_ns.append(answer_ns)

    def _end_chapter(self, *, complete: bool) -> None:
        if self._chapter is not None:
            fact, bots = self._chapter.end(complete=complete)
            self.rounds.append(Told(fact, bots, self._chapter.events))
            self._chapter = None

    def finish(
        self, ending: str | None, results: Sequence[ResultFact] = (), differs: str | None = None
    ) -> None:
        """End the story. ending: how the battle ended, None: the file is cut off; results: best first."""
        self._end_chapter(complete=ending == "over")
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
            turn_timeout_us=None if timeout is None else timeout // _NS_PER_US,
            server_late_turns=self._server_late_turns,
            ending=ending,
            differs=differs,
            bots=tuple([Who(one.id, one.name, one.version, one.team, one.droid) for one in setting.fighters]),
        )
        for one in setting.fighters:
            tallies = [bot.tally for told in self.rounds for bot in told.bots if bot.bot == one.id]
            self.totals.append(TotalFact(bot=one.id, name=one.name, tally=add_up(tallies)))

    def lines(self) -> list[Fact]:
        """Return the whole trace, in order: the battle, results, totals, notes, timing, then each round."""
        found: list[Fact] = [self.battle, *self.results, *self.totals]
        for one in self.setting.fighters:
            found += notes(self.setting, one.id, self.totals, self.rounds_of(one.id))
        for timing in self.timing.values():
            found += [timing.fact(self.setting.fighter(timing.bot).name), *timing.clusters, *timing.late]
        for told in self.rounds:
            found += [told.fact, *told.bots, *told.events]
        return found

    def rounds_of(self, bot: int) -> list[tuple[RoundFact, BotFact]]:
        """Return each round that a bot was in, with its line."""
        return [(told.fact, line) for told in self.rounds for line in told.bots if line.bot == bot]


def results_of(rows: Iterable[Mapping[str, Any]]) -> tuple[ResultFact, ...]:
    """Return results from JSON values with these keys, best first."""
    return tuple([msgspec.convert({"kind": "result", **row}, ResultFact) for row in rows])

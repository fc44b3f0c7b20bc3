"""Why each turn was missed, for the author of the bot."""

from __future__ import annotations

import pytest

from packages.core.tests.kernel.support import MS
from packages.core.tests.rounds import Rounds
from turnwright.kernel.battle import Battle
from turnwright.kernel.deadline import SkipReason
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.play import play_turn
from turnwright.kernel.record import TurnRules

TIMEOUT = 30 * MS


class Turns:
    """A battle of two seats; seat 1 always answers."""

    def __init__(self, on_late="drop"):
        seats = [SeatInfo("Odd"), SeatInfo("Even")]
        self.battle = Battle(Rounds(), {}, seats, 7, TurnRules(TIMEOUT, on_late=on_late, max_skipped=0))
        self.now = 0
        self.turn()
        self.turn(0)

    def turn(self, *answers, numbered=False, refused=False):
        """Play a turn in which seat 0 answers this many ns after its observation."""
        battle, start = self.battle, self.now
        asked = battle.open_turn().asked
        withheld = battle.collecting.late_rule.withheld(start)
        for seat in asked:
            if seat not in withheld:
                battle.collecting.inbox.sent(seat, start)
        battle.collecting.inbox.withhold(withheld, start)
        if asked:
            battle.collecting.submit(1, 1, start, battle.turn + 1)
        if refused:
            battle.collecting.spoilt(0, "no intent", start)
        for answer in answers:
            if answer > TIMEOUT and battle.collecting.inbox.collected_ns is None:
                battle.end_collecting(start + TIMEOUT + 1)
            battle.collecting.submit(0, 1, start + answer, battle.turn + 1 if numbered else None)
        self.now = start + TIMEOUT + 1
        battle.end_collecting(self.now)
        until = battle.collecting.inbox.held_until_ns(self.now)
        self.now = max(self.now, min(until, start + max(answers, default=until - start)))
        battle.close_turn()
        return self

    @property
    def reasons(self):
        return {str(reason): count for reason, count in self.battle.referee.skips.seats[0].reasons.items()}


@pytest.mark.parametrize("on_late", ["drop", "next"])
def test_an_answer_after_its_deadline_is_late(on_late):
    assert Turns(on_late).turn(TIMEOUT + MS).reasons == {"late": 1}
    assert Turns(on_late).turn(TIMEOUT + MS, numbered=True).reasons == {"late": 1}


@pytest.mark.parametrize("on_late", ["drop", "next"])
def test_no_answer_at_all_is_silence(on_late):
    assert Turns(on_late).turn().reasons == {"no answer": 1}


def test_an_answer_to_an_older_observation_is_named_and_then_a_hold_follows():
    turns = Turns().turn().turn(5 * MS)
    assert turns.reasons == {"no answer": 1, "behind": 1}
    assert turns.turn().reasons == {"no answer": 1, "behind": 1, "withheld": 1}


@pytest.mark.parametrize("on_late", ["drop", "next"])
def test_an_invalid_answer_is_refused(on_late):
    turns = Turns(on_late).turn(refused=True)
    assert turns.reasons == {"refused": 1}
    assert turns.turn().reasons == {"refused": 1, "no answer": 1}


def test_a_bot_that_left_misses_its_turns():
    turns = Turns()
    turns.battle.leave(0)
    assert turns.turn().turn().reasons == {"left": 2}


def test_a_function_that_returns_nothing_is_silent():
    battle = Battle(Rounds(), {}, [SeatInfo("a"), SeatInfo("b")], 7, TurnRules(max_skipped=0))
    for _ in range(4):
        play_turn(battle, {0: lambda seen: None, 1: lambda seen: 1})
    assert battle.referee.skips.seats[0].reasons == {SkipReason.NO_ANSWER: 3}
    assert battle.referee.skips.seats[1].reasons == {}


def test_the_reasons_explain_every_missed_turn():
    turns = Turns()
    for answer in (0, 40 * MS, 400 * MS, 5 * MS, 0, 31 * MS, 0, 0, 0, 90 * MS, 0):
        turns.turn(answer).turn().turn(0).turn(0)
    assert sum(turns.reasons.values()) == turns.battle.referee.skips.seats[0].skipped > 10

"""Disqualification by turns and time, for a round and for the battle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from packages.core.tests.kernel.support import MS
from packages.core.tests.messages import says
from packages.core.tests.rounds import Rounds
from turnwright.errors import SetupError
from turnwright.kernel.battle import Battle
from turnwright.kernel.branch import Branch
from turnwright.kernel.failure import FailureReason
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.play import play_turn
from turnwright.kernel.record import Record, TurnRules
from turnwright.kernel.replay import Replayer, replay
from turnwright.kernel.verify import verify

S = 1_000 * MS
TIMEOUT = 30 * MS
NEVER, LATE = None, TIMEOUT + MS
TOO_LONG = -(-5 * S // (TIMEOUT + 1))
"""Turns of a timeout after which a silent bot has been silent for five seconds."""

Offset = Callable[[int, int], int | None]
"""(round, turn) -> the time from the observation of seat 0 to its answer."""


class Played:
    """A battle of two seats; seat 1 always answers."""

    def __init__(self, offset: Offset, *, rounds: int = 1, turns: int = 400, server_late_ns: int = 0) -> None:
        rules = TurnRules(TIMEOUT, on_skip="idle", max_silence_ns=5 * S, max_rounds_out=3)
        setup = {"rounds": rounds, "turns": turns}
        seats = [SeatInfo("Odd"), SeatInfo("Even")]
        self.battle = Battle(Rounds(), setup, seats, 7, rules, keep_checks=True)
        self.record = Record(self.battle.header)
        self.places: dict[int, tuple[int, int]] = {}
        self.late_ns = server_late_ns
        self.now_ns = 0
        while self.battle.outcome is None:
            self.turn(offset)

    def turn(self, offset: Offset) -> None:
        battle, state = self.battle, self.battle.state
        start = self.now_ns
        asked = battle.open_turn().asked
        for seat in asked:
            battle.collecting.inbox.sent(seat, start)
        if 1 in asked:
            battle.collecting.submit(1, 1, start)
        answer = offset(state.round, state.turn) if 0 in asked else None
        if answer is not None and answer <= TIMEOUT:
            battle.collecting.submit(0, 1, start + answer, battle.turn + 1)
        self.now_ns = start + (TIMEOUT + 1 if battle.collecting.inbox.missing else 0)
        battle.end_collecting(self.now_ns)
        if answer is not None and answer > TIMEOUT:
            battle.collecting.submit(0, 1, start + answer, battle.turn + 1)
            self.now_ns = start + answer
        closed = battle.close_turn(server_late_ns=self.late_ns if battle.collecting.inbox.collected_ns else 0)
        self.record.turns.append(closed.entry)
        self.places[closed.entry.turn] = battle.place()

    @property
    def out(self) -> list[tuple[int, int]]:
        """The rounds and turns in which seat 0 was disqualified."""
        return [self.places[one.turn] for one in self.record.turns if 0 in one.disqualified]


def only(*rounds: int) -> Offset:
    """Return a bot that is silent in these rounds."""
    return lambda round_, turn: NEVER if round_ in rounds else 0


@pytest.mark.parametrize(("missed", "is_out"), [(TOO_LONG - 1, False), (TOO_LONG, True)])
def test_thirty_turns_in_a_row_disqualify_after_five_seconds_without_an_answer_in_time(missed, is_out):
    played = Played(lambda round_, turn: NEVER if 10 <= turn < 10 + missed else 0)
    assert bool(played.out) == is_out
    assert played.battle.referee.skips.seats[0].skipped == missed


def test_five_seconds_disqualify_after_thirty_turns_alone():
    """A turn may last long, as in a battle that waits for every bot."""
    played = Played.__new__(Played)
    played.battle = Battle(
        Rounds(), {}, [SeatInfo("a"), SeatInfo("b")], 7, TurnRules(3 * S, max_silence_ns=5 * S)
    )
    for turn in range(31):
        asked = played.battle.open_turn().asked
        for seat in asked:
            played.battle.collecting.inbox.sent(seat, turn * 4 * S)
        if asked:
            played.battle.collecting.submit(1, 1, turn * 4 * S)
        played.battle.end_collecting(turn * 4 * S + 3 * S + 1)
        assert (0 in played.battle.close_turn().entry.disqualified) == (turn == 30)


def test_an_answer_in_time_ends_the_silence():
    assert Played(lambda round_, turn: NEVER if turn % 160 else 0, turns=1_000).out == []


def test_the_answers_of_a_slow_bot_are_late_and_it_is_out_with_the_time():
    played = Played(lambda round_, turn: LATE)
    assert played.out == [(1, TOO_LONG + 1)]
    failure = played.battle.referee.failures[0]
    assert (failure.reason, failure.round, failure.turn) == (FailureReason.SLOW, 1, TOO_LONG + 1)
    assert says(failure.error, "no answer in time … 5.0 s")


def test_a_disqualified_seat_is_out_of_the_round_and_plays_the_next_one():
    played = Played(only(2), rounds=4)
    assert played.out == [(2, TOO_LONG + 1)]
    state, faults = played.battle.state, played.battle.referee.skips.seats[0]
    assert (faults.disqualified, faults.is_out_of_battle, state.retired) == (False, False, [False, False])
    assert [row[0] for row in played.battle.score_sheet.by_round(played.battle.outcome)] == [399, 0, 399, 399]
    assert played.battle.referee.failures == {}
    assert [(one.reason, one.round) for one in played.battle.referee.disqualifications[0]] == [
        (FailureReason.SILENT, 2)
    ]


def test_three_rounds_count_for_the_battle():
    played = Played(only(1, 3, 4), rounds=6)
    assert [place[0] for place in played.out] == [1, 3, 4]
    assert played.battle.referee.skips.seats[0].is_out_of_battle
    assert [row[0] for row in played.battle.score_sheet.by_round(played.battle.outcome)] == [
        0,
        399,
        0,
        0,
        0,
        0,
    ]
    failure = played.battle.referee.failures[0]
    assert (failure.round, failure.reason) == (4, FailureReason.SILENT)


@pytest.mark.parametrize("rounds", [1, 2])
def test_every_round_counts_for_the_battle(rounds):
    played = Played(only(1, 2), rounds=rounds)
    assert len(played.out) == rounds
    assert played.battle.referee.skips.seats[0].is_out_of_battle
    assert 0 in played.battle.referee.failures
    assert 0 in played.record.turns[-1].failures


def test_a_seat_that_left_is_out_of_the_battle_after_thirty_turns():
    played = Played.__new__(Played)
    played.battle = Battle(
        Rounds(),
        {"rounds": 3, "turns": 100},
        [SeatInfo("a"), SeatInfo("b"), SeatInfo("c")],
        7,
        TurnRules(TIMEOUT, max_silence_ns=5 * S, max_rounds_out=3),
    )
    battle = played.battle
    out = []
    while battle.outcome is None:
        opened = battle.open_turn()
        if battle.turn == 5:
            battle.fail(0, FailureReason.CRASHED, "boom")
            battle.leave(0)
        for seat in opened.asked:
            battle.collecting.submit(seat, 1, 0)
        battle.end_collecting(0)
        closed = battle.close_turn()
        out += [closed.entry.turn] if 0 in closed.entry.disqualified else []
    assert out == [35]
    assert battle.referee.skips.seats[0].is_out_of_battle
    assert battle.referee.failures[0].reason is FailureReason.CRASHED
    assert [row[0] > 0 for row in battle.score_sheet.by_round(battle.outcome)] == [True, False, False]


def test_a_seat_without_a_deadline_is_out_after_thirty_turns():
    """As a function that returns nothing: no other seat waits for it."""
    rules = TurnRules(TIMEOUT, max_silence_ns=5 * S)
    battle = Battle(Rounds(), {}, [SeatInfo("a"), SeatInfo("b")], 7, rules)
    while not battle.referee.skips.seats[0].disqualified:
        play_turn(battle, {0: lambda seen: None, 1: lambda seen: 1})
    assert battle.turn == 31


def test_turns_that_a_late_server_may_have_cost_name_the_machine():
    played = Played(lambda round_, turn: LATE, server_late_ns=2 * MS)
    assert played.battle.referee.failures[0].reason is FailureReason.BUSY
    assert says(played.battle.referee.failures[0].error, "no answer in time … 5.0 s")


def test_a_silent_bot_is_blamed_although_the_server_was_late():
    assert Played(only(1), server_late_ns=2 * MS).battle.referee.failures[0].reason is FailureReason.SILENT


# ---- records: the decision is an input ------------------------------------------------------------------


@pytest.mark.parametrize("offset", [only(1, 3, 4), only(2), only(1, 2, 3, 4, 5, 6), lambda r, t: LATE])
def test_a_replay_needs_no_clock(offset):
    played = Played(offset, rounds=6)
    assert verify(played.record, Rounds()).ok
    replayed = list(replay(played.record, Rounds()))
    assert all(closed.entry.disqualified == entry.disqualified for entry, closed, _ in replayed)
    assert replayed[-1][2].referee.failures == played.battle.referee.failures


def test_keyframes_hold_the_rounds_out():
    played = Played(only(1, 3, 4), rounds=6)
    last = len(played.record.turns)
    for turn in range(1, last, 97):
        player = Replayer(played.record, Rounds())
        player.seek(turn)
        saved = player.battle.save()
        player.battle.restore(saved)
        assert player.battle.save() == saved
        for entry in played.record.turns[turn:]:
            closed = player.battle.replay_turn(entry)
            assert closed.entry.disqualified == entry.disqualified
            assert not entry.digest or player.battle.digest in ("", entry.digest)
    assert player.battle.referee.skips.seats[0].rounds_out == 3


def test_a_disqualification_that_the_missed_turns_do_not_allow_is_named():
    played = Played(only(2), rounds=3)
    entry = played.record.turns[40]
    entry.disqualified = (0,)
    found = verify(played.record, Rounds()).mismatch
    assert (found.turn, found.what) == (entry.turn, "disqualified")


def test_a_disqualification_that_was_removed_changes_the_state():
    played = Played(only(2), rounds=3)
    (entry,) = (one for one in played.record.turns if one.disqualified)
    entry.disqualified = ()
    assert verify(played.record, Rounds()).mismatch.turn == entry.turn


def test_a_record_without_a_time_counts_turns_alone_and_for_the_battle():
    rules = TurnRules(TIMEOUT)
    assert (rules.max_silence_ns, rules.max_rounds_out) == (0, 1)


def test_a_branch_disqualifies_as_the_record_does_and_live_seats_after_thirty_turns():
    played = Played(only(2), rounds=3)
    until = played.record.turns.index(
        next(one for one in played.record.turns if one.opening and one.turn > 1)
    )
    out: dict[int, list[Any]] = {0: [], 1: []}
    branch = Branch(played.record, Rounds(), {1}, until)
    while not branch.over:
        closed = branch.resolve({})
        for seat in closed.entry.disqualified:
            out[seat].append(closed.entry.turn - until)
    assert out[1][0] == 31
    again = Branch(played.record, Rounds(), {1}, until)
    while not again.over:
        closed = again.resolve({1: 1})
        for seat in closed.entry.disqualified:
            out[seat].append(again.battle.place())
    assert out[0] == played.out


@pytest.mark.parametrize(("name", "value"), [("max_silence_ns", -1), ("max_rounds_out", 0)])
def test_impossible_limits_are_refused(name, value):
    with pytest.raises(SetupError, match=f"is {value}"):
        Battle(Rounds(), {}, [SeatInfo("a")], 7, TurnRules(**{name: value}))


@pytest.mark.parametrize(
    ("answer", "server_late_ns", "reason"),
    [(NEVER, 0, FailureReason.SILENT), (LATE, 0, FailureReason.SLOW), (LATE, 10 * MS, FailureReason.BUSY)],
)
def test_a_replay_knows_why_a_seat_was_put_out_of_a_round(answer, server_late_ns, reason):
    played = Played(
        lambda round_, turn: answer if round_ == 2 else 0, rounds=4, server_late_ns=server_late_ns
    )
    (why,) = played.battle.referee.disqualifications[0]
    assert why.reason is reason
    assert [entry.out for entry in played.record.turns if entry.disqualified] == [{0: why}]
    *_, (_, _, battle) = replay(played.record, Rounds())
    assert battle.referee.disqualifications == {0: [why]}
    for entry in played.record.turns:
        entry.out = {}
    *_, (_, _, battle) = replay(played.record, Rounds())
    (found,) = battle.referee.disqualifications[0]
    older = "a record that does not say it"
    assert (found.reason, found.round, found.turn) == (why.reason, why.round, why.turn), older


def test_a_turn_says_why_a_seat_is_out_of_the_round_or_of_the_battle():
    played = Played(only(1, 3, 4), rounds=6)
    rounds = [(entry.out, entry.failures) for entry in played.record.turns if entry.disqualified]
    assert [(bool(out), bool(failures)) for out, failures in rounds] == [
        (True, False),
        (True, False),
        (False, True),
    ]


def test_a_seat_that_the_last_turn_puts_out_of_the_battle_is_not_out_of_the_round_alone():
    played = Played(only(1), rounds=1, turns=TOO_LONG + 1)
    (entry,) = (entry for entry in played.record.turns if entry.disqualified)
    assert played.battle.outcome is not None
    assert (entry.turn, entry.out, [*entry.failures]) == (played.battle.turn, {}, [0])
    *_, (_, closed, _) = replay(played.record, Rounds())
    assert closed.entry.out == {}

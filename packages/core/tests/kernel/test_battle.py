"""A battle's turns: opened and closed once, void when the rules fail, with limits on its rules."""

from __future__ import annotations

import pytest

from packages.core.tests.kernel.support import MS, SETUPS, battle, drive, every_game, intent_for
from packages.core.tests.rounds import Rounds
from turnwright import catalog
from turnwright.errors import SetupError, VoidBattleError
from turnwright.kernel.battle import Battle
from turnwright.kernel.deadline import Receipt
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import Record, TurnRules
from turnwright.kernel.replay import replay


@every_game
@pytest.mark.parametrize(("timeout_ns", "ok"), [(0, False), (999, False), (1000, True), (10**10, True)])
def test_a_timeout_below_one_microsecond_is_refused(game, timeout_ns, ok):
    if ok:
        assert battle(game, timeout_ns=timeout_ns).rules.timeout_ns == timeout_ns
        return
    with pytest.raises(SetupError, match="1 µs or more"):
        battle(game, timeout_ns=timeout_ns)


@every_game
@pytest.mark.parametrize(
    "wrong", [{"on_skip": "guess"}, {"on_late": "keep"}, {"on_disconnect": "cry"}, {"max_skipped": -3}]
)
def test_an_unknown_policy_is_refused(game, wrong):
    with pytest.raises(SetupError):
        battle(game, **wrong)


@every_game
def test_an_intent_for_another_turn_is_dropped_with_a_receipt(game):
    it = drive(game, lambda t, s: 5, -1, 2, timeout_ns=MS).battle
    it.open_turn()
    assert it.collecting.submit(0, None, 0, answers=it.turn) is Receipt.WRONG_TURN
    assert it.collecting.submit(0, None, 0, answers=it.turn + 2) is Receipt.WRONG_TURN


@every_game
@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_a_seat_that_does_not_exist_is_not_asked(game, seat):
    it = drive(game, lambda t, s: 5, -1, 2, timeout_ns=MS).battle
    it.open_turn()
    assert it.collecting.submit(seat, None, 0) is Receipt.NOT_ASKED


def test_turns_that_two_seats_miss_together_are_counted():
    it = battle("snake", 3)
    for answering in [(0, 1, 2), (1, 2), (2,), ()]:
        it.open_turn()
        for seat in answering:
            it.collecting.submit(seat, intent_for("snake", it.turn, seat), 0)
        it.end_collecting(0)
        it.close_turn()
    assert it.referee.shared_skips == 2


@every_game
def test_a_turn_cannot_be_opened_twice(game):
    it = battle(game)
    it.open_turn()
    with pytest.raises(AssertionError):
        it.open_turn()


@every_game
def test_the_first_observation_of_a_round_may_have_a_longer_timeout(game):
    it = battle(game, timeout_ns=MS, opening_timeout_ns=9 * MS)
    timeouts = []
    while len(timeouts) < 2:
        if it.open_turn().asked:
            timeouts.append(it.collecting.inbox.timeout_ns)
        it.end_collecting(0)
        it.close_turn()
    assert timeouts == [9 * MS, MS]


def play_on(it, record):
    while True:
        it.open_turn()
        it.end_collecting(0)
        record.turns.append(it.close_turn().entry)


@every_game
def test_rules_that_fail_void_the_battle_and_fail_again_in_a_replay(game):
    class Broken(type(catalog.load(game))):
        def resolve(self, state, intents, streams):
            events = super().resolve(state, intents, streams)
            if 2 in intents and getattr(self, "armed", 0) >= 3:
                raise ZeroDivisionError("on purpose")
            self.armed = getattr(self, "armed", 0) + 1
            return events

    def broken():
        return Broken()

    infos = [SeatInfo(f"bot {s}") for s in range(3)]
    it = Battle(broken(), {}, infos, 7, TurnRules(timeout_ns=MS))
    record = Record(it.header)
    with pytest.raises(VoidBattleError) as caught:
        play_on(it, record)
    assert caught.value.entry.turn == it.turn == 4
    assert isinstance(it.void, ZeroDivisionError)
    record.turns.append(caught.value.entry)
    with pytest.raises(VoidBattleError, match="turn 4"):
        list(replay(record, broken()))


def after_a_rounds_last_turn(rounds: int = 2) -> Battle:
    """Return a battle of two seats, of which the first has just won the first of two (or more) rounds."""
    seats = [SeatInfo("one"), SeatInfo("two")]
    won = Battle(Rounds(), {"rounds": rounds}, seats, 7, TurnRules())
    while not (won.turn and won.state.ended):
        won.open_turn()
        won.close_turn()
        won.game.retire(won.state, 1)
    return won


def test_an_answer_to_a_rounds_last_turn_is_awaited_and_discarded():
    won = after_a_rounds_last_turn()
    assert won.open_turn().awaited == (0,)
    won.collecting.inbox.sent(0, 0)
    assert not won.collecting.inbox.is_over(1)
    assert won.collecting.submit(0, 8, 1) is Receipt.ACCEPTED
    assert won.collecting.inbox.is_over(1)
    entry = won.close_turn().entry
    assert won.state.opened
    assert (entry.intents, entry.skipped) == ({}, ())


def test_an_answer_after_a_rounds_last_turn_does_not_count_in_the_next_round():
    won = after_a_rounds_last_turn(rounds=3)
    won.open_turn()
    won.collecting.inbox.sent(0, 0)
    won.collecting.submit(0, 8, 1)
    won.end_collecting(2)
    assert won.collecting.submit(0, 9, 3) is Receipt.EARLY
    won.close_turn()
    assert won.state.opened
    assert won.open_turn().asked == (0,)
    assert won.collecting.inbox.answers == {}
    assert won.collecting.inbox.missing == {0}


def test_a_miss_of_a_rounds_last_turn_is_not_a_skip():
    won = after_a_rounds_last_turn()
    skipped_before = won.referee.skips.seats[0].skipped
    won.open_turn()
    assert won.close_turn().entry.skipped == ()
    assert won.referee.skips.seats[0].skipped == skipped_before


def three_turns(game, **rules):
    """A battle in its fourth turn: each turn's observation went out at 1, 2, 3, 4 s and was missed."""
    it = battle(game, 2, timeout_ns=MS, **rules)
    for turn in (1, 2, 3):
        it.open_turn()
        it.collecting.inbox.sent(0, turn * 1000 * MS)
        it.end_collecting((turn * 1000 + 1) * MS + 1)
        it.close_turn()
    it.open_turn()
    it.collecting.inbox.sent(0, 4000 * MS)
    return it


@every_game
def test_an_intent_that_names_an_older_turn_is_late_for_that_one_and_does_nothing(game):
    it = three_turns(game)
    for answers, late_ms in ((2, 1999), (3, 999)):
        assert it.collecting.submit(0, intent_for(game, 1, 0), 4000 * MS, answers) is Receipt.LATE
        assert (it.collecting.inbox.newest_late_ns, it.collecting.inbox.newest_took_ns) == (
            late_ms * MS,
            (late_ms + 1) * MS,
        )
    assert it.referee.skips.seats[0].late == 2
    assert 0 in it.collecting.inbox.missing
    assert it.collecting.submit(0, intent_for(game, 1, 0), 4000 * MS, 4) is Receipt.ACCEPTED


@every_game
def test_an_intent_that_names_a_turn_that_is_over_before_its_deadline_is_not_late(game):
    it = three_turns(game)
    receipts = [it.collecting.submit(0, intent_for(game, 1, 0), 2000 * MS, n) for n in (2, 5, 0, -9, 10**30)]
    assert receipts == [Receipt.WRONG_TURN] * 5
    assert it.referee.skips.seats[0].late == 0


@every_game
def test_on_late_next_drops_a_stale_numbered_intent_and_counts_it_as_late(game):
    it = three_turns(game, on_late="next")
    receipts = [it.collecting.submit(0, intent_for(game, 1, 0), 4000 * MS, answers) for answers in (2, 3, 5)]
    assert receipts == [Receipt.WRONG_TURN] * 3
    assert it.referee.skips.seats[0].late == 2
    assert 0 in it.collecting.inbox.missing


@every_game
def test_unusable_answers_pay_for_missed_turns(game):
    it = three_turns(game)
    for _ in range(it.referee.skips.seats[0].skipped):
        it.collecting.spoilt(0, "not an intent", 4000 * MS)
    assert it.collecting.submit(0, intent_for(game, 1, 0), 4000 * MS) is Receipt.ACCEPTED


@every_game
def test_the_record_says_how_late_a_numbered_intent_was(game):
    it = battle(game, 2)
    for _ in range(2):
        it.open_turn()
        it.close_turn()
    it.open_turn()
    it.collecting.inbox.sent(0, 0)
    it.end_collecting(it.rules.timeout_ns + 1)
    assert it.close_turn().entry.skipped == (0, 1)
    it.open_turn()
    it.collecting.submit(0, intent_for(game, 1, 0), it.rules.timeout_ns + 40, it.turn)
    assert it.close_turn().entry.late_ns == {0: 40}


@every_game
def test_answers_collected_so_far_are_visible(game):
    it = battle(game, 2)
    assert it.collecting.inbox.answers == {}
    it.open_turn()
    it.end_collecting(0)
    it.close_turn()
    it.open_turn()
    intent = intent_for(game, 1, 1)
    it.collecting.submit(1, intent, 0)
    assert it.collecting.inbox.answers == {1: intent}
    it.end_collecting(0)
    it.close_turn()
    assert it.collecting.inbox.answers == {}


@every_game
@pytest.mark.parametrize(("every", "kept"), [(0, []), (3, [3, 6, 9]), (1, list(range(1, 11)))])
def test_a_game_says_how_often_its_record_has_a_keyframe(game, every, kept):
    class Rare(type(catalog.load(game))):
        keyframe_turns = every

    seats = [SeatInfo(f"bot {s}") for s in range(3)]
    it = Battle(Rare(), SETUPS[game], seats, 7, TurnRules(), keep_checks=True)
    found = []
    for _ in range(10):
        it.open_turn()
        it.end_collecting(0)
        entry = it.close_turn().entry
        found += [entry.turn] * bool(entry.keyframe)
    assert found == kept

"""A branch: the recorded battle while the record counts, and a true battle from there on."""

from __future__ import annotations

import dataclasses
import random

import pytest

from packages.core.tests.kernel.support import MS, drive, every_game
from packages.core.tests.rounds import Rounds
from turnwright import catalog
from turnwright.errors import SetupError
from turnwright.kernel.battle import Battle
from turnwright.kernel.branch import Branch, branch_battle, first_turns
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import Record, TurnRules
from turnwright.kernel.verify import verify


def recorded(game, seed=3, turns=40, rounds=1, **rules):
    """A battle of three seats that answer, miss turns and are late."""
    rng = random.Random(seed)
    script = {}

    def offset(turn, seat):
        return script.setdefault((turn, seat), rng.choice((1, 2, 500, 700, None)))

    it = drive(game, offset, -1, turns, timeout_ns=MS, max_skipped=0, numbered=True, **rules)
    return Record(it.battle.header, [c.entry for c in it.closed])


class Greed(Rounds):
    """A round also ends when a seat has taken 30 points in it, so the seats decide how long it lasts."""

    def resolve(self, state, intents, streams):
        events = super().resolve(state, intents, streams)
        state.ended = state.ended or max(state.earned) >= 30
        return events


def duel(rounds=3, seed=5):
    """A battle over several rounds of thirty turns. A round ends sooner if a seat takes too much."""
    setup = {"rounds": rounds, "turns": 30}
    battle = Battle(Greed(), setup, [SeatInfo("a"), SeatInfo("b")], seed, TurnRules(max_skipped=0))
    rng, entries = random.Random(seed), []
    while battle.outcome is None:
        opened = battle.open_turn()
        for seat in opened.asked:
            battle.collecting.inbox.sent(seat, 0)
            battle.collecting.submit(seat, rng.randint(0, 3), 1)
        battle.end_collecting(2)
        entries.append(battle.close_turn().entry)
    return Record(battle.header, entries)


def play(branch, intents=lambda branch, seat: branch.recorded(seat)):
    """Play to the end; return the entries."""
    entries = []
    while not branch.over:
        given = {seat: intents(branch, seat) for seat in branch.asked()}
        entries.append(branch.resolve({s: i for s, i in given.items() if i is not None}).entry)
    return entries


@every_game
@pytest.mark.parametrize("seed", range(3))
def test_while_the_record_counts_the_battle_is_the_recorded_one(game, seed):
    record = recorded(game, seed)
    entries = play(Branch(record, catalog.load(game), {1}), lambda branch, seat: None)
    assert [e.digest for e in entries] == [e.digest for e in record.turns]


@every_game
def test_a_replay_of_the_recorded_intents_gives_the_recorded_battle(game):
    record = recorded(game)
    entries = play(Branch(record, catalog.load(game), {1}, until=10))
    assert [e.digest for e in entries[: len(record.turns)]] == [e.digest for e in record.turns]
    assert [e.skipped for e in entries[: len(record.turns)]] == [e.skipped for e in record.turns]


def test_a_replay_of_several_recorded_rounds_gives_the_recorded_battle():
    record = duel()
    game = Greed()
    starts = first_turns(record)
    assert len(starts) == 3
    for until in (0, 1, 5, starts[1], len(record.turns) - 1):
        entries = play(Branch(record, game, {0, 1}, until=until))
        assert [e.digest for e in entries] == [e.digest for e in record.turns], until


def test_other_intents_give_another_battle_that_ends_and_verifies():
    record = duel()
    game = Greed()
    rng = random.Random(1)
    branch = Branch(record, game, {0}, until=20)
    entries = play(branch, lambda branch, seat: rng.randint(0, 3))
    assert branch.battle.outcome is not None
    assert [e.digest for e in entries[:20]] == [e.digest for e in record.turns[:20]]
    assert entries[25].digest != record.turns[25].digest
    branched = Record(branch.battle.header, entries)
    assert verify(branched, Greed()).ok


def test_a_ghost_repeats_its_intents_by_round_and_turn():
    record = duel()
    game = Greed()
    starts = first_turns(record)
    branch = Branch(record, game, {0}, until=3)
    while branch.battle.state.round < 2 or branch.battle.state.turn < 4:
        branch.resolve(dict.fromkeys(branch.asked(), 3))
    assert branch.battle.turn != starts[1] + 4, "the first round should have lasted otherwise"
    assert branch.recorded(1) == record.turns[starts[1] + 4].intents[1]


def test_a_live_seat_without_an_intent_has_missed_the_turn():
    record = duel()
    branch = Branch(record, Greed(), {0}, until=5)
    entries = [branch.resolve({}).entry for _ in range(8)]
    assert [e.skipped for e in entries[4:]] == [(), (0,), (0,), (0,)]


def test_a_missing_seat_is_refused():
    with pytest.raises(SetupError, match=r"bot 9 .*1 to 2"):
        Branch(duel(), Greed(), {8})


def test_a_seat_that_had_left_by_then_is_refused_and_earlier_it_is_not():
    record = duel()
    record.turns[6] = dataclasses.replace(record.turns[6], gone=(1,))
    with pytest.raises(SetupError, match=r"b .*turn 7"):
        Branch(record, Greed(), {1}, until=7)
    assert Branch(record, Greed(), {1}, until=6).until == 6


def test_a_ghost_that_left_leaves_again():
    record = duel()
    record.turns[6] = dataclasses.replace(record.turns[6], gone=(1,))
    entries = play(Branch(record, Greed(), {0}, until=2))
    assert [e.turn for e in entries if e.gone] == [7]


# ---- as a battle for a table ------------------------------------------------------------------------------


def at_a_table(record, game, until=None, said=lambda battle: battle.branch.recorded(1)):
    """Play a branch with seat 1 as a table does; return the entries and the answers of seat 1."""
    answers, entries = [], []
    battle = branch_battle(
        record,
        game,
        {1},
        until,
        patience_ns=MS,
        on_turn=lambda closed, new: answers.extend(new),
        keep_checks=True,
    )
    while not battle.branch.over:
        opened = battle.open_turn()
        assert battle.collecting.inbox.missing <= {1}
        if 1 in opened.asked:
            battle.collecting.inbox.sent(1, 0)
            assert battle.collecting.inbox.timeout_ns <= MS
            if (intent := said(battle)) is not None:
                battle.collecting.submit(1, intent, 1, opened.turn)
        battle.end_collecting(2 * MS)
        entries.append(battle.close_turn().entry)
    return entries, answers


@every_game
@pytest.mark.parametrize("until", [None, 10])
def test_at_a_table_the_recorded_intents_give_the_recorded_battle(game, until):
    record = recorded(game)
    entries, answers = at_a_table(record, catalog.load(game), until)
    known = entries[: len(record.turns)]
    assert [e.digest for e in known] == [e.digest for e in record.turns[: len(known)]]
    assert answers
    assert all(answer.seat == 1 for answer in answers)
    assert all(answer.intent == answer.recorded for answer in answers)
    assert {answer.counted for answer in answers} == ({False} if until is None else {False, True})
    assert all(entry.checks for entry in entries if entry.turn in (1, 2, 4, 8, 16))


@every_game
def test_at_a_table_a_live_seat_that_says_nothing_misses_the_turn_from_the_branch_on(game):
    record = recorded(game)
    entries, answers = at_a_table(record, catalog.load(game), 10, lambda battle: None)
    assert [e.digest for e in entries[:10]] == [e.digest for e in record.turns[:10]]
    assert {answer.intent for answer in answers} == {None}
    asked = {answer.turn for answer in answers if answer.counted}
    assert asked
    assert all(1 not in e.intents for e in entries[10:])


def test_a_departure_from_a_branch_is_noted_once():
    record = duel()
    battle = branch_battle(record, Greed(), {0}, patience_ns=MS, on_turn=lambda closed, new: None)
    battle.open_turn()
    battle.leave(0)
    battle.leave(0)
    assert battle.left == [(0, 0)]

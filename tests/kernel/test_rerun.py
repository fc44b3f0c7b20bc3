"""A rerun: the recorded battle while the record counts, and a true battle of its own from there on."""

from __future__ import annotations

import dataclasses
import random

import pytest

from kernel.support import MS, drive, every_game, some_intent
from turnwright import catalog
from turnwright.errors import SetupError
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import Record, TurnRules
from turnwright.kernel.replay import verify
from turnwright.kernel.rerun import Rerun, round_starts


def recorded(game, seed=3, turns=40, rounds=1, **rules):
    """A battle of three seats that answer, miss turns and are late."""
    rng = random.Random(seed)
    script = {}

    def offset(turn, seat):
        return script.setdefault((turn, seat), rng.choice((1, 2, 500, 700, None)))

    it = drive(game, offset, -1, turns, timeout_ns=MS, max_skipped=0, **rules)
    return Record(it.battle.header, [c.entry for c in it.closed])


def duel(rounds=3, seed=5):
    """A tank battle over several short rounds: who does nothing dies of inactivity, all too soon."""
    game = catalog.load("tank")
    setup = {"number_of_rounds": rounds, "max_inactivity_turns": 1, "arena_width": 400, "arena_height": 400}
    battle = Battle(game, setup, [SeatInfo("a"), SeatInfo("b")], seed, TurnRules(max_skipped=0))
    rng, entries = random.Random(seed), []
    while battle.outcome is None:
        opened = battle.open_turn()
        for seat in opened.asked:
            battle.sent(seat, 0)
            battle.submit(seat, some_intent("tank", rng), 1)
        battle.cut(2)
        entries.append(battle.close_turn().entry)
    return Record(battle.header, entries)


def play(rerun, intents=lambda rerun, seat: rerun.recorded(seat)):
    """Play to the end; return the entries."""
    entries = []
    while not rerun.over:
        given = {seat: intents(rerun, seat) for seat in rerun.asked()}
        entries.append(rerun.resolve({s: i for s, i in given.items() if i is not None}).entry)
    return entries


@every_game
@pytest.mark.parametrize("seed", range(3))
def test_while_the_record_counts_the_battle_is_the_recorded_one(game, seed):
    record = recorded(game, seed)
    entries = play(Rerun(record, catalog.load(game), {1}), lambda rerun, seat: None)
    assert [e.digest for e in entries] == [e.digest for e in record.turns]


@every_game
def test_the_recorded_intents_played_anew_give_the_recorded_battle(game):
    record = recorded(game)
    entries = play(Rerun(record, catalog.load(game), {1}, until=10))
    assert [e.digest for e in entries[: len(record.turns)]] == [e.digest for e in record.turns]
    assert [e.skipped for e in entries[: len(record.turns)]] == [e.skipped for e in record.turns]


def test_several_rounds_played_anew_as_recorded_give_the_recorded_battle():
    record = duel()
    game = catalog.load("tank")
    marked = round_starts(record, game)
    unmarked = Record(record.header, [dataclasses.replace(e, opening=False) for e in record.turns])
    assert len(marked) == 3
    assert round_starts(unmarked, game) == marked
    for until in (0, 1, 5, round_starts(record, game)[1], len(record.turns) - 1):
        entries = play(Rerun(record, game, {0, 1}, until=until))
        assert [e.digest for e in entries] == [e.digest for e in record.turns], until


def test_other_intents_give_another_battle_that_ends_and_verifies():
    record = duel()
    game = catalog.load("tank")
    rng = random.Random(1)
    rerun = Rerun(record, game, {0}, until=20)
    entries = play(rerun, lambda rerun, seat: some_intent("tank", rng))
    assert rerun.battle.outcome is not None
    assert [e.digest for e in entries[:20]] == [e.digest for e in record.turns[:20]]
    assert entries[25].digest != record.turns[25].digest
    branched = Record(rerun.battle.header, entries)
    assert verify(branched, catalog.load("tank")).ok


def test_a_ghost_does_in_a_round_what_it_did_there_however_long_the_rounds_before_were():
    record = duel()
    game = catalog.load("tank")
    starts = round_starts(record, game)
    rerun = Rerun(record, game, {0}, until=3)
    rng = random.Random(2)
    while rerun.battle.state.round_number < 2 or rerun.battle.state.turn_number < 4:
        rerun.resolve({seat: some_intent("tank", rng) for seat in rerun.asked()})
    assert rerun.battle.turn != starts[1] + 4, "the first round should have lasted otherwise"
    assert rerun.recorded(1) == record.turns[starts[1] + 4].intents[1]


def test_a_live_seat_without_an_intent_has_missed_the_turn():
    record = duel()
    rerun = Rerun(record, catalog.load("tank"), {0}, until=5)
    entries = [rerun.resolve({}).entry for _ in range(8)]
    assert [e.skipped for e in entries[4:]] == [(), (0,), (0,), (0,)]


def test_a_seat_that_is_not_there_is_refused():
    with pytest.raises(SetupError, match="there is no bot 9 in this record: give 1 to 2"):
        Rerun(duel(), catalog.load("tank"), {8})


def test_a_seat_that_had_left_by_then_is_refused_and_earlier_it_is_not():
    record = duel()
    record.turns[6] = dataclasses.replace(record.turns[6], gone=(1,))
    with pytest.raises(SetupError, match="b left or was disqualified in turn 7"):
        Rerun(record, catalog.load("tank"), {1}, until=7)
    assert Rerun(record, catalog.load("tank"), {1}, until=6).until == 6


def test_a_ghost_that_left_leaves_again():
    record = duel()
    record.turns[6] = dataclasses.replace(record.turns[6], gone=(1,))
    entries = play(Rerun(record, catalog.load("tank"), {0}, until=2))
    assert [e.turn for e in entries if e.gone] == [7]

"""The record: replayed without players it comes out the same, and verify says where it does not."""

from __future__ import annotations

import dataclasses
import random

import pytest

from kernel.support import MS, battle, drive, every_game, some_intent
from turnwright import catalog
from turnwright.errors import RecordError
from turnwright.kernel.record import Record
from turnwright.kernel.replay import replay, verify
from turnwright.local import play

PARTS = {
    "countdown": ("table", "seats"),
    "tank": (
        "x or y",
        "direction or gun_direction or radar_direction",
        "radar_sweep … radar_turn_rate",
        "has_intent … fire_assist",
    ),
}
"""What another intent changes first."""


def recorded(game, seed=3, turns=40, **rules):
    rng = random.Random(seed)
    script = {}

    def offset(turn, seat):
        key = (turn, seat)
        script.setdefault(key, rng.choice((1, 2, 500, None, 999)))
        return script[key]

    it = drive(game, offset, -1, turns, timeout_ns=MS, **rules)
    return Record(it.battle.header, [c.entry for c in it.closed])


@every_game
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("on_skip", ["repeat", "idle"])
def test_a_replay_without_players_has_every_digest(game, seed, on_skip):
    record = recorded(game, seed, on_skip=on_skip, max_skipped=5)
    result = verify(record, catalog.load(game))
    assert result.ok, result.mismatch
    assert result.turns == len(record.turns) > 0
    assert any(entry.skipped for entry in record.turns)


@every_game
def test_a_changed_digest_is_named_by_its_turn(game):
    record = recorded(game)
    record.turns[7] = dataclasses.replace(record.turns[7], digest="0" * 16)
    result = verify(record, catalog.load(game))
    assert (result.turns, result.mismatch.turn) == (7, 8)


@every_game
def test_a_changed_skip_is_found(game):
    record = recorded(game)
    index = next(i for i, e in enumerate(record.turns) if e.intents and i > 3)
    entry = record.turns[index]
    seat = min(entry.intents)
    fewer = {s: i for s, i in entry.intents.items() if s != seat}
    record.turns[index] = dataclasses.replace(entry, intents=fewer)
    result = verify(record, catalog.load(game))
    assert not result.ok
    assert result.mismatch.turn >= entry.turn


@every_game
def test_the_field_that_differs_is_named(game):
    rng = random.Random(2)
    it = battle(game, 2)
    it._keep_checks = True
    record = Record(it.header)
    players = {s: (lambda o: some_intent(game, rng)) for s in (0, 1)}
    play(it, players, record=lambda closed: record.turns.append(closed.entry))
    other = dataclasses.replace(record, turns=list(record.turns))
    index = 4
    before = other.turns[index].intents
    wanted = next(i for i in (some_intent(game, rng) for _ in range(99)) if i != before[1])
    changed = {**before, 1: wanted}
    other.turns[index] = dataclasses.replace(other.turns[index], intents=changed)
    mismatch = verify(other, catalog.load(game)).mismatch
    assert mismatch.turn == index + 1
    assert mismatch.seat == (1 if game == "tank" else mismatch.seat)
    assert mismatch.field in PARTS[game]


@every_game
def test_another_behaviour_version_is_refused(game):
    record = recorded(game, turns=5)
    record.header = dataclasses.replace(record.header, behaviour_version=99)
    with pytest.raises(RecordError, match="behaviour version 99"):
        verify(record, catalog.load(game))


def test_another_game_is_refused():
    with pytest.raises(RecordError, match="of the game 'countdown', not of 'tank'"):
        verify(recorded("countdown", turns=5), catalog.load("tank"))


@every_game
def test_who_leaves_is_part_of_the_record(game):
    for policy in ("skip", "dead", "official"):
        it = drive(game, lambda t, s: 5, -1, 6, timeout_ns=MS, on_disconnect=policy, max_skipped=4)
        it.battle.leave(1)
        it.run(25)
        record = Record(it.battle.header, [c.entry for c in it.closed])
        assert [e.turn for e in record.turns if e.gone] == [7]
        assert verify(record, catalog.load(game)).ok, policy
        out = it.battle.ledger.seats[1].disqualified
        assert out is (policy == "skip")
        skipped_after = [e.turn for e in record.turns[7:] if 1 in e.skipped]
        assert bool(skipped_after) is (policy != "dead")


@every_game
def test_replay_yields_each_turn_with_its_state(game):
    record = recorded(game, turns=6)
    turns = [(entry.turn, closed.entry.digest) for entry, closed, _ in replay(record, catalog.load(game))]
    assert turns == [(e.turn, e.digest) for e in record.turns]

"""Where a turn differs: tank and field are named from a few digits, for nearly every fault."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest

from kernel.support import battle, kept
from turnwright import catalog
from turnwright.games.tank.intent import TankIntent
from turnwright.kernel.record import Broken, Record
from turnwright.kernel.replay import replay, verify


def standing(seed, turns=40):
    """Record a battle of three tanks that do nothing."""
    it = battle("tank", 3, seed)
    it._keep_checks = True
    record = Record(it.header)
    for _ in range(turns):
        for seat in it.open_turn().asked:
            it.submit(seat, TankIntent(), 0)
        it.cut(0)
        record.turns.append(it.close_turn().entry)
    return record


def with_intent(record, index, seat, intent):
    entry = record.turns[index]
    record.turns[index] = dataclasses.replace(entry, intents={**entry.intents, seat: intent})
    return verify(record, catalog.load("tank")).mismatch


def test_turn_tank_and_first_field_that_differ_are_named_from_the_checks_of_that_turn():
    record = kept("tank", 11, turns=40)
    mismatch = with_intent(record, 17, 1, TankIntent(target_speed=-8.0, turn_rate=3.3))
    assert (mismatch.turn, mismatch.seat, mismatch.seen) == (18, 1, 18)
    assert mismatch.field == "direction"  # it stands at a wall
    assert set(mismatch.also) == {"gun_direction", "radar_direction"}


@pytest.mark.parametrize(
    ("intent", "field"),
    [
        (TankIntent(turn_rate=3.3, gun_turn_rate=1.0, radar_turn_rate=1.0), "direction"),
        (TankIntent(gun_turn_rate=3.3), "gun_direction"),
        (TankIntent(radar_turn_rate=3.3), "radar_direction"),
        (TankIntent(firepower=1.5), "energy"),
    ],
)
def test_the_first_field_is_the_one_that_another_intent_changes_first(intent, field):
    named = []
    for seed in range(20):
        found = with_intent(standing(seed), 35, 1, intent)
        assert (found.turn, found.seat) == (36, 1)
        named.append(found.field)
    assert named.count(field) >= 18


def test_fields_that_are_not_watched_are_named_from_what_they_were_before():
    record = kept("tank", 11, turns=40)
    other = msgspec.structs.replace(record.turns[17].intents[1], turret_color="#123456")
    mismatch = with_intent(record, 17, 1, other)
    assert (mismatch.turn, mismatch.seat, mismatch.seen) == (18, 1, 18)
    assert (mismatch.field, mismatch.also) == ("turret_color", ("want_turret_color",))


def test_a_field_that_is_soon_the_same_again_is_named_too():
    hot = TankIntent(firepower=1.5)  # the gun is hot: nothing comes of it
    mismatch = with_intent(standing(3), 5, 1, hot)
    assert (mismatch.turn, mismatch.seat, mismatch.seen, mismatch.field) == (6, 1, 6, "want_power")


def painted(turns=40):
    """Record a battle of three tanks that do nothing, but that seat 1 paints its turret in turn 18."""
    it = battle("tank", 3, 3)
    it._keep_checks = True
    record = Record(it.header)
    for at in range(turns):
        for seat in it.open_turn().asked:
            intent = TankIntent(turret_color="#123456") if (at, seat) == (17, 1) else TankIntent()
            it.submit(seat, intent, 0)
        it.cut(0)
        record.turns.append(it.close_turn().entry)
    return record


def test_what_cannot_be_guessed_is_named_from_the_checks_of_a_later_turn():
    mismatch = with_intent(painted(), 17, 1, TankIntent())
    assert (mismatch.turn, mismatch.seat, mismatch.seen) == (18, 1, 32)
    assert (mismatch.field, mismatch.also) == ("turret_color", ("want_turret_color",))


def test_a_state_of_which_nothing_more_is_known_is_only_said_to_differ():
    record = standing(3, turns=30)
    entry = record.turns[17]
    record.turns[17] = dataclasses.replace(entry, checks="0000" + entry.checks[4:])
    record.turns[17] = dataclasses.replace(record.turns[17], digest="0" * 16)
    mismatch = verify(record, catalog.load("tank")).mismatch
    assert (mismatch.turn, mismatch.field) == (18, "state")


def test_the_checks_tell_the_turn_where_the_digits_of_a_digest_are_the_same_by_chance():
    record, other = standing(4), standing(4)
    intent = TankIntent(turn_rate=3.3)
    entry = record.turns[20]
    record.turns[20] = dataclasses.replace(entry, intents={**entry.intents, 1: intent})
    played = verify(record, catalog.load("tank")).mismatch
    for later in (20, 21):
        digest = _digest_after(record, later)
        record.turns[later] = dataclasses.replace(
            other.turns[later], intents=record.turns[later].intents, digest=digest
        )
    found = verify(record, catalog.load("tank"))
    assert (found.turns, found.mismatch.turn) == (20, 21)
    assert (found.mismatch.seat, found.mismatch.field) == (played.seat, played.field) == (1, "direction")


def _digest_after(record, index):
    """Return the first digits of the digest that a replay of these turns has after that one."""
    for entry, closed, _ in replay(record, catalog.load("tank")):
        if entry.turn == index + 1:
            return closed.entry.digest[:3]
    raise AssertionError


def test_a_line_that_was_changed_is_played_as_it_stands_and_what_differs_is_named():
    record = kept("tank", 5, turns=30)
    entry = record.turns.pop(20)
    del record.turns[20:]
    record.broken = Broken(22, 21, "abc", "def", entry)
    same = verify(record, catalog.load("tank")).mismatch
    assert (same.turn, same.line, same.field, same.seat) == (21, 22, "line", None)
    rate = -entry.intents[2].gun_turn_rate
    other = {**entry.intents, 2: msgspec.structs.replace(entry.intents[2], gun_turn_rate=rate)}
    record.broken = Broken(22, 21, "abc", "def", dataclasses.replace(entry, intents=other))
    found = verify(record, catalog.load("tank"))
    assert (found.turns, found.mismatch.turn, found.mismatch.line) == (20, 21, 22)
    assert (found.mismatch.seat, found.mismatch.field) == (2, "gun_direction")
    assert (found.mismatch.recorded, found.mismatch.replayed) == ("abc", "def")


def test_a_first_turn_that_was_changed_is_played_too():
    record = kept("tank", 5, turns=3)
    entry = record.turns[0]
    other = dataclasses.replace(entry, digest="000", checks="")
    del record.turns[:]
    record.broken = Broken(2, 1, "abc", "def", other)
    assert verify(record, catalog.load("tank")).mismatch.field == "state"


# ---- a line that was changed: what lies behind it tells as much as in a whole record -------------------


def broken_at(record, index, **changes):
    """Change what a line says; its own hash and those behind it are wrong then."""
    entry = dataclasses.replace(record.turns[index], **changes)
    behind = tuple(record.turns[index + 1 :])
    del record.turns[index:]
    record.broken = Broken(index + 2, index + 1, "abc", "def", entry, behind)
    return verify(record, catalog.load("tank")).mismatch


def test_behind_a_changed_line_the_checks_of_a_later_turn_are_read():
    record = painted()
    plain = {**record.turns[17].intents, 1: TankIntent()}
    found = broken_at(record, 17, intents=plain)
    assert (found.turn, found.line, found.seat, found.seen) == (18, 19, 1, 32)
    assert (found.field, found.also) == ("turret_color", ("want_turret_color",))


@pytest.mark.parametrize("part", ["digest", "checks"])
def test_a_line_of_which_only_the_digits_were_changed_is_not_said_to_play_differently(part):
    record = kept("tank", 5, turns=30)
    digits = getattr(record.turns[20], part)
    changed = f"{int(digits[0], 16) ^ 1:x}{digits[1:]}"
    found = broken_at(record, 20, **{part: changed})
    assert (found.turn, found.line, found.field, found.seat) == (21, 22, "line", None)


def test_what_lasts_one_turn_only_is_no_change_of_digits():
    record = standing(3)
    hot = {**record.turns[5].intents, 1: TankIntent(firepower=1.5)}
    found = broken_at(record, 5, intents=hot)
    assert (found.turn, found.line, found.field, found.seat) == (6, 7, "want_power", 1)


def test_a_changed_line_that_nothing_can_be_played_behind_is_named_by_its_own_digits():
    record = kept("tank", 5, turns=30)
    rate = -record.turns[20].intents[2].gun_turn_rate
    other = msgspec.structs.replace(record.turns[20].intents[2], gun_turn_rate=rate)
    record.turns[21] = dataclasses.replace(record.turns[21], digest="", checks="", disqualified=(0, 1, 2))
    found = broken_at(record, 20, intents={**record.turns[20].intents, 2: other})
    assert (found.field, found.seat) == ("gun_direction", 2)

"""Effects are plain values, which contain everything that carries them out."""

from __future__ import annotations

import dataclasses
import typing

import pytest

from packages.core.tests.host.support import MS, Room
from turnwright.host import effects as fx
from turnwright.host.message_rate import DROPPED_BYTES_MAX, RATE_BURST

BYTES = 1_000_000

EFFECTS = typing.get_args(fx.Effect)


@pytest.mark.parametrize("kind", EFFECTS)
def test_every_effect_holds_no_behaviour(kind):
    assert dataclasses.is_dataclass(kind)
    assert "__slots__" in vars(kind)
    assert not [field.name for field in dataclasses.fields(kind) if "Callable" in str(field.type)]


def noting(room, seen):
    """Record the kinds of all effects of a room."""
    take = room.host.take

    def taking():
        effects = take()
        seen.update(type(e) for e in effects)
        return effects

    room.host.take = taking
    return room


def test_a_whole_game_needs_every_kind_of_effect_and_no_other():
    seen = set()
    apart = noting(Room(pacing="apart"), seen)
    apart.spectator(history=True)
    apart.start(apart.operator(), apart.bots(2))
    room = noting(Room(record=True), seen)
    boss, bots = room.operator(), room.bots(2)
    room.stranger().hello("bot", session="x")
    room.spectator()
    boss.say("directories")
    boss.say("boot", ids=["x"])
    room.start(boss, bots)
    room.spectator()
    room.run(100 * MS)
    for _ in range(RATE_BURST // 16 + DROPPED_BYTES_MAX // BYTES + 2):
        boss.say("stop", padding="x" * BYTES)
    assert seen == set(EFFECTS)

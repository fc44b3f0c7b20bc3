from __future__ import annotations

import msgspec

from packages.tank.tests.small_battles import duel
from turnwright_tank.structs import (
    BotDeathEvent,
    BulletState,
    Event,
    Frame,
    Observation,
    ScannedBotEvent,
)


def test_every_event_says_its_type_and_its_turn() -> None:
    assert msgspec.json.encode(BotDeathEvent(7, 2)) == b'{"type":"BotDeathEvent","turnNumber":7,"victimId":2}'


def test_a_colour_that_was_never_set_is_left_out() -> None:
    bullet = BulletState(1, 2, 3.0, 4.0, 5.0, 6.0)
    assert b"color" not in msgspec.json.encode(bullet)
    bullet.color = "#FFFFFF"
    assert msgspec.json.encode(bullet).endswith(b'"color":"#FFFFFF"}')


def test_events_survive_a_json_round_trip() -> None:
    events = [BotDeathEvent(1, 2), ScannedBotEvent(1, 1, 2, 100.0, 1.0, 2.0, 3.0, -0.0)]
    assert msgspec.json.decode(msgspec.json.encode(events), type=list[Event]) == events


def test_observations_and_frames_survive_a_json_round_trip() -> None:
    game, state, streams = duel((100, 100, 0), (500, 100, 0))
    game.resolve(state, {}, streams)
    one, all_of_it = game.observe(state, 0), game.frame(state)
    assert msgspec.json.decode(msgspec.json.encode(one), type=Observation) == one
    assert msgspec.json.decode(msgspec.json.encode(all_of_it), type=Frame) == all_of_it

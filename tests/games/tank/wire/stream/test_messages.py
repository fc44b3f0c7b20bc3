"""The three messages on the wire."""

from __future__ import annotations

import json

import msgspec

from turnwright.games.tank.wire.stream.delta_tables import TableKey
from turnwright.games.tank.wire.stream.messages import (
    BotPolicies,
    BulletTrack,
    Delta,
    EventCode,
    Keyframe,
    Texts,
)

encode = msgspec.json.Encoder().encode


def test_a_turn_in_which_nothing_changes_is_hardly_anything() -> None:
    assert encode(Delta(frame=7)) == b'{"type":"Delta","frame":7}'


def test_a_keyframe_says_where_it_is() -> None:
    empty = TableKey([], [], [])
    said = json.loads(encode(Keyframe(frame=7, round_number=2, turn_number=3, tanks=empty, seats=empty)))
    assert (said["type"], said["frame"], said["roundNumber"], said["turnNumber"]) == ("Keyframe", 7, 2, 3)


def test_what_is_set_for_bots_is_told_as_far_as_anything_is() -> None:
    assert encode(BotPolicies()) == b'{"type":"BotPolicies"}'
    assert encode(BotPolicies(breakpoints=[2], waited_for=[2])) == (
        b'{"type":"BotPolicies","breakpoints":[2],"waitedFor":[2]}'
    )


def test_small_objects_are_arrays() -> None:
    assert encode(BulletTrack(1, 2, 300_000, 0, 5, 5)) == b"[1,2,300000,0,5,5,null,0]"
    assert encode(Texts(1, "a")) == b'[1,"a",null,null]'


def test_every_kind_of_event_has_a_number_of_its_own() -> None:
    assert sorted(EventCode) == list(range(1, 9))

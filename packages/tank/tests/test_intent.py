from __future__ import annotations

import msgspec
import pytest

from turnwright_tank.intent_rows import DECIDING, differences
from turnwright_tank.structs import TankIntent, TeamMessage, merge, without_messages


def test_unset_fields_are_left_out_of_the_json() -> None:
    assert msgspec.json.encode(TankIntent(turn_rate=1.5)) == b'{"type":"BotIntent","turnRate":1.5}'


def test_the_names_in_json_are_those_of_the_schema() -> None:
    text = (
        b'{"type":"BotIntent","adjustGunForBodyTurn":true,"teamMessages":[{"message":"a","messageType":"b"}]}'
    )
    intent = msgspec.json.decode(text, type=TankIntent)
    assert intent.adjust_gun_for_body_turn is True
    assert intent.team_messages == (TeamMessage("a", "b"),)


def test_merging_preserves_fields_unset_by_the_second_and_zero_is_set() -> None:
    one = TankIntent(turn_rate=1.0, target_speed=8.0, rescan=True, body_color="#fff")
    two = TankIntent(target_speed=0.0, rescan=False, firepower=1.0)
    assert merge(one, two) == TankIntent(
        turn_rate=1.0, target_speed=0.0, rescan=False, body_color="#fff", firepower=1.0
    )


def test_merging_with_nothing_changes_nothing() -> None:
    one = TankIntent(turn_rate=1.0, std_out="x")
    assert merge(one, TankIntent()) == one == merge(TankIntent(), one)


def test_without_messages_removes_only_messages_and_output() -> None:
    said = TankIntent(turn_rate=1.0, team_messages=(TeamMessage("a", "b"),), std_out="x")
    assert without_messages(said) == TankIntent(turn_rate=1.0, std_out="x")
    silent = TankIntent(turn_rate=1.0)
    assert without_messages(silent) is silent


def test_an_intent_cannot_be_changed_once_it_is_sent() -> None:
    with pytest.raises(AttributeError):
        TankIntent().turn_rate = 2.0  # type: ignore[misc]


def test_equal_intents_have_no_difference():
    assert differences(TankIntent(turn_rate=3.0), TankIntent(turn_rate=3.0, std_out="hello")) == []


def test_a_default_equals_an_unset_field():
    assert differences(TankIntent(), TankIntent(target_speed=0.0, fire_assist=True, rescan=False)) == []


def test_each_deciding_field_is_named_with_both_values():
    one = TankIntent()
    for name in DECIDING[:5]:
        assert differences(one, TankIntent(**{name: 1.5})) == [(name, 0.0, 1.5)]
    for name in DECIDING[5:9]:
        assert differences(one, TankIntent(**{name: True})) == [(name, False, True)]
    assert differences(one, TankIntent(fire_assist=False)) == [("fire_assist", True, False)]

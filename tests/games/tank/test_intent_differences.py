"""Two intents differ where the rules would tell them apart."""

from __future__ import annotations

from turnwright.games.tank.intent import TankIntent
from turnwright.games.tank.intent_rows import DECIDING, differences


def test_equal_intents_have_no_difference():
    assert differences(TankIntent(turn_rate=3.0), TankIntent(turn_rate=3.0, std_out="hello")) == []


def test_a_default_equals_what_is_not_said():
    assert differences(TankIntent(), TankIntent(target_speed=0.0, fire_assist=True, rescan=False)) == []


def test_each_deciding_field_is_named_with_both_values():
    one = TankIntent()
    for name in DECIDING[:5]:
        assert differences(one, TankIntent(**{name: 1.5})) == [(name, 0.0, 1.5)]
    for name in DECIDING[5:9]:
        assert differences(one, TankIntent(**{name: True})) == [(name, False, True)]
    assert differences(one, TankIntent(fire_assist=False)) == [("fire_assist", True, False)]

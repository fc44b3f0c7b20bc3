"""Intents: two of one turn become one, and only commands can be lost."""

from __future__ import annotations

from turnwright_world.intent import PRESSES_MAX, GateEvent, ReactionInput, WorldIntent, merge


def test_the_later_of_two_commands_counts():
    assert merge(WorldIntent("dig"), WorldIntent("say", "hi")) == WorldIntent("say", "hi")
    assert merge(WorldIntent("dig", "deep"), WorldIntent()) == WorldIntent("dig", "deep")


def test_a_stop_drops_the_command_before_it_and_not_the_one_behind_it():
    stop = WorldIntent(stop=True)
    assert merge(WorldIntent("dig"), stop) == stop
    assert merge(stop, WorldIntent("hit", "wolf")) == WorldIntent("hit", "wolf", stop=True)


def test_presses_are_in_order_of_their_time_and_bounded():
    one = WorldIntent(presses=tuple(ReactionInput(10 * k, "parry") for k in range(1, PRESSES_MAX + 1)))
    two = WorldIntent(presses=(ReactionInput(15, "dodge"),))
    presses = merge(one, two).presses
    assert [press.at_us for press in presses[:3]] == [10, 15, 20]
    assert len(presses) == PRESSES_MAX
    assert len(merge(one, WorldIntent()).presses) == PRESSES_MAX


def test_memory_is_the_later_one_and_gate_events_are_all():
    one = WorldIntent(memory={"a": 1}, gate=(GateEvent("join", name="ann"),))
    two = WorldIntent(memory={}, gate=(GateEvent("leave", 3),))
    merged = merge(one, two)
    assert merged.memory == {}
    assert [event.kind for event in merged.gate] == ["join", "leave"]
    assert merge(one, WorldIntent()).memory == {"a": 1}

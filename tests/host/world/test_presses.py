"""Reactions: at their stamp or at their arrival, never in the past; typed or sent."""

from __future__ import annotations

import pytest

from turnwright.games.world.intent import PRESSES_MAX, Press
from turnwright.host.world.presses import press_of_line
from turnwright.testing.virtual_world import VirtualWorld
from turnwright.wire.world.combat import React


def fight() -> VirtualWorld:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    world.enter(2, "Bert")
    world.host.terminal(2, packages=True)
    world.type(1, "hit bert")
    world.run_ms(260)
    world.text(2)
    return world


@pytest.mark.parametrize(
    ("rest", "threat"), [("", None), ("3", 3), ("#12", 12), ("wolf", None), ("9" * 40, None), ("²", None)]
)
def test_a_typed_reaction_may_name_a_threat_by_its_number(rest: str, threat: int | None) -> None:
    assert press_of_line("parry", rest) == ("parry", threat)


def test_a_typed_reaction_counts_at_once_and_is_answered_at_once() -> None:
    world = fight()
    world.run_ms(100)
    turns = len(world.turns)
    world.type(2, "dodge")
    assert "You have dodged the blow of Anna." in world.text(2)
    assert len(world.turns) == turns
    assert world.got(2, "Combat.Threat.Gone") == [{"id": 1, "why": "dodged", "damage": 0}]


def test_a_stamped_reaction_is_held_until_its_stamp_and_told_how_early_it_was() -> None:
    world = fight()
    now_us = world.host.clock.game_us(world.now_ns)
    world.send(2, "Combat.React", React("dodge", at=now_us + 40_000))
    assert world.got(2, "Combat.Result") == []
    world.run_ms(45)
    (result,) = world.got(2, "Combat.Result")
    assert (result["ok"], result["at"], result["early_us"]) == (True, now_us + 40_000, 40_000)


def test_a_stamp_in_the_past_counts_at_its_arrival() -> None:
    world = fight()
    now_us = world.host.clock.game_us(world.now_ns)
    world.send(2, "Combat.React", React("dodge", at=now_us - 500_000))
    (result,) = world.got(2, "Combat.Result")
    assert result["at"] >= now_us
    assert result["early_us"] == -500_000


def test_a_stamp_in_a_later_turn_is_held_over_the_turn() -> None:
    world = fight()
    now_us = world.host.clock.game_us(world.now_ns)
    world.send(2, "Combat.React", React("dodge", at=now_us + 300_000))
    turns = len(world.turns)
    world.run_ms(305)
    assert len(world.turns) > turns
    (result,) = world.got(2, "Combat.Result")
    assert result["at"] == now_us + 300_000


@pytest.mark.parametrize(("band", "gone"), [(None, 1), (400_000, 1), (1_000, 0)])
def test_a_reaction_takes_what_lands_within_the_band_that_it_asks_for(band: int | None, gone: int) -> None:
    world = fight()
    bert = world.host.sessions.named("bert")
    assert bert is not None
    threat = world.host.table.state.world.creatures[bert.body or 0].threats[0]
    at_us = threat.lands_us - 300_000
    world.run_ms((at_us - world.host.clock.game_us(world.now_ns)) // 1000 - 50)
    world.send(2, "Combat.React", React("deflect", at=at_us, band=band))
    world.run_ms(60)
    assert len(world.got(2, "Combat.Threat.Gone")) == gone


def test_a_reaction_without_a_clock_has_a_bounded_grace_for_the_line() -> None:
    world = fight()
    bert = world.host.sessions.named("bert")
    assert bert is not None
    bert.line.note_kernel(200_000, 5_000)
    threat = world.host.table.state.world.creatures[bert.body or 0].threats[0]
    lands_ns = world.host.clock.due_ns(threat.lands_us)
    assert lands_ns is not None
    world.run_ms((lands_ns - world.now_ns) / 1e6 + 20)
    world.type(2, "dodge")
    assert "You have dodged" in world.text(2) or threat.lands_us % 250_000 == 0


def test_a_refused_reaction_says_why_and_shows_what_is_really_there() -> None:
    world = fight()
    world.type(2, "dodge", "dodge")
    world.run_ms(1)
    result = world.got(2, "Combat.Result")[-1]
    assert (result["ok"], result["why"]) == (False, "you have not recovered yet")
    assert "threats" in result


def test_reactions_are_in_the_record_so_that_a_replay_has_them() -> None:
    world = fight()
    world.type(2, "dodge")
    world.run_ms(300)
    bert = world.host.sessions.named("bert")
    assert bert is not None
    pressed = [
        t.entry.intents[bert.body].presses for t in world.turns if t.entry and bert.body in t.entry.intents
    ]
    assert [press.reaction for presses in pressed for press in presses] == ["dodge"]


def test_a_reaction_while_a_turn_is_very_late_counts_when_game_time_goes_on() -> None:
    world = fight()
    world.stall_ms(5_000)
    world.type(2, "dodge")
    assert "dodged" not in world.text(2)
    world.run_ms(30)
    assert "You have dodged the blow of Anna." in world.text(2)
    world.run_ms(6_000)
    assert "hits you" not in world.text(2)


def test_of_too_many_reactions_in_one_turn_none_is_lost_in_silence() -> None:
    world = fight()
    table = world.host.table
    at_us = world.host.clock.game_us(world.now_ns) + 50_000
    for _ in range(PRESSES_MAX + 8):
        table.press(2, Press(at_us, "ward"), world.now_ns)
    world.run_ms(600)
    answers = world.got(2, "Combat.Result")
    assert len(answers) == PRESSES_MAX + 8
    assert sum(answer["why"] == "it came too late" for answer in answers) == 8

"""Reactions: at their stamp or at their arrival, never in the past; typed or sent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from packages.core.tests.messages import missing, naming
from packages.world.tests.simulation.virtual_world import VirtualWorld
from turnwright_world.example import yard
from turnwright_world.host.intents import press_of_line
from turnwright_world.host.turns import SLICE_NS
from turnwright_world.intent import PRESSES_MAX, ReactionInput
from turnwright_world.rules.state import World
from turnwright_world.rules.verbs import CreatureKind, Rules
from turnwright_world.wire.messages import React


def fight() -> VirtualWorld:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    world.enter(2, "Bert")
    world.host.terminal(2, packages=True)
    world.type(1, "hit bert")
    world.run_ms(260)
    world.text(2)
    return world


def dodges_anna(world: VirtualWorld) -> bool:
    """Return whether Bert has read since the last call that he dodged what Anna did."""
    return bool(naming(world.text(2), "you", "dodged", "Anna"))


@pytest.mark.parametrize(
    ("rest", "threat"), [("", None), ("3", 3), ("#12", 12), ("wolf", None), ("9" * 40, None), ("²", None)]
)
def test_a_typed_reaction_may_name_a_threat_by_its_number(rest: str, threat: int | None) -> None:
    assert press_of_line("parry", rest) == ("parry", threat)


def test_a_typed_reaction_counts_immediately_and_is_answered_immediately() -> None:
    world = fight()
    world.run_ms(100)
    turns = len(world.turns)
    world.type(2, "dodge")
    assert dodges_anna(world)
    assert len(world.turns) == turns
    assert world.got(2, "Combat.Threat.Gone") == [{"id": 1, "why": "dodged", "damage": 0}]


def test_a_stamped_reaction_waits_for_its_stamp_and_the_answer_says_how_early() -> None:
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
def test_a_reaction_takes_the_threats_that_land_within_its_band(band: int | None, gone: int) -> None:
    world = fight()
    bert = world.host.sessions.named("bert")
    assert bert is not None
    threat = world.host.turns.state.world.creatures[bert.body or 0].threats[0]
    at_us = threat.lands_us - 300_000
    world.run_ms((at_us - world.host.clock.game_us(world.now_ns)) // 1000 - 50)
    world.send(2, "Combat.React", React("deflect", at=at_us, band=band))
    world.run_ms(60)
    assert len(world.got(2, "Combat.Threat.Gone")) == gone


def test_a_reaction_without_a_clock_has_a_bounded_grace_for_the_line() -> None:
    world = fight()
    bert = world.host.sessions.named("bert")
    assert bert is not None
    bert.latency.note_kernel(200_000, 5_000)
    threat = world.host.turns.state.world.creatures[bert.body or 0].threats[0]
    lands_ns = world.host.clock.due_ns(threat.lands_us)
    assert lands_ns is not None
    world.run_ms((lands_ns - world.now_ns) / 1e6 + 20)
    world.type(2, "dodge")
    world.run_ms(300)
    assert dodges_anna(world)


def test_a_refused_reaction_gives_the_reason_and_the_real_threats() -> None:
    world = fight()
    world.type(2, "dodge", "dodge")
    world.run_ms(1)
    result = world.got(2, "Combat.Result")[-1]
    assert result["ok"] is False
    assert not missing(result["why"], "not recovered")
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


def test_a_reaction_during_a_very_late_turn_counts_when_game_time_resumes() -> None:
    world = fight()
    world.stall_ms(5_000)
    world.type(2, "dodge")
    assert not dodges_anna(world)
    world.run_ms(30)
    assert dodges_anna(world)
    world.run_ms(6_000)
    assert "hits you" not in world.text(2)


def test_too_many_reactions_in_one_turn_are_all_answered() -> None:
    world = fight()
    table = world.host.turns
    at_us = world.host.clock.game_us(world.now_ns) + 50_000
    for _ in range(PRESSES_MAX + 8):
        table.press(2, ReactionInput(at_us, "ward"), world.now_ns)
    world.run_ms(600)
    answers = world.got(2, "Combat.Result")
    assert len(answers) == PRESSES_MAX + 8
    assert sum(answer["why"] == "it came too late" for answer in answers) == 8


# ---- a loop that is late -----------------------------------------------------------------------------------


def before_a_landing(
    *, inside: bool, ahead_ms: float = 10, line: bool = False, round_trip_us: int = 200_000
) -> tuple[VirtualWorld, int]:
    """Return a world just before Anna's blow lands on Bert, inside a turn or at its end, and when it lands.

    Args:
        line: Bert has no clock, and a line for which landings wait; by 110 ms for this round trip.
    """
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    bert = world.enter(2, "Bert")
    world.host.terminal(2, packages=True)
    creature = world.host.turns.state.world.creatures[bert]
    creature.attributes["instinct"] = 6 if inside else 0
    world.type(1, "hit bert")
    world.run_ms(260)
    if line:
        session = world.host.sessions.named("bert")
        assert session is not None
        session.latency.note_kernel(round_trip_us, 5_000)
    lands_us = creature.threats[0].lands_us
    lands_ns = world.host.clock.due_ns(lands_us)
    assert lands_ns is not None
    assert (lands_us % 250_000 != 0) is inside
    world.run_ms((lands_ns - world.now_ns) / 1e6 - ahead_ms)
    world.text(2)
    return world, lands_us


def pressed_us(world: VirtualWorld) -> list[int]:
    entries = [turn.entry for turn in world.turns if turn.entry]
    return [press.at_us for entry in entries for intent in entry.intents.values() for press in intent.presses]


@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("program", [True, False])
def test_a_reaction_that_lay_unread_while_the_loop_was_late_is_in_time(inside: bool, program: bool) -> None:
    world, lands_us = before_a_landing(inside=inside)
    stamp_us = world.host.clock.game_us(world.now_ns) + 3_000
    sent = lambda: world.send(2, "Combat.React", React("dodge", at=stamp_us))  # noqa: E731 - it is one line
    world.unread(sent if program else lambda: world.type(2, "dodge"))
    world.stall_ms(50)
    world.run_ms(400)
    assert dodges_anna(world)
    assert pressed_us(world) == [lands_us]


def test_a_reaction_that_is_read_before_the_late_alarm_rings_is_in_time() -> None:
    world, lands_us = before_a_landing(inside=True)
    world.stall_ms(50)
    world.type(2, "dodge")
    world.run_ms(300)
    assert dodges_anna(world)
    assert pressed_us(world) == [lands_us]


def test_an_unread_reaction_that_is_stamped_behind_the_landing_is_too_late() -> None:
    world, lands_us = before_a_landing(inside=True)
    world.unread(lambda: world.send(2, "Combat.React", React("dodge", at=lands_us + 1)))
    world.stall_ms(50)
    world.run_ms(1)
    assert "Anna hits you" in world.text(2)
    assert world.got(2, "Combat.Result")[-1]["ok"] is False


def test_a_reaction_behind_a_landing_that_has_been_played_counts_when_it_came() -> None:
    world, lands_us = before_a_landing(inside=True)
    world.stall_ms(50)
    world.run_ms(1)
    assert "Anna hits you" in world.text(2)
    world.type(2, "dodge")
    assert "You have dodged" not in world.text(2)
    world.run_ms(300)
    assert pressed_us(world)[0] >= lands_us + 41_000


def test_a_late_turn_of_the_loop_reads_the_sockets_once_and_is_not_noted_otherwise() -> None:
    world, _ = before_a_landing(inside=True)
    turns = len(world.turns)
    world.stall_ms(20)
    world.ring()
    assert "Anna hits you" not in world.text(2)
    assert world.host.turns.next_ns() is None
    world.ring()
    assert "Anna hits you" in world.text(2)
    world.run_ms(200)
    assert len(world.turns) == turns + 1


def test_a_grace_holds_although_the_loop_is_late_to_its_end() -> None:
    world, lands_us = before_a_landing(inside=True, ahead_ms=-105, line=True)
    world.unread(lambda: world.type(2, "dodge"))
    world.stall_ms(30)
    world.run_ms(300)
    assert dodges_anna(world)
    assert lands_us - 10_000 <= pressed_us(world)[0] <= lands_us


@pytest.mark.parametrize(("late_ms", "dodged"), [(1, True), (60, True), (105, True), (115, False)])
def test_a_grace_extends_over_the_end_of_a_turn_and_keeps_the_schedule(late_ms: int, dodged: bool) -> None:
    world, lands_us = before_a_landing(inside=False, line=True)
    table, turns = world.host.turns, len(world.turns)
    world.run_ms(10 + late_ms)
    assert (len(world.turns) == turns) is dodged
    world.type(2, "dodge")
    world.run_ms(120 - late_ms)
    assert (dodges_anna(world)) is dodged
    assert len(world.turns) == turns + 1
    assert world.host.clock.due_ns(table.end_us) == world.host.clock.due_ns(lands_us + 250_000)
    world.run_ms(129)
    assert len(world.turns) == turns + 1
    world.run_ms(2)
    assert len(world.turns) == turns + 2
    assert (table.stats.overruns_total, table.stats.late_ns[-2]) == (0, 0)


def test_a_turn_is_held_for_half_a_turn_at_most() -> None:
    world, _ = before_a_landing(inside=False, line=True, round_trip_us=2_000_000)
    turns = len(world.turns)
    world.run_ms(10 + 124)
    assert len(world.turns) == turns
    world.run_ms(2)
    assert len(world.turns) == turns + 1


def test_a_press_of_another_player_does_not_end_a_grace() -> None:
    world, lands_us = before_a_landing(inside=True, ahead_ms=-20, line=True)
    world.type(1, "parry")
    world.run_ms(60)
    assert "Anna hits you" not in world.text(2)
    world.type(2, "dodge")
    world.run_ms(60)
    assert dodges_anna(world)
    world.run_ms(200)
    assert sorted(pressed_us(world)) == [lands_us - 30_000, lands_us + 20_000]


def test_while_a_turn_is_being_ended_no_slice_is_billed() -> None:
    world, _ = before_a_landing(inside=True)
    world.run_ms(100)
    table = world.host.turns
    ends_ns = world.host.clock.due_ns(table.end_us)
    assert ends_ns is not None
    end_us, world.piece_ns = table.end_us, SLICE_NS
    world.now_ns = ends_ns
    world.ring()
    assert not table.running
    world.stall_ms(40)
    assert table.arrived_us(world.now_ns) == end_us


def test_a_late_loop_runs_a_timer_that_is_due_immediately() -> None:
    world, _ = before_a_landing(inside=False, ahead_ms=500)
    played = world.host.turns.state.world
    timer = played.at(0, "of no content")
    world.stall_ms(5)
    world.host.wake(world.now_ns)
    world.work()
    for _ in range(3):
        world.ring()
    assert timer.id not in played.timers
    assert world.alarm_ns is not None
    assert world.alarm_ns > world.now_ns


def test_a_plan_that_lay_unread_reacts_in_time_too() -> None:
    rules = yard()
    rules.kinds["wolf"] = CreatureKind("wolf", "wolf", mind="wolf", attributes={"instinct": 6})
    build = rules.build

    def built(place: World, known: Rules) -> None:
        build(place, known)
        wolf = known.new_creature(place, "wolf", "yard", name="Grey")
        wolf.driver, wolf.mind, wolf.owner = "mind", "wolf", "content"

    rules.build = built
    world = VirtualWorld.of(rules, minds={"wolf": lambda view: None})
    world.enter(1, "Anna")
    world.type(1, "hit grey")
    world.run_ms(260)
    (wolf,) = [c for c in world.host.turns.state.world.creatures.values() if c.name == "Grey"]
    lands_us = wolf.threats[0].lands_us
    lands_ns = world.host.clock.due_ns(lands_us)
    assert lands_ns is not None
    world.run_ms((lands_ns - world.now_ns) / 1e6 - 10)
    turn = world.host.turns.battle.turn + 1
    world.unread(lambda: world.host.planned(turn, wolf.id, "dodge", world.now_ns))
    world.stall_ms(15)
    world.run_ms(1)
    assert wolf.threats == []
    assert wolf.health == world.host.context.rules.kinds["wolf"].health
    world.run_ms(250)
    assert pressed_us(world) == [lands_us]


@pytest.mark.parametrize(("client_kind", "held"), [("program", True), ("gmcp", False)])
def test_a_reaction_of_a_program_waits_for_the_least_reaction_time(client_kind: str, held: bool) -> None:
    rules = yard()
    rules.threats = replace(rules.threats, react_us=400_000)
    world = VirtualWorld.of(rules)
    world.enter(1, "Anna")
    world.enter(2, "Bert", client_kind=client_kind)
    world.type(1, "hit bert")
    world.run_ms(260)
    (threat,) = world.got(2, "Combat.Threat.Add")
    world.send(2, "Combat.React", React("dodge"))
    assert (world.got(2, "Combat.Result") == []) is held
    world.run_ms(450)
    (result,) = world.got(2, "Combat.Result")
    assert result["ok"]
    assert (result["at"] >= threat["at"] + 400_000) is held
    assert not held or result["at"] == threat["at"] + 400_000


def test_a_program_that_presses_all_the_time_meets_nothing_sooner() -> None:
    rules = yard()
    rules.threats = replace(rules.threats, react_us=400_000)
    world = VirtualWorld.of(rules)
    world.enter(1, "Anna")
    world.enter(2, "Bert", client_kind="program")
    world.type(1, "hit bert")
    for _ in range(12):
        world.send(2, "Combat.React", React("dodge"))
        world.run_ms(100)
    (threat,) = world.got(2, "Combat.Threat.Add")
    met = [result["at"] for result in world.got(2, "Combat.Result") if result["ok"]]
    assert met
    assert met[0] >= threat["at"] + 400_000

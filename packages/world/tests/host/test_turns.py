"""The turns of a world: an absolute schedule, no bursts, one turn ahead of the store, nothing when idle."""

from __future__ import annotations

import pytest

from packages.world.tests.host.slices import in_company, slicing, with_wolf
from packages.world.tests.simulation.virtual_world import VirtualWorld
from turnwright_world.host.joining import GUEST_TURNS
from turnwright_world.host.turns import SLICE_NS
from turnwright_world.rules.verbs import Act, Verb


def test_an_empty_world_sets_no_alarm() -> None:
    world = VirtualWorld.of()
    world.run_ms(60_000)
    assert (world.alarm_ns, world.rings, world.turns) == (None, 0, [])
    world.enter(1, "Anna")
    world.type(1, "quit")
    world.run_ms(60_000)
    assert world.alarm_ns is None
    turns = len(world.turns)
    assert turns == GUEST_TURNS + 2, "until the body that stayed behind has gone"
    assert world.host.clock.segment.rate == 0


def test_turns_end_on_an_absolute_schedule_even_after_late_ones() -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    begin = len(world.turns)
    for _ in range(8):
        world.run_ms(200)
        world.stall_ms(60)
    world.run_ms(10_000 - 8 * 260)
    assert len(world.turns) - begin == 40


def test_slots_that_were_missed_are_left_out_and_never_caught_up_with() -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    world.host.terminal(1, packages=True)
    world.work()
    world.packages.clear()
    before = len(world.turns)
    world.stall_ms(2_000)
    world.run_ms(1)
    assert len(world.turns) - before == 1
    assert world.host.turns.stats.skipped in (7, 8)
    assert any("turns were left out" in log.text for log in world.logs)
    assert len(world.got(1, "Time.Segment")) == 1
    world.run_ms(2_500)
    assert len(world.turns) - before == 11


def test_the_world_is_never_more_than_a_turn_ahead_of_the_store() -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    world.save_ns = None
    before = world.turns[-1].turn
    world.run_ms(5_000)
    assert world.turns[-1].turn == before + 1
    world.save_ns = 1_000
    world.host.saved(world.turns[-1].turn, world.now_ns)
    world.work()
    world.run_ms(1_000)
    assert world.turns[-1].turn > before + 4


def test_a_landing_is_reported_when_it_lands_and_not_with_the_turn() -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    world.enter(2, "Bert")
    world.type(1, "hit bert")
    world.run_ms(260)
    threat = world.host.sessions.players()[1].view["threats"][0]
    lands_ns = world.host.clock.due_ns(threat["at"] + threat["us"] + 1)
    assert lands_ns is not None
    world.text(2)
    world.run_ms((lands_ns - 2_000_000 - world.now_ns) / 1e6)
    assert "hits you" not in world.text(2)
    turns = len(world.turns)
    world.run_ms(4)
    if turns == len(world.turns):
        assert "Anna hits you for" in world.text(2)


def test_minds_plan_only_while_a_player_could_notice_and_late_plans_are_dropped() -> None:
    seen: list[int] = []

    def howl(view: dict[str, object]) -> str:
        seen.append(1)
        return "say uuuh"

    world = VirtualWorld.of(with_wolf(), minds={"wolf": howl})
    world.run_ms(5_000)
    assert seen == []
    world.enter(1, "Anna")
    world.run_ms(1_000)
    assert len(seen) >= 3
    assert "Grey says: uuuh" in world.text(1)
    world.plan_ns = 400_000_000
    world.run_ms(1_000)
    world.text(1)
    world.run_ms(2_000)
    assert "Grey" not in world.text(1)


def test_a_mind_that_never_answers_delays_nothing_and_is_noted_as_skipped() -> None:
    world = VirtualWorld.of(with_wolf(), minds={"wolf": lambda view: None})
    world.enter(1, "Anna")
    begin = len(world.turns)
    world.run_ms(2_500)
    assert len(world.turns) - begin == 10
    entry = world.turns[-1].entry
    assert entry is not None
    assert entry.skipped != ()


def test_all_take_their_turn_at_the_same_instant_whatever_their_line() -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    world.enter(2, "Bert")
    world.type(1, "dig")
    world.run_ms(200)
    world.type(2, "dig")
    world.run_ms(50)
    actions = [c.action for c in world.host.turns.state.world.creatures.values()]
    assert [action.began_turn for action in actions if action is not None] == [3, 3]


def test_fixed_durations_stay_whatever_happens() -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    for _ in range(20):
        world.stall_ms(400)
        world.run_ms(100)
    assert world.host.turns.pace.turn_us == 250_000


def test_durations_rise_when_the_machine_is_overloaded_and_fall_when_it_is_calm() -> None:
    world = VirtualWorld.of(pace_us=250_000, pace_us_max=400_000, plan_us_max=200_000)
    world.enter(1, "Anna")
    world.host.terminal(1, packages=True)
    for _ in range(40):
        world.stall_ms(600)
        world.run_ms(100)
    table = world.host.turns
    assert 250_000 < table.pace.turn_us <= 400_000
    assert 100_000 < table.pace.plan.value_us <= 200_000
    raised = table.pace.turn_us
    assert world.got(1, "Time.Segment")[-1]["rate"] == 250_000 * 1_000_000 // raised
    world.run_ms(120_000)
    assert table.pace.turn_us < raised


def test_minds_that_are_slow_raise_no_duration() -> None:
    world = VirtualWorld.of(with_wolf(), minds={"wolf": lambda view: None}, pace_us_max=2_000_000)
    world.enter(1, "Anna")
    world.run_ms(60_000)
    assert world.host.turns.pace.turn_us == 250_000


# ---- slices ------------------------------------------------------------------------------------------------


def played(world: VirtualWorld) -> list[str]:
    world.type(1, "hit bert", "say so")
    world.run_ms(700)
    world.type(2, "dodge")
    world.type(3, "dig")
    world.run_ms(1_500)
    told = [world.text(conn) for conn in (1, 2, 3)]
    return [turn.entry.digest for turn in world.turns if turn.entry] + told


def test_a_turn_that_ends_in_slices_is_the_same_turn() -> None:
    sliced, whole = in_company(), in_company()
    sliced.piece_ns = SLICE_NS
    assert played(sliced) == played(whole)
    assert sliced.rings > 5 * whole.rings


def test_lines_between_slices_are_answered_immediately_with_the_last_state() -> None:
    world = slicing(in_company(), ("dig", "dig", "dig"))
    world.text(2)
    bert, creatures = world.host.sessions.players()[1], world.host.turns.state.world.creatures
    while not any(creature.action for creature in creatures.values()):
        world.ring()
    assert world.host.turns.resolving
    world.type(2, "look", "tell anna hello")
    assert "You tell Anna: hello" in world.text(2)
    assert {other["doing"] for other in world.host.context.view(bert)["here"]} == {None}
    world.run_ms(1)
    assert {other["doing"] for other in world.host.context.view(bert)["here"]} == {None, "dig"}


def test_a_reaction_between_slices_counts_in_the_next_turn_and_is_not_lost() -> None:
    world = in_company()
    world.type(1, "hit bert")
    world.run_ms(260)
    slicing(world)
    world.type(2, "dodge")
    assert world.host.turns.battle.is_open
    world.run_ms(300)
    entries = [turn.entry for turn in world.turns[-2:] if turn.entry]
    pressed = [intent.presses for entry in entries for intent in entry.intents.values()]
    assert len([presses for presses in pressed if presses]) == 1


def test_a_player_who_leaves_between_slices_gets_nothing_further() -> None:
    world = slicing(in_company(), ("dig", "dig", "dig"))
    world.drop(2)
    world.type(3, "quit")
    world.text(2), world.text(3)
    world.run_ms(1_000)
    assert world.text(2) + world.text(3) == ""
    assert world.logs == []
    assert [session.name for session in world.host.sessions.players()] == ["Anna"]


def test_a_world_that_stops_between_slices_ends_that_turn_and_keeps_one_more() -> None:
    world = slicing(in_company(), ("dig", "dig", "dig"))
    before = len(world.turns)
    world.host.stop_all("enough", world.now_ns)
    world.work()
    assert len(world.turns) - before == 2
    assert world.alarm_ns is None
    players = [c for c in world.host.turns.state.world.creatures.values() if c.driver == "player"]
    assert all(creature.linkdead_since is not None for creature in players)


def test_an_error_of_the_server_during_reports_does_not_stop_the_world(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    before = world.host.turns.state.world.turn
    monkeypatch.setattr(world.host.output, "builders", lambda sessions, text: 1 // 0)
    monkeypatch.setattr(world.host.context.rules.verbs["say"], "finish", lambda act: 1 // 0)
    world.type(1, "say x")
    with pytest.raises(ZeroDivisionError):
        world.run_ms(300)
    world.work()
    world.run_ms(1_000)
    assert world.host.turns.state.world.turn >= before + 4


class Nap(Verb):
    """An action that takes real time."""

    name = "nap"
    world: VirtualWorld

    def finish(self, act: Act) -> None:
        self.world.spend_ms(400)


def test_an_overrun_names_the_slowest_actors_of_the_turn_before() -> None:
    world = VirtualWorld.of()
    nap = Nap()
    nap.world = world
    world.host.context.rules.verbs["nap"] = nap
    world.enter(1, "Anna")
    world.type(1, "nap")
    world.run_ms(1_000)
    (overrun,) = world.host.turns.stats.overruns
    assert overrun.slowest[0] == (1, "Anna", 400_000_000)
    assert any("slowest: Anna 1 400 ms" in log.text for log in world.logs)

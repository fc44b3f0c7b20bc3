"""Spectators: a place or a player, read only, for terminals and programs."""

from __future__ import annotations

import pytest

from packages.core.tests.messages import missing
from packages.world.tests.simulation.virtual_world import VirtualWorld
from turnwright_world.example import yard
from turnwright_world.host import spectators as watching


def world_of() -> VirtualWorld:
    """Return a world in which Anna and Bert play."""
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    world.enter(2, "Bert")
    return world


def test_a_spectator_of_a_place_sees_its_events_and_has_no_body() -> None:
    world = world_of()
    bodies = len(world.host.turns.state.world.creatures)
    world.connect(3)
    world.type(3, "watch yard")
    place = world.host.turns.state.world.places["yard"]
    assert f"{place.name}\n{place.text}" in world.text(3)
    world.type(1, "say hello there")
    world.type(2, "go in")
    world.run_ms(1_500)
    assert "Bert" in world.text(3)
    assert len(world.host.turns.state.world.creatures) == bodies
    assert len(world.host.sessions.players()) == 2


def test_a_spectator_of_a_player_gets_the_messages_of_the_player() -> None:
    world = world_of()
    world.connect(3, client_kind="program")
    world.send(3, "Watch", {"what": "bert"})
    assert world.got(3, "Welcome") == [{"body": None, "name": "", "watching": "Bert"}]
    world.type(1, "hit bert")
    world.run_ms(600)
    assert world.got(3, "Turn")[-1]["me"]["name"] == "Bert"
    assert [threat["name"] for threat in world.got(3, "Combat.Threat.Add")] == ["Anna"]
    world.type(2, "go in")
    world.run_ms(1_500)
    assert world.got(3, "Turn")[-1]["place"]["name"] == "Shed"


def test_nothing_that_a_spectator_types_changes_the_world() -> None:
    world = world_of()
    world.connect(3)
    world.type(3, "watch anna")
    for line in ("go in", "hit bert", "chat hello", "tell anna hello", "keep", "stop", "pause", "dodge"):
        world.text(3)
        world.type(3, line)
        assert "You can only watch here" in world.text(3)
    world.text(1)
    world.run_ms(1_000)
    entry = world.turns[-1].entry
    assert entry is not None
    assert world.text(1) == ""
    assert not world.host.turns.pace.control.paused


def test_a_spectator_can_look_list_players_change_its_target_and_leave() -> None:
    world = world_of()
    world.connect(3)
    world.type(3, "watch")
    assert "You watch Yard." in world.text(3)
    world.type(3, "who", "look", "time")
    said = world.text(3)
    assert "2 players online: Anna, Bert." in said
    assert world.host.turns.state.world.places["yard"].text in said
    world.type(1, "go in")
    world.run_ms(1_000)
    world.text(3)
    world.type(3, "watch shed")
    assert "You watch Shed." in world.text(3)
    world.type(3, "watch nowhere")
    assert "no place called nowhere" in world.text(3)
    world.type(3, "quit")
    assert world.closed[3] == "Farewell."


def test_a_spectator_still_sees_the_place_after_the_watched_player_leaves() -> None:
    world = world_of()
    world.connect(3)
    world.type(3, "watch bert")
    world.type(2, "quit")
    world.run_ms(600)
    assert "Bert is gone." not in world.text(3)
    world.run_ms(20_000)
    said = world.text(3)
    assert "Bert is gone." in said
    assert "You watch Yard." in said


def test_spectators_learn_that_time_is_stopped_and_get_every_segment() -> None:
    world = world_of()
    world.connect(3, client_kind="gmcp")
    world.type(3, "watch anna")
    world.host.turns.pace.control.pause()
    world.host.turns.steer(world.now_ns)
    world.host.announce("Time stands still.")
    world.type(3, "time")
    assert world.got(3, "Time.Segment")[-1]["rate"] == 0
    assert "Time stands still." in world.text(3)


def test_spectators_are_bounded(monkeypatch) -> None:  # type: ignore[no-untyped-def]  # pytest's own
    monkeypatch.setattr(watching, "WATCHERS_MAX", 2)
    world = world_of()
    for conn in (3, 4, 5):
        world.connect(conn)
        world.type(conn, "watch")
    assert "2 watch already" in world.text(5)
    world.drop(3)
    world.type(5, "watch")
    assert "You watch Yard." in world.text(5)


def test_a_record_of_a_watched_world_contains_nothing_of_its_spectators() -> None:
    digests = []
    for watched in (False, True):
        world = world_of()
        if watched:
            world.connect(3)
            world.type(3, "watch yard")
        world.type(1, "go in")
        world.run_ms(2_000)
        digests.append([turn.entry.digest for turn in world.turns if turn.entry is not None][:10])
    assert digests[0] == digests[1]


@pytest.mark.parametrize("what", ["shed", "Shed", "sh"])
def test_a_place_that_no_player_has_seen_is_not_found(what: str) -> None:
    world = world_of()
    world.connect(3)
    world.type(3, f"watch {what}")
    assert not missing(world.text(3), f"no place called {what}")
    world.type(1, "go in")
    world.run_ms(1_000)
    world.type(3, f"watch {what}")
    assert "You watch Shed." in world.text(3)


def test_in_a_dark_place_a_spectator_sees_as_little_as_a_player() -> None:
    rules = yard()
    rules.sees = lambda world, creature: "nightsighted" in creature.tags  # type: ignore[method-assign]
    world = VirtualWorld.of(rules)
    world.enter(1, "Anna")
    world.connect(2)
    world.type(2, "watch yard")
    assert world.host.turns.state.world.places["yard"].text not in world.text(2)
    world.type(1, "hit anna")
    world.run_ms(1_500)
    assert "Anna" not in world.text(2)

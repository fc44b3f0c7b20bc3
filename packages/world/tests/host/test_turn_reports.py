"""Reports of a turn: all acts at one instant; a player who cannot be reached delays no other."""

from __future__ import annotations

from typing import Any

import pytest

from packages.world.tests.simulation.virtual_world import VirtualWorld
from turnwright_world.host.sessions import Session


def test_a_player_whose_report_fails_is_disconnected_and_the_turn_continues(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    world.enter(2, "Bert")
    voice = world.host.output
    tell = voice.turn

    def failing(session: Session, view: dict[str, Any], heard: Any) -> None:
        if session.name == "Anna":
            raise RuntimeError("no words")
        tell(session, view, heard)

    monkeypatch.setattr(voice, "turn", failing)
    world.type(2, "dig")
    world.run_ms(600)
    assert list(world.closed) == [1]
    assert "no words" not in world.closed[1], "that is for the log"
    assert any(log.level == "error" and "Anna" in log.text for log in world.logs)
    assert "You begin to dig." in world.text(2)
    assert world.host.turns.state.world.creatures[1].linkdead_since is not None


def test_a_dead_players_lines_wait_until_it_lives() -> None:
    world = VirtualWorld.of()
    body = world.enter(1, "Anna")
    creature = world.host.turns.state.world.creatures[body]
    world.type(1, "go in")
    creature.died_us = 1
    world.run_ms(600)
    assert world.host.sessions.players()[0].queue.lines() == ["go in"]
    creature.died_us = None
    world.run_ms(300)
    assert creature.place == "shed"


def test_a_landing_waits_only_for_players_with_a_known_latency() -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    world.enter(2, "Bert")
    world.type(1, "hit bert")
    world.run_ms(300)
    lands_us = world.host.turns.state.world.creatures[2].threats[0].lands_us
    assert world.host.teller.graces_us() == {}
    world.host.sessions.players()[1].latency.note_kernel(100_000, 1_000)
    assert world.host.teller.graces_us() == {lands_us: 52_000}


def test_acting_players_get_their_reports_before_onlookers(monkeypatch: pytest.MonkeyPatch) -> None:
    world = VirtualWorld.of()
    for conn, name in enumerate(("Anna", "Bert", "Cleo"), 1):
        world.enter(conn, name)
    told: list[str] = []
    tell = world.host.output.turn

    def telling(session: Session, view: dict[str, Any], heard: Any) -> None:
        told.append(session.name)
        tell(session, view, heard)

    monkeypatch.setattr(world.host.output, "turn", telling)
    world.type(3, "dig")
    world.run_ms(500)
    assert told == ["Cleo", "Anna", "Bert"] * 2
    del told[:]
    world.run_ms(2_000)
    assert told[-3:] == ["Anna", "Bert", "Cleo"]

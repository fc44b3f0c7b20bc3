"""Messages to a player that comes back."""

from __future__ import annotations

from typing import Any

from packages.world.tests.demo.playing import Demo
from turnwright_world.intent import GATE, GateEvent, WorldIntent
from turnwright_world.kit.combat import strike
from turnwright_world.kit.schema import BlowRow
from turnwright_world.rules.verbs import Act


def gate(played: Demo, kind: Any, **data: Any) -> None:
    played.turn({GATE: WorldIntent(gate=(GateEvent(kind, played.me, "Anna", data),))})


def welcomes(played: Demo) -> list[dict[str, Any]]:
    return [message["data"]["away"] for message in played.heard if "away" in message.get("data", {})]


def test_a_returning_player_learns_once_that_nothing_has_happened() -> None:
    played = Demo(minds=False)
    assert welcomes(played) == []
    gate(played, "linkdead", turns=80, keep=True)
    played.wait(4)
    gate(played, "join", driver="player")
    assert welcomes(played) == [{"deaths": 0, "levels": 0, "foes": [], "place": "square"}]
    gate(played, "join", driver="player")
    assert welcomes(played) == []


def test_a_returning_player_learns_who_killed_it_and_is_elsewhere() -> None:
    played = Demo(minds=False)
    gate(played, "linkdead", turns=400, keep=True)
    rat = played.creature("rat")
    played.world.move(rat, "square")
    act = Act(played.world, played.content.rules, played.battle.streams, rat, ("test", 0))
    strike(act, played.body, BlowRow("bite", 500))
    played.world.commit()
    played.wait(16)
    gate(played, "join", driver="player")
    assert welcomes(played) == [{"deaths": 1, "levels": 0, "foes": [rat.name], "place": "square"}]
    assert played.body.place == "temple"

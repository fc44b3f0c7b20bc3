"""Every scenario of the official server that is about rules, played straight through ours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from packages.tank.tests.conformance.rules_player import compare, play
from packages.tank.tests.conformance.scenarios import SCENARIOS
from turnwright_tank.backends.extension import available
from turnwright_tank.game import TankGame

NOT_ABOUT_RULES = {
    "late_join_and_observer": "about connections",
    "round_end_answer_late": "about time",
}
RANDOM_TANKS = {"initial_positions": ("C", "D")}
"""Tanks that give only a part of their place: the rest is random by design."""
NEWER_MESSAGES = {"team_messages"}
"""Team messages follow the rules of 1.4: teammates only, none to oneself, other limits."""
NAMES = sorted(path.name for path in SCENARIOS.iterdir() if path.name not in NOT_ABOUT_RULES)
SPEEDS = ["interpreted", "compiled"] if available() else ["interpreted"]


def without(name: str, messages: list[dict[str, Any]], ours: bool) -> list[dict[str, Any]]:
    """Remove the parts of ticks that are not compared.

    Deaths told to bots (since 1.2; these are answers of 1.1), random tanks, and team messages of 1.1.
    """
    result = []
    for message in messages:
        message = dict(message)
        if "events" in message:
            drop = {"TeamMessageEvent"} if name in NEWER_MESSAGES else set()
            if ours and message["type"] == "TickEventForBot":
                drop.add("BotDeathEvent")
            message["events"] = [e for e in message["events"] if e["type"] not in drop]
        if "botStates" in message:
            random = RANDOM_TANKS.get(name, ())
            message["botStates"] = [t for t in message["botStates"] if t["name"] not in random]
        result.append(message)
    return result


def differences(name: str, speed: Any) -> Iterator[str]:
    seen = {client: without(name, rows, True) for client, rows in play(name, TankGame(speed)).items()}
    for tank in RANDOM_TANKS.get(name, ()):
        del seen[f"bot-{tank}"]
    return compare(name, seen, lambda rows: without(name, rows, False))


@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("name", NAMES)
def test_every_observation_equals_that_of_the_official_server(name: str, speed: str) -> None:
    assert list(differences(name, speed))[:5] == []


def test_the_scenarios_are_all_there() -> None:
    assert len(NAMES) + len(NOT_ABOUT_RULES) == 47


@pytest.mark.parametrize("name", ["bullet_hits_bot", "wall_hits_speeds"])
def test_a_comparison_notices_one_wrong_number(name: str) -> None:
    seen = play(name, TankGame("interpreted"))
    seen["observer"][40]["botStates"][0]["x"] += 1e-6
    assert list(compare(name, seen)) != []

"""Modules between a socket and the receipt of an intent in the official words: no more than in other
words.
"""

from __future__ import annotations

import os
from time import monotonic_ns
from typing import Any

from packages.core.tests.net.way import MODULES_MAX, Talk, modules_in_the_tour, way_of_an_intent
from packages.tank.tests.host.royale_rooms import HANDSHAKES, config_of, rules, start_game

TIMEOUT_US = 60_000_000
TRIES = 3


def hello(greeting: dict[str, Any], role: str, name: str) -> dict[str, Any]:
    return {"type": HANDSHAKES[role], "sessionId": greeting["sessionId"], "name": name, "version": "1"}


def start(where: list[dict[str, Any]]) -> dict[str, Any]:
    return {"type": "StartGame", **start_game([], turnTimeout=TIMEOUT_US), "botAddresses": where}


TALK = Talk(
    hello,
    start,
    asked="GameStartedEventForBot",
    ready={"type": "BotReady"},
    shown="TickEventForBot",
    intent={"type": "BotIntent", "turnNumber": 1, "targetSpeed": 5},
)


def test_an_official_intent_passes_few_modules_and_the_host_is_entered_once() -> None:
    config = config_of(new_game=rules, random_bytes=os.urandom, tps=-1, seed=1, stopwatch=monotonic_ns)
    way = way_of_an_intent(config, TALK)
    assert "turnwright.kernel.on_late_drop" in way.modules
    assert len(way.modules) <= MODULES_MAX, way.modules
    assert way.trips == 1


def test_the_tour_says_how_many_modules_it_passes() -> None:
    """On a busy machine something periodic may come between: then it is counted again."""
    config = config_of(new_game=rules, random_bytes=os.urandom, tps=-1, seed=1, stopwatch=monotonic_ns)
    counts = (len(way_of_an_intent(config, TALK).modules) for _ in range(TRIES))
    assert modules_in_the_tour()[1] in counts

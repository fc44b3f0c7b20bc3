"""A battle of tanks continues, without a skipped turn, under attacks that only its protocol knows."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from packages.core.tests.app.served import Served
from packages.core.tests.net.attacker import ROYALE_KINDS
from packages.core.tests.net.besieged import TIMEOUT_US, TURNS_MIN, Wire, besieged
from turnwright_tank.wire.royale.codec import encode
from turnwright_tank.wire.royale.setup import custom

pytestmark = pytest.mark.process

TPS = 50
HELLOS = {"bot": "BotHandshake", "operator": "ControllerHandshake"}


def hello(heard: dict[str, Any], role: str, name: str) -> dict[str, Any]:
    me = {"sessionId": heard["sessionId"], "name": name, "version": "1", "authors": ["a"]}
    return {"type": HELLOS[role], **me}


def start(bots: Sequence[dict[str, Any]], timeout_us: int) -> dict[str, Any]:
    setup = replace(custom(), turn_timeout=timeout_us, number_of_rounds=1000, max_inactivity_turns=10**6)
    return {"type": "StartGame", "gameSetup": json.loads(encode(setup)), "botAddresses": bots}


WIRE = Wire(
    hello=hello,
    start=start,
    stop=b'{"type":"StopGame"}',
    ready="GameStartedEventForBot",
    observation="TickEventForBot",
    skipped="SkippedTurnEvent",
    turn="turnNumber",
    get_ready='{"type":"BotReady"}',
    intent='{"type":"BotIntent","turnRate":1}',
)


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with Served("--tps", TPS, "--turn-timeout", f"{TIMEOUT_US}us") as served:
        yield served


@pytest.mark.parametrize("kind", list(ROYALE_KINDS))
def test_an_attack_causes_no_skip(server: Served, kind: str) -> None:
    players = asyncio.run(besieged(server, WIRE, kind))
    assert [one.skipped for one in players] == [[], []]
    assert all(len(one.seen) > TURNS_MIN for one in players)
    assert server.run.process.poll() is None

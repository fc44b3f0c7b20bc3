"""Players' minds in a world that is killed: each is there exactly once, and plans again."""

from __future__ import annotations

import asyncio
import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.games.world.net.player_minds_server import Player, opened, running
from tests.net.postgres import Postgres
from turnwright.games.world.host.minds.player_mind import PlayerMind
from turnwright.games.world.planning.net.sandbox import can_seal
from turnwright.net import loop as loops

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not can_seal(), reason="no filter of system calls that we know on this machine"),
]

OWNERS = ("Kim", "Lou")
KILLS = 2
SAVED_TURNS = 3
"""The world plays one turn ahead of its store at most."""


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "world.db")
        return
    with Postgres() as server:
        yield server.url


def source(version: int) -> str:
    """Return a mind that says which one it is, in every turn."""
    return f"def plan(view, random):\n    return 'say I am {version}'\n"


def version_of(mind: PlayerMind) -> int:
    (found,) = re.findall(r"I am (\d+)", mind.source)
    return int(found)


async def paste(player: Player, version: int) -> None:
    player.type("mind paste", *source(version).split("\n"), ".")


async def turn_of(player: Player) -> int:
    player.type("time")
    await player.until("Turn ")
    return int(await player.until(","))


async def played_and_killed(where: str, dice: random.Random, first: int) -> dict[str, tuple[int, int]]:
    """Let all owners hand over a mind, and another one when the server is killed.

    Returns of each the versions that were handed over: the one that is kept for certain, and the last one.
    """
    command = [sys.executable, "-m", "tests.games.world.net.player_minds_server", where]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        port = int(await asyncio.to_thread(server.stdout.readline))
        players = {name: await Player.of(port, name, new=first == 1) for name in OWNERS}
        for version, player in enumerate(players.values(), first):
            await paste(player, version)
            await player.until("The mind is taken")
        for player in players.values():
            taken = await turn_of(player)
            while await turn_of(player) < taken + SAVED_TURNS:
                await asyncio.sleep(0.02)
        for version, player in enumerate(players.values(), first + len(OWNERS)):
            await paste(player, version)
        await asyncio.sleep(dice.uniform(0, 0.3))
        server.send_signal(signal.SIGKILL)
        await asyncio.to_thread(server.wait)
        for player in players.values():
            await player.close()
    return {name: (first + k, first + k + len(OWNERS)) for k, name in enumerate(OWNERS)}


async def acting_again(where: str, kept: dict[str, int]) -> None:
    """Hear of each mind that is kept that it acts, once in a turn, and no other."""
    async with running(where) as server:
        bob = await Player.of(server.telnet_port or 0, "Bob", guest=True)
        heard: dict[str, list[int]] = {name: [] for name in kept}
        begun = server.host.turns.state.world.turn
        while min(map(len, heard.values())) < 3:
            name = (await bob.until(" says: I am ")).split()[-1]
            heard[name].append(int((await bob.until("\n")).strip().rstrip(".")))
        turns = server.host.turns.state.world.turn - begun
        assert {name: set(versions) for name, versions in heard.items()} == {
            name: {version} for name, version in kept.items()
        }
        assert max(map(len, heard.values())) <= turns + 1
        await bob.close()


def test_minds_of_a_world_that_is_killed_are_there_exactly_once_and_plan_again(where: str) -> None:
    dice = random.Random(11)
    for kill in range(KILLS):
        given = loops.run(played_and_killed(where, dice, 1 + 2 * kill * len(OWNERS)))
        database = opened(where)
        kept = database.load()
        database.close()
        assert kept is not None
        assert sorted(mind.owner for mind in kept.minds) == [f"account:{name.lower()}" for name in OWNERS]
        versions = {mind.owner.partition(":")[2].title(): version_of(mind) for mind in kept.minds}
        assert all(versions[name] in given[name] for name in OWNERS), (versions, given)
        loops.run(acting_again(where, versions))

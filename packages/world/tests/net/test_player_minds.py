"""Minds of players in a running world: real sockets, real processes, a store that is killed."""

from __future__ import annotations

import asyncio
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from packages.core.tests.net.postgres import Postgres
from packages.world.tests.net.player_minds_server import WALKER, Player, opened, running
from packages.world.tests.planning.net.vicious_minds import NASTY
from turnwright.net import loop as loops
from turnwright_world.host.minds.player_mind import MINDS_MAX, PlayerMind
from turnwright_world.net.server import WorldServer
from turnwright_world.planning.net.sandbox import can_seal
from turnwright_world.rules.entities import Creature

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not can_seal(), reason="no filter of system calls that we know on this machine"),
]


async def until(condition: Callable[[], object]) -> None:
    while not condition():
        await asyncio.sleep(0.01)


def creature(server: WorldServer, name: str) -> Creature:
    found = [c for c in server.host.turns.state.world.creatures.values() if c.name == name]
    return found[0]


def test_a_mind_pasted_in_telnet_acts_when_its_player_has_gone_and_tells_it_afterwards() -> None:
    async def main() -> None:
        async with running() as server:
            kim = await Player.of(server.telnet_port or 0, "Kim")
            bob = await Player.of(server.telnet_port or 0, "Bob")
            kim.type("mind paste", *WALKER.split("\n"), ".")
            await kim.until("The mind is taken")
            kim.type("mind paste", "def plan(view, random):", "  retrun 1", ".")
            await kim.until("Line 2: this is not Python")
            kim.type("quit")
            await kim.until("acts for you")
            bob.type("look")
            await bob.until("Kim")
            await until(lambda: creature(server, "Kim").items)
            again = await Player.of(server.telnet_port or 0, "Kim", new=False)
            assert creature(server, "Kim").driver == "player"
            again.type("mind prints")
            await again.until("printed: I see 1")
            bob.type("mind prints")
            await bob.until("There is no mind of yours")
            for player in (kim, bob, again):
                await player.close()

    loops.run(main())


def hand_over(server: WorldServer, owner: str, sources: dict[str, str]) -> dict[str, Creature]:
    """Give an owner a creature for each source, with that mind, as if it were handed over and checked."""
    state, host = server.host.turns.state, server.host
    bodies = {}
    for name, source in sources.items():
        body = state.rules.new_creature(state.world, "person", "yard", name=name)
        body.owner, body.driver = owner, "none"
        bodies[name] = body
        host.minds.adopt(PlayerMind(owner, body.id, source))
    state.world.settle()
    server.loop.work()
    return bodies


@pytest.mark.long
@pytest.mark.parametrize("part", range(2))
def test_nasty_minds_harm_no_other_player_and_are_reported_to_their_owner(part: int) -> None:
    names = list(NASTY)[part::2]
    assert len(names) <= MINDS_MAX

    async def main() -> None:
        async with running() as server:
            bob = await Player.of(server.telnet_port or 0, "Bob")
            mallory = await Player.of(server.telnet_port or 0, "Mallory")
            good = hand_over(server, "account:bob", {"worker": WALKER})["worker"]
            nasty = hand_over(server, "account:mallory", {name: NASTY[name][0] for name in names})
            minding = server.host.minds
            await until(lambda: sum(minding.history(good.id).plans.values()) >= 40)
            plans = minding.history(good.id).plans
            assert plans["planned"] >= 0.95 * sum(plans.values()), plans
            for name, body in nasty.items():
                met, wanted = set(minding.history(body.id).plans), NASTY[name][1]
                assert ("planned" in met) <= (None in wanted), (name, met)
                assert met & {"slow", "error", "broken", "planned", "phase_ended"}, (name, met)
            await mallory.until("does nothing: ")
            bob.type("who")
            assert "does nothing" not in await bob.until("2 players online: Bob, Mallory.")

    loops.run(main())


# ---- players' minds in a world that is killed: each is there exactly once, and plans again -------


OWNERS = ("Kim", "Lou")
KILLS = 2
SAVED_TURNS = 3
"""The turns after which a turn is saved: the world plays at most one turn ahead of its store."""


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

    Returns, for each owner, two versions: the one that is certainly saved, and the last one.
    """
    command = [sys.executable, "-m", "packages.world.tests.net.player_minds_server", where]
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
    """Assert that each saved mind acts, once in a turn, and that no other version acts."""
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

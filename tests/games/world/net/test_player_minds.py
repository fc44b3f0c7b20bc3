"""Minds of players in a running world: real sockets, real processes, a store that is killed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from tests.games.world.net.player_minds_server import WALKER, Player, running
from tests.games.world.planning.net.vicious_minds import NASTY
from turnwright.games.world.host.minds.player_mind import MINDS_MAX, PlayerMind
from turnwright.games.world.net.server import WorldServer
from turnwright.games.world.planning.net.sandbox import can_seal
from turnwright.games.world.rules.entities import Creature
from turnwright.net import loop as loops

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
    """Give an owner a creature for each source, with that mind, as if it had been handed over and checked."""
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
def test_nasty_minds_of_a_player_harm_nobody_else_and_are_told_to_their_owner(part: int) -> None:
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

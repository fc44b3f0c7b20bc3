"""Minds of players in a running world: what greedy and hung ones of one owner change for all others.

    python bench/own_minds.py [--turns 120] [--only SCENE] [--quota 20]

A whole server (the demo's rules of planning, turns of 250 ms, a player at its port) in which creatures stand
that act by minds: honest ones compute for about a quarter of a millisecond, greedy ones for 18 ms, just under
the limit, hung ones for ever. "planned" is in how many of its turns the worst honest mind planned, and all of
them together; "last honest" is when, after a turn's minds were asked, the last honest plan came. --quota: the
creatures of one player that plan.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import websockets
from rig import markdown

from turnwright.games.world.game import WorldGame
from turnwright.games.world.host.effects import Plan
from turnwright.games.world.host.host_context import WorldConfig
from turnwright.games.world.host.minds.player_mind import PlayerMind
from turnwright.games.world.net.open_world import open_world
from turnwright.games.world.net.server import WorldServer
from turnwright.games.world.planning.limits import WORLD, PlanRules
from turnwright.games.world.planning.net.planner import PlanResult
from turnwright.games.world.planning.net.world_planner import Answer, ProcessPlanner
from turnwright.games.world.rules.entities import Place
from turnwright.net import loop as loops

PACE_US, PLAN_US = 250_000, 187_500
RULES = PlanRules(slots=2, plan_us=20_000, wall_us=60_000, phase_us=PLAN_US, weights={WORLD: 64})
HONEST = (
    "def plan(view, random):\n    x = 1\n    for i in range(5_000): x = x * 31 + i & 65535\n    return None\n"
)
GREEDY = (
    "import time\ndef plan(view, random):\n    began = time.thread_time_ns()\n"
    "    while time.thread_time_ns() - began < 18_000_000: pass\n    return None\n"
)
HUNG = "def plan(view, random):\n    while True: pass\n"
WARM_TURNS = 12
FIELDS = 40
"""Places over which the creatures are spread: what one sees has its price, too."""
HEAD = (
    "scene",
    "planned, worst honest mind",
    "planned, all honest",
    "last honest p50 / p90 ms",
    "turns left out",
)
Group = tuple[str, int, str]
"""Owner, how many, and the source of their minds."""
SCENES: dict[str, tuple[list[Group], list[Group]]] = {
    "300 honest of 15 owners": ([(f"account:o{k}", 20, HONEST) for k in range(15)], []),
    "+ 30 greedy of one other owner": (
        [(f"account:o{k}", 20, HONEST) for k in range(15)],
        [("account:mallory", 30, GREEDY)],
    ),
    "+ 100 hung of one other owner": (
        [(f"account:o{k}", 20, HONEST) for k in range(15)],
        [("account:mallory", 100, HUNG)],
    ),
    "300 honest of the world's": ([(WORLD, 300, HONEST)], []),
    "the world's + 30 greedy of one player": ([(WORLD, 300, HONEST)], [("account:mallory", 30, GREEDY)]),
    "the world's + 100 hung of one player": ([(WORLD, 300, HONEST)], [("account:mallory", 100, HUNG)]),
    "the same owner: the world's 300 honest + 30 greedy": ([(WORLD, 300, HONEST)], [(WORLD, 30, GREEDY)]),
    "the same owner: a player's 18 honest + 2 greedy": (
        [("account:kim", 18, HONEST)],
        [("account:kim", 2, GREEDY)],
    ),
}


@dataclass
class Watched:
    """Plans of honest bodies, counted by their ends."""

    honest: set[int] = field(default_factory=set)
    on: bool = False
    planned: Counter[int] = field(default_factory=Counter)
    asked: Counter[int] = field(default_factory=Counter)
    last_ms: dict[int, float] = field(default_factory=dict)
    began_ns: int = 0


class WatchedPlanner(ProcessPlanner):
    """A planner whose results are counted."""

    watched = Watched()

    def plan(self, plan: Plan, answer: Answer) -> None:
        """Note when a turn's minds are asked."""
        self.watched.began_ns = time.monotonic_ns()
        super().plan(plan, answer)

    def _planned(self, result: PlanResult) -> None:
        watched = self.watched
        if watched.on and result.body in watched.honest:
            watched.asked[result.body] += 1
            if result.reason is None:
                watched.planned[result.body] += 1
                watched.last_ms[result.turn] = (time.monotonic_ns() - watched.began_ns) / 1e6
        super()._planned(result)


def main() -> None:
    """Play the scenes and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--turns", type=int, default=120)
    parser.add_argument("--only", help="scenes whose name has this in it")
    parser.add_argument("--quota", type=int, default=RULES.seats_max)
    options = parser.parse_args()
    rules = replace(RULES, seats_max=options.quota)
    names = [name for name in SCENES if (options.only or "") in name]
    print(markdown(HEAD, [loops.run(play(name, rules, options.turns)) for name in names]))


async def play(name: str, rules: PlanRules, turns: int) -> tuple[str, ...]:
    """Play one scene; return its row."""
    good, bad = SCENES[name]
    sources = {"honest": ("minds/honest.py", HONEST), "greedy": ("minds/greedy.py", GREEDY)}
    planner = WatchedPlanner(rules, 3, sources)
    planner.watched = watched = Watched()
    opened = open_world(WorldGame(), None, seed=3)
    config = WorldConfig(pace_us=PACE_US, plan_us=PLAN_US, salt=opened.salt)
    server = WorldServer(opened, config, planner=planner, telnet_port=None)
    await server.start()
    try:
        async with websockets.connect(f"ws://127.0.0.1:{server.port}", max_queue=None) as socket:
            await socket.send(json.dumps({"type": "Hello", "name": "Looker"}))
            await turns_of(server, 3)
            world = server.host.turns.state.world
            for number in range(FIELDS):
                world.add(Place(f"field{number}", "Field", "Grass.", area=world.places["yard"].area))
            watched.honest = {body for group in good for body in populate(server, *group)}
            for group in bad:
                populate(server, *group)
            await turns_of(server, WARM_TURNS)
            skipped, watched.on = server.host.turns.stats.skipped, True
            await turns_of(server, turns)
            watched.on = False
            left_out = server.host.turns.stats.skipped - skipped
    finally:
        await server.stop()
    shares = [watched.planned[body] / watched.asked[body] for body in watched.honest]
    total = sum(watched.planned.values()) / sum(watched.asked.values())
    last = sorted(watched.last_ms.values())
    times = f"{statistics.median(last):.1f} / {last[len(last) * 9 // 10]:.1f}"
    return name, f"{min(shares):.1%}", f"{total:.2%}", times, str(left_out)


def populate(server: WorldServer, owner: str, count: int, source: str) -> list[int]:
    """Put creatures of an owner into the world, with a mind, as if it had been handed over and checked."""
    state, minding = server.host.turns.state, server.host.minds
    bodies = []
    for number in range(count):
        body = state.rules.new_creature(state.world, "person", f"field{number % FIELDS}", name="sheep")
        body.owner, body.driver = owner, "none"
        if owner == WORLD:
            body.driver, body.mind = "mind", "greedy" if source == GREEDY else "honest"
        else:
            mind: Any = PlayerMind(owner, body.id, source)
            minding.adopt(mind)
        bodies.append(body.id)
    state.world.settle()
    server.loop.work()
    return bodies


async def turns_of(server: WorldServer, count: int) -> None:
    """Wait for turns."""
    until = server.host.turns.state.world.turn + count
    while server.host.turns.state.world.turn < until:
        await asyncio.sleep(0.05)


if __name__ == "__main__":
    main()

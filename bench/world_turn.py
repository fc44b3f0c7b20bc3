"""Milliseconds that one turn of the world takes, by its parts: no sockets, no processes.

    python bench/world_turn.py [--turns N] [--repeat N] [--profile]

`busy`: 1,000 driven bodies and 2,000 minds that are awake in 300 places, and nearly all act: half of the
minds walk, half say something; of the driven half speak, a quarter walk, some strike; who dies stands up
again. `empty` is a world with one driven body that does nothing; `idle` is the same with 10,000 more
creatures, 10,000 items and 1,000 places where nobody is. The parts are what the kernel and a host ask of a
turn: `open` who is asked, `resolve` the turn itself and its digest, `observe` what each of those asked knows
afterwards. Each figure is the median (min … max) over repeats of the mean of that many turns, in processor
time of this process, with the garbage collector as a server has it.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import random
import statistics
import time

from turnwright.games.world.example import yard
from turnwright.games.world.game import WorldGame
from turnwright.games.world.intent import WorldIntent
from turnwright.games.world.rules.deaths import revive
from turnwright.games.world.rules.entities import Item, Place
from turnwright.games.world.rules.state import World
from turnwright.games.world.rules.verbs import CreatureKind, Rules
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.net.gc_pause import GcPause

PARTS = ("open", "resolve", "observe")
TARGET_MS = 100.0


def grid(world: World, width: int, height: int, name: str) -> list[str]:
    """Add places of an area, each with an exit to its neighbours in both directions; return their ids."""
    ids = [f"{name}-{k}" for k in range(width * height)]
    for k, place in enumerate(ids):
        exits = {"east": ids[(k + 1) % len(ids)], "south": ids[(k + width) % len(ids)]}
        world.add(Place(place, f"Place {k}", "A place like any other. " * 6, area=name, exits=exits))
    return ids


def rules_of(minds: int, idle: int) -> Rules:
    """Return rules whose world has so many minds in 300 places, and so many idle things far away."""
    rules = yard()
    rules.kinds["wolf"] = CreatureKind("wolf", "wolf", "", {"reaction": 20}, mind="wolf")

    def build(world: World, rules: Rules) -> None:
        places = grid(world, 20, 15, "town")
        for k in range(minds):
            rules.new_creature(world, "wolf", places[k % 300])
        far = grid(world, 50, 20, "far") if idle else []
        for k in range(idle):
            rules.new_creature(world, "wolf", far[k % 1_000])
            item = Item(world.new_id(), "stone", "stone")
            world.add(item)
            world.places[far[k % 1_000]].items.append(item.id)

    rules.build, rules.start = build, "town-0"
    rules.on_death = lambda act: revive(act.world, act.actor, act.actor.place)
    return rules


class Bench:
    """One world that is played, and how long its parts took, ns."""

    def __init__(self, driven: int, minds: int, idle: int) -> None:
        options = [{"place": f"town-{k % 300}"} for k in range(driven)]
        seats = [SeatInfo("gate"), *(SeatInfo(f"p{k}", options=o) for k, o in enumerate(options))]
        self.battle = Battle(WorldGame(rules_of(minds, idle)), {"open": True}, seats, 1)
        self.acting = driven > 1
        self.chance = random.Random(1)
        self.spent = dict.fromkeys(PARTS, 0)
        self.told = 0
        self.profile: cProfile.Profile | None = None

    def intent(self, seat: int, driven: bool) -> WorldIntent | None:
        """Return what a body does in this turn."""
        way = self.chance.random()
        if driven and way >= 0.8:
            return None
        if way < (0.25 if driven else 0.5):
            return WorldIntent("go", self.chance.choice(("east", "south")))
        if driven and way < 0.3:
            return WorldIntent("hit", "wolf")
        return WorldIntent("say", f"number {seat} says something")

    def turn(self) -> None:
        """Play one turn."""
        battle, clock = self.battle, time.process_time_ns
        if self.profile is not None:
            self.profile.enable()
        began = clock()
        opened = battle.open_turn()
        self.spent["open"] += clock() - began
        if self.acting:
            minds = set(opened.awaited)
            for seat in opened.asked[1:]:
                intent = self.intent(seat, seat not in minds)
                if intent is not None:
                    battle.submit(seat, intent, 0)
        began = clock()
        battle.cut(0)
        closed = battle.close_turn()
        resolved = clock()
        for seat in battle.game.asked(battle.state):
            battle.observe(seat)
        self.spent["resolve"] += resolved - began
        self.spent["observe"] += clock() - resolved
        if self.profile is not None:
            self.profile.disable()
        battle.state.take_changed()
        self.told += sum(map(len, battle.state.heard.values()))
        assert not closed.entry.faults, closed.entry.faults[:3]


def measure(name: str, driven: int, minds: int, idle: int, args: argparse.Namespace) -> float:
    """Print one row; return the median of the whole turn, ms."""
    bench, gc_pause = Bench(driven, minds, idle), GcPause()
    gc_pause.begin()
    laps: dict[str, list[float]] = {part: [] for part in (*PARTS, "all")}
    for lap in range(-1, args.repeat):
        bench.spent, bench.told = dict.fromkeys(PARTS, 0), 0
        visited = bench.battle.state.world.visited
        for _ in range(args.turns):
            bench.turn()
        if lap < 0:
            continue
        for part in PARTS:
            laps[part].append(bench.spent[part] / args.turns / 1e6)
        laps["all"].append(sum(bench.spent.values()) / args.turns / 1e6)
    gc_pause.end()
    cells = [f"{statistics.median(v):.3f} ({min(v):.3f} … {max(v):.3f})" for v in laps.values()]
    touched = (bench.battle.state.world.visited - visited) / args.turns
    print(f"| {name} | {' | '.join(cells)} | {touched:,.0f} | {bench.told / args.turns:,.0f} |", flush=True)
    return statistics.median(laps["all"])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=40)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--profile", action="store_true", help="show where a busy turn spends its time")
    args = parser.parse_args()
    if args.profile:
        bench = Bench(1_000, 2_000, 0)
        for _ in range(5):
            bench.turn()
        bench.profile = cProfile.Profile()
        for _ in range(args.turns):
            bench.turn()
        pstats.Stats(bench.profile).sort_stats("tottime").print_stats(35)
        return
    print("| world | open ms | resolve ms | observe ms | all ms | entities kept a turn | messages a turn |")
    print("|---|---|---|---|---|---|---|")
    busy = measure("busy: 1,000 driven, 2,000 minds", 1_000, 2_000, 0, args)
    measure("busy beside 10,000 idle", 1_000, 2_000, 10_000, args)
    args.turns *= 10
    measure("empty: one body", 1, 0, 0, args)
    measure("idle: one body, 21,000 idle", 1, 0, 10_000, args)
    print(f"\nA busy turn takes {busy:.0f} ms; {TARGET_MS:.0f} ms are the limit.")


if __name__ == "__main__":
    main()

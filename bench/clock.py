"""The world's clock and its reaction queue: how exact, how many messages, how many bytes. All from seeds.

    python bench/clock.py [--players 40] [--seconds 400] [--timers 10000]

The clocks are tried over simulated lines (`tests.simulation.clock_trial`): ours, and that of document 003
over the same lines. A line's jitter is the standard deviation of its round trip; 0.5 % of the messages are
lost once, 1 % are held up by 200 ms at most, and the clocks drift apart by 10 to 80 ppm.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from rig import markdown

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.simulation.bad_network import Conditions
from tests.simulation.clock_trial import ClockClient, OneShot, Trial, try_clock
from tests.simulation.virtual_world import VirtualWorld

from turnwright.games.world.client.clock import OFTEN_US, SELDOM_US, WorldClock
from turnwright.games.world.rules.entities import Creature, Place
from turnwright.games.world.rules.fight import insert_threat
from turnwright.games.world.rules.state import World
from turnwright.games.world.rules.threats import THREATS_MAX, ThreatPolicy
from turnwright.games.world.rules.timeline import Timeline
from turnwright.games.world.rules.verbs import CreatureKind, Rules
from turnwright.games.world.wire.packed import pack_message
from turnwright.kernel.rng import Streams

LINES = (
    ("50 ms, jitter 5", Conditions(50_000, 5_000)),
    ("100 ms, jitter 15", Conditions(100_000, 15_000)),
    ("200 ms, jitter 30", Conditions(200_000, 30_000)),
    ("100 ms, jitter 15, 20 % asymmetric", Conditions(100_000, 15_000, 0.2)),
)
DT_US = 250_000
DAY_US = 86_400_000_000
TELNET_BYTES = 5
"""IAC SB GMCP … IAC SE."""
UP_BYTES, DOWN_BYTES = 6, 2
"""A WebSocket frame's head, from a client (masked) and from a server, up to 125 bytes."""
TCP_IP_BYTES = 40
OPTION_1 = "38,400"
"""Document 003's own figure for its option 1: 100 players x 3 threats x 8 ticks/s x 16 B."""
DIES_US = 10**9


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--players", type=int, default=40)
    parser.add_argument("--seconds", type=int, default=400)
    parser.add_argument("--timers", type=int, default=10_000)
    options = parser.parse_args()
    print(f"{options.players} players for {options.seconds} s, from 10 s after joining; ms\n")
    print(clocks(options.players, options.seconds), flush=True)
    print(f"\n{options.timers:,} timers\n")
    print(timers(options.timers), flush=True)
    print("\nBytes of one message\n")
    print(sizes(), flush=True)
    print("\nBytes/s for the clock of one client\n")
    print(clock_traffic(), flush=True)
    print("\nBytes/s for 100 players with 3 threats each, all the time\n")
    print(threat_traffic())


# ---- exactness -----------------------------------------------------------------------------------------


def clocks(players: int, seconds: float) -> str:
    """Return the table of errors and late presses."""
    rows = []
    for name, line in LINES:
        for what, client in (("turnwright", WorldClock), ("document 003", OneShot)):
            rows.append((name, what, *_row(client, line, players, seconds)))
    head = ("round trip", "clock", "error p50", "p95", "max", "late presses", "ring ahead p50", "went back")
    return markdown(head, rows)


def _row(
    client: Callable[[], ClockClient], line: Conditions, players: int, seconds: float
) -> tuple[str, ...]:
    trials = [try_clock(client(), line, seed, seconds) for seed in range(players)]
    errors = sorted(error for trial in trials for error in trial.errors_us)
    leads = sorted(lead for trial in trials for lead in trial.leads_us)
    late, presses = _total(trials, "late"), _total(trials, "presses")
    return (
        *(f"{_at(errors, part) / 1000:.1f}" for part in (0.5, 0.95, 1)),
        f"{late / presses:.2%} of {presses:,}",
        f"{_at(leads, 0.5) / 1000:.0f}",
        f"{_total(trials, 'backwards')}",
    )


def _total(trials: list[Trial], name: str) -> int:
    return sum(getattr(trial, name) for trial in trials)


def _at(ordered: list[float], part: float) -> float:
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


# ---- messages ------------------------------------------------------------------------------------------


def timers(count: int) -> str:
    """Return the table of what is told while threats run, when they land, and at a pause."""
    world, bodies = World(DT_US), max(2, count // 4)
    world.add(Place("field", "Field", "A field."))
    for _ in range(bodies):
        world.add(Creature(world.new_id(), "person", "one", "field", health=DIES_US, driver="program"))
    rules = Rules(threats=ThreatPolicy(places=None))
    creatures = list(world.creatures.values())
    began = time.perf_counter()
    for k in range(count):
        source, target = creatures[(k + 1) % bodies], creatures[k % bodies]
        insert_threat(world, rules, source, target, "blow", 1, 3_000_000 + k)
    world.settle()
    inserted_us = (time.perf_counter() - began) * 1e6
    inserts = _take(world, "add")
    timeline, began, turns, running = Timeline(world, rules, Streams(1)), time.perf_counter(), 0, 0
    while world.now_us + DT_US < 3_000_000:
        _turn(world, timeline)
        turns += 1
        running += len(world.outbox.told)
    idle_us = (time.perf_counter() - began) * 1e6
    began = time.perf_counter()
    while world.timers:
        _turn(world, timeline)
    landed_us = (time.perf_counter() - began) * 1e6
    landed = _take(world, "gone")
    rows = [
        ("messages when they begin", f"{inserts:,}", f"{inserted_us / count:.0f} µs each"),
        (f"messages in {turns} turns while they run", f"{running:,}", f"{idle_us / turns:.0f} µs a turn"),
        ("messages to a client for a pause of all", f"{_pause()}", ""),
        ("messages to targets when they land", f"{landed:,}", f"{landed_us / count:.0f} µs each"),
    ]
    return markdown(("what", "count", "time"), rows)


def _turn(world: World, timeline: Timeline) -> None:
    """Play the timers of one turn."""
    world.outbox.timers = 0
    for _ in timeline.finish({}):
        pass
    world.now_us = world.reached_us


def _pause() -> int:
    """Return how many messages of clock and fight a client gets when game time stands for two seconds."""
    host = VirtualWorld.of(Rules(build=_field, start="field", threats=ThreatPolicy(places=None)))
    body = host.enter(1, "Ann")
    host.host.terminal(1, packages=True)
    state = host.host.turns.state
    ann = state.world.creatures[body]
    for _ in range(THREATS_MAX):
        insert_threat(state.world, state.rules, ann, ann, "blow", 1, 60_000_000)
    host.run_ms(2 * DT_US // 1000)
    host.packages.clear()
    host.stall_ms(2_000)
    host.run_ms(1)
    return sum(name.startswith(("Time.", "Combat.")) for name, _ in host.packages[1])


def _field(world: World, rules: Rules) -> None:
    rules.kinds["person"] = CreatureKind("person", "person")
    world.add(Place("field", "Field", "A field."))


def _take(world: World, op: str) -> int:
    """Count the messages of one kind to targets, and forget them all."""
    found = sum(message.get("op") == op for _, message in world.outbox.told)
    world.outbox.told.clear()
    return found


# ---- bytes ---------------------------------------------------------------------------------------------

A_DAY: dict[str, dict[str, Any]] = {
    "Combat.Threat.Add": {
        "id": 137, "from": 4711, "name": "a grey wolf", "kind": "bite", "damage": 12, "at": DAY_US,
        "us": 3_000_000,
    },
    "Combat.Threat.Gone": {"id": 137, "why": "landed", "damage": 12},
    "Time.Segment": {"g": DAY_US, "w": DAY_US + 71, "rate": 0},
    "Time.Ping": {"n": 360, "c": DAY_US},
    "Time.Pong": {"n": 360, "c": DAY_US, "r": DAY_US + 71, "s": DAY_US + 93},
}  # fmt: skip
"""Messages as they are after a day."""


def _json_bytes(package: str) -> int:
    return len(package) + 1 + len(msgspec.json.encode(A_DAY[package]))


def _packed_bytes(package: str) -> int:
    return len(pack_message(package, A_DAY[package]))


def sizes() -> str:
    """Return the table of sizes."""
    rows = []
    for package in A_DAY:
        text, head = _json_bytes(package), UP_BYTES if package == "Time.Ping" else DOWN_BYTES
        rows.append((package, text, text + head, text + TELNET_BYTES, _packed_bytes(package)))
    head_row = ("message", "text", "as a WebSocket frame", "as telnet GMCP", "packed")
    return markdown(head_row, [tuple(str(cell) for cell in row) for row in rows])


def clock_traffic() -> str:
    """Return the table of what pings cost."""
    there_and_back = ("Time.Ping", "Time.Pong")
    text = sum(map(_json_bytes, there_and_back))
    kinds = {
        "telnet": text + 2 * TELNET_BYTES,
        "WebSocket": text + UP_BYTES + DOWN_BYTES,
        "WebSocket, packed": sum(map(_packed_bytes, there_and_back)) + UP_BYTES + DOWN_BYTES,
    }
    rows = []
    for name, size in kinds.items():
        every = (OFTEN_US / 1e6, SELDOM_US / 1e6)
        with_heads = size + 3 * TCP_IP_BYTES  # ping, pong, and the acknowledgement of the pong
        rows.append((name, *(f"{size / s:.1f} ({with_heads / s:.0f})" for s in every)))
    head = ("connection", "first two minutes (with TCP/IP)", "then (with TCP/IP)")
    return markdown(head, rows)


def threat_traffic() -> str:
    """Return the table of what fights cost, beside a broadcast of all timers."""
    rows = [("document 003, option 1: every tick", OPTION_1, "", "")]
    for window_s in (1, 3):
        each_s = 100 * 3 / window_s
        insert, gone = ("Combat.Threat.Add", "Combat.Threat.Gone")
        for what, measure in (("JSON", _json_bytes), ("packed", _packed_bytes)):
            cells = (each_s * (measure(insert) + DOWN_BYTES), each_s * (measure(gone) + DOWN_BYTES))
            name = f"windows of {window_s} s, {what}"
            rows.append((name, "0", *(f"{cell:,.0f}" for cell in cells)))
    return markdown(("", "for timers", "for threats that begin", "for threats that end"), rows)


if __name__ == "__main__":
    main()

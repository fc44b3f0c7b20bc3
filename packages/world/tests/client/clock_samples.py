"""Scripts for a clock of the world, with the answers of Python's clock. The page's clock must give the same.

PYTHONPATH=. python packages/world/tests/client/clock_samples.py > …/tests/view/connection/clock_samples.json
"""

from __future__ import annotations

import json
import math
import random
from typing import Any

from packages.core.tests.simulation.bad_network import BadLine, Conditions, DriftingClock
from turnwright_world.client.clock import WorldClock
from turnwright_world.wire.clock import TimePong, TimeSegment

LINES = {
    "local": Conditions(200, 0, loss=0, spike=0),
    "far": Conditions(200_000, 30_000, asymmetry=0.2, loss=0.05),
}
END_US = 130_000_000


def samples() -> dict[str, list[Any]]:
    """Return the steps for each line: [method, local µs, arguments, expected result]."""
    return {name: script(line, seed) for seed, (name, line) in enumerate(LINES.items())}


def script(conditions: Conditions, seed: int) -> list[Any]:
    """Play one client, and return all its steps: the messages, the readings of its clock, and the presses."""
    chance, line = random.Random(seed), BadLine(conditions, seed)
    ours, clock, steps = DriftingClock(chance.randrange(10**9), chance.uniform(-80, 80)), WorldClock(), []
    changes = [(0, 1_000_000), (40e6, 0), (47e6, 437_000), (90e6, 1_000_000)]
    segment, now_us = TimeSegment(5_000_000, 0, 0), 0.0
    while now_us < END_US:
        if changes and changes[0][0] <= now_us:
            g = segment.g + (int(now_us) - segment.w) * segment.rate // 1_000_000
            segment = TimeSegment(g, int(now_us), changes.pop(0)[1])
            clock.change(segment)
            steps.append(["segment", ours.at(now_us), [segment.g, segment.w, segment.rate], None])
        if 120e6 < now_us < 121e6:
            ours = DriftingClock(ours.ahead_us - 3_000_000, ours.drift_ppm)  # the machine slept
            now_us = 121e6
        clock.rings = bool(chance.random() < 0.7)
        steps.append(["rings", 0, clock.rings, None])
        now_us = max(_exchange(clock, line, ours, chance, now_us, steps), now_us + 1000)
        _read(clock, ours.at(now_us), chance, steps)
        now_us += chance.random() * 4e6 if clock.ping_due_us - ours.at(now_us) > 1e6 else 150_000
    return steps


def _exchange(
    clock: WorldClock,
    line: BadLine,
    ours: DriftingClock,
    chance: random.Random,
    now_us: float,
    steps: list[Any],
) -> float:
    local = ours.at(now_us)
    ping = clock.ping(local)
    steps.append(["ping", local, None, [ping.n, ping.c, ping.l, clock.ping_due_us]])
    received = line.up(now_us)
    sent = received + chance.random() * 300
    back = line.down(sent)
    pong = TimePong(ping.n, ping.c + (chance.random() < 0.02), math.floor(received), math.floor(sent))
    taken = clock.pong(pong, ours.at(back))
    steps.append(["pong", ours.at(back), [pong.n, pong.c, pong.r, pong.s], [taken, clock.lead_us]])
    return back


def _read(clock: WorldClock, local: int, chance: random.Random, steps: list[Any]) -> None:
    for _ in range(2):
        local += chance.randrange(200_000)
        shown = [clock.wall_us(local), clock.game_us(local), clock.ring_us(local)]
        steps.append(["read", local, None, [*shown, clock.remaining_us(9_000_000, 90_000_000, local)]])
    if chance.random() < 0.4:
        steps.append(["press", local, None, clock.press(local)])
        early = chance.randrange(-20_000, 60_000)
        clock.acknowledged(early)
        steps.append(["ack", local, early, None])


if __name__ == "__main__":
    print(json.dumps(samples(), separators=(",", ":")).replace('],["', '],\n["'))

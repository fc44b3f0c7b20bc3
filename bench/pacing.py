"""Measures the turns per second of instant bots, beside those asked for.

    python bench/pacing.py [--bots 2] [--tps 10,30,60,100,200,500,999] [--measure 5] [--lateness-only]

Then, at 30 TPS with 10 and 100 bots: how late turns are. "at the server" is publish time after it was due,
from /metrics; "at a bot" is how much longer than 1/30 s the swarm waited between two observations.
"""

from __future__ import annotations

import argparse
from typing import Any

from peer import find_peers
from rig import COMPILED, Contestant, Swarm, markdown, play, serving, summary_us

LATENESS_TPS = 30
LATENESS_BOTS = (10, 100)


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--bots", type=int, default=2)
    parser.add_argument("--tps", default="10,30,60,100,200,500,999")
    parser.add_argument("--measure", type=float, default=5.0)
    parser.add_argument("--lateness-s", type=float, default=20.0)
    parser.add_argument("--lateness-only", action="store_true")
    options = parser.parse_args()
    peers, said = find_peers()
    print(said)
    contestants = [COMPILED, *peers]
    if not options.lateness_only:
        asked = [int(tps) for tps in options.tps.split(",")]
        print(f"\n{options.bots} bots; turns/s that were got\n")
        print(pacing(contestants, asked, options.bots, options.measure), flush=True)
    print(f"\n{LATENESS_TPS} TPS for {options.lateness_s:g} s; lateness in µs\n")
    print(lateness(contestants, options.lateness_s), flush=True)


def pacing(contestants: list[Contestant], asked: list[int], bots: int, measure_s: float) -> str:
    """Return the table of turns per second."""
    rows = []
    for tps in asked:
        got = []
        for contestant in contestants:
            with serving(contestant, tps) as server:
                result = play(server, Swarm.of(bots, warm_s=3.0, measure_s=measure_s))
            got.append(f"{result['tps']:.1f} ({result['tps'] / tps:.1%})")
        rows.append((tps, *got))
    return markdown(("asked", *(c.name for c in contestants)), rows)


def lateness(contestants: list[Contestant], measure_s: float) -> str:
    """Return the table of lateness at LATENESS_TPS."""
    rows = []
    for bots in LATENESS_BOTS:
        for contestant in contestants:
            ours = contestant is COMPILED
            with serving(contestant, LATENESS_TPS) as server:
                swarm = Swarm.of(bots, warm_s=3.0, measure_s=measure_s)
                result = play(server, swarm, watch_metrics=ours)
            rows.append((bots, contestant.name, *_at_server(result), *_at_bot(result)))
    head = (
        "bots",
        "server",
        "at the server p50",
        "p99",
        "at a bot p50",
        "p99",
        "max",
        "turns/s",
        "late turns",
    )
    return markdown(head, rows)


def _at_server(result: dict[str, Any]) -> tuple[str, str]:
    if result["metrics"] is None:
        return "–", "–"
    seen = summary_us(result["metrics"], "turnwright_turn_lateness_seconds")
    return f"{seen['p50']:,.0f}", f"{seen['p99']:,.0f}"


def _at_bot(result: dict[str, Any]) -> tuple[str, ...]:
    period_us = 1e6 / LATENESS_TPS
    late = [f"{result[key] - period_us:,.0f}" for key in ("p50us", "p99us", "maxus")]
    seen = result["metrics"]
    turns_late = f"{seen['turnwright_server_late_turns']:.0f}" if seen else "–"
    return (*late, f"{result['tps']:.2f}", turns_late)


if __name__ == "__main__":
    main()

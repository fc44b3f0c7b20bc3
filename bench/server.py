"""Turns per second of the whole server at unlimited TPS, beside the official server and a bare loop in C.

    python bench/server.py [--bots 2,10,100] [--runs 3] [--warm 6] [--measure 6] [--only NAME]

One C swarm is the client of all: every bot turns body, gun and radar (so all scan) and answers at once. Each
contestant gets a fresh server for each run, and they take turns, so that what else the machine does meets
all. A figure is the median (lowest … highest) of the runs; "to the peer": to the best peer; CPU is in cores.
"""

from __future__ import annotations

import argparse
import statistics
from typing import Any

from peer import find_peers
from rig import BARE, COMPILED, INTERPRETED, Contestant, Swarm, markdown, median_of, play, serving

INTERPRETED_BOTS_MAX = 10


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--bots", default="2,10,100")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--warm", type=float, default=6.0)
    parser.add_argument("--measure", type=float, default=6.0)
    parser.add_argument("--observers", type=int, default=0)
    parser.add_argument("--only", help="a part of the name of the contestants that take part")
    options = parser.parse_args()
    peers, said = find_peers()
    print(said)
    contestants = [COMPILED, INTERPRETED, *peers, BARE]
    if options.only:
        contestants = [c for c in contestants if options.only in c.name]
    for bots in map(int, options.bots.split(",")):
        swarm = Swarm.of(bots, warm_s=options.warm, measure_s=options.measure, observers=options.observers)
        there = [c for c in contestants if c is not INTERPRETED or bots <= INTERPRETED_BOTS_MAX]
        print(f"\n{bots} bots, {swarm.width}×{swarm.height}, {options.runs} runs\n")
        print(table(there, measure(there, swarm, options.runs), peers), flush=True)


def measure(there: list[Contestant], swarm: Swarm, runs: int) -> dict[str, list[dict[str, Any]]]:
    """Return every run of every contestant, by name."""
    results: dict[str, list[dict[str, Any]]] = {c.name: [] for c in there}
    for _ in range(runs):
        for contestant in there:
            with serving(contestant) as server:
                results[contestant.name].append(play(server, swarm))
    return results


def table(there: list[Contestant], results: dict[str, list[dict[str, Any]]], peers: list[Contestant]) -> str:
    """Return the table of one number of bots."""
    medians = {name: statistics.median(run["tps"] for run in runs) for name, runs in results.items()}
    base = max((medians[peer.name] for peer in peers if peer in there), default=0.0)
    rows = []
    for contestant in there:
        runs = results[contestant.name]
        rows.append(
            (
                contestant.name,
                median_of(run["tps"] for run in runs),
                f"{medians[contestant.name] / base:.2f}×" if base else "–",
                *(f"{statistics.median(run[key] for run in runs):,.0f}" for key in ("p50us", "p99us")),
                f"{statistics.median(run['srv_cpu'] for run in runs):.2f}",
                f"{statistics.median(run['rss_kb'] for run in runs) / 1000:,.0f}",
                sum(run["skipped"] for run in runs),
            )
        )
    head = ("server", "turns/s", "to the peer", "turn p50 µs", "p99 µs", "CPU", "memory MB", "skipped")
    return markdown(head, rows)


if __name__ == "__main__":
    main()

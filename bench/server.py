"""Turns per second of the whole server at unlimited TPS, beside the official server and a bare loop in C.

    python bench/server.py [--bots 2,10,100] [--runs 3] [--warm 6] [--measure 6] [--only NAME] [--before DIR]

One C swarm is the client of all: every bot turns body, gun and radar (so all scan) and answers at once. Each
contestant gets a fresh server for each run, and they take turns, so that what else the machine does meets
all. A figure is the median (lowest … highest) of the runs; "to the peer": to the best peer; CPU is in cores.
DIR is another checkout with its own .venv, e.g. of `git worktree add --detach DIR v0.1.0`: its servers take
part, too, and a last line names the speed of this one to theirs.
"""

from __future__ import annotations

import argparse
import shlex
import statistics
import sys
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
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
    parser.add_argument("--before", type=Path, help="another checkout to measure beside this one")
    options = parser.parse_args()
    peers, said = find_peers()
    print(said)
    ours = [COMPILED, INTERPRETED]
    before = [] if options.before is None else [earlier(one, options.before.resolve()) for one in ours]
    contestants = [*(one for pair in zip_longest(ours, before) for one in pair if one), *peers, BARE]
    if options.only:
        contestants = [c for c in contestants if options.only in c.name]
    for bots in map(int, options.bots.split(",")):
        swarm = Swarm.of(bots, warm_s=options.warm, measure_s=options.measure, observers=options.observers)
        slow = bots > INTERPRETED_BOTS_MAX
        there = [c for c in contestants if not (slow and "interpreted" in c.name)]
        print(f"\n{bots} bots, {swarm.width}×{swarm.height}, {options.runs} runs\n")
        results = measure(there, swarm, options.runs)
        print(table(there, results, peers), flush=True)
        for now, then in zip(ours, before, strict=False):
            if now in there and then in there:
                print(f"\n{now.name}: {to_before(results[now.name], results[then.name])}", flush=True)


def earlier(contestant: Contestant, checkout: Path) -> Contestant:
    """Return the same server of another checkout."""
    python = shlex.quote(str(checkout / ".venv" / "bin" / "python"))
    command = contestant.command.replace(shlex.quote(sys.executable), python)
    return replace(contestant, name=f"{contestant.name}, before", command=command)


def to_before(now: list[dict[str, Any]], then: list[dict[str, Any]]) -> str:
    """Return the speed of the runs to that of the runs before, each beside its neighbour in time."""
    ratios = [one["tps"] / two["tps"] for one, two in zip(now, then, strict=True)]
    return f"{statistics.median(ratios):.3f}× before ({min(ratios):.3f} … {max(ratios):.3f})"


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

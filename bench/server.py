"""Compares our server with official servers and a bare loop in C: speed, processor time, pacing.

The same C program plays the bots of all servers. Each bot turns body, gun and radar, so every tank scans in
every turn, and answers at once. Each run starts a new server. The servers are measured in rotation, so that
other load affects all of them. A figure is the median (lowest … highest) of the runs. The column "÷ fastest
peer" compares the speed with the fastest official server.

--before: DIR is another checkout with its own .venv, e.g. of `git worktree add --detach DIR v0.1.0`. Its
servers take part, too, and a last line compares speed and processor time.

--pacing: one table compares the turns per second with the requested number. The other shows how late turns
are at 30 TPS: "turn" is the time from the due time of a turn until the server resolves it. "bot" is how much
longer than 1/30 s a bot waits between two observations.
"""

from __future__ import annotations

import shlex
import statistics
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from rig import (
    BARE,
    COMPILED,
    INTERPRETED,
    Contestant,
    Swarm,
    find_peers,
    markdown,
    median_of,
    parser,
    play,
    serving,
    summary_us,
)

INTERPRETED_BOTS_MAX = 10
TPS_ASKED = (10, 30, 60, 100, 200, 500, 999)
LATENESS_TPS = 30
LATENESS_BOTS = (10, 100)


def main() -> None:
    """Measure and print the table."""
    words = parser(__doc__)
    words.add_argument("--bots", default="2,10,100", help="numbers of bots")
    words.add_argument("--runs", type=int, default=3, help="runs of each server")
    words.add_argument("--warm", type=float, default=6.0, help="seconds before measuring")
    words.add_argument("--measure", type=float, default=6.0, help="measured seconds")
    words.add_argument("--only", metavar="NAME", help="measure only servers with NAME in their name")
    words.add_argument("--before", metavar="DIR", type=Path, help="also measure this checkout")
    words.add_argument("--pacing", action="store_true", help="measure pace and lateness instead")
    options = words.parse_args()
    peers, found = find_peers()
    print(found)
    ours = [COMPILED, INTERPRETED]
    before = [] if options.before is None else [earlier(one, options.before.resolve()) for one in ours]
    contestants = [*(one for pair in zip_longest(ours, before) for one in pair if one), *peers, BARE]
    if options.only:
        contestants = [c for c in contestants if options.only in c.name]
    if options.pacing:
        contestants = [c for c in contestants if c is not BARE and "interpreted" not in c.name]
        print(f"\n2 bots; turns/s\n\n{pacing(contestants, options.measure)}", flush=True)
        print(f"\n{LATENESS_TPS} TPS; lateness in µs\n\n{lateness(contestants, options.measure)}", flush=True)
        return
    for bots in map(int, options.bots.split(",")):
        swarm = Swarm.of(bots, warm_s=options.warm, measure_s=options.measure)
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
    """Return the ratios of speed and processor time. Each run is compared with the run next to it in time."""

    def ratio(figure: Callable[[dict[str, Any]], float]) -> str:
        ratios = [figure(one) / figure(two) for one, two in zip(now, then, strict=True)]
        return f"{statistics.median(ratios):.3f} ({min(ratios):.3f} … {max(ratios):.3f})"

    return f"{ratio(lambda run: run['tps'])} × the speed before, {ratio(cpu_us)} × the CPU time per turn"


def cpu_us(run: dict[str, Any]) -> float:
    """Return the server's processor time per turn, in µs."""
    return 1e6 * float(run["srv_cpu"]) / float(run["tps"])


def measure(there: list[Contestant], swarm: Swarm, runs: int) -> dict[str, list[dict[str, Any]]]:
    """Run the contestants in rotation, and return the measurements of each run, by name."""
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
                median_of(cpu_us(run) for run in runs),
                f"{statistics.median(run['rss_kb'] for run in runs) / 1000:,.0f}",
                sum(run["skipped"] for run in runs),
            )
        )
    head = (
        "server",
        "turns/s",
        "÷ fastest peer",
        "turn p50 µs",
        "p99 µs",
        "CPU µs per turn",
        "memory MB",
        "missed turns",
    )
    return markdown(head, rows)


def pacing(contestants: list[Contestant], measure_s: float) -> str:
    """Return the table of turns per second."""
    rows = []
    for tps in TPS_ASKED:
        got = []
        for contestant in contestants:
            with serving(contestant, tps) as server:
                result = play(server, Swarm.of(2, warm_s=3.0, measure_s=measure_s))
            got.append(f"{result['tps']:.1f} ({result['tps'] / tps:.1%})")
        rows.append((tps, *got))
    return markdown(("requested", *(c.name for c in contestants)), rows)


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
        "turn p50",
        "turn p99",
        "bot p50",
        "bot p99",
        "bot max",
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

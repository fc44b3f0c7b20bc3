"""Resident memory of the server over millions of turns: what it grows by for each million, after warm-up.

    python bench/memory.py [--turns 2000000] [--warm 300000] [--bots 2] [--speed compiled|interpreted]

The slope is a least-squares line through samples of (turns resolved, resident memory), clients excluded.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time

from rig import COMPILED, INTERPRETED, Running, Swarm, metrics, playing, rss_kb, serving

SAMPLE_S = 2.0
SHOWN = 10


def main() -> None:
    """Measure and print the slope."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--turns", type=int, default=2_000_000)
    parser.add_argument("--warm", type=int, default=300_000)
    parser.add_argument("--bots", type=int, default=2)
    parser.add_argument("--speed", choices=("compiled", "interpreted"), default="compiled")
    options = parser.parse_args()
    contestant = COMPILED if options.speed == "compiled" else INTERPRETED
    with serving(contestant) as server:
        samples = watch(server, options.bots, options.warm + options.turns)
    kept = [(turns, kb) for turns, kb in samples if turns >= options.warm]
    if len(kept) < 3:
        sys.exit(f"only {len(kept)} samples after {options.warm:,} turns: give more --turns")
    for turns, kb in kept[:: max(1, len(kept) // SHOWN)]:
        print(f"{turns:>12,} turns  {kb / 1000:8.2f} MB")
    slope = statistics.linear_regression([t / 1e6 for t, _ in kept], [kb / 1000 for _, kb in kept]).slope
    print(f"{contestant.name}, {options.bots} bots: {slope:+.3f} MB per million turns")
    print(f"over {kept[-1][0] - kept[0][0]:,} turns after {options.warm:,}")


def watch(server: Running, bots: int, turns_max: int) -> list[tuple[int, int]]:
    """Play until that many turns are resolved; return samples of turns and resident kB."""
    samples: list[tuple[int, int]] = []
    with playing(server, Swarm.of(bots, warm_s=0.0, measure_s=86_400.0)) as swarm:
        while swarm.poll() is None and (not samples or samples[-1][0] < turns_max):
            time.sleep(SAMPLE_S)
            turns = int(metrics(server.port)["turnwright_turns_total"])
            samples.append((turns, rss_kb(server.pid)))
    return samples


if __name__ == "__main__":
    main()

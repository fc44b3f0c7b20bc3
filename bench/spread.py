"""One turn of 100 bots, taken apart: from the first to the last observation, and the time of each phase.

    python bench/spread.py [--bots 100] [--tps 30] [--measure 20] [--observers 1]

Read from /metrics near the end of the run, beside the profiling tables of the documents 001 and 002.
"""

from __future__ import annotations

import argparse

from rig import COMPILED, Swarm, markdown, play, serving, summary_us

DOCUMENTS = {
    "send": ("Send tick events", "3–4 ms", "5 ms"),
    "collect": ("Wait for / collect intents", "25–30 ms", "25 ms"),
    "resolve": ("Physics", "8–10 ms; 2–3 ms with spatial indexing", "3 ms"),
    "events": ("Event generation", "1–2 ms", "–"),
    "observers": ("Observer updates", "–", "2 ms"),
}
"""phase: its name, and its time, in the tables "100 bots, 30 TPS" of the documents 001 and 002."""


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--bots", type=int, default=100)
    parser.add_argument("--tps", type=int, default=30)
    parser.add_argument("--measure", type=float, default=20.0)
    parser.add_argument("--observers", type=int, default=1)
    options = parser.parse_args()
    swarm = Swarm.of(options.bots, warm_s=3.0, measure_s=options.measure, observers=options.observers)
    with serving(COMPILED, options.tps) as server:
        result = play(server, swarm, watch_metrics=True)
    seen = result["metrics"]
    spread = summary_us(seen, "turnwright_send_spread_seconds")
    print(f"{options.bots} bots, {options.observers} observers, {options.tps} TPS: got {result['tps']:.2f}\n")
    print("first to last observation of a turn, µs:", *(f"{key} {us:,.0f}" for key, us in spread.items()))
    print()
    print(phases(seen))


def phases(seen: dict[str, float]) -> str:
    """Return the table of phases beside the documents' tables."""
    rows = []
    for phase, (name, in_001, in_002) in DOCUMENTS.items():
        ours = summary_us(seen, "turnwright_phase_seconds", f'phase="{phase}"')
        times = [f"{ours[key] / 1000:.3f}" for key in ("mean", "p50", "p99")]
        rows.append((f"{phase} ({name})", *times, in_001, in_002))
    return markdown(("phase", "mean ms", "p50", "p99", "document 001", "document 002"), rows)


if __name__ == "__main__":
    main()

"""Measures the cost of spectators, and how late turns and their lines are.

First, bots that move, turn, scan and fire play a battle at 30 TPS. Spectators join during the battle, one
every 3 ms. In the rows "ours", spectators read the lines of the record, and in the second of these rows, a
fifth of them reads nothing. In the rows "official", observers read the ticks of the official protocol.
The lateness of turns is that of the whole battle, also while spectators join.

Then the bench plays pairs of duels that do not wait for spectators: one without and one with spectators. The
table has the ratios of duration and of the server's processor time per turn, and shows whether both records
have the same inputs and digests. "late" is how late a line reaches a spectator that shows 30 turns per
second. A tenth of the spectators reads nothing. All spectators use the same processor cores as the server.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from rig import (
    COMPILED,
    CONTROLLER_SECRET,
    Running,
    Swarm,
    build,
    markdown,
    median_of,
    metrics,
    parser,
    playing,
    rss_kb,
    serving,
    summary_us,
)

from turnwright.kernel.record import Record
from turnwright.net.files.reader import read_record

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

TPS = 30
INTENT = (
    '{"type":"BotIntent","turnRate":5,"gunTurnRate":5,"radarTurnRate":45,"targetSpeed":8,"firepower":0.1}'
)
START_S = 4.0
WARM_S = 3.0
DUEL_S_MAX = 300.0


def main() -> None:
    """Measure and print the tables."""
    words = parser(__doc__)
    words.add_argument("--spectators", type=int, default=1_000, help="most spectators")
    words.add_argument("--bots", type=int, default=100, help="bots in the battle")
    words.add_argument("--measure", type=float, default=20.0, help="measured seconds")
    words.add_argument("--only", metavar="NAME", default="", help="measure only rows with NAME in their name")
    words.add_argument("--apart-only", action="store_true", help="measure only the duels")
    words.add_argument("--rounds", type=int, default=10, help="rounds of a duel")
    words.add_argument("--repeat", type=int, default=3, help="pairs for each number")
    options = words.parse_args()
    if not options.apart_only:
        together(options)
    numbers = sorted({1, 100, options.spectators})
    print(f"\nA duel, {options.rounds} rounds\n\n{apart(numbers, options.repeat, options.rounds)}")


def together(options: argparse.Namespace) -> None:
    """Measure and print the table of battles at 30 TPS."""
    count = options.spectators
    cases = [
        ("none", 0, 0, True),
        ("ours", count, 0, True),
        ("ours, a fifth reads nothing", count, count // 5, True),
        ("official", count // 10, 0, False),
        ("official, all", count, 0, False),
    ]
    rows = [
        (name, number, *watched(options.bots, number, deaf, ours, options.measure))
        for name, number, deaf, ours in cases
        if options.only in name
    ]
    head = (
        *("spectators", "number", "late p50 µs", "p99 µs", "turns/s", "missed turns", "memory MB", "CPU"),
        *("frames/s each (least)", "bytes per frame", "MB/s", "closed"),
    )
    print(f"\n{options.bots} bots at {TPS} TPS, {options.measure:g} s\n\n{markdown(head, rows)}")


def apart(numbers: Sequence[int], repeat: int, rounds: int) -> str:
    """Return the table of duels that do not wait for spectators."""
    rows = []
    for number in numbers:
        pairs = [(duel(0, rounds), duel(number, rounds)) for _ in range(repeat)]
        seen = [pair[1] for pair in pairs]
        rows.append(
            (
                f"{number:,}",
                median_of((one["secs"] for one in seen), 1),
                median_of((one["secs"] / alone["secs"] for alone, one in pairs), 2),
                median_of(1e6 * one["srv_cpu"] / one["tps"] for one in seen),
                median_of(
                    (one["srv_cpu"] / one["tps"] * alone["tps"] / alone["srv_cpu"] for alone, one in pairs), 2
                ),
                all(inputs(alone["record"]) == inputs(one["record"]) for alone, one in pairs),
                sum(one["skipped"] for pair in pairs for one in pair),
                median_of(one["late_p99_ms"] for one in seen),
                median_of(one["memory"] for one in seen),
            )
        )
    head = (
        *("spectators", "seconds", "÷ without", "CPU µs per turn", "÷ without", "same record"),
        *("missed turns", "late p99 ms", "memory MB"),
    )
    return markdown(head, rows)


def duel(number: int, rounds: int) -> dict[str, Any]:
    """Play a duel at full speed with spectators from its beginning, and return its figures.

    Args:
        number: the number of spectators.

    Raises:
        RuntimeError: the swarm or the spectators failed.
    """
    build("swarm")
    with tempfile.TemporaryDirectory() as folder:
        apart = replace(COMPILED, command=f"{COMPILED.command} --pacing apart --seed 27 --records {folder}")
        swarm = Swarm.of(2, warm_s=0.0, measure_s=DUEL_S_MAX, intent=INTENT, rounds=rounds)
        with serving(apart) as server, watching(server, number) as seen:
            with playing(server, swarm) as players:
                out, err = players.communicate(timeout=DUEL_S_MAX + 60)
            memory = rss_kb(server.pid) / 1_000
        if players.returncode:
            raise RuntimeError(f"the swarm ended with exit code {players.returncode}: {err.strip()[-300:]}")
        (file,) = Path(folder).glob("**/*.twr")
        return {**json.loads(out), **seen, "memory": memory, "record": read_record(file)}


@contextmanager
def watching(server: Running, number: int) -> Iterator[dict[str, Any]]:
    """Let a number of spectators watch meanwhile. At the end, the dictionary has their counts.

    Raises:
        RuntimeError: the spectators failed.
    """
    seen: dict[str, Any] = {"late_p99_ms": 0}
    if not number:
        yield seen
        return
    words = {"-p": server.port, "-n": number, "-k": number // 10, "-f": 1, "-w": 0, "-t": 2 * DUEL_S_MAX}
    command = [str(build("spectators")), *(str(word) for pair in words.items() for word in pair)]
    process = subprocess.Popen(
        [*command, "-s", CONTROLLER_SECRET],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        process.stderr.readline()  # all have connected
        yield seen
        time.sleep(1.0)
        process.terminate()
        out, err = process.communicate(timeout=60)
        if process.returncode:
            raise RuntimeError(f"the spectators ended with {process.returncode}: {err.strip()[-300:]}")
        seen.update(json.loads(out))
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def inputs(record: Record) -> list[Any]:
    """Return the inputs, skips and digests of a record."""
    return [(one.turn, one.intents, one.skipped, one.digest) for one in record.turns]


def watched(bots: int, number: int, deaf: int, ours: bool, measure_s: float) -> tuple[Any, ...]:
    """Play and watch a battle, and return the figures of one row.

    Raises:
        RuntimeError: the swarm or the spectators failed.
    """
    build("swarm")
    coming_s = 0.003 * number
    swarm = Swarm.of(bots, warm_s=START_S, measure_s=coming_s + WARM_S + measure_s, intent=INTENT)
    with serving(COMPILED, TPS) as server, playing(server, swarm) as players:
        time.sleep(START_S)
        seen = watch(server, number, deaf, ours, measure_s) if number else idle(measure_s)
        figures, memory = metrics(server.port), rss_kb(server.pid) / 1_000
        out, err = players.communicate(timeout=60)
    if players.returncode:
        raise RuntimeError(f"the swarm ended with exit code {players.returncode}: {err.strip()[-300:]}")
    played = json.loads(out)
    late = summary_us(figures, "turnwright_turn_lateness_seconds")
    return (
        *(f"{late[name]:,.0f}" for name in ("p50", "p99")),
        f"{played['tps']:.2f}",
        played["skipped"],
        f"{memory:,.0f}",
        f"{played['srv_cpu']:.2f}",
        f"{seen['frames_s']:.1f} ({seen['least_s']:.1f})",
        f"{seen['mean_bytes']:,.0f}",
        f"{seen['mbytes_s']:.0f}",
        seen["closed"],
    )


def idle(measure_s: float) -> dict[str, Any]:
    """Wait as long as spectators would watch, and return counts of 0."""
    time.sleep(WARM_S + measure_s)
    return dict.fromkeys(("frames_s", "least_s", "mean_bytes", "mbytes_s", "closed"), 0)


def watch(server: Running, number: int, deaf: int, ours: bool, measure_s: float) -> dict[str, Any]:
    """Let spectators join, and return their counts.

    Args:
        ours: whether they read the lines of the record, and not official ticks.

    Raises:
        RuntimeError: the spectators failed.
    """
    words: dict[str, object] = {"-p": server.port, "-n": number, "-k": deaf, "-s": CONTROLLER_SECRET}
    words |= {"-f": int(ours), "-w": WARM_S, "-t": measure_s}
    command = [str(build("spectators")), *(str(word) for pair in words.items() for word in pair)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=measure_s + 90)
    if done.returncode:
        raise RuntimeError(f"the spectators ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    result: dict[str, Any] = json.loads(done.stdout)
    return result


if __name__ == "__main__":
    main()

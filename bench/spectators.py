"""100 bots at 30 TPS, watched by 1,000 spectators: how late turns are, what spectators get, and the cost.

    python bench/spectators.py [--spectators 1000] [--bots 100] [--measure 20] [--only ours] [--apart-only]
        [--repeat 3] [--rounds 10]

All bots move, turn, scan and fire. Spectators come while the game runs, over 3 s, and are in the figures of
lateness too, which are of the whole game. "ours": spectators that read the record's lines. In the second row
200 of them read nothing. "official": observers that want official ticks.

Then a duel that waits for no spectator, watched by spectators with their own clocks. It shows how long the
duel takes compared with one without spectators, played just before, and whether both records have the same
inputs and digests. It also shows how late the record's line of a turn reaches a spectator that shows 30 turns
a second. Every tenth one sleeps. Real spectators run elsewhere, and here they work on the same processors.
Their cost for the battle is the server's own processor time for a turn, compared with that without
spectators.
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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--spectators", type=int, default=1_000)
    parser.add_argument("--bots", type=int, default=100)
    parser.add_argument("--measure", type=float, default=20.0)
    parser.add_argument("--only", default="", help="a part of the name of the rows to measure")
    parser.add_argument("--rounds", type=int, default=10, help="of a duel")
    parser.add_argument("--apart-only", action="store_true")
    parser.add_argument(
        "--repeat", type=int, default=3, help="pairs of battles for each number of spectators"
    )
    options = parser.parse_args()
    if not options.apart_only:
        together(options)
    numbers = sorted({1, 100, options.spectators})
    print(f"\nA duel, {options.rounds} rounds\n\n{apart(numbers, options.repeat, options.rounds)}")


def together(options: argparse.Namespace) -> None:
    """Measure and print the table of battles that wait for the pace."""
    count = options.spectators
    cases = [
        ("nobody", 0, 0, True),
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
        *("spectators", "number", "late p50 µs", "p99 µs", "turns/s", "skipped", "memory MB", "CPU"),
        *("frames/s each (least)", "bytes a frame", "MB/s", "closed"),
    )
    print(f"\n{options.bots} bots at {TPS} TPS, {options.measure:g} s\n\n{markdown(head, rows)}")


def apart(numbers: Sequence[int], repeat: int, rounds: int) -> str:
    """Return the table of a duel that waits for no spectator."""
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
        *("spectators", "seconds", "times as long", "CPU, µs a turn", "times the CPU", "the same record"),
        *("skipped", "late p99 ms", "memory MB"),
    )
    return markdown(head, rows)


def duel(number: int, rounds: int) -> dict[str, Any]:
    """Play a duel as fast as it goes, watched by so many from its beginning; return its figures."""
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
    """Let so many spectators watch meanwhile; what they counted is in the dictionary at the end."""
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
        process.stderr.readline()  # all are there
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
    """Play and watch, and return the figures of one row."""
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
    """Watch nothing."""
    time.sleep(WARM_S + measure_s)
    return dict.fromkeys(("frames_s", "least_s", "mean_bytes", "mbytes_s", "closed"), 0)


def watch(server: Running, number: int, deaf: int, ours: bool, measure_s: float) -> dict[str, Any]:
    """Let spectators come, and return what they counted.

    Args:
        ours: they want the lines of the record, not official ticks.
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

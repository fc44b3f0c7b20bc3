"""Measures the size of records, the speed of verifying, and jumps to a turn.

Sizes: our record of a battle compared with an official recording of the same battle. We make the recording
with our own encoder, and compress it with gzip as Java does. The battles have ten built-in bots. With
--samples, another battle has ten bots from DIR.

Speeds: the processor time to verify a record in memory, and to read its file and verify it.

Jumps: the processor time to jump in a record from any turn to any other turn, with interpreted rules.

Each figure is the median (lowest … highest).
"""

from __future__ import annotations

import argparse
import gzip
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rig import median_of, parser

from turnwright import run_battle
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import Record
from turnwright.kernel.replay import Replayer
from turnwright.kernel.verify import verify
from turnwright.net.files.reader import read_record
from turnwright.net.gc_pause import gc_paused
from turnwright_tank.backends import extension
from turnwright_tank.game import TankGame
from turnwright_tank.structs import TankIntent
from turnwright_tank.wire.recording.from_record import messages_of
from turnwright_tank.wire.royale.codec import encode

BOTS = (
    "Spinner",
    "Crawler",
    "Tracker",
    "Rammer",
    "Dodger",
    "Ace",
    "Spinner",
    "Crawler",
    "Tracker",
    "Dodger",
)
FIELDS = ((2, 800, 600, 3_000), (10, 800, 600, 1_500), (100, 5_000, 5_000, 300))
"""Tanks, width, height and turns of the records in which we jump."""
SEEKS = 300
TPS = 30
WANTED = {"sizes": 10.0, "interpreted": 50.0, "compiled": 1_000.0, "seek_ms": 50.0}


def until_turns(play: Callable[[int], Path], turns: int) -> Path:
    """Play battles with more and more rounds, from three, until one has enough turns. Return its record.

    Near the end of a round, when few bots are left, official recordings are small, too.
    """
    rounds = 3
    while True:
        path = play(rounds)
        if len(read_record(path).turns) >= turns:
            return path
        rounds *= 2


# ---- sizes -----------------------------------------------------------------------------------------------


def official_bytes(record: Record) -> int:
    """Return the bytes of a `.battle.gz` of the same battle."""
    lines = b"".join(encode(message) + b"\n" for message in messages_of(record, TankGame("interpreted")))
    return len(gzip.compress(lines, 6))


def size_of(path: Path) -> dict[str, Any]:
    record = read_record(path)
    ours, theirs = path.stat().st_size, official_bytes(record)
    return {"turns": len(record.turns), "record": ours, "official": theirs, "ratio": theirs / ours}


# ---- speed -----------------------------------------------------------------------------------------------


def speed_of(path: Path, backend: Any, repeat: int) -> dict[str, Any]:
    """Return the µs to verify a turn, from memory and from the file, and the multiple of real time."""
    record, game = read_record(path), TankGame(backend)
    assert verify(record, game).ok
    turns = len(record.turns)
    memory, file = [], []
    for _ in range(repeat):
        begun = time.process_time()
        assert verify(record, game).ok
        memory.append((time.process_time() - begun) / turns * 1e6)
        begun = time.process_time()
        assert verify(read_record(path, lenient=True), game).ok
        file.append((time.process_time() - begun) / turns * 1e6)
    return {"turns": turns, "us": memory, "file_us": file, "times": [1e6 / TPS / us for us in memory]}


# ---- seeks -----------------------------------------------------------------------------------------------


def seeks_of(tanks: int, width: int, height: int, turns: int) -> dict[str, Any]:
    """Return the ms of jumps to random turns of a record in which all tanks drive, turn and scan.

    The result also has the median bytes of its keyframes.
    """
    game = TankGame("interpreted")
    setup = {"arena_width": width, "arena_height": height, "max_inactivity_turns": 10**6}
    battle = Battle(game, setup, [SeatInfo(f"b{k}") for k in range(tanks)], 1, keep_checks=True)
    record = Record(battle.header)
    for turn in range(turns):
        for seat in battle.open_turn().asked:
            wave = ((turn + 7 * seat) % 40) / 40.0
            speed = 2.0 if (turn // 60 + seat) % 2 else -2.0
            rate = 10.0 * wave - 4.0
            battle.collecting.submit(
                seat, TankIntent(target_speed=speed, turn_rate=rate, radar_turn_rate=45.0), 0
            )
        battle.end_collecting(0)
        record.turns.append(battle.close_turn().entry)
    replayer, chance = Replayer(record, game), random.Random(2)
    took, begun = [], time.process_time()
    for _ in range(SEEKS):
        with gc_paused():
            replayer.seek(chance.randint(0, turns))
        ended = time.process_time()
        took.append((ended - begun) * 1e3)  # including the garbage of the previous jump
        begun = ended
    size = statistics.median(len(entry.keyframe) for entry in record.turns if entry.keyframe)
    return {"tanks": tanks, "turns": turns, "ms": took, "keyframe": size}


def main() -> int:
    words = parser(__doc__)
    words.add_argument("--turns", type=int, default=1_000, help="turns of a battle, at least")
    words.add_argument("--repeat", type=int, default=7, help="times to verify a record")
    words.add_argument(
        "--samples", metavar="DIR", type=Path, help="a directory of ten bot directories or more"
    )
    words.add_argument("--python", metavar="PATH", help="the Python that runs these bots")
    chosen = words.parse_args()
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bots.twr"

        def of_bots(rounds: int) -> Path:
            run_battle(*BOTS, record=path, rounds=rounds, seed=1)
            return path

        until_turns(of_bots, chosen.turns)
        found["size, ten built-in bots"] = size_of(path)
        if chosen.samples is not None:
            found["size, ten samples"] = size_of(samples(chosen, Path(folder) / "samples.twr"))
        for backend in ("interpreted", "compiled") if extension.available() else ("interpreted",):
            found[f"speed, ten tanks, {backend}"] = speed_of(path, backend, chosen.repeat)
    for field in FIELDS:
        found[f"jumps, {field[0]} tanks"] = seeks_of(*field)
    print("\n".join(report(found)))
    return 0


def samples(chosen: argparse.Namespace, path: Path) -> Path:
    """Play the first ten directories by name, without teams and droids, and return the record."""
    homes = [home for home in sorted(chosen.samples.iterdir()) if (home / f"{home.name}.json").is_file()]
    bots = [home for home in homes if "Team" not in home.name and "Droid" not in home.name][:10]
    assert len(bots) == 10, f"{chosen.samples} has {len(bots)} bots"

    def play(rounds: int) -> Path:
        run_battle(*bots, record=path, rounds=rounds, seed=1, python=chosen.python)
        return path

    return until_turns(play, chosen.turns)


def report(found: dict[str, Any]) -> list[str]:
    lines = []
    for name, one in found.items():
        if "ratio" in one:
            what = f"{one['record']:,} bytes, official {one['official']:,}: 1/{one['ratio']:.1f} (goal: 1/10)"
        elif "times" in one:
            wanted = WANTED["compiled" if "compiled" in name else "interpreted"]
            times = f"{median_of(one['times'])} x real time (goal: {wanted:,.0f})"
            what = f"{median_of(one['us'], 1)} µs per turn, {times}; with reading the file"
            what += f" {median_of(one['file_us'], 1)} µs"
        else:
            keyframe = f"a keyframe {one['keyframe']:,.0f} bytes"
            what = f"{median_of(one['ms'], 1)} ms (goal: below {WANTED['seek_ms']:.0f}); {keyframe}"
        lines.append(f"{name}, {one['turns']:,} turns: {what}")
    return lines


if __name__ == "__main__":
    sys.exit(main())

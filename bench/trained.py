"""Trains a policy for some minutes and lets it fight: official samples, Ace and other house bots.

    python bench/trained.py [--bot FOLDER] [--for 10m] [--samples DIR --python PATH] [--rounds 35]
                            [--seed 1] [--keep DIR]

samples: sample-bots/python of Tank Royale's source; python: an interpreter with its bot API. Without them
only house bots are fought. FOLDER: a bot directory, trained first unless it was trained so long already. A
battle is one against one, in real time, each program in a process of its own; each record is verified. A line
of the table has the share of the score, with its 95 % interval over rounds, and the rounds won. The goals are
80 % of the score and most rounds against each sample, and 30 % of the score against Ace.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from turnwright.app.verify import verify_file

SAMPLES = (
    "Target",
    "SpinBot",
    "Crazy",
    "Fire",
    "MyFirstBot",
    "RamFire",
    "Walls",
    "VelociBot",
    "TrackFire",
    "Corners",
)
HOUSE = ("Spinner", "Rammer", "Tracker", "Crawler", "Dodger", "Ace")
HEADING = f"{'Against':22} {'Share of the score':>20} {'Rounds won':>12} {'Missed':>7} {'p99 ms':>7}  Record"
SHARE_GOAL, ACE_GOAL = 80.0, 30.0
_T95 = 2.03
"""Student's t of 34 degrees of freedom."""


def turnwright(*words: str | int | Path) -> str:
    """Return what a command of turnwright prints."""
    command = [sys.executable, "-m", "turnwright.cli", *map(str, words)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 3) or not done.stdout:
        sys.exit(f"{' '.join(command)} ended with exit code {done.returncode}")
    return done.stdout


def fight(bot: Path, opponent: str, name: str, options: list[str | Path], record: Path) -> dict[str, Any]:
    """Return how a battle of two came out, seen from the bot; its record is verified."""
    said = json.loads(
        turnwright("battle", bot, opponent, "--game-type", "1v1", "--record", record, "--json", *options)
    )
    rows = {row["name"]: row for row in said["results"]}
    mine = rows[bot.name]
    other = next(row for row in rows.values() if row is not mine)
    shares = [100.0 * a / (a + b) for a, b in zip(mine["rounds"], other["rounds"], strict=True) if a + b > 0]
    latency = said["latency"][bot.name]
    return {
        "opponent": name,
        "share": 100.0 * mine["total_score"] / max(mine["total_score"] + other["total_score"], 1),
        "aside": _T95 * stdev(shares) / math.sqrt(len(shares)) if len(shares) > 1 else math.nan,
        "mean_share": fmean(shares) if shares else math.nan,
        "won": mine["first_places"],
        "rounds": said["rounds"],
        "skipped": latency["skipped"],
        "p99_us": latency["p99_us"],
        "verified": not verify_file(record).differs,
    }


def line_of(row: dict[str, Any]) -> str:
    """Return a row of the table."""
    record = "verified" if row["verified"] else "DIFFERS"
    return (
        f"{row['opponent']:22} {row['share']:11.1f} ± {row['aside']:4.1f} % {row['won']:5}"
        f" of {row['rounds']:3} {row['skipped']:7} {row['p99_us'] / 1000:7.2f}  {record}"
    )


def main() -> None:
    """Train, fight, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bot", type=Path)
    parser.add_argument("--for", dest="time", default="10m")
    parser.add_argument("--samples", type=Path)
    parser.add_argument("--python", type=Path)
    parser.add_argument("--rounds", type=int, default=35)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for the records")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        bot = (given.bot or Path(scratch) / "Trained").resolve()
        trained = json.loads(
            turnwright("train", bot, "--for", given.time, "--seed", str(given.seed), "--json")
        )
        print(f"trained {trained['seconds']:.0f} s, {trained['turns'] / 1e6:.1f} M turns of tanks\n")
        records = given.keep or Path(scratch) / "records"
        records.mkdir(parents=True, exist_ok=True)
        options: list[str | Path] = ["--rounds", str(given.rounds), "--seed", str(given.seed)]
        entries: list[tuple[str, str, list[str | Path]]] = [(name, name, []) for name in HOUSE]
        if given.samples is not None:
            official = [
                (
                    str(given.samples / name),
                    f"official {name}",
                    ["--python", f"{name}={given.python}"] if given.python is not None else [],
                )
                for name in SAMPLES
            ]
            entries = [*official, *entries]
        print(HEADING)
        found = []
        for place, name, more in entries:
            row = fight(bot, place, name, [*options, *more], records / f"{name.replace(' ', '-')}.twr")
            found.append(row)
            print(line_of(row), flush=True)
    samples = [row for row in found if row["opponent"].startswith("official")]
    good = [row for row in samples if row["share"] >= SHARE_GOAL and 2 * row["won"] > row["rounds"]]
    ace = next(row for row in found if row["opponent"] == "Ace")
    if samples:
        print(f"\n{SHARE_GOAL:.0f} % of the score and most rounds: {len(good)} of {len(samples)} samples")
    print(f"Ace: {ace['share']:.1f} % of the score (goal {ACE_GOAL:.0f} %)")


if __name__ == "__main__":
    main()

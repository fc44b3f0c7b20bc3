"""Try bots of other projects: each against Spinner, and those of a source together.

    python tests/peers/strangers.py SOURCES.toml RESULTS.json [--clock patient] [--clock default]

SOURCES.toml names what a developer has fetched outside of this repository:

    [[source]]
    repository = "owner/name"
    commit = "0123456789ab"
    api = "Java 0.30.0"
    root = "/elsewhere/name/bots"   # holds the bot directories
    bots = ["One", "Two"]           # default: all
    path = "/elsewhere/runtime/bin" # default: none; programs in it are found first
    changed = "address removed"     # default: nothing was

Every battle is added to RESULTS.json and not played twice. The table of all of them is printed as Markdown.
The bots run in a separate network, which has nothing but the loopback interface.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

CLOCKS: Mapping[str, list[str]] = {"patient": ["--patient"], "default": []}
BATTLE_TIMEOUT_S = 300
OPPONENT = "Spinner"
ALONE = [
    "unshare",
    "-n" if os.geteuid() == 0 else "-rn",
    "--",
    "sh",
    "-c",
    'ip link set lo up && exec "$@"',
    "sh",
]
"""Starts a program in a separate network."""

Source = dict[str, Any]
Results = dict[str, dict[str, str]]
"""The outcomes, by battle and then by clock."""


def main(words: Sequence[str]) -> int:
    """Play the battles that are missing, and print the table."""
    parser = argparse.ArgumentParser(description="Try bots of other projects.")
    parser.add_argument("sources", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--clock", action="append", choices=CLOCKS, default=[])
    given = parser.parse_args(words)
    sources: list[Source] = tomllib.loads(given.sources.read_text(encoding="utf-8"))["source"]
    results: Results = json.loads(given.results.read_text()) if given.results.exists() else {}
    for clock in given.clock:
        for name, bots, path in battles(sources):
            found = results.setdefault(name, {})
            if clock not in found:
                found[clock] = play(bots, path, CLOCKS[clock])
                print(f"{name}, {clock}: {found[clock]}", file=sys.stderr, flush=True)
                given.results.write_text(json.dumps(results, indent=1))
    print(table(sources, results))
    return 0


def battles(sources: Sequence[Source]) -> Iterator[tuple[str, list[str], str]]:
    """Yield each battle: its name, its bots in addition to the opponent, and the folder of their programs."""
    for source in sources:
        root, bots, path = Path(source["root"]), bots_of(source), source.get("path", "")
        for bot in bots:
            yield f"{source['repository']} {bot}", [str(root / bot)], path
        if len(bots) > 1:
            yield f"{source['repository']} {MELEE.format(len(bots))}", [str(root / bot) for bot in bots], path


MELEE = "all {} together"


def bots_of(source: Source) -> list[str]:
    """Return the names of a source's bot directories."""
    root = Path(source["root"])
    there = sorted(path.name for path in root.iterdir() if (path / f"{path.name}.json").is_file())
    return list(source.get("bots", there))


def play(bots: Sequence[str], path: str, clock: Sequence[str]) -> str:
    """Play one battle and return its outcome."""
    environ = {**os.environ, "PATH": os.pathsep.join(filter(None, (path, os.environ["PATH"])))}
    words = ["battle", *bots, OPPONENT, "--rounds=1", "--seed=1", "--json", *clock]
    try:
        done = subprocess.run(
            [*ALONE, sys.executable, "-m", "turnwright.cli", *words],
            env=environ,
            capture_output=True,
            text=True,
            timeout=BATTLE_TIMEOUT_S,
        )
    except subprocess.TimeoutExpired:
        return f"not over after {BATTLE_TIMEOUT_S} s"
    return outcome(done.stdout, done.stderr)


def outcome(printed: str, error: str) -> str:
    """Return the outcome of a battle in a few words.

    Args:
        printed: its JSON, "" where it did not begin.
        error: its error output.
    """
    if not printed.startswith("{"):
        said = [line for line in error.splitlines() if line.startswith("turnwright: ")]
        return f"did not play: {said[0].split(': ')[1]}" if said else "did not play"
    result = json.loads(printed)
    missed = {name: row["skipped"] for name, row in result["latency"].items() if name != OPPONENT}
    turns = result["turns"]
    if failures := {name: row["text"] for name, row in result["failures"].items()}:
        told = ", ".join(f"{name} {text}" for name, text in failures.items())
        why = next(iter(result["failures"].values()))["error"]
        return f"{turns} turns; {told}" + (
            f": {why.partition(',')[0][:100]}" if len(failures) == 1 and why else ""
        )
    most = max(missed.values())
    return f"plays: {turns} turns, " + ("none missed" if not most else f"{most} missed")


def table(sources: Sequence[Source], results: Results) -> str:
    """Return the results as a table in Markdown."""
    lines = ["| Repository | Commit | Bot | API | " + " | ".join(f"{clock} clock" for clock in CLOCKS) + " |"]
    lines.append("|---" * (4 + len(CLOCKS)) + "|")
    for source in sources:
        repository = source["repository"]
        bots = bots_of(source)
        for bot in [*bots, *([MELEE.format(len(bots))] if len(bots) > 1 else [])]:
            found = results.get(f"{repository} {bot}", {})
            changed = f" ({source['changed']})" if "changed" in source else ""
            commit = f"`{source['commit'][:12]}`"
            cells = [
                repository,
                commit,
                bot + changed,
                source["api"],
                *(found.get(clock, "–") for clock in CLOCKS),
            ]
            lines.append("| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

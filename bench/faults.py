"""Counts the faults in records whose turn, tank and field `verify` names.

    python bench/faults.py [--faults N] [--seed N] [--record FILE.twr] [--lines] [--json]

In a battle of ten house bots (or in FILE) one intent of one seat is given another value; what differs then is
known from both states, whole, and compared with what verify says, which has the record's digits alone. Verify
names what differs by the next full check; a tank or a field counts as right when the one that the fault hit
first is among them.

--lines: what is changed is the text of a line of the file, one value of an intent in it, so that the chain of
hashes breaks there, and a line says only what differs from the one before.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from records import HOUSE

from turnwright import run_battle
from turnwright.games.tank.game import TankGame
from turnwright.kernel.record import Record
from turnwright.kernel.replay import replay
from turnwright.kernel.state_checks import fields
from turnwright.kernel.verify import Mismatch, verify
from turnwright.net.files.reader import read_record
from turnwright.wire.record.v2 import decode_lines

KINDS = (
    "turn_rate",
    "gun_turn_rate",
    "radar_turn_rate",
    "target_speed",
    "firepower",
    "rescan",
    "body_color",
    "adjust_gun_for_body_turn",
)
TURNS = 1_200
AFTER = 70
"""Turns that are left behind a fault at least, so that the next checks of everything come."""


def other_value(kind: str, said: Any, chance: random.Random) -> Any:
    if kind == "body_color":
        return f"#{chance.randrange(1 << 24):06x}"
    return chance.uniform(-3.0, 3.0) if kind not in ("rescan", KINDS[-1]) else not said


def faulty(record: Record, chance: random.Random) -> tuple[Record, int]:
    """Return the record with one intent changed, and the index of its turn."""
    while True:
        at = chance.randrange(len(record.turns) - AFTER)
        entry = record.turns[at]
        if entry.intents:
            break
    seat, kind = chance.choice(sorted(entry.intents)), chance.choice(KINDS)
    intent = entry.intents[seat]
    other = msgspec.structs.replace(intent, **{kind: other_value(kind, getattr(intent, kind), chance)})
    turns = list(record.turns)
    turns[at] = replace(entry, intents={**entry.intents, seat: other})
    return replace(record, turns=turns), at


def first_difference(
    record: Record, game: TankGame, states: list[dict[str, bytes]], at: int
) -> tuple[int, set[str]]:
    """Return the turn whose state differs first from the true one, and its fields; 0 where none does."""
    for index, (entry, _, battle) in enumerate(replay(record, game)):
        if index >= at:
            now, true = dict(fields(game, battle.state)), states[index]
            if now != true:
                return entry.turn, {name for name in {*now, *true} if now.get(name) != true.get(name)}
    return 0, set()


def named(field: str) -> str:
    """Return a field as verify names it: without its row, of tanks and scores without the table."""
    table, rest = field.split("[")
    column = rest.split(".")[1]
    return column if table in ("tanks", "scores") else f"{table}.{column}"


def measure(record: Record, faults: int, seed: int) -> Counter[str]:
    game, chance = TankGame("auto"), random.Random(seed)
    states = [dict(fields(game, battle.state)) for _, _, battle in replay(record, game)]
    tally: Counter[str] = Counter()
    while tally["faults"] < faults:
        changed, at = faulty(record, chance)
        turn, odd = first_difference(changed, game, states, at)
        count(tally, verify(changed, game).mismatch, turn, odd)
    return tally


def count(tally: Counter[str], found: Mismatch | None, turn: int, odd: set[str]) -> None:
    """Count what verify has found. turn: the first that differs; 0: none does; odd: the fields that do."""
    said = found is not None and found.what != "line"
    if not turn or found is None or not said:
        kind = "a difference" if turn else "no difference"
        tally[f"{kind}, {'but one' if said else 'and none'} said"] += 1
        tally["faults"] += turn > 0
        return
    tally["faults"] += 1
    seats = {int(name.split("[")[1].split("]")[0]) for name in odd if name.startswith(("tanks", "scores"))}
    tally["turn"] += found.turn == turn
    tally["tank"] += bool(seats & set(found.seats))
    tally["that tank alone"] += seats == set(found.seats)
    tally["field"] += bool(set(found.fields) & set(map(named, odd)))
    tally["the same again before the full check"] += found.seen is None


# ---- in the text of a file -------------------------------------------------------------------------------


def other_text(said: Any, chance: random.Random) -> Any:
    if isinstance(said, bool):
        return not said
    return f"#{chance.randrange(1 << 24):06X}" if isinstance(said, str) else chance.uniform(-3.0, 3.0)


def faulty_line(line: bytes, chance: random.Random) -> bytes | None:
    """Return a line of a turn with one value of one intent changed; None where no intent changes in it."""
    intents = json.loads(line).get("i", {})
    places = [(seat, key) for seat, intent in intents.items() for key in intent if key != "type"]
    if not places:
        return None
    seat, key = chance.choice(places)
    intents[seat][key] = other_text(intents[seat][key], chance)
    text = json.dumps({**json.loads(line), "i": intents}, separators=(",", ":"), ensure_ascii=False)
    return text.encode() + b"\n"


def measure_lines(path: Path, faults: int, seed: int) -> Counter[str]:
    game, chance = TankGame("auto"), random.Random(seed)
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)[: 1 + TURNS]
    record = decode_lines(lines, lambda _: game.read_intent)
    states = [dict(fields(game, battle.state)) for _, _, battle in replay(record, game)]
    tally: Counter[str] = Counter()
    while tally["faults"] < faults:
        at = chance.randrange(1, len(lines) - AFTER)
        line = faulty_line(lines[at], chance)
        if line is None:
            continue
        text = [*lines[:at], line, *lines[at + 1 :]]
        changed = decode_lines(text, lambda _: game.read_intent, lenient=True)
        if changed.broken is None or changed.broken.line != at + 1:
            tally["line not found at once"] += 1
            continue
        played = replace(changed, turns=changed.turns[:at], broken=None)
        turn, odd = first_difference(played, game, states, at - 1)
        count(tally, verify(changed, game).mismatch, turn, odd)
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--faults", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", type=Path, help="instead of a battle of house bots")
    parser.add_argument("--lines", action="store_true", help="change the text of a line")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = chosen.record or Path(folder) / "house.twr"
        if chosen.record is None:
            run_battle(*HOUSE, record=path, rounds=3, seed=chosen.seed)
        if chosen.lines:
            tally = measure_lines(path, chosen.faults, chosen.seed)
        else:
            record = read_record(path)
            record = replace(record, turns=record.turns[:TURNS], footer=None, truncated=True)
            tally = measure(record, chosen.faults, chosen.seed)
    if chosen.json:
        print(json.dumps(tally))
    else:
        for name, number in tally.items():
            print(f"{name}: {number:,} ({number / tally['faults']:.1%})")
    return 0


if __name__ == "__main__":
    sys.exit(main())

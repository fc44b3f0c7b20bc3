"""How surely `verify` names the turn, the tank and the field that differ, of faults put into a record.

    python bench/faults.py [--faults N] [--seed N] [--record FILE.twr] [--json]

In a battle of ten house bots (or in FILE) one intent of one seat is given another value; what differs then is
known from both states, whole, and compared with what verify says, which has the record's digits alone. A
field counts as right when it is one of those that differ, a tank when its state does.
"""

from __future__ import annotations

import argparse
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
from turnwright.games.tank import compiled
from turnwright.games.tank.game import TankGame
from turnwright.kernel.checks import fields
from turnwright.kernel.record import Record
from turnwright.kernel.replay import replay, verify
from turnwright.net.records import read_record

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
    game, chance = TankGame("numba" if compiled.available() else "python"), random.Random(seed)
    states = [dict(fields(game, battle.state)) for _, _, battle in replay(record, game)]
    tally: Counter[str] = Counter()
    while tally["faults"] < faults:
        changed, at = faulty(record, chance)
        turn, odd = first_difference(changed, game, states, at)
        found = verify(changed, game).mismatch
        if not turn:
            tally["no difference, and none said"] += found is None
            tally["no difference, but one said"] += found is not None
            continue
        tally["faults"] += 1
        if found is None:
            continue
        seats = {
            int(name.split("[")[1].split("]")[0]) for name in odd if name.startswith(("tanks", "scores"))
        }
        tally["turn"] += found.turn == turn
        tally["tank"] += found.seat in seats
        tally["field"] += found.field in {named(name) for name in odd}
        tally["field, at once"] += found.field != "state" and found.seen == found.turn
        tally["no field"] += found.field == "state"
        tally["wrong field"] += found.field not in {"state", *map(named, odd)}
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--faults", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", type=Path, help="instead of a battle of house bots")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = chosen.record or Path(folder) / "house.twr"
        if chosen.record is None:
            run_battle(*HOUSE, record=path, rounds=3, seed=chosen.seed)
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

"""Seeded tank battles of scripted tanks, and the digests of their states: the same on every platform.

Needs nothing but the rules and msgspec, so that any interpreter can run it:

    python -m packages.tank.tests.golden.battles [--speed interpreted|compiled] [--seats-max N]

plays those with at most N seats (default: all) and compares with digests.json. If a battle differs, it prints
the first turn that does, and the exit code is 4.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from turnwright.kernel.battle import Battle, Closed
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.play import Player, play
from turnwright.kernel.record import digest
from turnwright.kernel.rng import Stream, Streams
from turnwright_tank.game import TankGame
from turnwright_tank.structs import Observation, TankIntent

GOLDEN = Path(__file__).with_name("digests.json")
EVERY = 250
EXIT_MISMATCH = 4


@dataclass(frozen=True)
class Golden:
    """A battle to play: its seed, setup, seats and how its tanks behave."""

    name: str
    seed: int
    seats: tuple[SeatInfo, ...]
    behave: Callable[[Stream], Player]
    setup: dict[str, Any] = field(default_factory=dict)


def _wild(stream: Stream) -> Player:
    """Return a player with random intents, in range or out of it. It misses one turn of ten."""

    def answer(observation: Observation) -> TankIntent | None:
        if stream.below(10) == 0:
            return None
        return TankIntent(
            turn_rate=_spread(stream, 14.0),
            gun_turn_rate=_spread(stream, 26.0),
            radar_turn_rate=_spread(stream, 60.0),
            target_speed=_spread(stream, 10.0),
            firepower=None if stream.below(3) else _spread(stream, 3.5),
            adjust_gun_for_body_turn=bool(stream.below(2)),
            adjust_radar_for_body_turn=bool(stream.below(2)),
            adjust_radar_for_gun_turn=bool(stream.below(2)),
            rescan=stream.below(5) == 0,
            fire_assist=bool(stream.below(2)),
            body_color=("#123456", "#abc", "")[stream.below(3)],
        )

    return answer


def _hunter(stream: Stream) -> Player:
    """Return a player that drives on and fires while it sees a tank, and otherwise turns to find one."""
    power = 0.1 + 2.9 * stream.uniform()
    speed = 4.0 + 4.0 * stream.uniform()

    def answer(observation: Observation) -> TankIntent:
        sees = [e for e in observation.events if type(e).__name__ == "ScannedBotEvent"]
        turn = 10.0 if stream.below(2) else -3.0
        return TankIntent(
            turn_rate=turn if not sees else 0.5,
            gun_turn_rate=0.0 if sees else 5.0,
            radar_turn_rate=45.0 if not sees else -20.0,
            target_speed=speed,
            firepower=power if sees else 0.0,
        )

    return answer


def _spread(stream: Stream, limit: float) -> float:
    return (2.0 * stream.uniform() - 1.0) * limit


def _tanks(count: int, **options: Any) -> tuple[SeatInfo, ...]:
    return tuple(SeatInfo(f"Tank {index}", options=dict(options)) for index in range(count))


def _teams(sizes: tuple[int, ...]) -> tuple[SeatInfo, ...]:
    """Return teams whose first member has a radar and whose others are droids."""
    seats: list[SeatInfo] = []
    for team, size in enumerate(sizes, 1):
        seats += [SeatInfo(f"Team {team}.{i}", team=team, options={"droid": i > 0}) for i in range(size)]
    return tuple(seats)


def _placed() -> tuple[SeatInfo, ...]:
    """Return four tanks that drive at each other along the axes, where angles are exact."""
    places = [(100, 300, 0), (700, 300, 180), (400, 100, 90), (400, 500, 270)]
    return tuple(
        SeatInfo(f"Tank {i}", options={"initial_position": {"x": x, "y": y, "direction": d}})
        for i, (x, y, d) in enumerate(places)
    )


def golden_battles() -> list[Golden]:
    """Return the battles, in order."""
    short = {"number_of_rounds": 2, "max_inactivity_turns": 120}
    small = {"arena_width": 400, "arena_height": 400, "number_of_rounds": 3, "max_inactivity_turns": 100}
    wide = {"arena_width": 5000, "arena_height": 5000, "number_of_rounds": 1, "max_inactivity_turns": 20}
    return [
        Golden("a duel of wild tanks", 1, _tanks(2), _wild, short),
        Golden("a duel of hunters", 2, _tanks(2), _hunter, short),
        Golden("four wild tanks in a small arena", 3, _tanks(4), _wild, small),
        Golden("ten hunters", 4, _tanks(10), _hunter, {**short, "number_of_rounds": 1}),
        Golden("ten wild tanks", 5, _tanks(10), _wild, {**short, "number_of_rounds": 1}),
        Golden("teams with droids", 6, _teams((2, 3)), _hunter, short),
        Golden("given places on the axes", 7, _placed(), _hunter, short),
        Golden("guns that cool slowly", 8, _tanks(3), _wild, {**short, "gun_cooling_rate": 0.03}),
        Golden("forty hunters on a wide plain", 9, _tanks(40), _hunter, wide),
    ]


def digests_of(golden: Golden, game: TankGame) -> dict[str, Any]:
    """Play a battle. Return its turns, scores, the digest of every EVERY-th turn and one over all digests."""
    battle = Battle(game, golden.setup, golden.seats, golden.seed)
    scripts = Streams(golden.seed)
    players = {seat: golden.behave(scripts.stream("golden", seat)) for seat in range(len(golden.seats))}
    turns: list[str] = []

    def keep(closed: Closed) -> None:
        turns.append(closed.entry.digest)

    outcome = play(battle, players, record=keep)
    return {
        "turns": len(turns),
        "scores": list(outcome.scores),
        "some": {str(turn): turns[turn - 1] for turn in range(EVERY, len(turns), EVERY)},
        "all": digest("".join(turns).encode()),
    }


def compare(game: TankGame, seats_max: int = 1000) -> list[str]:
    """Play battles of at most `seats_max` seats. Return a line for each that differs from digests.json."""
    wanted = json.loads(GOLDEN.read_text(encoding="utf-8"))
    if wanted["behaviour_version"] != game.behaviour_version:
        return [f"behaviour version {game.behaviour_version}, digests.json has {wanted['behaviour_version']}"]
    found = []
    for golden in (one for one in golden_battles() if len(one.seats) <= seats_max):
        theirs, ours = wanted["battles"][golden.name], digests_of(golden, game)
        if theirs != ours:
            turns = [int(t) for t, value in theirs["some"].items() if ours["some"].get(t) != value]
            found.append(f"{golden.name}: differs by turn {min(turns, default=theirs['turns'])}")
    return found


def main() -> int:
    """Compare on this interpreter, print the result, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--speed", choices=("interpreted", "compiled"), default="interpreted")
    parser.add_argument("--seats-max", type=int, default=1000)
    given = parser.parse_args()
    started = time.monotonic()
    found = compare(TankGame(given.speed), given.seats_max)
    took_s = time.monotonic() - started
    where = f"{platform.python_implementation()} {platform.python_version()} {platform.machine()}"
    print(f"{where} {given.speed}: {'; '.join(found) or 'the same digests'} ({took_s:.1f} s)")
    return EXIT_MISMATCH if found else 0


if __name__ == "__main__":
    sys.exit(main())

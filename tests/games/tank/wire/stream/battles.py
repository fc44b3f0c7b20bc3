"""Random battles as spectators see them, for the tests of the stream."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec

from tests.games.tank.battles import random_intent
from tests.games.tank.wire.royale.tick_battles import painted, random_seats, random_setup
from turnwright.games.tank.game import TankGame
from turnwright.games.tank.intent import TankIntent
from turnwright.games.tank.observation import Frame
from turnwright.games.tank.wire.stream.read import KnownBot
from turnwright.games.tank.wire.stream.write import BotStanding, BotTimes
from turnwright.kernel.rng import Streams

_WORDS = ("hello\n", "</script><script>alert(1)</script>", "\u202egnp.exe", "\x00\x1b[31m", '"', "x" * 5_000)


def roster(tanks: int) -> dict[int, KnownBot]:
    """Return the bots of `frames`, by id, without what a seed decides."""
    return {seat + 1: KnownBot(f"bot{seat}", "1") for seat in range(tanks)}


def _said(chance: random.Random) -> dict[str, Any]:
    names = ("std_out", "std_err", "debug_graphics")
    return {name: chance.choice(_WORDS) for name in names if chance.random() < 0.1}


def frames(number: int, tanks: int, turns: int) -> Iterator[Frame]:
    """Yield what spectators see of a random battle: deaths, rounds, colours, texts, debug graphics."""
    chance = random.Random(number)
    game, streams = TankGame("interpreted"), Streams(number)
    state = game.setup(random_setup(chance, tanks), random_seats(chance, tanks), streams)
    for _ in range(turns):
        if game.outcome(state) is not None:
            return
        said = {
            seat: msgspec.structs.replace(painted(chance, random_intent(chance)), **_said(chance))
            for seat in game.asked(state)
            if state.turn_number == 1 or chance.random() < 0.3
        }
        if chance.random() < 0.01:
            game.retire(state, chance.randrange(tanks))
        if chance.random() < 0.05:
            state.debugging ^= {chance.randrange(tanks)}
        game.resolve(state, said, streams)
        yield game.frame(state)


def busy_frames(tanks: int, turns: int, steady: bool) -> Iterator[Frame]:
    """Yield a battle on 5000 × 5000 in which all move, turn, scan and fire; steady: always the same way."""
    chance = random.Random(tanks)
    game, streams = TankGame("interpreted"), Streams(3)
    seats = random_seats(random.Random(1), tanks)
    for info in seats:
        info.options["droid"] = False
    setup = {"arena_width": 5000, "arena_height": 5000, "number_of_rounds": 1, "max_inactivity_turns": 10**6}
    state = game.setup(setup, seats, streams)
    for _ in range(turns):
        said = {seat: _busy(chance, steady) for seat in game.asked(state)}
        game.resolve(state, said, streams)
        for tank in state.tables.rows.tanks:  # type: ignore[attr-defined]  # interpreted ones
            tank.energy = max(tank.energy, 50.0)
        yield game.frame(state)


def _busy(chance: random.Random, steady: bool) -> TankIntent:
    if steady:
        return TankIntent(
            turn_rate=5.0, gun_turn_rate=5.0, radar_turn_rate=45.0, target_speed=8.0, firepower=1.0
        )
    return TankIntent(
        turn_rate=chance.uniform(-5, 5),
        gun_turn_rate=chance.uniform(-20, 20),
        radar_turn_rate=45.0,
        target_speed=chance.uniform(2, 8),
        firepower=chance.uniform(0.1, 1.0),
    )


def random_times(chance: random.Random, tanks: int) -> BotTimes:
    """Return what a turn of so many bots may have taken."""
    ids = range(1, tanks + 1)
    return BotTimes(
        skipped=[i for i in ids if chance.random() < 0.05],
        late_ns={i: chance.randrange(50_000_000) for i in ids if chance.random() < 0.05},
        answer_ns={i: int(chance.gauss(800_000, 150_000)) for i in ids if chance.random() < 0.95},
        rtt_ns={i: 100_000 * i for i in ids if i % 3},
        lag_ns=chance.choice([None, 0, chance.randrange(5_000_000)]),
        disconnected=[i for i in ids if i % 7 == 3],
        disqualified=[i for i in ids if i % 11 == 4],
    )


def random_standings(chance: random.Random, tanks: int) -> list[BotStanding]:
    """Return what so many bots may have reached; most stay where they began."""
    some = [chance.randrange(1, 500) if chance.random() < 0.1 else 0 for _ in range(4 * tanks)]
    return [BotStanding(*some[4 * k : 4 * k + 4]) for k in range(tanks)]

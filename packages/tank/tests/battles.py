"""Random battles for tests. Everything in a battle follows from its number."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any

from turnwright.kernel.game import SeatInfo
from turnwright.kernel.rng import Streams
from turnwright_tank.game import TankGame
from turnwright_tank.state import TankBattleState
from turnwright_tank.structs import TankIntent

Intents = dict[int, TankIntent]


def random_setup(chance: random.Random, tanks: int) -> tuple[dict[str, Any], list[SeatInfo]]:
    """Return the setup and the seats of a battle in a small arena, in which tanks meet."""
    side = 50 * (tanks + 1)
    setup = {
        "arena_width": chance.choice([400, 500, 800, side]) if side <= 400 else side,
        "arena_height": chance.choice([400, 600, 1000]),
        "number_of_rounds": 2,
        "gun_cooling_rate": chance.choice([0.1, 0.1, 0.5, 3.0]),
        "max_inactivity_turns": chance.choice([5, 40, 450]),
    }
    seats = []
    teams = chance.random() < 0.3
    for seat in range(tanks):
        wish = {}
        if chance.random() < 0.2:
            wish = {
                "x": chance.uniform(0, 400),
                "y": chance.uniform(0, 400),
                "direction": chance.uniform(-400, 800),
            }
        options = {"droid": chance.random() < 0.1, "initial_position": wish}
        seats.append(SeatInfo(f"bot{seat}", "1", seat % 3 if teams else None, options))
    return setup, seats


def random_intent(chance: random.Random) -> TankIntent:
    """Return a random intent, in which every field may be set."""
    said: dict[str, Any] = {
        "turn_rate": chance.choice([0.0, 3.0, -4.0, chance.uniform(-15, 15)]),
        "gun_turn_rate": chance.choice([0.0, 5.0, chance.uniform(-30, 30)]),
        "radar_turn_rate": chance.choice([0.0, 45.0, chance.uniform(-60, 60)]),
        "target_speed": chance.choice([8.0, -8.0, 0.0, chance.uniform(-10, 10)]),
        "firepower": chance.choice([0.0, 0.1, 1.0, 3.0, chance.uniform(0, 4)]),
        "adjust_gun_for_body_turn": chance.random() < 0.5,
        "adjust_radar_for_body_turn": chance.random() < 0.5,
        "adjust_radar_for_gun_turn": chance.random() < 0.5,
        "rescan": chance.random() < 0.2,
    }
    if chance.random() < 0.3:
        said["fire_assist"] = chance.random() < 0.5
    if chance.random() < 0.1:
        said["bullet_color"] = chance.choice(["#fff", "#12AB9f", "red", ""])
    return TankIntent(**{name: value for name, value in said.items() if chance.random() < 0.9})


def play(
    game: TankGame, number: int, *, turns: int = 120, tanks: int | None = None
) -> Iterator[tuple[TankBattleState, Intents]]:
    """Yield the state after every turn of a random battle, and the intents that led to it."""
    chance = random.Random(number)
    setup, seats = random_setup(chance, tanks or chance.randint(2, 20))
    streams = Streams(number)
    state = game.setup(setup, seats, streams)
    stored: Intents = {}
    for _ in range(turns):
        if game.outcome(state) is not None:
            return
        intents: Intents = {}
        for seat in game.asked(state):
            if chance.random() < 0.05:
                intents[seat] = game.default_intent(state, seat, chance.choice(["repeat", "idle"]))
                continue
            if seat not in stored or chance.random() < 0.2:
                stored[seat] = random_intent(chance)
            intents[seat] = stored[seat]
        if chance.random() < 0.002:
            game.retire(state, chance.randrange(len(seats)))
        game.resolve(state, intents, streams)
        yield state, intents


def digests(game: TankGame, number: int, **options: Any) -> list[str]:
    """Return the digest of every turn of a random battle."""
    return [blake2b(game.snapshot(s), digest_size=8).hexdigest() for s, _ in play(game, number, **options)]


def sights(game: TankGame, number: int, encode: Callable[[Any], bytes], **options: Any) -> list[bytes]:
    """Return the observations and frames of a random battle, turn by turn."""
    seen = []
    for state, _ in play(game, number, **options):
        seen += [encode(game.observe(state, seat)) for seat in state.started]
        seen.append(encode(game.frame(state)))
    return seen

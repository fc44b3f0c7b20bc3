"""Random battles that show everything an observation can hold, for the tests of the compiled writer."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec

from packages.tank.tests.battles import random_intent
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.rng import Streams
from turnwright_tank.game import TankGame
from turnwright_tank.state import TankBattleState
from turnwright_tank.structs import TankIntent, TeamMessage

_COLORS = ("body", "turret", "radar", "bullet", "scan", "tracks", "gun")


def random_setup(chance: random.Random, tanks: int) -> dict[str, Any]:
    """Return a setup with a small arena, in which tanks meet, and often quick guns, so that bullets meet."""
    return {
        "arena_width": max(400, 40 * tanks),
        "arena_height": chance.choice([400, 600]),
        "number_of_rounds": 2,
        "gun_cooling_rate": chance.choice([0.1, 0.5, 3.0]),
        "max_inactivity_turns": chance.choice([5, 40, 450]),
    }


def random_seats(chance: random.Random, tanks: int) -> list[SeatInfo]:
    """Return seats. In a third of all battles they are teams.

    Some are droids, do not hear of deaths, or ask for a direction.
    """
    teams = chance.random() < 0.3
    seats = []
    for seat in range(tanks):
        options: dict[str, Any] = {"droid": chance.random() < 0.2, "hears_deaths": chance.random() < 0.7}
        if chance.random() < 0.2:
            options["initial_position"] = {"direction": chance.uniform(0, 359)}
        seats.append(SeatInfo(f"bot{seat}", "1", seat % 3 if teams else None, options))
    return seats


def painted(chance: random.Random, intent: TankIntent) -> TankIntent:
    """Return an intent with some colours, and rarely with a team message."""
    said: dict[str, Any] = {
        f"{name}_color": f"#{chance.randrange(1 << 24):06x}" for name in _COLORS if chance.random() < 0.4
    }
    if chance.random() < 0.05:
        said["team_messages"] = (TeamMessage("hello", "text"),)
    return msgspec.structs.replace(intent, **said)


def play(game: TankGame, number: int, tanks: int, turns: int) -> Iterator[TankBattleState]:
    """Yield the state after every turn of a random battle."""
    chance = random.Random(number)
    streams = Streams(number)
    state = game.setup(random_setup(chance, tanks), random_seats(chance, tanks), streams)
    for _ in range(turns):
        if game.outcome(state) is not None:
            return
        said = {
            seat: painted(chance, random_intent(chance))
            for seat in game.asked(state)
            if state.turn_number == 1 or chance.random() < 0.2
        }
        if chance.random() < 0.01:
            game.retire(state, chance.randrange(tanks))
        game.resolve(state, said, streams)
        yield state

"""What the kernel's tests share: every game of the catalogue, with intents for it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from turnwright import catalog
from turnwright.games.tank.intent import TankIntent
from turnwright.games.world.intent import Press, WorldIntent
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.pace import Pace
from turnwright.kernel.record import Record, TurnRules
from turnwright.testing.manual import Answer, Drive, GoesOn

every_game = pytest.mark.parametrize("game", sorted(catalog.GAMES))
MS = 1_000_000
US = 1_000

SETUPS = {"countdown": {"pile": 400, "turns": 60}, "tank": {"number_of_rounds": 1}, "world": {"turns": 60}}


def battle(game: str, seats: int = 3, seed: int = 7, **rules: Any) -> Battle:
    infos = [SeatInfo(f"bot {s}") for s in range(seats)]
    return Battle(catalog.load(game), SETUPS.get(game, {}), infos, seed, TurnRules(**rules))


def some_intent(game: str, rng: random.Random) -> Any:
    if game == "countdown":
        return rng.choice((1, 2, 3))
    if game == "world":
        return some_command(rng)
    return TankIntent(
        turn_rate=rng.uniform(-10, 10),
        gun_turn_rate=rng.uniform(-20, 20),
        radar_turn_rate=rng.uniform(-45, 45),
        target_speed=rng.uniform(-8, 8),
        firepower=rng.choice((0.0, 1.0)),
    )


def some_command(rng: random.Random) -> WorldIntent:
    """Return a command that leaves a trace, so that it matters whether it was there."""
    presses = [Press(rng.randrange(1, 9_000_000), "parry") for _ in range(rng.choice((0, 1)))]
    return WorldIntent("write", str(rng.randrange(10**6)), presses=tuple(presses))


def intent_for(game: str, turn: int, seat: int) -> Any:
    return some_intent(game, random.Random(f"{game}/{turn}/{seat}"))


def drive(
    game: str,
    offsets_us: Callable[[int, int], float | None],
    tps: int,
    turns: int,
    seats: int = 3,
    controls: Iterable[Any] = (),
    goes_on: GoesOn = "newest",
    numbered: bool = False,
    **rules: Any,
) -> Drive:
    """Drive a battle whose seats answer after offsets_us(turn, seat), or never (None)."""

    def answers(turn: int, seat: int) -> list[Answer]:
        offset = offsets_us(turn, seat)
        return [] if offset is None else [Answer(round(offset * US), intent_for(game, turn, seat))]

    it = Drive(battle(game, seats, **rules), Pace(tps), answers, controls, goes_on, numbered)
    it.run(turns)
    return it


def kept(game: str, seed: int, turns: int = 120, **rules: Any) -> Record:
    """Record a battle as one that is kept, with misses, and a seat that leaves; keyframes are frequent."""
    it = battle(game, 3, seed, **{"on_skip": "idle", "max_skipped": 6, **rules})
    it._keep_checks = True
    rng = random.Random(seed)
    record = Record(it.header)
    while len(record.turns) < turns and it.outcome is None:
        for seat in it.open_turn().asked:
            it.sent(seat, 0)
            if rng.random() < (0.7 if seat == 2 and 20 < it.turn < 40 else 0.1):
                continue
            it.submit(seat, some_intent(game, rng), rng.choice((1, 10, 1_000)) * US)
        if it.turn == 50:
            it.leave(1)
        it.cut(0)
        record.turns.append(it.close_turn(rng.choice((0, 0, 0, 3 * MS))).entry)
    return record

"""Battles of every game of the catalogue, for the tests of the kernel."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import pytest

from turnwright import catalog
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.pace import Pace
from turnwright.kernel.record import Record, TurnRules
from turnwright.kernel.rng import Stream
from turnwright.testing.manual_clock import BattleDriver, GoesOn, ScriptedAnswer

every_game = pytest.mark.parametrize("game", catalog.names())
MS = 1_000_000
US = 1_000

SETUPS: dict[str, dict[str, Any]] = {
    "countdown": {"pile": 400, "turns": 60},
    "tank": {"number_of_rounds": 1},
    "world": {"turns": 60},
    "snake": {"width": 99, "height": 99},
}


def battle(game: str, seats: int = 3, seed: int = 7, *, keep_checks: bool = False, **rules: Any) -> Battle:
    infos = [SeatInfo(f"bot {s}") for s in range(seats)]
    setup = SETUPS.get(game, {})
    return Battle(catalog.load(game), setup, infos, seed, TurnRules(**rules), keep_checks=keep_checks)


@cache
def _fresh(game: str) -> Battle:
    return battle(game)


def some_intent(game: str, rng: random.Random) -> Any:
    fresh = _fresh(game)
    return fresh.game.random_intent(fresh.state, 0, Stream(rng.getrandbits(64)))


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
) -> BattleDriver:
    """Play turns of a battle, and return its driver.

    Args:
        offsets_us: returns the time after which a seat answers a turn, or None for never.
    """

    def answers(turn: int, seat: int) -> list[ScriptedAnswer]:
        offset = offsets_us(turn, seat)
        return [] if offset is None else [ScriptedAnswer(round(offset * US), intent_for(game, turn, seat))]

    it = BattleDriver(battle(game, seats, **rules), Pace(tps), answers, controls, goes_on, numbered)
    it.run(turns)
    return it


def kept(game: str, seed: int, turns: int = 120, **rules: Any) -> Record:
    """Return the record of a battle with misses, frequent keyframes, and a seat that leaves."""
    it = battle(game, 3, seed, keep_checks=True, **{"on_skip": "idle", "max_skipped": 6, **rules})
    rng = random.Random(seed)
    record = Record(it.header)
    while len(record.turns) < turns and it.outcome is None:
        for seat in it.open_turn().asked:
            it.collecting.inbox.sent(seat, 0)
            if rng.random() < (0.7 if seat == 2 and 20 < it.turn < 40 else 0.1):
                continue
            it.collecting.submit(seat, some_intent(game, rng), rng.choice((1, 10, 1_000)) * US)
        if it.turn == 50:
            it.leave(1)
        it.end_collecting(0)
        record.turns.append(it.close_turn(server_late_ns=rng.choice((0, 0, 0, 3 * MS))).entry)
    return record

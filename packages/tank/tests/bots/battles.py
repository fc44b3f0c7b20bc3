"""Battles in this process, on the interpreted rules, for the tests of bots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.play import play
from turnwright_tank.bots import Bot, GameInfo, as_player
from turnwright_tank.game import TankGame
from turnwright_tank.intent import TankIntent
from turnwright_tank.results import ScoreRow
from turnwright_tank.structs import Frame

WIDTH, HEIGHT = 800, 600


@dataclass(frozen=True)
class Fought:
    """The end of a battle.

    Attributes:
        rows: the scores by seat.
        turns: the turns of all rounds.
        intents: all, in order.
    """

    rows: tuple[ScoreRow, ...]
    turns: int
    intents: tuple[TankIntent, ...]

    @property
    def totals(self) -> list[float]:
        """The total scores by seat."""
        return [row.total for row in self.rows]


def fight(
    *bots: Any,
    rounds: int = 1,
    seed: int = 1,
    places: tuple[tuple[float, float, float], ...] = (),
    watch: Callable[[Frame], None] | None = None,
) -> Fought:
    """Play a classic battle, and return its end.

    Args:
        places: where the first seats begin (x, y, direction).
        watch: sees each turn.
    """
    seats = [SeatInfo(f"bot {seat}", options=_place(seat, places)) for seat in range(len(bots))]
    battle = Battle(TankGame("interpreted"), {"number_of_rounds": rounds}, seats, seed, keep_digests=False)
    intents: list[TankIntent] = []
    players = {}
    for seat, bot in enumerate(bots):
        player = as_player(bot, seed=seed)
        player.game_started(GameInfo(my_id=seat + 1, number_of_rounds=rounds))
        players[seat] = _noting(player.step, intents)
    look = None if watch is None else lambda played: watch(played.game.frame(played.state))
    play(battle, players, publish=look)
    return Fought(battle.state.scores, battle.turn, tuple(intents))


def paths_of(*bots: type[Bot] | Bot, turns: int, **options: Any) -> list[list[tuple[float, float]]]:
    """Return where each tank was in the first turns of a battle."""
    paths: list[list[tuple[float, float]]] = [[] for _ in bots]

    def note(frame: Frame) -> None:
        for tank in frame.bot_states:
            if frame.round_number == 1 and frame.turn_number <= turns:
                paths[tank.id - 1].append((tank.x, tank.y))

    fight(*bots, watch=note, **options)
    return paths


def _noting(step: Callable[[Any], Any], intents: list[TankIntent]) -> Callable[[Any], Any]:
    def noted(observation: Any) -> Any:
        intent = step(observation)
        intents.append(intent)
        return intent

    return noted


def _place(seat: int, places: tuple[tuple[float, float, float], ...]) -> dict[str, Any]:
    if seat >= len(places):
        return {}
    return {"initial_position": dict(zip(("x", "y", "direction"), places[seat], strict=True))}

"""The scores of a game. If no seats can join, the number of scores is compared with the number of seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from turnwright.errors import GameError
from turnwright.kernel.game import Game, Outcome


class ScoreSheet:
    """The scores of a battle: the scores of each round, the scores so far, and the scores at the end.

    Attributes:
        rounds: the scores of each round that is over, by seat.
    """

    __slots__ = ("_game", "_seats", "rounds")

    def __init__(self, game: Game, seats: int) -> None:
        self._game, self._seats = game, seats
        self.rounds: list[tuple[float, ...]] = []

    def so_far(self, state: Any) -> Sequence[float] | None:
        """Return the score of each seat so far. None means that the game knows the scores only at the end.

        Raises:
            GameError: the game returned scores of too few or too many seats.
        """
        scores = self._game.scores(state)
        if scores is not None:
            self._check("scores", scores, ", or None")
        return scores

    def note_turn(self, state: Any) -> Outcome | None:
        """If the last turn ended a round, store the scores of the round. If it ended the battle, return the
        outcome.

        At the end of the battle, the scores so far are checked, too.

        Raises:
            GameError: the game returned scores of too few or too many seats.
        """
        if (scores := self._game.round_scores(state)) is not None:
            self._check("round_scores", scores, ", or None")
            self.rounds.append(tuple(map(float, scores)))
        if (outcome := self._game.outcome(state)) is not None:
            self._check("outcome", outcome.scores)
            self.so_far(state)
        return outcome

    def by_round(self, outcome: Outcome | None) -> tuple[tuple[float, ...], ...]:
        """Return the scores of each round that is over, by round and seat.

        A game without round scores has one round. If the battle was restored from a keyframe, only later
        rounds are included.
        """
        if self.rounds or outcome is None:
            return tuple(self.rounds)
        return (tuple(map(float, outcome.scores)),)

    def _check(self, method: str, scores: Sequence[float], otherwise: str = "") -> None:
        if not self._game.open_ended and len(scores) != self._seats:
            raise GameError(
                f"{self._game.name}.{method}() returned {len(scores)} scores; "
                f"expected one for each of {self._seats} seats{otherwise}"
            )

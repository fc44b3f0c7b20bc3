"""A small game in several rounds, for tests of rounds and of battles that are reported turn by turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from turnwright.kernel.game import Game, Outcome, PerSeat, RoundProgress, Seat, SeatInfo
from turnwright.kernel.rng import Stream, Streams

STEP_MAX = 1_000_000


@dataclass(slots=True)
class RoundsState:
    """The battle between two turns.

    Attributes:
        turn: the turn of the round.
        points: the points of all rounds, by seat.
    """

    rounds: Final[int]
    turns: Final[int]
    points: PerSeat[int]
    earned: PerSeat[int]
    last: PerSeat[int]
    alive: PerSeat[bool]
    retired: PerSeat[bool]
    round: int = 0
    turn: int = 0
    opened: bool = False
    ended: bool = False


class Rounds(Game[RoundsState, int]):
    """An intent is the points that a seat takes. The game begins with a turn without intents.

    A round's first turn throws intents away. A round ends after a number of turns, or when one seat or none
    is left.
    """

    name, defaults = "rounds", {"rounds": 1, "turns": 2_000}

    def setup(self, settings: Mapping[str, Any], seats: Sequence[SeatInfo], streams: Streams) -> RoundsState:
        if min(settings["rounds"], settings["turns"]) < 1:
            raise ValueError(f"rounds {settings['rounds']}, turns {settings['turns']}; give 1 or more")
        count = len(seats)
        nothing = [[0] * count for _ in range(3)]
        return RoundsState(settings["rounds"], settings["turns"], *nothing, [True] * count, [False] * count)

    def asked(self, state: RoundsState) -> list[Seat]:
        """Return the living seats, or none before the first turn and after the last one."""
        return self._living(state) if state.round and not self._is_over(state) else []

    def opening(self, state: RoundsState) -> bool:
        return state.opened

    def observe(self, state: RoundsState, seat: Seat) -> dict[str, int]:
        return {"round": state.round, "turn": state.turn, "points": state.points[seat]}

    def resolve(self, state: RoundsState, intents: Mapping[Seat, int], streams: Streams) -> list[Any]:
        state.opened = state.round == 0 or state.ended
        if state.opened:
            state.round, state.turn = state.round + 1, 0
            state.alive = [True] * len(state.alive)
            state.earned = [0] * len(state.earned)
        state.turn += 1
        for seat, step in ({} if state.opened else intents).items():
            state.last[seat] = step or 0
            state.points[seat] += step or 0
            state.earned[seat] += step or 0
        died = [seat for seat in self._living(state) if state.retired[seat]]
        for seat in died:
            state.alive[seat] = False
        state.ended = state.turn >= state.turns or len(self._living(state)) <= 1
        return [{"type": "died", "seat": seat} for seat in died]

    def outcome(self, state: RoundsState) -> Outcome | None:
        return Outcome(tuple(map(float, state.points))) if self._is_over(state) else None

    def round_scores(self, state: RoundsState) -> list[float] | None:
        return list(map(float, state.earned)) if state.ended else None

    def round_progress(self, state: RoundsState) -> RoundProgress:
        return RoundProgress(
            state.round, state.turn, state.opened, state.ended, self._is_over(state), self._living(state)
        )

    def read_intent(self, data: Any) -> int:
        if type(data) is not int or not 0 <= data <= STEP_MAX:
            raise ValueError(f"give an integer from 0 to {STEP_MAX}, not {data!r}")
        return data

    def random_intent(self, state: RoundsState, seat: Seat, rng: Stream) -> int:
        return rng.below(4)

    def _living(self, state: RoundsState) -> list[Seat]:
        return [seat for seat, alive in enumerate(state.alive) if alive]

    def _is_over(self, state: RoundsState) -> bool:
        return state.ended and state.round >= state.rounds

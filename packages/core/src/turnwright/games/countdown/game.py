"""Countdown, the smallest game. All seats take from one pile. When the pile is empty, it is refilled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from turnwright.kernel.game import Game, Outcome, PerSeat, Seat, SeatInfo
from turnwright.kernel.rng import Streams


@dataclass(slots=True)
class CountState:
    """The size of the pile, the number of turns, and how much each seat took: in total and last."""

    pile: int
    turns: Final[int]
    taken: PerSeat[int]
    last: PerSeat[int]
    out: PerSeat[bool]
    retired: PerSeat[bool]
    turn: int = 0


class Countdown(Game[CountState, Literal[1, 2, 3]]):
    """Each seat takes 1 to 3, by default 1. If this empties the pile, the seats that took most in this turn
    are out. One seat always stays.
    """

    name, defaults = "countdown", {"pile": 50, "turns": 30}
    read_intent = staticmethod(lambda data: int(str(data)))  # type: ignore[assignment]  # ValueError alone

    def setup(self, settings: Mapping[str, Any], seats: Sequence[SeatInfo], streams: Streams) -> CountState:
        n = len(seats)
        return CountState(settings["pile"], settings["turns"], [0] * n, [1] * n, [False] * n, [False] * n)

    def asked(self, state: CountState) -> list[Seat]:
        return [s for s, out in enumerate(state.out) if not out] if state.turn else []

    def opening(self, state: CountState) -> bool:
        return state.turn == 1

    def observe(self, state: CountState, seat: Seat) -> dict[str, int]:
        return {"pile": state.pile, "mine": state.taken[seat], "turn": state.turn}

    def resolve(self, state: CountState, intents: Mapping[Seat, int], streams: Streams) -> list[Seat]:
        state.turn += 1
        state.out = [out or retired for out, retired in zip(state.out, state.retired, strict=True)]
        wants = {s: i if i in (1, 2, 3) else 1 for s, i in intents.items() if not state.out[s]}
        for seat, take in wants.items():
            state.last[seat] = take
            state.taken[seat] += take
            state.pile -= take
        if state.pile > 0:
            return []
        state.pile = 10 + streams.stream("refill", state.turn).below(40)
        greedy = [s for s, take in wants.items() if take == max(wants.values())]
        for seat in greedy[: max(0, state.out.count(False) - 1)]:
            state.out[seat] = True
        return greedy

    def outcome(self, state: CountState) -> Outcome | None:
        over = state.turn >= state.turns or state.out.count(False) <= (len(state.out) > 1)
        return Outcome(tuple(map(float, state.taken))) if over else None

"""Countdown: each turn all seats take 1 to 3 from a pile; who takes most of those that empty it is out.

The pile refills from a random stream. The most taken wins, after `turns` or when one seat is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from turnwright.errors import SetupError
from turnwright.kernel.game import OnSkip, Outcome, Seat, SeatInfo, Table
from turnwright.kernel.saving import pack_rows, restore_fields, save_fields
from turnwright.kernel.streams import Streams

__all__ = ["Countdown", "CountdownState"]


@dataclass(slots=True)
class CountdownState:
    """pile: what is left; taken, last, out, retired: one value a seat; turn: how many are over."""

    pile: int
    turns: int
    taken: list[int]
    last: list[int]
    out: list[bool]
    retired: list[bool]
    turn: int = 0


class Countdown:
    """The rules. An intent is an integer 1…3; any other one takes 1."""

    name = "countdown"
    behaviour_version, rules_hash, open_ended, keyframe_turns = 1, "", False, None
    defaults: Mapping[str, Any] = {"pile": 50, "turns": 30}

    def setup(self, setup: Mapping[str, Any], seats: Sequence[SeatInfo], streams: Streams) -> CountdownState:
        if not (n := len(seats)):
            raise SetupError("countdown got no seats; give it at least 1")
        return CountdownState(setup["pile"], setup["turns"], [0] * n, [1] * n, [False] * n, [False] * n)

    def asked(self, state: CountdownState) -> list[Seat]:
        return [s for s, out in enumerate(state.out) if not out] if state.turn else []

    awaited = asked

    def opening(self, state: CountdownState) -> bool:
        return state.turn == 1

    def observe(self, state: CountdownState, seat: Seat) -> dict[str, int]:
        return {"pile": state.pile, "mine": state.taken[seat], "turn": state.turn}

    def frame(self, state: CountdownState) -> dict[str, Any]:
        return {"pile": state.pile, "taken": list(state.taken), "turn": state.turn}

    def merge(self, first: int, second: int) -> int:
        return second

    def intent_when_missed(self, state: CountdownState, seat: Seat, on_skip: OnSkip) -> int:
        return state.last[seat] if on_skip == "repeat" else 1

    def retire(self, state: CountdownState, seat: Seat) -> None:
        state.retired[seat] = True

    def resolve(self, state: CountdownState, intents: Mapping[Seat, int], streams: Streams) -> list[Seat]:
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

    def faults(self, state: CountdownState) -> list[tuple[str, str]]:
        return []

    def outcome(self, state: CountdownState) -> Outcome | None:
        over = state.turn >= state.turns or state.out.count(False) <= (len(state.out) > 1)
        return Outcome(tuple(map(float, state.taken))) if over else None

    def snapshot(self, state: CountdownState) -> bytes:
        return b"".join(table.data for table in self.tables(state))

    def tables(self, state: CountdownState) -> Iterator[Table]:
        rows = zip(state.taken, state.last, state.out, state.retired, strict=True)
        yield Table("table", ("pile", "turn"), pack_rows([(state.pile, state.turn)]))
        yield Table("seats", ("taken", "last", "out", "retired"), pack_rows(rows), by_seat=True)

    save, restore = staticmethod(save_fields), staticmethod(restore_fields)
    intent_to_data = intent_from_data = staticmethod(int)

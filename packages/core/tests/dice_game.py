"""A third-party game in its own folder: dice."""

from __future__ import annotations

from pathlib import Path

GOOD = """
from dataclasses import dataclass
from turnwright.kernel.game import Game, Outcome, PerSeat
from .words import ENDS

@dataclass
class State:
    points: PerSeat[int]
    turn: int = 0

class Dice(Game[State, int]):
    name = "dice"

    def setup(self, settings, seats, streams):
        return State([0] * len(seats))

    def asked(self, state):
        return list(range(len(state.points)))

    def observe(self, state, seat):
        return {"turn": state.turn}

    def resolve(self, state, intents, streams):
        state.turn += 1
        for seat in intents:
            state.points[seat] += streams.stream("dice", state.turn, seat).below(6)
        return []

    def outcome(self, state):
        return Outcome(tuple(map(float, state.points))) if state.turn >= ENDS else None

    def read_intent(self, data):
        return int(data)
"""


def folder(at: Path, code: str = GOOD) -> str:
    at.mkdir(parents=True, exist_ok=True)
    (at / "game.py").write_text(code, encoding="utf-8")
    (at / "words.py").write_text("ENDS = 3\n", encoding="utf-8")
    return str(at)

"""A small third-party game, in its own folder."""

from __future__ import annotations

from pathlib import Path

TAKE = """
from dataclasses import dataclass

from turnwright.kernel.game import Game, Outcome


@dataclass
class Pile:
    left: int
    taken: list[int]
    next: int = 0


class Take(Game):
    name, defaults = "take", {"pile": 11}

    def setup(self, settings, seats, streams):
        return Pile(settings["pile"], [0] * len(seats))

    def asked(self, state):
        return [state.next]

    def observe(self, state, seat):
        return {"left": state.left, "you": seat}

    def resolve(self, state, intents, streams):
        many = min(intents.get(state.next) or 1, state.left)
        state.left -= many
        state.taken[state.next] += many
        state.next = (state.next + 1) % len(state.taken)
        return []

    def outcome(self, state):
        return None if state.left else Outcome(tuple(float(one) for one in state.taken))

    def read_intent(self, data):
        if data not in (1, 2, 3):
            raise ValueError("give 1, 2 or 3")
        return data
"""
"""The game: seats take 1 to 3 from a pile by turns, and each taken piece is a point."""


def take_folder(folder: Path, text: str = TAKE) -> Path:
    """Write the game into a new folder `take` and return the folder."""
    game = folder / "take"
    game.mkdir()
    (game / "game.py").write_text(text)
    return game

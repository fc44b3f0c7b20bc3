"""A game with hidden information in its own folder: each of two seats holds one of two cards."""

from __future__ import annotations

from pathlib import Path

CARDS = '''
from dataclasses import dataclass
from turnwright.kernel.game import Game, Outcome, PerSeat

@dataclass
class State:
    cards: PerSeat[int]
    retired: PerSeat[bool]
    turn: int = 0

class Cards(Game[State, str]):
    """The higher card wins when four turns are over; each seat sees its own card."""
    name = "cards"

    def setup(self, settings, seats, streams):
        if len(seats) != 2:
            raise ValueError("cards is for two seats")
        first = 41 + streams.stream("deal", 0).below(2)
        return State([first, 83 - first], [False, False])

    def asked(self, state):
        return [seat for seat in (0, 1) if not state.retired[seat]]

    def observe(self, state, seat):
        return {"card": state.cards[seat], "turn": state.turn}

    def resolve(self, state, intents, streams):
        state.turn += 1
        return [{"type": "dealt", "cards": list(state.cards)}, {"type": "turn"}]

    def outcome(self, state):
        return Outcome(tuple(map(float, state.cards))) if state.turn == 4 else None

    def read_intent(self, data):
        if data != "pass":
            raise ValueError("pass")
        return data

    def random_intent(self, state, seat, rng):
        return "pass"

    def live_frame(self, state, events):
        if self.outcome(state) is not None:
            return self.frame(state), events
        hidden = {**self.frame(state), "cards": [None, None]}
        return hidden, [event for event in events if event["type"] != "dealt"]
'''
OPEN = CARDS.partition("    def live_frame")[0]
"""The same game without `live_frame`, so that spectators see the cards."""


def folder(at: Path, code: str = CARDS) -> Path:
    """Write the game, with a built-in bot, and return its folder."""
    at.mkdir(parents=True, exist_ok=True)
    (at / "game.py").write_text(code, encoding="utf-8")
    (at / "bots.py").write_text("BOTS = {'Pass': lambda seen: 'pass'}\n", encoding="utf-8")
    return at

"""Output of bots: standard streams, debug graphics and team messages.

The rules do not read the output. Streams and messages wait until their intent is executed, and are then
passed on once. Printed text stays visible until the tank executes an intent again. Source:
tank-rules.md#intents, royale-protocol.md#botintent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from turnwright.kernel.game import Seat
from turnwright_tank.structs import Event, TankIntent, TeamMessage

MESSAGES_MAX = 64
"""Team messages in one intent. Further messages are dropped. Source: royale-protocol.md#limits."""


def _says(text: str | None) -> bool:
    return text is not None and not text.isspace() and text != ""


@dataclass(slots=True)
class BotOutput:
    """The texts of one tank in one round: texts that wait for execution, and texts that are shown."""

    waiting_out: str | None = None
    waiting_err: str | None = None
    waiting_messages: tuple[TeamMessage, ...] = ()
    waiting_graphics: str | None = None
    out: str | None = None
    err: str | None = None
    graphics: str | None = None

    def take(self, intent: TankIntent) -> None:
        """Store the texts of an intent that are not blank. Its messages replace those that wait."""
        if _says(intent.std_out):
            self.waiting_out = intent.std_out
        if _says(intent.std_err):
            self.waiting_err = intent.std_err
        if _says(intent.debug_graphics):
            self.waiting_graphics = intent.debug_graphics
        self.waiting_messages = (intent.team_messages or ())[:MESSAGES_MAX]

    def execute(self) -> tuple[TeamMessage, ...]:
        """Show the waiting texts, and return the messages to deliver."""
        self.out, self.waiting_out = self.waiting_out, None
        self.err, self.waiting_err = self.waiting_err, None
        self.graphics = self.waiting_graphics
        messages, self.waiting_messages = self.waiting_messages, ()
        return messages


class RoundOutput:
    """The texts and colours that the bots have sent in one round, by seat.

    Attributes:
        any_texts: whether any seat has sent a text.
        said_colors: the colour texts last taken, so that the same ones are not read again.
        seen_colors: the colours last shown, as numbers and as texts.
        messages: the team messages of this turn, receiver and event, in the order sent.
    """

    __slots__ = ("any_texts", "messages", "said_colors", "seen_colors", "texts")

    def __init__(self, seats: int) -> None:
        self.texts: list[BotOutput | None] = [None] * seats
        self.any_texts = False
        self.said_colors: list[Any] = [None] * seats
        self.seen_colors: list[tuple[Any, tuple[str | None, ...]]] = [((-1,) * 7, (None,) * 7)] * seats
        self.messages: list[tuple[Seat, Event]] = []

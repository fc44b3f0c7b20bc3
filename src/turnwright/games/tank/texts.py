"""Texts of tanks: standard streams, debug graphics, team messages. They decide nothing in the arena.

Streams and messages are passed on once, when the intent that brought them is executed, and wait while it is
not; what a tank printed stays visible until it executes again. Source: tank-rules.md#intents,
royale-protocol.md#botintent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnwright.games.tank.intent import TankIntent, TeamMessage
from turnwright.games.tank.view import TeamMessageEvent

if TYPE_CHECKING:
    from turnwright.games.tank.state import TankState

__all__ = ["MESSAGES_MAX", "Texts", "deliver"]

MESSAGES_MAX = 64
"""Team messages in one intent; the rest is dropped. Source: royale-protocol.md#limits."""


def _says(text: str | None) -> bool:
    return text is not None and not text.isspace() and text != ""


@dataclass(slots=True)
class Texts:
    """The texts of one tank in one round. Those that wait, and those that are shown."""

    waiting_out: str | None = None
    waiting_err: str | None = None
    waiting_messages: tuple[TeamMessage, ...] = ()
    waiting_graphics: str | None = None
    out: str | None = None
    err: str | None = None
    graphics: str | None = None

    def take(self, intent: TankIntent) -> None:
        """Store the texts of an intent. Blank ones change nothing; messages not said are no messages."""
        if _says(intent.std_out):
            self.waiting_out = intent.std_out
        if _says(intent.std_err):
            self.waiting_err = intent.std_err
        if _says(intent.debug_graphics):
            self.waiting_graphics = intent.debug_graphics
        self.waiting_messages = (intent.team_messages or ())[:MESSAGES_MAX]

    def execute(self) -> tuple[TeamMessage, ...]:
        """Show what was waiting, and return the messages to deliver."""
        self.out, self.waiting_out = self.waiting_out, None
        self.err, self.waiting_err = self.waiting_err, None
        self.graphics = self.waiting_graphics
        messages, self.waiting_messages = self.waiting_messages, ()
        return messages


def deliver(state: TankState) -> None:
    """Pass on the texts of the tanks that executed their intents in this turn, messages to teammates only.

    Receivers are the tanks that were in the round when the turn began.
    """
    state.messages = []
    if not state.texting:
        return
    for seat, texts in enumerate(state.texts):
        if texts is None or seat not in state.started or not state.tables.executed(seat):
            continue
        for message in texts.execute():
            event = TeamMessageEvent(state.turn_number, message.message, message.message_type, seat + 1)
            for other in state.started:
                if (
                    other != seat
                    and state.teams[other] == state.teams[seat]
                    and message.receiver_id in (None, other + 1)
                ):
                    state.messages.append((other, event))

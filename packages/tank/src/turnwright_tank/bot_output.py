"""Output of bots: standard streams, debug graphics and team messages.

The rules do not read it.

Streams and messages are passed on once, when the intent that brought them is executed, and wait while it is
not; what a tank printed stays visible until it executes again. Source: tank-rules.md#intents,
royale-protocol.md#botintent.
"""

from __future__ import annotations

from dataclasses import dataclass

from turnwright_tank.structs import TankIntent, TeamMessage

MESSAGES_MAX = 64
"""Team messages in one intent; the rest is dropped. Source: royale-protocol.md#limits."""


def _says(text: str | None) -> bool:
    return text is not None and not text.isspace() and text != ""


@dataclass(slots=True)
class BotOutput:
    """The texts of one tank in one round.

    Those that wait for execution, and those that are shown.
    """

    waiting_out: str | None = None
    waiting_err: str | None = None
    waiting_messages: tuple[TeamMessage, ...] = ()
    waiting_graphics: str | None = None
    out: str | None = None
    err: str | None = None
    graphics: str | None = None

    def take(self, intent: TankIntent) -> None:
        """Store the texts of an intent.

        Blank texts change nothing; an intent without messages has none.
        """
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

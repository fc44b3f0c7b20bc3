"""Faults of messages as values, and the limits of every protocol.

A participant's mistake never raises: decoders return a Fault, the host counts, logs and answers it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

MESSAGE_BYTES_MAX = 1_048_576
"""One text message, UTF-8 bytes (Tank Royale's since 1.4)."""
STRANGER_BYTES_MAX = 65_536
"""One message before the handshake, the handshake included, bytes."""
REASON_BYTES_MAX = 123
"""The reason in a close frame, UTF-8 bytes (RFC 6455: 125 with the code)."""
CLOSE_BAD_TEXT = 1007
"""The close code for text that is not UTF-8 (RFC 6455)."""
CLOSE_POLICY = 1008
"""The close code for a refused handshake or a broken rule."""
INVALID_SECRET = "Invalid secret"
"""The reason with which servers refuse a secret. Source: the official server."""
CLOSE_TOO_BIG = 1009
"""The close code for a message above MESSAGE_BYTES_MAX."""


CLOSE_FAILED = 1011
"""The close code of a program that fails; the reason is its error."""
CLOSE_EXITED = 4000
"""The close code of a program that ends by itself."""


class Farewell(NamedTuple):
    """The close frame that ended a connection.

    Attributes:
        ours: the server closed it, because of what the peer sent.
        code: 0: there was none.
        printed: what a program of this process printed last.
    """

    code: int = 0
    reason: str = ""
    ours: bool = False
    printed: tuple[str, ...] = ()

    @classmethod
    def of(cls, payload: bytes) -> Farewell:
        """Return the farewell in the payload of a peer's close frame."""
        return cls(int.from_bytes(payload[:2], "big"), payload[2:].decode("utf-8", "replace"))


NO_FAREWELL = Farewell()


class FaultCode(StrEnum):
    """The kind of mistake, for programs. The last eight are found by the host."""

    MALFORMED = "malformed"
    """Not JSON, or not a JSON object."""
    NOT_UTF8 = "not-utf8"
    TOO_BIG = "too-big"
    TOO_DEEP = "too-deep"
    NO_TYPE = "no-type"
    """No `type`, or one that is not a string."""
    UNKNOWN_TYPE = "unknown-type"
    SERVER_ONLY = "server-only"
    """A message that only the server sends."""
    WRONG_TYPE = "wrong-type"
    """A field of another JSON type than expected."""
    MISSING_FIELD = "missing-field"
    OUT_OF_BOUNDS = "out-of-bounds"
    """A field that is too long, too short, too large or too small."""
    BAD_NUMBER = "bad-number"
    """NaN or an infinity: the field was dropped or brought to the largest number."""
    TEAM_MESSAGE = "team-message"
    BAD_SETUP = "bad-setup"
    NOT_YOUR_ROLE = "not-your-role"
    NO_HANDSHAKE = "no-handshake"
    WRONG_SESSION = "wrong-session"
    WRONG_SECRET = "wrong-secret"
    NOT_NOW = "not-now"
    TOO_MANY = "too-many"
    GAME_FAILED = "game-failed"
    """The game failed over a message. No mistake of a client."""
    VOID = "void"
    """The rules failed: the battle does not count. No mistake of a client."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A participant's mistake.

    Attributes:
        advice: one sentence, what was given and what to do.
        definite: nothing of the message counts; otherwise the rest of it does.
        closes: the code to close the connection with, None = it stays open.
        refers_to: the type of the message, where it is known.
    """

    code: FaultCode
    advice: str
    definite: bool = True
    closes: int | None = None
    refers_to: str | None = None

    @property
    def reason(self) -> str:
        """The advice, cut to what a close frame holds."""
        return self.advice.encode("utf-8", "replace")[:REASON_BYTES_MAX].decode("utf-8", "ignore")

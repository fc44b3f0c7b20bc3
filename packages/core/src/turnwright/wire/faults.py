"""The mistakes that messages can contain, and the limits of every protocol.

A participant's mistake never raises an exception. Instead, the decoder returns a Fault, and the host counts,
logs and answers the mistake.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

MESSAGE_BYTES_MAX = 1_048_576
"""The largest text message, in UTF-8 bytes. Tank Royale has the same limit since 1.4."""
STRANGER_BYTES_MAX = 65_536
"""The largest message before the end of the handshake, in bytes."""
REASON_BYTES_MAX = 123
"""The largest reason in a close frame, in UTF-8 bytes. RFC 6455 allows 125 bytes for the code (2 bytes) and
the reason.
"""
CLOSE_BAD_TEXT = 1007
"""The close code for text that is not UTF-8 (RFC 6455)."""
CLOSE_POLICY = 1008
"""The close code for a refused handshake or a broken rule."""
INVALID_SECRET = "Invalid secret"
"""The reason that servers give when they refuse a secret. The official server uses the same text."""
CLOSE_TOO_BIG = 1009
"""The close code for a message above MESSAGE_BYTES_MAX."""


CLOSE_FAILED = 1011
"""The close code that a program sends when it fails. The reason in the close frame is its error."""
CLOSE_EXITED = 4000
"""The close code that a program sends when it ends by itself."""


class Farewell(NamedTuple):
    """The close frame that ended a connection.

    Attributes:
        ours: whether the server closed the connection because of what the peer sent.
        code: the close code. 0 means that there was no close frame.
        printed: the last lines that the program printed, if it runs in this process.
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
    """The kind of a mistake, for programs. Decoders find the kinds up to TEAM_MESSAGE, and the host finds the
    other kinds. The host also finds TOO_BIG, WRONG_TYPE and OUT_OF_BOUNDS.
    """

    MALFORMED = "malformed"
    """The message is not JSON, or not a JSON object."""
    NOT_UTF8 = "not-utf8"
    TOO_BIG = "too-big"
    TOO_DEEP = "too-deep"
    NO_TYPE = "no-type"
    """The message has no `type`, or the `type` is not a string."""
    UNKNOWN_TYPE = "unknown-type"
    SERVER_ONLY = "server-only"
    """Only the server may send such a message."""
    WRONG_TYPE = "wrong-type"
    """A field has a different JSON type than expected."""
    MISSING_FIELD = "missing-field"
    OUT_OF_BOUNDS = "out-of-bounds"
    """A field is too long, too short, too large or too small."""
    BAD_NUMBER = "bad-number"
    """A field is NaN or an infinity. The decoder dropped the field, or used the largest number instead."""
    TEAM_MESSAGE = "team-message"
    BAD_SETUP = "bad-setup"
    NOT_YOUR_ROLE = "not-your-role"
    NO_HANDSHAKE = "no-handshake"
    WRONG_SESSION = "wrong-session"
    WRONG_SECRET = "wrong-secret"
    NOT_NOW = "not-now"
    TOO_MANY = "too-many"
    GAME_FAILED = "game-failed"
    """The game failed while it read a message. This is not a mistake of the client."""
    VOID = "void"
    """The rules failed, and the battle does not count. This is not a mistake of the client."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A participant's mistake.

    Attributes:
        advice: one sentence that says what the client sent and what to do.
        definite: whether the whole message is ignored. Otherwise only the faulty part of the message is
            ignored.
        closes: the code with which the server closes the connection. None means that the connection stays
            open.
        refers_to: the type of the message, if it is known.
    """

    code: FaultCode
    advice: str
    definite: bool = True
    closes: int | None = None
    refers_to: str | None = None

    @property
    def reason(self) -> str:
        """The advice, cut to the length that fits into a close frame."""
        return self.advice.encode("utf-8", "replace")[:REASON_BYTES_MAX].decode("utf-8", "ignore")

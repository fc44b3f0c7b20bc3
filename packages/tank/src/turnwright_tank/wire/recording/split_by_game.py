"""Splits a connection's messages into games, as lines of Tank Royale's recordings.

A recording is a gzip file of one game. Each line is the unchanged text of one received message in UTF-8.
`GameCutter` sorts the messages of a connection into games, and `read` reads files. See
compatibility.md#recordings.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from turnwright_tank.wire.royale import lenient_decoder

BEGINS = "GameStartedEventForObserver"
"""The message that opens a recording."""
ENDS = frozenset({"GameEndedEventForObserver", "GameAbortedEvent"})
"""Messages that are the last line of a recording."""
RECORDED = ENDS | {BEGINS, "TickEventForObserver", "RoundEndedEventForObserver"}
"""The messages that become lines. Official recorders never write RoundStartedEvent."""


class _Typed(msgspec.Struct):
    type: str = ""


_typed = msgspec.json.Decoder(_Typed)


def type_of(data: bytes) -> str | None:
    """Return the `type` of a message, or None if the message is not a JSON object with a `type`."""
    try:
        return _typed.decode(data).type or None
    except (ValueError, RecursionError):
        pass
    try:
        value = lenient_decoder.parse(data.decode())
    except (ValueError, RecursionError):
        return None
    kind = value.get("type") if isinstance(value, dict) else None
    return kind if type(kind) is str else None


def as_line(data: bytes) -> bytes:
    """Return a message as a line with its newline. Newlines between JSON tokens become blanks."""
    if b"\n" in data or b"\r" in data:
        data = data.replace(b"\n", b" ").replace(b"\r", b" ")
    return data + b"\n"


@dataclass(frozen=True, slots=True)
class Cut:
    """A line of a recording, and the game to which it belongs.

    Attributes:
        game: 1, 2 ….
        begins, ends: whether the line is the first or the last of its game.
    """

    game: int
    line: bytes
    begins: bool
    ends: bool


class GameCutter:
    """Sorts the messages that one spectator receives into games.

    Attributes:
        games: the number of games that have begun.
    """

    def __init__(self) -> None:
        self.games = 0
        self._open = False

    def cut(self, data: bytes) -> Cut | None:
        """Return the line of a message, or None if the message belongs to no recording.

        A game that was joined late begins with its first line. If the next game begins before a game has
        ended, that game has no last line. The end of a game that has not begun gives no line.
        """
        kind = type_of(data)
        if kind not in RECORDED:
            return None
        ends = kind in ENDS
        begins = kind == BEGINS or not self._open
        if begins and ends:
            return None
        self.games += begins
        self._open = not ends
        return Cut(self.games, as_line(data), begins, ends)

"""Cuts a connection's messages into games: lines of Tank Royale's recordings.

One message a line, the received text unchanged, in UTF-8; gzip around all; one file a game. `GameCutter`
sorts the messages of a connection into games; `read` reads files. See compatibility.md#recordings.
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
"""The messages that are lines. RoundStartedEvent is none: official recorders never write it."""


class _Typed(msgspec.Struct):
    type: str = ""


_typed = msgspec.json.Decoder(_Typed)


def type_of(data: bytes) -> str | None:
    """Return the `type` of a message, or None if it is no JSON object with one."""
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
    """Return a message as a line, with its newline.

    Newlines between its tokens become blanks.
    """
    if b"\n" in data or b"\r" in data:
        data = data.replace(b"\n", b" ").replace(b"\r", b" ")
    return data + b"\n"


@dataclass(frozen=True, slots=True)
class Cut:
    """A line of a recording.

    Attributes:
        game: 1, 2 ….
        begins, ends: whether it is the first or the last of its game.
    """

    game: int
    line: bytes
    begins: bool
    ends: bool


class GameCutter:
    """Sorts the messages that one spectator receives into games.

    Attributes:
        games: how many have begun.
    """

    def __init__(self) -> None:
        self.games = 0
        self._open = False

    def cut(self, data: bytes) -> Cut | None:
        """Return the line of a message, or None.

        A game that was joined late begins with its first line. A game whose successor begins has no last
        line. An end without a game has no line.
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

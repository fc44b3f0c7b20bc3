"""Events of a telnet connection."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag
from typing import Any


class Mtts(IntFlag):
    """Capabilities of a terminal, from its third answer to TTYPE.

    Source: MTTS, mudhalla/TinTin++.
    """

    ANSI = 1
    VT100 = 2
    UTF_8 = 4
    COLOURS_256 = 8
    MOUSE = 16
    OSC_COLOURS = 32
    SCREEN_READER = 64
    PROXY = 128
    TRUECOLOUR = 256
    MNES = 512
    MSLP = 1024
    SSL = 2048


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A typed line. It has no line end, no control characters, and at most LINE_CHARS_MAX characters."""

    text: str


@dataclass(frozen=True, slots=True)
class Gmcp:
    """A GMCP message.

    Attributes:
        package: its name, e.g. "Core.Hello".
        data: a structure for the packages of `wire.messages`, plain JSON values for other packages, None if
            nothing follows the name.
    """

    package: str
    data: Any


@dataclass(frozen=True, slots=True)
class Packages:
    """The peer accepts GMCP messages from now on, or no longer accepts them."""

    on: bool


@dataclass(frozen=True, slots=True)
class Size:
    """The window's new size in characters. A malformed size, or a size with a 0, gives no event."""

    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class Terminal:
    """The known facts about the peer's program.

    Attributes:
        client: the program's name, e.g. "TINTIN++", or "" if it is not known.
        kind: the terminal's name, e.g. "XTERM-256COLOR", or "". Both names are upper case, printable ASCII.
        mtts: its capabilities, or None if they are not known.
    """

    client: str = ""
    kind: str = ""
    mtts: Mtts | None = None


@dataclass(frozen=True, slots=True)
class Encoding:
    """The character set of the output has changed: "utf-8", "latin-1" or "ascii"."""

    name: str


@dataclass(frozen=True, slots=True)
class ListingAsked:
    """The peer asked for the facts for directories of games (MSSP)."""


@dataclass(frozen=True, slots=True)
class Notice:
    """The peer made a mistake, and the line or message is dropped. The text is one line for the peer."""

    text: str


@dataclass(frozen=True, slots=True)
class Hangup:
    """The connection must be closed. The text is one line with the reason. Later input is not read."""

    reason: str


Event = TypedLine | Gmcp | Packages | Size | Terminal | Encoding | ListingAsked | Notice | Hangup

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
    """A line that was typed.

    No end of line, no control characters, at most LINE_CHARS_MAX characters.
    """

    text: str


@dataclass(frozen=True, slots=True)
class Gmcp:
    """A GMCP message.

    Attributes:
        package: its name, e.g. "Core.Hello".
        data: a structure for the packages of `wire.messages`, plain JSON values for others, None where
            nothing follows the name.
    """

    package: str
    data: Any


@dataclass(frozen=True, slots=True)
class Packages:
    """The peer takes GMCP messages from now on, or no longer."""

    on: bool


@dataclass(frozen=True, slots=True)
class Size:
    """The window's size in characters; 0 or absurd sizes are not told."""

    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class Terminal:
    """The known facts about the peer's program.

    Attributes:
        client: its own name, e.g. "TINTIN++".
        kind: the terminal's, e.g. "XTERM-256COLOR" (both upper case, printable ASCII, "" when not known).
        mtts: what it can; None: it has not said.
    """

    client: str = ""
    kind: str = ""
    mtts: Mtts | None = None


@dataclass(frozen=True, slots=True)
class Encoding:
    """The character set of both directions was settled: "utf-8", "latin-1" or "ascii"."""

    name: str


@dataclass(frozen=True, slots=True)
class ListingAsked:
    """The peer wants the facts that directories of games list (MSSP)."""


@dataclass(frozen=True, slots=True)
class Notice:
    """The peer made a mistake that costs it this line or message only.

    One line to tell it.
    """

    text: str


@dataclass(frozen=True, slots=True)
class Hangup:
    """The peer must go: one line that says why. Nothing it sends is read any more."""

    reason: str


Event = TypedLine | Gmcp | Packages | Size | Terminal | Encoding | ListingAsked | Notice | Hangup

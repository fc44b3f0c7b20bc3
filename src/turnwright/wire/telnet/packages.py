"""The GMCP packages that players' programs send, declared once: names, fields, limits.

They come the same way in telnet's GMCP, in WebSocket's `gmcp.` and in the JSON of programs. What goes the
other way is the game's to say. Times are integers in microseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from turnwright.wire.planning import PLAYER_SOURCE_SIZE_MAX
from turnwright.wire.world.clock import TimePing
from turnwright.wire.world.combat import React

__all__ = [
    "MODULES_MAX",
    "PACKAGES",
    "Hello",
    "MindDo",
    "MindFor",
    "MindPut",
    "Package",
    "WindowSize",
    "convert",
    "find",
]

MODULES_MAX = 64
"""Modules that a client may name in one message of Core.Supports, and in all."""

_Word = Annotated[str, Meta(max_length=64)]
_Modules = Annotated[list[Annotated[str, Meta(max_length=80)]], Meta(max_length=MODULES_MAX)]


class Hello(Struct, frozen=True):
    """The client's name and version."""

    client: _Word = ""
    version: _Word = ""


class WindowSize(Struct, frozen=True):
    """The window's size in characters, from programs that have no telnet to tell it."""

    columns: Annotated[int, Meta(ge=1, le=65_535)]
    rows: Annotated[int, Meta(ge=1, le=65_535)]


class MindPut(Struct, frozen=True):
    """A mind of one's own. target: "" for the own character, or the name or #number of a creature."""

    source: Annotated[str, Meta(max_length=PLAYER_SOURCE_SIZE_MAX)]
    target: _Word = ""


class MindDo(Struct, frozen=True):
    """What is to be done with a mind that was handed over. target: as in MindPut."""

    what: Literal["stop", "start", "drop"]
    target: _Word = ""


class MindFor(Struct, frozen=True):
    """Which mind is meant. target: as in MindPut."""

    target: _Word = ""


class Nothing(Struct, frozen=True):
    """Nothing more to say."""


@dataclass(frozen=True, slots=True)
class Package:
    """One package: its data has the type `data`. meaning: what it is for, for the reference page."""

    name: str
    data: Any
    meaning: str


PACKAGES = (
    Package("Core.Hello", Hello, "who the program is"),
    Package("Core.Supports.Set", _Modules, 'what it wants to be told of, each "Module version"'),
    Package("Core.Supports.Add", _Modules, "the same, besides what it wants already"),
    Package("Core.Supports.Remove", _Modules, "what it no longer wants"),
    Package("Core.Ping", Any, "answered with Core.Ping"),
    Package("Core.Size", WindowSize, "the window, for WebSocket; telnet has NAWS"),
    Package("Time.Ping", TimePing, "asks for the server's clock"),
    Package("Combat.React", React, "answers a threat"),
    Package("Mind.Put", MindPut, "hands a mind over, for when you are away, or for a companion"),
    Package("Mind.Do", MindDo, "stops, starts or forgets a mind"),
    Package("Mind.Show", MindFor, "asks for a mind's source"),
    Package("Mind.List", Nothing, "asks for all of one's minds, what they printed and did wrong"),
)
_BY_NAME = {package.name.lower(): package for package in PACKAGES}


def find(name: str) -> Package | None:
    """Return the package of that name, however it is capitalised; None: not one of these."""
    return _BY_NAME.get(name.lower())


def convert(name: str, data: Any) -> Any:
    """Return plain JSON values as the structure of the package; as they are for packages not known here.

    Numbers may come as strings, as some scripts send them. Raises ValueError that says what is wrong.
    """
    package = find(name)
    return data if package is None else msgspec.convert(data, package.data, strict=False)

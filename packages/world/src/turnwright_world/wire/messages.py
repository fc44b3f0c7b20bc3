"""Messages that players' programs send: names, fields, limits.

They come the same way in telnet's GMCP, in WebSocket's `gmcp.` and in the JSON of programs. What goes the
other way is the game's to say. Times are integers in microseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from turnwright_world.intent import COMMAND_CHARS_MAX, PLAYER_SOURCE_SIZE_MAX
from turnwright_world.wire.clock import Micros, TimePing

# What a client may say in a fight, checked: Combat.React.
#
# {"reaction": "dodge"}                                plain: it counts when it arrives
# {"reaction": "parry", "at": 81500000, "id": 3}       stamped by a client with a clock, for one threat


class React(msgspec.Struct, frozen=True, omit_defaults=True):
    """A reaction.

    Attributes:
        at: the game time for which it is meant, µs.
        id: the threat for which it is meant.
        band: the time, µs, in which it takes what lands. None is as long as the reaction can.
    """

    reaction: Annotated[str, msgspec.Meta(min_length=1, max_length=32)]
    at: Micros | None = None
    id: Micros | None = None
    band: Micros | None = None


MODULES_MAX = 64
"""Modules that a client may name in one message of Core.Supports, and in all."""

_Word = Annotated[str, Meta(max_length=64)]
_Modules = Annotated[list[Annotated[str, Meta(max_length=80)]], Meta(max_length=MODULES_MAX)]


_Line = Annotated[str, Meta(max_length=COMMAND_CHARS_MAX)]


class ProgramLogin(Struct, frozen=True):
    """A program's name.

    Attributes:
        token: the passphrase of an account.
        changes: whether turns contain only changes.
    """

    name: _Line = ""
    token: _Line = ""
    changes: bool = False


class LineCommand(Struct, frozen=True):
    """A line, as a player types it."""

    text: _Line


class WatchRequest(Struct, frozen=True):
    """A player or a place to watch. `what` is "" for the place with most players."""

    what: _Line = ""


class OperatorRequest(Struct, frozen=True):
    """A request of an operator.

    Attributes:
        do: pause, resume, step or speed.
        value: turns, or a speed.
        secret: sent once a connection.
    """

    do: _Word = ""
    value: int | float | _Word = ""
    secret: _Line | None = None


class Hello(Struct, frozen=True):
    """The client's name and version."""

    client: _Word = ""
    version: _Word = ""


class WindowSize(Struct, frozen=True):
    """The window's size in characters, from programs that have no telnet to tell it."""

    columns: Annotated[int, Meta(ge=1, le=65_535)]
    rows: Annotated[int, Meta(ge=1, le=65_535)]


class MindPut(Struct, frozen=True):
    """A mind of one's own.

    target: "" for the own character, or the name or #number of a creature.
    """

    source: Annotated[str, Meta(max_length=PLAYER_SOURCE_SIZE_MAX)]
    target: _Word = ""


class MindDo(Struct, frozen=True):
    """A request about a stored mind. target: as in MindPut."""

    what: Literal["stop", "start", "drop"]
    target: _Word = ""


class MindFor(Struct, frozen=True):
    """The mind meant. target: as in MindPut."""

    target: _Word = ""


class Nothing(Struct, frozen=True):
    """A request without fields."""


@dataclass(frozen=True, slots=True)
class PackageSpec:
    """One package: its data has the type `data`.

    meaning: what it is for, for the reference page.
    """

    name: str
    data: Any
    meaning: str


PACKAGES = (
    PackageSpec("Hello", ProgramLogin, "enters the world as a program"),
    PackageSpec("Command", LineCommand, "a line, as a player types it"),
    PackageSpec("Watch", WatchRequest, "enters as a spectator, instead of Hello"),
    PackageSpec("Operate", OperatorRequest, "pauses, resumes or changes time, for operators"),
    PackageSpec("Core.Hello", Hello, "the program's name and version"),
    PackageSpec("Core.Supports.Set", _Modules, 'the modules that it wants, each "Module version"'),
    PackageSpec("Core.Supports.Add", _Modules, "more modules that it wants"),
    PackageSpec("Core.Supports.Remove", _Modules, "modules that it no longer wants"),
    PackageSpec("Core.Ping", Any, "asks for a Core.Ping as the answer"),
    PackageSpec("Core.Size", WindowSize, "the window's size, for WebSocket; telnet has NAWS"),
    PackageSpec("Time.Ping", TimePing, "asks for the server's clock"),
    PackageSpec("Combat.React", React, "answers a threat"),
    PackageSpec("Mind.Put", MindPut, "stores a mind for the player's absence, or for a companion"),
    PackageSpec("Mind.Do", MindDo, "stops, starts or deletes a mind"),
    PackageSpec("Mind.Show", MindFor, "asks for a mind's source"),
    PackageSpec("Mind.List", Nothing, "asks for all minds of the player, with output and errors"),
)
_BY_NAME = {package.name.lower(): package for package in PACKAGES}


def find(name: str) -> PackageSpec | None:
    """Return the package of that name, however it is capitalised.

    None: not one of these.
    """
    return _BY_NAME.get(name.lower())


def convert(name: str, data: Any) -> Any:
    """Return plain JSON values as the structure of the package.

    As they are for packages not known here.

    Numbers may come as strings, as some scripts send them. Raises ValueError that says what is wrong.
    """
    package = find(name)
    return data if package is None else msgspec.convert(data, package.data, strict=False)

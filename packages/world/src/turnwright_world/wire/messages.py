"""Messages that players' programs send: names, fields and limits.

Telnet's GMCP, the WebSocket sub-protocol `gmcp.` and plain JSON carry the same messages. `server_messages`
defines the messages from the server. Times are integers in microseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from turnwright_world.intent import COMMAND_CHARS_MAX, PLAYER_SOURCE_SIZE_MAX
from turnwright_world.wire.clock import Micros, TimePing

# Examples of Combat.React:
#
# {"reaction": "dodge"}                                without a time, it takes effect on arrival
# {"reaction": "parry", "at": 81500000, "id": 3}       with a time, from a client with a clock, for one threat


class React(msgspec.Struct, frozen=True, omit_defaults=True):
    """A reaction to a threat.

    Attributes:
        at: the game time at which the reaction takes effect, µs. None means on arrival.
        id: the threat that the reaction is meant for. None means the first that it can clear.
        band: it clears the threats that land within this time, µs. None means its longest time.
    """

    reaction: Annotated[str, msgspec.Meta(min_length=1, max_length=32)]
    at: Micros | None = None
    id: Micros | None = None
    band: Micros | None = None


MODULES_MAX = 64
"""The most modules that a client may name, in one Core.Supports message and in total."""

_Word = Annotated[str, Meta(max_length=64)]
_Modules = Annotated[list[Annotated[str, Meta(max_length=80)]], Meta(max_length=MODULES_MAX)]


_Line = Annotated[str, Meta(max_length=COMMAND_CHARS_MAX)]


class ProgramLogin(Struct, frozen=True):
    """The login of a program.

    Attributes:
        token: the passphrase of an account.
        changes: whether the server sends only the changes of a turn.
    """

    name: _Line = ""
    token: _Line = ""
    changes: bool = False


class LineCommand(Struct, frozen=True):
    """A line, as a player types it."""

    text: _Line


class WatchRequest(Struct, frozen=True):
    """A request to watch. `what` is a player, a place, or "" for the place with the most players."""

    what: _Line = ""


class OperatorRequest(Struct, frozen=True):
    """A request of an operator.

    Attributes:
        do: pause, resume, step or speed.
        value: a number of turns, or a speed.
        secret: the operators' secret. A connection sends it only once.
    """

    do: _Word = ""
    value: int | float | _Word = ""
    secret: _Line | None = None


class Hello(Struct, frozen=True):
    """The client's name and version."""

    client: _Word = ""
    version: _Word = ""


class WindowSize(Struct, frozen=True):
    """The window's size in characters, from clients without telnet."""

    columns: Annotated[int, Meta(ge=1, le=65_535)]
    rows: Annotated[int, Meta(ge=1, le=65_535)]


class MindPut(Struct, frozen=True):
    """A mind that a player stores.

    target: "" for the player's character, or the name or #number of a creature.
    """

    source: Annotated[str, Meta(max_length=PLAYER_SOURCE_SIZE_MAX)]
    target: _Word = ""


class MindDo(Struct, frozen=True):
    """A request about a stored mind. target: as in MindPut."""

    what: Literal["stop", "start", "drop"]
    target: _Word = ""


class MindFor(Struct, frozen=True):
    """A request to show a mind. target: as in MindPut."""

    target: _Word = ""


class Nothing(Struct, frozen=True):
    """A request without fields."""


@dataclass(frozen=True, slots=True)
class PackageSpec:
    """A kind of message, called a package as in GMCP.

    Attributes:
        data: the type of its data.
        meaning: its purpose, for the reference page.
    """

    name: str
    data: Any
    meaning: str


PACKAGES = (
    PackageSpec("Hello", ProgramLogin, "enters the world as a program"),
    PackageSpec("Command", LineCommand, "sends a command line, as a player types it"),
    PackageSpec("Watch", WatchRequest, "enters as a spectator, instead of Hello"),
    PackageSpec("Operate", OperatorRequest, "pauses, resumes or changes time, for operators"),
    PackageSpec("Core.Hello", Hello, "gives the program's name and version"),
    PackageSpec(
        "Core.Supports.Set", _Modules, 'names the modules that the client wants, each as "Module version"'
    ),
    PackageSpec("Core.Supports.Add", _Modules, "names further modules that the client wants"),
    PackageSpec("Core.Supports.Remove", _Modules, "names modules that the client no longer wants"),
    PackageSpec("Core.Ping", Any, "asks for a Core.Ping as the answer"),
    PackageSpec("Core.Size", WindowSize, "gives the window's size on a WebSocket. Telnet uses NAWS for this"),
    PackageSpec("Time.Ping", TimePing, "asks for the server's clock"),
    PackageSpec("Combat.React", React, "reacts to a threat"),
    PackageSpec(
        "Mind.Put", MindPut, "stores a mind that plays while the player is away, or a companion's mind"
    ),
    PackageSpec("Mind.Do", MindDo, "stops, starts or deletes a mind"),
    PackageSpec("Mind.Show", MindFor, "asks for a mind's source"),
    PackageSpec("Mind.List", Nothing, "asks for all minds of the player, with output and errors"),
)
_BY_NAME = {package.name.lower(): package for package in PACKAGES}


def find(name: str) -> PackageSpec | None:
    """Return the package of a name in any case, or None for an unknown name."""
    return _BY_NAME.get(name.lower())


def convert(name: str, data: Any) -> Any:
    """Return JSON values as the type of the package. Data of an unknown package stays as it is.

    Numbers may be strings, because some scripts send them so.

    Raises:
        ValueError: the data does not have that type. The message names the mistake.
    """
    package = find(name)
    return data if package is None else msgspec.convert(data, package.data, strict=False)

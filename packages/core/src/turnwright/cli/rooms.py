"""The rooms of a server, from the command line or a file.

--rooms duel,school=snake           names of rooms, with a game if it differs from the server's
--rooms class.toml                  a section for each room, with options of `turnwright serve`

[duel]
tps = 60

[school]
game = "snake"
turn-timeout = "2s"
max-bots = 30
settings = { width = 30, height = 20 }
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from turnwright.app.option_fields import option
from turnwright.app.options import AddressOptions, ServeOptions
from turnwright.cli.parser import GivenOptions, ParsedCommand, parse
from turnwright.errors import SetupError, TurnwrightError

FILE_BYTES_MAX = 1_000_000
"""The largest size of a file with rooms, in bytes."""
_SUFFIX = ".toml"
_SETTINGS = "settings"
_OF_THE_SERVER = frozenset(
    {one.name for one in fields(AddressOptions)}
    | {"port", "insecure", "lan", "open", "rooms", "bot_secrets", "controller_secrets"}
    | {"bot_secrets_file", "controller_secrets_file"}
)
"""The fields of options that apply to all rooms together."""
_SWITCHES = frozenset(one.name for one in fields(ServeOptions) if one.default is False)
"""The fields of options that can only be turned on."""
_NO_SETTINGS = frozenset({"help", "verbose"})


@dataclass(frozen=True)
class RoomsChoice:
    """The rooms of a server."""

    rooms: str | None = option(
        None,
        "play battles in several rooms at the same time. NAMES lists the rooms, e.g. duel,school=snake. Here"
        " the room school plays snake, and the room duel plays the game of --game. NAMES may also be a file"
        " x.toml with a section for each room. Each room is a separate process. Its address is the server's"
        " address with /t/NAME at the end. Programs that name no room connect to the first room (default: one"
        " room, in this process)",
        metavar="NAMES",
        group="rooms",
    )


@dataclass(frozen=True)
class RoomWords:
    """A room that the command line or its file names.

    given: the options of this room, by name of their fields.
    """

    name: str
    given: GivenOptions


def read_rooms(text: str, game: str) -> list[RoomWords]:
    """Return the rooms that --rooms names, or the rooms in the file that it names.

    Args:
        game: the game of rooms that name no game.

    Raises:
        SetupError: the text or the file is wrong. The message has one line.
    """
    if text.endswith(_SUFFIX):
        sections = _sections(Path(text))
        rooms = [_section(text, name, said, game) for name, said in sections.items()]
    else:
        named = [one.partition("=") for one in text.split(",")]
        if not all(name.strip() for name, _, _ in named):
            raise SetupError(f"--rooms is {text!r:.80}: give names, e.g. duel,melee")
        rooms = [
            RoomWords(name.strip(), GivenOptions({"game": other.strip() if mark else game}))
            for name, mark, other in named
        ]
    if not rooms:
        raise SetupError(f"--rooms is {text}, a file without sections: give each room a section")
    return rooms


def merged(server: GivenOptions, room: RoomWords) -> GivenOptions:
    """Return a room's options.

    The room's own options take precedence over the options on the server's command line. If only the server
    has a directory for records, each room uses a directory of its name in it.
    """
    values = {**server.values, **room.given.values}
    if "records" in server.values and "records" not in room.given.values:
        values["records"] = server.values["records"] / room.name
    return GivenOptions(values)


def _sections(path: Path) -> Mapping[str, Any]:
    try:
        with path.open("rb") as file:
            data = file.read(FILE_BYTES_MAX + 1)
    except OSError as error:
        raise SetupError(f"--rooms {path}: {error.strerror}; give a file that can be read") from None
    if len(data) > FILE_BYTES_MAX:
        raise SetupError(f"--rooms {path}: the file is longer than {FILE_BYTES_MAX:,} bytes")
    try:
        return tomllib.loads(data.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SetupError(f"--rooms {path} is not valid TOML: {error}") from None


def _section(path: str, name: str, said: Any, game: str) -> RoomWords:
    """Return the room that a section of a file describes. The section has the options of a command line."""
    if not isinstance(said, dict):
        raise SetupError(f"{path}: {name} is in no section; write [NAME OF A ROOM] above it")
    off = {field for key, value in said.items() if value is False and (field := _field(key)) in _SWITCHES}
    try:
        found = parse(["serve", *_words({"game": game, **said}, off)])
    except TurnwrightError as error:
        raise SetupError(f"{path}, [{name}]: {error}") from None
    assert isinstance(found, ParsedCommand), "--help is not a setting of a room"
    for field in found.given.values:
        if field in _OF_THE_SERVER:
            key = next((key for key in said if field.startswith(_field(key))), field)
            raise SetupError(
                f"{path}, [{name}]: {key} belongs to the whole server; give it on the command line"
            )
    return RoomWords(name, GivenOptions({**found.given.values, **dict.fromkeys(off, False)}))


def _field(key: str) -> str:
    return key.replace("-", "_")


def _words(said: Mapping[str, Any], off: Set[str]) -> list[str]:
    """Return the settings of a room as words of a command line. Switches that are off are left out."""
    words = []
    for key, value in said.items():
        if key in _NO_SETTINGS:
            raise SetupError(f"{key} is not a setting of a room")
        if key == _SETTINGS and isinstance(value, dict):
            words += [f"--set={name}={_json(name, one)}" for name, one in value.items()]
        elif isinstance(value, bool) and _field(key) not in off:
            words.append(f"--{'' if value else 'no-'}{key}")
        elif not isinstance(value, bool):
            words += [f"--{key}={_text(key, one)}" for one in _every(value)]
    return words


def _every(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]


def _text(key: str, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise SetupError(f"{key} is {value!r:.40}: give a text, a number, true, false, or a list of these")
    return str(value)


def _json(key: str, value: Any) -> str:
    try:
        return json.dumps(value)
    except (TypeError, ValueError):
        raise SetupError(f"{key} is {value!r:.40}: give a JSON value") from None

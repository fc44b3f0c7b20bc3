"""The battle tables of a server, from the command line or a file.

--tables duel,school=snake           names, and games where they are not the server's
--tables class.toml                  a section for each table, with options of `turnwright serve`

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
"""The longest file of tables."""
_SUFFIX = ".toml"
_SETTINGS = "settings"
_OF_THE_SERVER = frozenset(
    {one.name for one in fields(AddressOptions)}
    | {"port", "insecure", "lan", "open", "tables", "bot_secrets", "controller_secrets"}
    | {"bot_secrets_file", "controller_secrets_file"}
)
"""Fields of what is given once for all tables."""
_SWITCHES = frozenset(one.name for one in fields(ServeOptions) if one.default is False)
"""Fields of options that only turn something on."""
_NO_SETTINGS = frozenset({"help", "verbose"})


@dataclass(frozen=True)
class TablesChoice:
    """The battle tables of a server."""

    tables: str | None = option(
        None,
        "play several battles at once, each at its own battle table. Give the names of the tables, with a"
        " game if it differs (duel,school=snake), or a file x.toml with a section for each. Each table is a"
        " separate process at /t/NAME. Programs that name no table get the first (default: one table, in"
        " this process)",
        metavar="NAMES",
        group="tables",
    )


@dataclass(frozen=True)
class TableWords:
    """A requested table. given: its own options, by name of their fields."""

    name: str
    given: GivenOptions


def read_tables(text: str, game: str) -> list[TableWords]:
    """Return the tables of --tables, or of its file.

    Args:
        game: the game of tables that name none.

    Raises:
        SetupError: the text or the file is wrong. The message is one line.
    """
    if text.endswith(_SUFFIX):
        sections = _sections(Path(text))
        tables = [_section(text, name, said, game) for name, said in sections.items()]
    else:
        named = [one.partition("=") for one in text.split(",")]
        if not all(name.strip() for name, _, _ in named):
            raise SetupError(f"--tables {text}: a name is missing; give names, e.g. duel,melee")
        tables = [
            TableWords(name.strip(), GivenOptions({"game": other.strip() if mark else game}))
            for name, mark, other in named
        ]
    if not tables:
        raise SetupError(
            f"--tables {text} names no battle table; give names, e.g. duel,melee, or a file with a section"
            " for each"
        )
    return tables


def merged(server: GivenOptions, table: TableWords) -> GivenOptions:
    """Return a table's options.

    Its own, and for the rest those of the server's command line.
    """
    values = {**server.values, **table.given.values}
    if "records" in server.values and "records" not in table.given.values:
        values["records"] = server.values["records"] / table.name
    return GivenOptions(values)


def _sections(path: Path) -> Mapping[str, Any]:
    try:
        with path.open("rb") as file:
            data = file.read(FILE_BYTES_MAX + 1)
    except OSError as error:
        raise SetupError(f"--tables {path}: {error.strerror}; give a file that can be read") from None
    if len(data) > FILE_BYTES_MAX:
        raise SetupError(f"--tables {path}: it is longer than {FILE_BYTES_MAX:,} bytes")
    try:
        return tomllib.loads(data.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SetupError(f"--tables {path} is not valid TOML: {error}") from None


def _section(path: str, name: str, said: Any, game: str) -> TableWords:
    """Return a section of a file, read as the words of a command line are."""
    if not isinstance(said, dict):
        raise SetupError(f"{path}: {name} is in no section; write [NAME OF A TABLE] above it")
    off = {field for key, value in said.items() if value is False and (field := _field(key)) in _SWITCHES}
    try:
        found = parse(["serve", *_words({"game": game, **said}, off)])
    except TurnwrightError as error:
        raise SetupError(f"{path}, [{name}]: {error}") from None
    assert isinstance(found, ParsedCommand), "--help is not a setting of a table"
    for field in found.given.values:
        if field in _OF_THE_SERVER:
            key = next((key for key in said if field.startswith(_field(key))), field)
            raise SetupError(
                f"{path}, [{name}]: {key} belongs to the whole server; give it on the command line"
            )
    return TableWords(name, GivenOptions({**found.given.values, **dict.fromkeys(off, False)}))


def _field(key: str) -> str:
    return key.replace("-", "_")


def _words(said: Mapping[str, Any], off: Set[str]) -> list[str]:
    """Return the settings of a table as words of a command line, without the switches that are off."""
    words = []
    for key, value in said.items():
        if key in _NO_SETTINGS:
            raise SetupError(f"{key} is not a setting of a table")
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
        raise SetupError(
            f"{key} is {value!r:.40}: expected a text, a number, true, false, or a list of these"
        )
    return str(value)


def _json(key: str, value: Any) -> str:
    try:
        return json.dumps(value)
    except (TypeError, ValueError):
        raise SetupError(f"{key} holds {value!r:.40}: expected what JSON can hold") from None

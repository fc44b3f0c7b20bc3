"""Reads a bot's or a team's JSON file (`<Dir>/<Dir>.json`).

The names and types of the fields are the same as for Tank Royale's booter. Unknown keys are ignored. The
lengths of texts are not checked, because the server later checks the bot's handshake. In old bots, "authors"
and "countryCodes" are a text instead of a list. Such a text counts as a list with one item.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from turnwright.errors import SetupError
from turnwright.net.participants.own_files import is_own_file

CONFIG_SIZE_MAX = 1 << 20
"""The largest size of a JSON file, in bytes."""

_TEXTS = ("base", "license", "description", "homepage", "platform", "programmingLang", "initialPosition")
_LISTS = ("countryCodes", "gameTypes", "teamMembers")


@dataclass(frozen=True, slots=True)
class BotConfig:
    """The content of a JSON file. A field whose key is absent has its default, which is None for most fields.

    If `team_members` is not empty, this is a team.

    Attributes:
        fresh: whether the bot needs a new process for each battle. Tank Royale has no such key.
    """

    name: str
    version: str
    authors: tuple[str, ...]
    base: str | None = None
    license: str | None = None
    description: str | None = None
    homepage: str | None = None
    country_codes: tuple[str, ...] | None = None
    game_types: tuple[str, ...] | None = None
    platform: str | None = None
    programming_lang: str | None = None
    initial_position: str | None = None
    team_members: tuple[str, ...] = ()
    fresh: bool = False


def read_config(path: Path) -> BotConfig:
    """Return the content of the JSON file at `path`.

    Raises:
        SetupError: the file is wrong. The message has one line. It names the file, and the line and column or
            the key.
    """
    data = _parse(path, _text(path))
    if not isinstance(data, dict):
        raise SetupError(f"{path}: expected a JSON object with name, version and authors, got {_kind(data)}")
    missing = [key for key in ("name", "version", "authors") if data.get(key) is None]
    if missing:
        raise SetupError(f"{path}: {' and '.join(missing)} missing: name, version and authors are required")
    texts = {key: _string(path, data, key) for key in ("name", "version", *_TEXTS)}
    lists = {key: _strings(path, data, key) for key in ("authors", *_LISTS)}
    return BotConfig(
        name=texts["name"] or "",
        version=texts["version"] or "",
        authors=lists["authors"] or (),
        base=texts["base"],
        license=texts["license"],
        description=texts["description"],
        homepage=texts["homepage"],
        country_codes=lists["countryCodes"],
        game_types=lists["gameTypes"],
        platform=texts["platform"],
        programming_lang=texts["programmingLang"],
        initial_position=texts["initialPosition"],
        team_members=lists["teamMembers"] or (),
        fresh=_flag(path, data, "fresh"),
    )


def _text(path: Path) -> str:
    try:
        if path.exists() and not is_own_file(path.parent, path):
            raise SetupError(f"{path}: it leads out of the bot's directory. Put the file itself there")
        with path.open("rb") as file:
            data = file.read(CONFIG_SIZE_MAX + 1)
        if len(data) > CONFIG_SIZE_MAX:
            raise SetupError(
                f"{path}: more than {CONFIG_SIZE_MAX} bytes, which is the most: is this the bot's JSON?"
            )
        return data.decode("utf-8-sig")
    except OSError as error:
        raise SetupError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SetupError(f"{path}: byte {error.start} is not UTF-8: save the file as UTF-8") from error


def _parse(path: Path, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise SetupError(f"{path}, {place}: this is not JSON ({error.msg}): correct the file") from error
    except RecursionError as error:
        raise SetupError(f"{path}: nested too deeply for a bot's JSON: correct the file") from error


def _string(path: Path, data: Mapping[str, Any], key: str) -> str | None:
    value = data.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        raise SetupError(f'{path}: "{key}" must be a string, got {_kind(value)}')
    _no_nul(path, key, value)
    return value


def _strings(path: Path, data: Mapping[str, Any], key: str) -> tuple[str, ...] | None:
    value = data.get(key)
    if value is None:
        return None
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list):
        raise SetupError(f'{path}: "{key}" must be a list of strings, got {_kind(value)}')
    for item in value:
        if not isinstance(item, str):
            raise SetupError(f'{path}: "{key}" must be a list of strings, one of them is {_kind(item)}')
        _no_nul(path, key, item)
    return tuple(value)


def _flag(path: Path, data: Mapping[str, Any], key: str) -> bool:
    value = data.get(key)
    if value is not None and not isinstance(value, bool):
        raise SetupError(f'{path}: "{key}" must be true or false, got {_kind(value)}')
    return bool(value)


def _no_nul(path: Path, key: str, value: str) -> None:
    """Raise SetupError if the value contains NUL or a lone surrogate. The values become environment
    variables, which cannot contain these characters.
    """
    if "\0" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
        raise SetupError(f'{path}: "{key}" contains a character that an environment variable cannot have')


def _kind(value: object) -> str:
    """Return the JSON name of a value's type, with its article."""
    names = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")

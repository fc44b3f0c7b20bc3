"""The identity of a bot: from class attributes, its JSON file and the environment.

A launcher sets the environment from the JSON file of a bot directory. So each field of the environment
overrides the file, and the file overrides the class. Without a JSON file the identity comes from the class,
and BOT_NAME_DEFAULT is the name if the class has none. Source: the official booter's conventions (BOT_*,
TEAM_*).
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from turnwright.errors import SetupError
from turnwright.wire.nesting_bound import TOO_DEEP, nested_too_deeply
from turnwright_tank.settings import SETTINGS, TankSettings

_LIST_FIELDS = frozenset({"authors", "country_codes", "game_types"})
_ENVIRONMENT = {
    "name": "BOT_NAME",
    "version": "BOT_VERSION",
    "authors": "BOT_AUTHORS",
    "description": "BOT_DESCRIPTION",
    "homepage": "BOT_HOMEPAGE",
    "country_codes": "BOT_COUNTRY_CODES",
    "game_types": "BOT_GAME_TYPES",
    "platform": "BOT_PLATFORM",
    "programming_lang": "BOT_PROG_LANG",
    "initial_position": "BOT_INITIAL_POS",
    "team_name": "TEAM_NAME",
    "team_version": "TEAM_VERSION",
}
_JSON = {
    "name": "name",
    "version": "version",
    "authors": "authors",
    "description": "description",
    "homepage": "homepage",
    "countryCodes": "country_codes",
    "gameTypes": "game_types",
    "platform": "platform",
    "programmingLang": "programming_lang",
    "initialPosition": "initial_position",
}


@dataclass(frozen=True, slots=True)
class BotIdentity:
    """The identity of a bot in its handshake.

    `initial_position` is "x,y,direction". Any part may be blank.
    """

    name: str
    version: str = "1.0"
    authors: tuple[str, ...] = ("unknown",)
    description: str | None = None
    homepage: str | None = None
    country_codes: tuple[str, ...] = ()
    game_types: tuple[str, ...] = ()
    platform: str | None = "Python"
    programming_lang: str | None = "Python"
    initial_position: str | None = None
    team_id: int | None = None
    team_name: str | None = None
    team_version: str | None = None
    is_droid: bool = False


def read_identity(
    cls: type, environment: Mapping[str, str] | None = None, folder: Path | None = None
) -> BotIdentity:
    """Return the identity of a bot class.

    Args:
        environment: the environment, by default that of the process.
        folder: the folder of `<Class>.json`, by default that of the file that defines the class.

    Raises:
        SetupError: the JSON file is broken, or TEAM_ID is not a number.
    """
    environment = os.environ if environment is None else environment
    given: dict[str, Any] = _from_class(cls)
    given.update(_from_json((folder or _folder_of(cls)) / f"{cls.__name__}.json"))
    given.update(_from_environment(environment))
    default = environment.get("BOT_NAME_DEFAULT", "").strip() or cls.__name__
    return replace(BotIdentity(name=default), **given)


def initial_position(text: str | None) -> tuple[float | None, float | None, float | None] | None:
    """Return (x, y, direction) for "x,y,direction". A blank or unreadable part is None."""
    parts = re.split(r"\s*,\s*|\s+", (text or "").strip())[:3]
    x, y, direction = [*map(_number, parts), None, None, None][:3]
    return None if x is None and y is None and direction is None else (x, y, direction)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _folder_of(cls: type) -> Path:
    module = sys.modules.get(cls.__module__)
    file = getattr(module, "__file__", None)
    return Path(file).resolve().parent if file else Path.cwd()


def _from_class(cls: type) -> dict[str, Any]:
    given = {}
    for one in fields(BotIdentity):
        value = getattr(cls, one.name, None)
        if isinstance(value, str | bool) or (one.name in _LIST_FIELDS and value):
            given[one.name] = _texts(value) if one.name in _LIST_FIELDS else value
    return given


def _from_json(path: Path) -> dict[str, Any]:
    try:
        text = path.read_bytes()
        if nested_too_deeply(text):
            raise ValueError(TOO_DEEP)
        data = json.loads(text.decode())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise SetupError(f"{path} is not readable JSON ({error}); correct it or remove it") from None
    if not isinstance(data, dict):
        raise SetupError(
            f"{path} holds {type(data).__name__}, expected one JSON object; correct it or remove it"
        )
    given = {field: data[key] for key, field in _JSON.items() if data.get(key)}
    return {name: _texts(value) if name in _LIST_FIELDS else str(value) for name, value in given.items()}


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for name, variable in _ENVIRONMENT.items():
        text = environment.get(variable, "").strip()
        if text:
            given[name] = _texts(text) if name in _LIST_FIELDS else text
    team = environment.get("TEAM_ID", "").strip()
    if team:
        try:
            given["team_id"] = int(team)
        except ValueError:
            raise SetupError(f"TEAM_ID is {team!r}, expected a whole number") from None
    return given


def _texts(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        value = value.split(",")
    return tuple(str(part).strip() for part in value if str(part).strip())


# ---- the game as a bot knows it before the first round --------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameInfo(TankSettings):
    """The settings of the game, and the bot's place in it."""

    my_id: int = 0
    turn_timeout_us: int = 30_000
    teammate_ids: tuple[int, ...] = ()
    bot_names: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of_setup(
        cls,
        setup: Mapping[str, Any],
        my_id: int,
        teammate_ids: tuple[int, ...] = (),
        bot_names: Mapping[int, str] | None = None,
    ) -> GameInfo:
        """Return the info for a bot id from a game's setup in JSON, which may lack settings of ours."""
        settings = {
            one.name: setup.get(one.wire_name, one.default) if one.is_ours else setup[one.wire_name]
            for one in SETTINGS
        }
        return cls(
            my_id=my_id,
            turn_timeout_us=setup["turnTimeout"],
            teammate_ids=teammate_ids,
            bot_names=bot_names or {},
            **settings,
        )

    @classmethod
    def of(cls, given: GameInfo | Mapping[str, Any]) -> GameInfo:
        """Return an info unchanged, or make it from a mapping with some of its fields.

        Other keys of the mapping are ignored.
        """
        if isinstance(given, GameInfo):
            return given
        known = {f.name: given[f.name] for f in fields(cls) if given.get(f.name) is not None}
        if "teammate_ids" in known:
            known["teammate_ids"] = tuple(known["teammate_ids"])
        return cls(**known)

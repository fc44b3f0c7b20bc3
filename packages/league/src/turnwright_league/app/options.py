"""The settings of a tournament, from a command line, Python or `tournament.toml`."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, make_dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

from turnwright.app.game.playable import PlayableGame
from turnwright.app.option_fields import DeclaredOption, check_types, option
from turnwright.app.options import BattleOptions, check_seed
from turnwright.app.times import microseconds_of, seconds
from turnwright.errors import SetupError
from turnwright_league.tournament.pairings import BATTLES_MAX, TournamentFormat

JOBS_MAX = 4_096
"""The most battles at the same time."""
SETTINGS_FILE = "tournament.toml"
_FILE_BYTES_MAX = 1 << 20
_RESOURCE = re.compile(r"[A-Za-z0-9_.-]{1,64}")

KeepRecords = Literal["all", "suspect", "none"]
"""The records that are kept: all records, only the records of suspect and forfeited battles, or none."""

_LEFT_OUT = ("bots", "seed", "tps", "pacing", "record_required", "record", "recording", "watched", "game")
"""The settings of a battle that a tournament declares itself, or that make no sense in a tournament."""
_OF_THE_MACHINE = ("python", "connect_timeout_s", "sandbox")
"""The settings of a battle for starting programs. They do not affect its result."""


@dataclass(frozen=True, kw_only=True)
class JobsChoice:
    """The number of battles at the same time, or None for the number of processors.

    Raises:
        SetupError: the number is out of its range.
    """

    jobs: int | None = option(
        None, "battles that run at the same time (default: the number of processors)", metavar="N", often=True
    )

    def __post_init__(self) -> None:
        if self.jobs is not None and not 1 <= self.jobs <= JOBS_MAX:
            raise SetupError(f"--jobs is {self.jobs}: give 1 to {JOBS_MAX:,}")


@dataclass(frozen=True, kw_only=True)
class TournamentOptions:
    """The settings of a tournament. None means the folder's value, or the default.

    The first run fixes format, seed, seats, tournament_rounds, challengers, and the settings of the battles.
    In a knockout, it also fixes battles.

    Attributes:
        battles: the number of battles of each pairing.
        until_ci: play until every 95 % interval of an APS reaches at most this many points to either side.
        for_s: the seconds after which no new battle begins.
        jobs: the number of battles at the same time.
        on: "local", "dask://HOST:PORT", "ray" or "ray://HOST:PORT".
        resource: a resource that workers of a cluster must have, or None.
        fresh: whether programs start again for each battle. If not, they stay connected for the next battle.
        store: a file, or a URL postgresql://….
        keep: which records are kept.
        bots: bots in addition to those of the folder.

    Raises:
        SetupError: a value is out of its range, or two values contradict each other.
    """

    bots: tuple[str, ...] = field(
        default=(),
        metadata={
            "option": DeclaredOption(
                "built-in bots and bot directories that take part in addition to those in FOLDER",
                metavar="BOT",
                positional=True,
                many=True,
            )
        },
    )
    format: TournamentFormat | None = option(
        None, "how bots are paired (default: round-robin)", metavar="|".join(get_args(TournamentFormat))
    )
    battles: int | None = option(
        None, "battles of each pairing, or of each match of a knockout (default: 2)", metavar="N", often=True
    )
    until_ci: float | None = option(
        None,
        "instead of a fixed number of battles, play until the 95 % interval of each bot's APS is at most ±"
        " X points. The command always plays the battles that reduce the intervals most",
        "--until-ci",
        metavar="X",
    )
    for_s: float | None = option(
        None,
        "start no new battle after this time, e.g. 30m or 1h",
        "--for",
        metavar="TIME",
        read=seconds,
        often=True,
    )
    jobs: int | None = option(
        None,
        "battles that run at the same time (default: the number of processors, or workers)",
        metavar="N",
        often=True,
    )
    on: str | None = option(
        None,
        "where to play battles: on this machine (local), or on a cluster (dask://HOST:PORT, ray or"
        " ray://HOST:PORT) (default: local)",
        metavar="WHERE",
    )
    resource: str | None = option(
        None,
        "on a cluster: use only workers with this resource, e.g. java. Each battle uses one unit of it",
        metavar="NAME",
    )
    fresh: bool = option(False, "restart the bots' programs for each battle, so that they remember nothing")
    seed: int | None = option(None, "random seed of the tournament (default: 1)", "-s", "--seed", metavar="N")
    seats: int | None = option(
        None,
        "the number of bots in a battle (default: 2, or all bots in a melee)",
        metavar="N",
        group="pairings",
    )
    tournament_rounds: int | None = option(
        None, "how many tournament rounds swiss and ladder have", metavar="N", group="pairings"
    )
    challengers: tuple[str, ...] = option(
        (),
        "in a gauntlet: a bot that plays against all other bots (the option may be repeated; default: the"
        " first bot)",
        "--challenger",
        metavar="NAME",
        many=True,
        group="pairings",
    )
    store: str | None = option(
        None,
        "where to store results: a file, or postgresql://… (default: as in the last run, or"
        " FOLDER/results.sqlite)",
        metavar="WHERE",
        group="records",
    )
    keep: KeepRecords | None = option(
        None,
        "which records to keep. records=all: all. records=suspect: only the records of suspect and"
        " forfeited battles. records=none: none (default: all)",
        "--keep",
        metavar="records=WHICH",
        read=lambda text: _kept(text),
        group="records",
    )

    def __post_init__(self) -> None:
        check_types(self)
        check_seed("seed", self.seed)
        if self.battles is not None and self.until_ci is not None:
            raise SetupError("--battles and --until-ci are both given: give one of them")
        if self.battles is not None and not 1 <= self.battles <= BATTLES_MAX:
            raise SetupError(f"--battles is {self.battles}: give 1 to {BATTLES_MAX:,}")
        if self.until_ci is not None and not 0 < self.until_ci < 100:
            raise SetupError(f"--until-ci is {self.until_ci:g}: give points of APS, above 0 and below 100")
        if self.for_s is not None and not self.for_s > 0:
            raise SetupError(f"--for is {self.for_s:g} s: give a time above 0, e.g. 30m")
        if self.jobs is not None and not 1 <= self.jobs <= JOBS_MAX:
            raise SetupError(f"--jobs is {self.jobs}: give 1 to {JOBS_MAX:,}")
        _check_place(self.on)
        if self.resource is not None:
            if self.on in (None, "local"):
                raise SetupError("--resource chooses workers of a cluster: give it with --on dask://… or ray")
            if not _RESOURCE.fullmatch(self.resource):
                raise SetupError(f"--resource is {self.resource[:80]!r}: give letters, digits, _, - and .")

    def given(self) -> dict[str, Any]:
        """Return the values by name, without None, () and False."""
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        return {
            name: value for name, value in found.items() if value not in (None, ()) and value is not False
        }


def _check_place(on: str | None) -> None:
    scheme, _, rest = (on or "").partition("://")
    host, _, port = rest.rpartition(":")
    if on in (None, "local", "ray") or (scheme in ("dask", "ray") and host and port.isdecimal()):
        return
    raise SetupError(f"--on is {str(on)[:80]!r}: give local, dask://HOST:PORT, ray or ray://HOST:PORT")


def _kept(text: str) -> str:
    what, _, which = text.rpartition("=")
    if what not in ("", "records") or which not in get_args(KeepRecords):
        raise ValueError(f"{text[:40]!r} does not apply: give records=all, records=suspect or records=none")
    return which


# ---- settings of the battles -------------------------------------------------------------------------------


def battle_settings_of(kind: type[BattleOptions]) -> type:
    """Return a dataclass with the options of a battle that its tournament takes.

    A value equal to the field's default counts as not given.

    Args:
        kind: the options of a battle of the game.
    """
    hints = get_type_hints(kind)
    rows: list[tuple[str, Any, Any]] = []
    for one in fields(kind):
        declared: DeclaredOption | None = one.metadata.get("option")
        filled = declared is None and _filled_by_another(one, kind)
        if one.name not in _LEFT_OUT and (declared is not None or filled):
            rows.append((one.name, hints[one.name], field(default=one.default, metadata=one.metadata)))
    return make_dataclass(f"TournamentOf{kind.__name__}", rows, frozen=True, kw_only=True)


def _filled_by_another(one: Field[Any], kind: type[BattleOptions]) -> bool:
    declared = [other.metadata.get("option") for other in fields(kind)]
    return any(option is not None and one.name in option.fills for option in declared)


def settings_given(game: PlayableGame, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that affect the result of a battle, as JSON values.

    Default values are left out.

    Args:
        values: the values by the field of the game's options.
    """
    found = battle_settings(values)
    if "settings" in found:
        usual = setting_default(game, "settings")
        found["settings"] = {k: v for k, v in found["settings"].items() if k not in usual or v != usual[k]}
    return {name: value for name, value in found.items() if value not in ({}, setting_default(game, name))}


def setting_default(game: PlayableGame, name: str) -> Any:
    """Return the default of an option of the game's battles.

    For "settings", these are the defaults of its rules.
    """
    kind = game.options
    if name == "settings":
        return dict(game.rules().defaults)
    default: Any = next(one.default for one in fields(kind) if one.name == name)
    return default


def battle_settings(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return all settings that affect the result of a battle.

    They are JSON values and include default values.
    """
    return {
        name: dict(value) if name == "settings" else value
        for name, value in values.items()
        if name not in _OF_THE_MACHINE
    }


def machine_settings(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the settings that are for starting programs, without None."""
    return {name: values[name] for name in _OF_THE_MACHINE if values.get(name) is not None}


# ---- the file ----------------------------------------------------------------------------------------------


def options_in_file(folder: Path) -> tuple[TournamentOptions, str | None, dict[str, Any]]:
    """Return options, game (or None) and settings of battles in `tournament.toml`.

    Paths in the file are relative to its folder. Without the file, nothing is set. The settings are not
    checked yet, which `settings_in_file` does once the game is known.

    Raises:
        SetupError: the file cannot be read, or has an unknown key.
    """
    path = folder / SETTINGS_FILE
    if not path.exists():
        return TournamentOptions(), None, {}
    data = _toml(path)
    game = data.pop("game", None)
    settings = data.pop("settings", {})
    if game is not None and not isinstance(game, str):
        raise SetupError(f"{path}: game is {game!r:.40}: give the name of a game, or its folder")
    if not isinstance(settings, dict):
        raise SetupError(f"{path}: settings is {settings!r:.40}: give a table, e.g. [settings]")
    known = {one.name: one for one in fields(TournamentOptions)}
    aliases = {"for": "for_s"}
    for name in data:
        if aliases.get(name, name) not in known or name == "for_s":
            raise SetupError(f"{path}: {_unknown(name, ['game', 'settings', 'for', *known])}")
    values: dict[str, Any] = {}
    try:
        for name, value in data.items():
            one = aliases.get(name, name)
            if one == "for_s":
                value = seconds(str(value))
            elif one == "keep":
                value = _kept(str(value))
            elif one in ("bots", "challengers"):
                value = _texts(name, value)
            values[one] = value
        if "bots" in values:
            values["bots"] = tuple(_beside(folder, bot) for bot in values["bots"])
        if isinstance(values.get("store"), str):
            values["store"] = _beside(folder, values["store"])
        return TournamentOptions(**values), None if game is None else _beside(folder, game), settings
    except (SetupError, ValueError) as error:
        raise SetupError(f"{path}: {error}") from None


def _beside(folder: Path, text: str) -> str:
    """Return a path of `tournament.toml` as seen from the current folder. Names and URLs do not change."""
    is_path = "/" in text and "://" not in text and not text.startswith("house/")
    return os.path.normpath(folder / text) if is_path else text


def settings_in_file(folder: Path, game: PlayableGame, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Check the settings of `options_in_file`, and return them by the field of the game's options.

    Raises:
        SetupError: a setting is unknown or its value is wrong. The message names the file.
    """
    try:
        return settings_by_field(game, settings)
    except SetupError as error:
        raise SetupError(f"{folder / SETTINGS_FILE}: {error}") from None


def settings_by_field(game: PlayableGame, values: Mapping[str, Any]) -> dict[str, Any]:
    """Check the settings of battles, and return them by the field of the game's options.

    If the game declares no options, all other names are settings of its rules.

    Raises:
        SetupError: a setting is unknown or its value is wrong.
    """
    kind = battle_settings_of(game.options)
    known = {one.name for one in fields(kind)}
    own = dict(values.get("settings", ())) if "settings" in known else {}
    found: dict[str, Any] = {}
    for name, value in values.items():
        if name in known:
            found[name] = value
        elif "settings" in known:
            own[name] = value
        elif name == "turn_timeout":
            found["turn_timeout_us"] = microseconds_of(value)
        else:
            raise SetupError(_unknown(name, sorted(known)))
    if own:
        found["settings"] = tuple(own.items())
    check_types(kind(**found))
    return found


def _toml(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > _FILE_BYTES_MAX:
            raise SetupError(f"{path} is larger than {_FILE_BYTES_MAX >> 20} MiB")
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SetupError(f"{path} cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SetupError(f"{path}: not valid TOML: {error}") from None


def _texts(name: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise SetupError(f"{name} is {value!r:.40}: give a list of texts")
    return tuple(value)


def _unknown(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
    return f"there is no setting {name[:40]!r}: {hint}"

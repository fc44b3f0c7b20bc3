"""The settings of a battle of tanks, checked before anything is started.

`turnwright battle` and `run_battle` take the same settings. This module opens no file and no socket.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, make_dataclass
from typing import TYPE_CHECKING, Literal

from turnwright.app.option_fields import OFFICIAL, option
from turnwright.app.options import BattleOptions, ServeOptions
from turnwright.errors import SetupError
from turnwright_tank.backends import Speed
from turnwright_tank.settings import SETTINGS, START_SETTINGS
from turnwright_tank.wire.royale.limits import BOTS_MAX
from turnwright_tank.wire.royale.message_parts import GameSetup
from turnwright_tank.wire.royale.setup import GAME_TYPES, preset, validate_start

OnRulesError = Literal["void", "continue"]
"""The effect of an exception in a stage of the rules: the battle is void, or continues without that stage."""

_OUR_NAMES = {
    "number_of_rounds": "rounds",
    "turn_timeout": "turn_timeout_us",
    "ready_timeout": "ready_timeout_us",
}
"""Settings whose option has another name."""
_METAVARS = {int: "N", float: "X", str: "NAME"}


def _size(text: str) -> tuple[int, int]:
    """Return the width and the height in a text such as "800x600"."""
    width, _, height = text.lower().partition("x")
    try:
        return int(width), int(height)
    except ValueError:
        raise ValueError(f"{text[:40]!r} is not a size such as 800x600") from None


@dataclass(frozen=True, kw_only=True)
class StartOptions:
    """Whether bots may choose where they begin."""

    initial_positions: bool = option(
        False, "let bots choose their start positions", "-i", "--enable-initial-position", group="game"
    )


@dataclass(frozen=True, kw_only=True)
class RulesErrorOptions:
    """The setting for a stage of the rules that raises an exception."""

    on_rules_error: OnRulesError = option(
        "void",
        "what happens if the rules raise an exception. void: the battle ends and is void. continue: the"
        " server skips the stage of the rules that failed (default: {default})",
        group="game",
    )


if TYPE_CHECKING:

    class SettingOptions:
        """Options for those settings of the rules that need no more than their declaration in SETTINGS."""

else:
    _WRITTEN_OUT = ("game_type", "arena_width", "arena_height", "number_of_rounds")
    SettingOptions = make_dataclass(
        "SettingOptions",
        [
            (
                one.name,
                one.kind | None,
                option(
                    None,
                    f"{one.says} (default: set by the game type)",
                    metavar=_METAVARS[one.kind],
                    group="game",
                ),
            )
            for one in SETTINGS
            if one.name not in _WRITTEN_OUT
        ],
        frozen=True,
        kw_only=True,
    )


@dataclass(frozen=True, kw_only=True)
class TankOptions(SettingOptions, RulesErrorOptions, StartOptions, BattleOptions):
    """The settings of one battle of tanks. None takes the value of the game type's preset.

    Attributes:
        arena_width, arena_height: the size of the arena, units.
        initial_positions: whether bots may choose where they begin.
        recording: a file as official recorders write it: .battle.gz, or .battle without compression.

    Raises:
        SetupError: a battle cannot be played with these settings. The message is one line.
    """

    rounds: int | None = option(
        None,
        "rounds of a battle (default: set by the game type)",
        "-n",
        "--rounds",
        metavar="N",
        group="game",
        often=True,
    )
    game_type: str = option(
        "classic",
        "the game type: classic, 1v1, twinduel, melee or custom (default: {default})",
        metavar="TYPE",
        group="game",
        often=True,
    )
    arena_width: int | None = option(
        None,
        "width and height of the arena in units (default: set by the game type)",
        "--arena",
        metavar="WxH",
        read=_size,
        fills=("arena_width", "arena_height"),
        group="game",
    )
    arena_height: int | None = None
    game: str = "tank"

    def __post_init__(self) -> None:
        super().__post_init__()
        game_setup(self)
        if len(self.bots) < 2:
            given = "1 bot is" if self.bots else "no bot is"
            raise SetupError(f"{given} given: a battle needs 2 or more")
        if len(self.bots) > BOTS_MAX:
            raise SetupError(f"{len(self.bots)} bots are given: at most {BOTS_MAX} can play")

    @classmethod
    def record_kinds(cls) -> Mapping[str, tuple[tuple[str, ...], str]]:
        """Return the suffixes of the files of each field, and their names for errors."""
        words = ".battle.gz or .battle (as official recorders write it)"
        return {**super().record_kinds(), "recording": ((".battle.gz", ".battle"), words)}


def _game_types(text: str) -> tuple[str, ...]:
    """Return the game types in a text such as "classic,1v1"."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


@dataclass(frozen=True, kw_only=True)
class TankServeOptions(RulesErrorOptions, StartOptions, ServeOptions):
    """The settings of a server of tank battles, with the game types and the speed of the rules.

    Raises:
        SetupError: a setting is wrong.
    """

    game_types: tuple[str, ...] = option(
        GAME_TYPES,
        "the game types that the server offers, with commas between several (default: all five)",
        "-g",
        "--games",
        metavar="TYPES",
        read=_game_types,
        group=OFFICIAL,
    )
    speed: Speed = option(
        "auto",
        "whether to use compiled or interpreted rules. auto: compiled rules, if the package was built with"
        " a C compiler (default: {default})",
        group="game",
    )

    def __post_init__(self) -> None:
        unknown = [name for name in self.game_types if name not in GAME_TYPES]
        if unknown or not self.game_types:
            given = f"unknown game type {unknown[0]!r}" if unknown else "no game type is given"
            raise SetupError(f"{given}: choose some of {', '.join(GAME_TYPES)}")
        if self.settings:
            raise SetupError(
                "--set does not apply to the tank game: the operator chooses the settings of each battle"
            )
        super().__post_init__()


def game_setup(options: TankOptions) -> GameSetup:
    """Return the settings of the game: the preset of its type with the changes of the options.

    Raises:
        SetupError: the game type is unknown, or a value is out of its range.
    """
    setup = preset(options.game_type)
    for one in START_SETTINGS:
        value = getattr(options, _OUR_NAMES.get(one.name, one.name), None)
        if value is not None:
            setattr(setup, one.name, value)
    complaint = validate_start(setup, GAME_TYPES)
    if complaint is not None:
        wire_name, _, rest = complaint.partition(" ")
        name = next((one.name for one in START_SETTINGS if one.wire_name == wire_name), wire_name)
        raise SetupError(f"{_OUR_NAMES.get(name, name)} {rest}")
    return setup


def check_seats(setup: GameSetup, seats: int) -> None:
    """Check the number of bots for a game type. Each member of a team counts.

    Raises:
        SetupError: the game type needs more or fewer bots.
    """
    least, most = setup.min_number_of_participants, setup.max_number_of_participants
    exactly = "exactly" if least == most else "at least"
    if seats < least:
        raise SetupError(f"{seats} bots are given: {setup.game_type} needs {exactly} {least}, name more")
    if most is not None and seats > most:
        raise SetupError(f"{seats} bots are given: {setup.game_type} takes {exactly} {most}, name fewer")

"""The settings of a battle, each declared once, with checks and error messages.

`SETTINGS` is the source of the presets, of GameSetup and the checks of StartGame in the Royale protocol, of
options of the command line, of the rows of the rules, and of `view/settings.js` of the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, get_type_hints

from turnwright.errors import SetupError
from turnwright_tank.rules.rows import Arena

SIDE_MAX = 1_000_000
"""u: the longest side of an arena."""
ROUNDS_MAX = 1_000_000_000
_WHOLE_MAX = 2**31 - 1
_TIMEOUT_US_MAX = 3_600_000_000
_SEATS_MAX = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredSetting:
    """A setting of a battle.

    Attributes:
        name: the name in Python and in a record's setup. The Royale protocol uses it in camelCase.
        kind: int, float or str.
        default: the value in the game type `custom`.
        says: the meaning, with the unit.
        low, high: the bounds in a record. None allows any value.
        start: the bounds in a StartGame, if they are tighter.
        row: the field of the rules' `Arena` with this setting.
        is_ours: whether the official server does not know the setting. A StartGame may leave it out.
        is_locked: whether GameSetup has a lock flag for the setting.
    """

    name: str
    kind: type
    default: Any
    says: str
    low: float | None = None
    high: float | None = None
    start: tuple[float, float] | None = None
    row: str = ""
    is_ours: bool = False
    is_locked: bool = True

    @property
    def wire_name(self) -> str:
        """The setting's name in the Royale protocol."""
        first, *others = self.name.split("_")
        return first + "".join(map(str.capitalize, others))

    @property
    def start_bounds(self) -> tuple[float, float] | None:
        """The smallest and the largest value in a StartGame, or None for any value."""
        if self.start is not None or self.low is None or self.high is None:
            return self.start
        return self.low, self.high

    def read(self, value: Any) -> Any:
        """Return a value of a record's setup.

        Raises:
            SetupError: the value has the wrong type, or is out of bounds.
        """
        number = (int, float) if self.kind is float else self.kind
        is_right = isinstance(value, number) and not isinstance(value, bool)
        if is_right and self.low is not None and self.high is not None:
            is_right = self.low <= value <= self.high
        if not is_right:
            raise SetupError(f"{self.name} is {value!r}: give {self._expected()}")
        return self.kind(value)

    def _expected(self) -> str:
        if self.kind is int:
            return f"a whole number from {self.low} to {self.high}"
        if self.kind is float:
            return f"a finite number, e.g. {self.default}"
        return f"a name, e.g. {self.default}"


def _setting(default: Any, says: str, **known: Any) -> Any:
    return field(default=default, metadata={"setting": {"says": says, **known}})


@dataclass(frozen=True, slots=True)
class TankSettings:
    """The settings of the rules. Lengths are in arena units.

    The defaults are the settings of the game type `classic`. Source: tank-rules.md#game-types.
    """

    game_type: str = _setting("classic", "one of the server's game types", is_locked=False)
    arena_width: int = _setting(
        800, "width in units, above 0", low=1, high=SIDE_MAX, start=(1, 100_000), row="width"
    )
    arena_height: int = _setting(
        600, "height in units, above 0", low=1, high=SIDE_MAX, start=(1, 100_000), row="height"
    )
    number_of_rounds: int = _setting(10, "number of rounds, 1 or more", low=1, high=ROUNDS_MAX)
    gun_cooling_rate: float = _setting(
        0.1,
        "heat that a gun loses in each turn. 0 and negative values are allowed",
        low=-1e9,
        high=1e9,
        start=(-1e6, 1e6),
        row="cooling_rate",
    )
    max_inactivity_turns: int = _setting(
        450,
        "after this number of turns without a hit by a bullet, all bots lose energy",
        low=-_WHOLE_MAX - 1,
        high=_WHOLE_MAX,
        start=(-_WHOLE_MAX, _WHOLE_MAX),
        row="max_inactivity_turns",
    )


@dataclass(frozen=True, slots=True)
class StartSettings(TankSettings):
    """The settings of a StartGame: the settings of the rules, and further settings that the server needs to
    begin.

    Timeouts are in µs.
    """

    min_number_of_participants: int = _setting(
        2,
        "the least number of bots, 1 or more. When the ready timeout ends, the server checks whether"
        " this many bots are ready",
        low=1,
        high=_SEATS_MAX,
    )
    max_number_of_participants: int | None = _setting(
        None, "the largest number of bots. The server does not check this number. Absent: no limit"
    )
    turn_timeout: int = _setting(
        30_000, "time for a bot's intent in µs, 1 or more", low=1, high=_TIMEOUT_US_MAX
    )
    ready_timeout: int = _setting(
        10_000_000, "time for a bot's BotReady in µs, 1 or more", low=1, high=_TIMEOUT_US_MAX
    )
    default_turns_per_second: int = _setting(
        30, "a proposal for clients. The server does not use this number. It has its own TPS", is_locked=False
    )


def _declared(settings: type) -> tuple[DeclaredSetting, ...]:
    kinds = get_type_hints(settings)
    return tuple(
        DeclaredSetting(name=one.name, kind=kinds[one.name], default=one.default, **one.metadata["setting"])
        for one in fields(settings)
    )


SETTINGS = _declared(TankSettings)
"""The settings of the rules."""
START_SETTINGS = _declared(StartSettings)
"""The settings of the rules, then the settings that only a StartGame has."""
DEFAULTS: Mapping[str, Any] = MappingProxyType({one.name: one.default for one in SETTINGS})


def read_settings(setup: Mapping[str, Any]) -> TankSettings:
    """Return the settings of a setup of JSON values.

    Raises:
        SetupError: a value is invalid. The message names the first such setting.
    """
    unknown = sorted(set(setup) - set(DEFAULTS))
    if unknown:
        raise SetupError(f"the setup has an unknown field {unknown[0]!r}; known are {', '.join(DEFAULTS)}")
    return TankSettings(**{one.name: one.read(setup.get(one.name, one.default)) for one in SETTINGS})


def arena_row(settings: TankSettings, tanks: int, grid_from: int) -> Arena:
    """Return the row of the rules with these settings.

    Args:
        settings: the settings of the battle.
        tanks: the number of tanks that play.
        grid_from: the smallest number of tanks or bullets for which the grid is used.
    """
    arena = Arena(tanks=tanks, grid_from=grid_from)
    for one in SETTINGS:
        if one.row:
            setattr(arena, one.row, type(getattr(arena, one.row))(getattr(settings, one.name)))
    return arena

"""What a battle is asked to be, checked before anything is started.

The same options serve `turnwright battle` and `run_battle`; nothing here opens anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, Protocol, get_args

from turnwright.errors import SetupError
from turnwright.kernel.game import OnSkip
from turnwright.kernel.pace import TPS_DEFAULT, TPS_UNLIMITED, check_tps
from turnwright.kernel.record import OnDisconnect, OnLate
from turnwright.kernel.streams import SEED_MAX
from turnwright.wire.royale.bounds import BOTS_MAX, TIMEOUT_US_MAX
from turnwright.wire.royale.parts import GameSetup
from turnwright.wire.royale.setup import GAME_TYPES, preset, validate_start

__all__ = [
    "SKIPPED_MAX",
    "BattleOptions",
    "BotObject",
    "Contestant",
    "OnRulesError",
    "check_max_skipped",
    "check_seats",
    "check_timeout",
    "game_setup",
    "microseconds_of",
    "short_timeout",
    "sort_records",
]


class BotObject(Protocol):
    """A bot of this process, as `turnwright.bots.Bot` makes them."""

    def step(self, observation: Any) -> Any: ...


Contestant = str | Path | type | BotObject | Callable[..., Any]
"""A bot directory, the name of a house bot, a Bot class, a Bot or a function of one observation."""

SKIPPED_MAX = 1_000_000_000
"""Turns missed in a row until disqualification: more than a battle can be told to have."""

OnRulesError = Literal["void", "continue"]
"""A stage of the rules raised an exception: the battle is void, or goes on without that stage."""

_OUR_NAMES = {
    "arenaWidth": "arena_width",
    "arenaHeight": "arena_height",
    "numberOfRounds": "rounds",
    "gunCoolingRate": "gun_cooling_rate",
    "maxInactivityTurns": "max_inactivity_turns",
    "turnTimeout": "turn_timeout_us",
    "readyTimeout": "ready_timeout_us",
}
_US_PER_MS = 1000
_US_OF_UNIT = {"us": 1, "µs": 1, "ms": 1_000, "s": 1_000_000}
_TIME = re.compile(r"([+-]?[0-9]{1,15}(?:\.[0-9]{1,15})?) ?(us|µs|ms|s)?", re.ASCII)
_RECORD_SUFFIXES = {"record": (".twr",), "recording": (".battle.gz", ".battle")}
_TYPES: dict[str, tuple[type | tuple[type, ...], str]] = {
    "int": (int, "a whole number"),
    "float": ((int, float), "a number"),
    "bool": (bool, "True or False"),
    "str": (str, "a text"),
    "Path": (Path, "a pathlib.Path"),
}
"""What a field that is declared so may hold, and how that is said."""
_CHOICES = {
    "on_late": OnLate,
    "on_skip": OnSkip,
    "on_disconnect": OnDisconnect,
    "on_rules_error": OnRulesError,
}


def check_max_skipped(name: str, value: int) -> None:
    """Raise SetupError for a number of turns in a row that nobody can miss. name: what it is called."""
    if not 0 <= value <= SKIPPED_MAX:
        raise SetupError(f"{name} is {value}: give 1 to {SKIPPED_MAX:,}, or 0 for never")


def check_timeout(name: str, value_us: int) -> None:
    """Raise SetupError for a timeout (µs) that cannot be. name: what it is called."""
    if not 1 <= value_us <= TIMEOUT_US_MAX:
        raise SetupError(f"{name} is {value_us}: give 1 to {TIMEOUT_US_MAX:,} µs")


def microseconds_of(value: object) -> int:
    """Return the whole µs of a time: a number of µs, or a text with a unit: "30ms", "500us", "1s".

    Raises: SetupError for what is none.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    found = _TIME.fullmatch(value.strip()) if isinstance(value, str) else None
    us = Fraction(found[1]) * _US_OF_UNIT[found[2] or "us"] if found else Fraction(1, 2)
    if us.denominator != 1:
        raise SetupError(
            f"{value!r:.40} is no time: give a number of µs, or a text such as '30ms', '500us' or '1s'"
        )
    return int(us)


def short_timeout(name: str, value_us: int | None) -> str | None:
    """Return what a timeout below 1 ms means, or None for a longer one. name: what it is called."""
    if value_us is None or value_us >= _US_PER_MS:
        return None
    return (
        f"{name} is {value_us} µs, {value_us / _US_PER_MS:g} ms: hardly any bot answers so fast, most turns"
        f" will be missed ({value_us}ms are {value_us} milliseconds)"
    )


@dataclass(frozen=True)
class BattleOptions:
    """The settings of one battle. None: as the game type's preset says.

    bots: in order of their seats; a team counts as one. seed: None draws one (the result tells it).
    tps: turns per second, -1 = no waiting, 0 = paused until somebody who watches goes on. None: -1,
    or 30 when somebody watches.
    turn_timeout_us, ready_timeout_us: µs. turn_timeout_us: None means 30,000, and no limit at all where every
    bot is of this process; if it is given, each of those plays in a process of its own.
    opening_timeout_us: for the first observation of a round, when that is longer than the turn timeout: bots
    wake up then. connect_timeout_s: until the first bot has connected, and from each one to the next.
    max_skipped: turns missed in a row until disqualification, 0 = never.
    python: the interpreter for Python bots; None: `python`, then `python3`, then the one we run on.
    initial_positions: bots may say where they begin. record: the file to write (.twr), or None; recording:
    the same for one as official recorders write it (.battle.gz; .battle: not packed). record_required: the
    battle is refused when they cannot be written.
    Raises: SetupError, in one line, for what cannot be played.
    """

    bots: tuple[Contestant, ...]
    rounds: int | None = None
    seed: int | None = None
    game_type: str = "classic"
    tps: int | None = None
    turn_timeout_us: int | None = None
    opening_timeout_us: int = 1_000_000
    ready_timeout_us: int = 10_000_000
    connect_timeout_s: float = 30.0
    on_late: OnLate = "drop"
    on_skip: OnSkip = "repeat"
    max_skipped: int = 30
    on_disconnect: OnDisconnect = "skip"
    on_rules_error: OnRulesError = "void"
    arena_width: int | None = None
    arena_height: int | None = None
    gun_cooling_rate: float | None = None
    max_inactivity_turns: int | None = None
    initial_positions: bool = False
    python: str | None = None
    record: Path | None = None
    recording: Path | None = None
    record_required: bool = False
    watched: bool = False

    def __post_init__(self) -> None:
        _check_types(self)
        for name, allowed in _CHOICES.items():
            value = getattr(self, name)
            if value not in get_args(allowed):
                raise SetupError(f"{name} is {value!r}: choose one of {', '.join(get_args(allowed))}")
        if self.seed is not None and not 0 <= self.seed <= SEED_MAX:
            raise SetupError(f"seed is {self.seed}: give an integer from 0 to {SEED_MAX}")
        check_max_skipped("max_skipped", self.max_skipped)
        check_timeout("opening_timeout_us", self.opening_timeout_us)
        if self.tps == 0 and not self.watched:
            raise SetupError("tps is 0 (paused), and nobody could resume: give -1, or 1 to 1000")
        if self.record_required and self.record is None and self.recording is None:
            raise SetupError("record_required: no record is asked for: name a file with record (--record)")
        if not self.connect_timeout_s > 0:
            raise SetupError(f"connect_timeout_s is {self.connect_timeout_s}: give a number above 0")
        check_tps(self.pace)
        game_setup(self)
        if len(self.bots) < 2:
            given = "no bot is given" if not self.bots else "1 bot is given"
            raise SetupError(f"{given}: a battle needs 2 or more, name another bot")
        if len(self.bots) > BOTS_MAX:
            raise SetupError(f"{len(self.bots)} bots are given: at most {BOTS_MAX} can play")

    @property
    def pace(self) -> int:
        """The turns per second to play at."""
        if self.tps is not None:
            return self.tps
        return TPS_DEFAULT if self.watched else TPS_UNLIMITED


def _check_types(options: BattleOptions) -> None:
    """Raise SetupError for a setting of a type that is not the declared one."""
    for field in fields(options):
        declared, _, none = str(field.type).partition(" | ")
        value = getattr(options, field.name)
        if declared not in _TYPES or (value is None and none == "None"):
            continue
        types, words = _TYPES[declared]
        if not isinstance(value, types) or (isinstance(value, bool) and declared != "bool"):
            said = f"{value!r:.40} ({type(value).__name__})"
            raise SetupError(f"{field.name} is {said}: expected {words}{' or None' if none else ''}")


def sort_records(paths: Iterable[Path]) -> dict[str, Path]:
    """Return, by field of BattleOptions, the files that are to be written: what each is, its ending says.

    Raises: SetupError for an unknown ending, or two files of a kind.
    """
    found: dict[str, Path] = {}
    for path in paths:
        field = next((f for f, ends in _RECORD_SUFFIXES.items() if path.name.endswith(ends)), None)
        if field is None:
            known = ".twr (a record), .battle.gz or .battle (as official recorders write it)"
            raise SetupError(f"record {path}: give it a name that ends with {known}")
        if field in found:
            raise SetupError(f"record {path}: there is {found[field]} of that kind already; give one of each")
        found[field] = path
    return found


def game_setup(options: BattleOptions) -> GameSetup:
    """Return the game's settings: the preset of its type with what the options say otherwise.

    Raises: SetupError for an unknown game type or a value out of its range.
    """
    setup = preset(options.game_type)
    said = {
        "arena_width": options.arena_width,
        "arena_height": options.arena_height,
        "number_of_rounds": options.rounds,
        "gun_cooling_rate": options.gun_cooling_rate,
        "max_inactivity_turns": options.max_inactivity_turns,
        "turn_timeout": options.turn_timeout_us,
        "ready_timeout": options.ready_timeout_us,
    }
    for name, value in said.items():
        if value is not None:
            setattr(setup, name, value)
    complaint = validate_start(setup, GAME_TYPES)
    if complaint is not None:
        wire_name, _, rest = complaint.partition(" ")
        raise SetupError(f"{_OUR_NAMES.get(wire_name, wire_name)} {rest}")
    return setup


def check_seats(setup: GameSetup, seats: int) -> None:
    """Check how many bots play, the members of teams counted one by one.

    Raises: SetupError when the game type wants more, or fewer.
    """
    least, most = setup.min_number_of_participants, setup.max_number_of_participants
    exactly = "exactly" if least == most else "at least"
    if seats < least:
        raise SetupError(f"{seats} bots are given: {setup.game_type} needs {exactly} {least}, name more")
    if most is not None and seats > most:
        raise SetupError(f"{seats} bots are given: {setup.game_type} takes {exactly} {most}, name fewer")

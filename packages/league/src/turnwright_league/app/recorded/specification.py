"""Compares the header of a record with the whole specification of its battle.

    settings   what the game makes of the tournament's settings: setup, deadlines, missed turns
    seats      the hash of the sources of each seat; the name and version of built-in bots, which share a hash

A directory's sources contain its name and version, but a program may send another name. So its name is only
compared with the names of the other entries.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import msgspec

from turnwright._version import __version__
from turnwright.app.game.playable import find_game
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import Header
from turnwright.kernel.units import NS_PER_US
from turnwright_league.app.worker import BattleJob, options_of_job
from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.played_battle import PlayedBattle

_COPY = re.compile(r" \(\d+\)$")
"""The suffix of a name that another seat has, too."""


@dataclass(frozen=True, slots=True)
class EntrySeat:
    """One seat of an entry.

    Attributes:
        source: the hash of its program's sources, or None if it is not known.
    """

    name: str
    version: str
    source: str | None
    is_built_in: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding about a battle.

    Attributes:
        is_gap: True if the value could not be checked, False if it is wrong.
    """

    text: str
    is_gap: bool = False


def specification_findings(
    played: PlayedBattle, header: Header, game: str, seats: Mapping[str, tuple[EntrySeat, ...]]
) -> Iterator[Finding]:
    """Yield the differences between a header and the specification of its battle.

    Args:
        game: the game's name in the catalog, or the path of its folder.
        seats: the seats of all entries, by id.

    Raises:
        SetupError: the game is unknown, or has no battle with these settings.
    """
    spec = played.spec
    said = {"game": spec.game, "behaviour_version": spec.behaviour, "seed": spec.seed}
    for name, value in said.items():
        if getattr(header, name) != value:
            yield Finding(f"its record has {name} {getattr(header, name)}, not {value}")
    yield from _settings_findings(played, header, game)
    if len(header.seats) != len(spec.seats):
        yield Finding(f"its record has {len(header.seats)} seats, not {len(spec.seats)}")
        return
    for number, (info, wanted) in enumerate(zip(header.seats, _wanted_seats(spec, seats), strict=True)):
        if wanted is not None:
            yield from _seat_findings(number, info, wanted, played, seats)


def _settings_findings(played: PlayedBattle, header: Header, game: str) -> Iterator[Finding]:
    """Yield the settings that differ. Another version may have had other defaults."""
    spec = played.spec
    found = find_game(game)
    options = options_of_job(BattleJob(spec, game, {one: one for one in spec.seats}), found)
    setup = found.battles.setup(options, [SeatInfo(f"bot {seat + 1}") for seat in range(len(spec.seats))])
    turn_rules = asdict(replace(options.turn_rules, timeout_ns=setup.turn_timeout_us * NS_PER_US))
    del turn_rules["opening_timeout_ns"]  # it differs between a server and a battle in this process
    wanted: dict[str, Any] = {
        **turn_rules,
        "tolerant": found.battles.is_tolerant(options),
        **_json(setup.settings),
    }
    rules = {name: getattr(header.rules, name) for name in wanted if hasattr(header.rules, name)}
    recorded = {**_json(header.setup), **rules, "tolerant": header.tolerant}
    is_other = played.turnwright not in ("", __version__)
    for name in wanted.keys() & recorded.keys():
        if wanted[name] != recorded[name]:
            why = f"its record has {name} {recorded[name]}, the tournament {wanted[name]}"
            other = f", by the defaults of turnwright {__version__}" if is_other else ""
            yield Finding(why + other, is_gap=is_other)


def _json(values: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(msgspec.json.encode(dict(values)))
    return found


def _wanted_seats(spec: BattleSpec, seats: Mapping[str, tuple[EntrySeat, ...]]) -> Iterator[EntrySeat | None]:
    """Yield the EntrySeat of each seat, or None for an unknown entry.

    The seats of one entry are next to each other.
    """
    place: dict[str, int] = {}
    for entry in spec.seats:
        number = place[entry] = place.get(entry, -1) + 1
        own = seats.get(entry, ())
        yield own[number % len(own)] if own else None


def _seat_findings(
    number: int,
    info: SeatInfo,
    wanted: EntrySeat,
    played: PlayedBattle,
    seats: Mapping[str, tuple[EntrySeat, ...]],
) -> Iterator[Finding]:
    name = _COPY.sub("", info.name)
    if wanted.source is None:
        yield Finding(f"the sources of seat {number} ({info.name}) are not known", is_gap=True)
    elif info.source_hash is None:
        yield Finding(
            f"its record has no source hash of seat {number} ({info.name}), so it proves nothing",
            is_gap=not played.record_hash,
        )
    elif info.source_hash != wanted.source:
        yield Finding(f"seat {number} of its record was played with other sources ({info.name})")
    is_own = wanted.name in (name, info.name)
    others = {one.name for entry in seats.values() for one in entry}
    if (not is_own and name in others) or (
        wanted.is_built_in and not (is_own and info.version == wanted.version)
    ):
        yield Finding(
            f"seat {number} of its record was played by {info.name} {info.version},"
            f" not by {wanted.name} {wanted.version}"
        )

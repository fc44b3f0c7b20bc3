"""The record of a battle: what it takes to play it again without its participants.

A header says what was played by whom from which seed; one entry a turn says which intents were accepted, who
was skipped, whose answer had been late, who left, and the digest of the state after it. Timeliness is an
input: what arrived in time is written down, so a replay needs no clock.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal

from turnwright.kernel.game import Game, OnSkip, Seat, SeatInfo, Table

__all__ = [
    "DIGEST_BYTES",
    "Broken",
    "Footer",
    "Header",
    "OnDisconnect",
    "Record",
    "TurnEntry",
    "TurnRules",
    "check_names",
    "checks",
    "digest",
    "fields",
]

DIGEST_BYTES = 8
_HEX = "0123456789abcdef"
OnDisconnect = Literal["skip", "dead", "official"]
"""A participant that left: skip = idle, skipped each turn; dead = out at once; official = its last intent."""


@dataclass(frozen=True, slots=True)
class TurnRules:
    """How turns are collected. timeout_ns: for each observation; opening_timeout_ns: for a round's first.

    max_skipped: skipped turns in a row until disqualification, 0 = never.
    """

    timeout_ns: int = 30_000_000
    opening_timeout_ns: int | None = None
    on_skip: OnSkip = "repeat"
    max_skipped: int = 30
    on_disconnect: OnDisconnect = "skip"


@dataclass(frozen=True, slots=True)
class Header:
    """What was played: enough, with the entries, to play it again."""

    game: str
    behaviour_version: int
    seed: int
    setup: Mapping[str, Any]
    seats: tuple[SeatInfo, ...]
    rules: TurnRules
    tolerant: bool = False
    """Whether a stage of the rules that failed was skipped for that turn."""
    made_by: str = ""
    announced: Mapping[str, Any] = field(default_factory=dict)
    """What spectators were told of the battle when it began; the game's own (JSON values)."""
    rules_hash: str = ""
    """Of the source of the rules; see `Game.rules_hash`."""


@dataclass(frozen=True, slots=True)
class TurnEntry:
    """One turn. late_ns: by how much the answers that had come late were late, in ns."""

    turn: int
    intents: Mapping[Seat, Any]
    skipped: tuple[Seat, ...] = ()
    late_ns: Mapping[Seat, int] = field(default_factory=dict)
    gone: tuple[Seat, ...] = ()
    disqualified: tuple[Seat, ...] = ()
    faults: tuple[tuple[str, str], ...] = ()
    digest: str = ""
    """Hex, of the state after the turn: 2 * DIGEST_BYTES digits, from a file the first ones of them; empty:
    the rules failed in this turn."""
    checks: str = ""
    """To name what differs, see `checks`; empty when not kept."""
    opening: bool = False
    """Whether the turn began a round."""
    answered: str = ""
    """One character a seat (see `answers`): its slowest answer in this turn and those before it without."""
    server_late_ns: int = 0
    """By how much the server itself was late in this turn; 0 where nobody could notice."""
    keyframe: bytes = b""
    """The battle after this turn, see `Battle.save`; empty in most turns."""


@dataclass(frozen=True, slots=True)
class Footer:
    """How it ended: "over", "aborted" or "void", with the game's results as JSON values."""

    ending: str
    turns: int
    results: Any = None


@dataclass(frozen=True, slots=True)
class Broken:
    """A line that can be read, but is not as it was written. turn: 0 for the header, None for the footer."""

    line: int
    turn: int | None
    recorded: str
    """The hash that the line says it has."""
    found: str
    """The hash that it has."""


@dataclass(slots=True)
class Record:
    """A whole record. truncated: it has no footer (the writer was cut off).

    broken: the first line that was changed after it was written; neither it nor what is behind it is here.
    """

    header: Header
    turns: list[TurnEntry] = field(default_factory=list)
    footer: Footer | None = None
    truncated: bool = False
    broken: Broken | None = None


def digest(snapshot: bytes) -> str:
    """Return the digest of a canonical state (BLAKE2b, 8 bytes, hex)."""
    return hashlib.blake2b(snapshot, digest_size=DIGEST_BYTES).hexdigest()


def fields(game: Game, state: Any) -> Iterator[tuple[str, bytes]]:
    """Yield the canonical state field by field, e.g. ("tanks[1].energy", 8 bytes)."""
    for table in game.tables(state):
        count = len(table.columns)
        for at in range(0, len(table.data), 8):
            row, column = divmod(at // 8, count)
            yield f"{table.name}[{row}].{table.columns[column]}", table.data[at : at + 8]


def checks(game: Game, state: Any) -> str:
    """Return hex digits that tell where a state differs: one for each group of columns and one for each seat.

    Each is the last digit of a CRC-32: over the columns of that group, row by row, or over all rows of that
    seat. Where both of two states differ, the field has been found, as well as so few digits can tell.
    """
    groups: list[int] = []
    seats: list[int] = []
    for table in game.tables(state):
        groups += _group_sums(table)
        if table.by_seat:
            width = 8 * len(table.columns)
            rows = [table.data[at : at + width] for at in range(0, len(table.data), width)]
            seats = list(map(zlib.crc32, rows, seats or [0] * len(rows)))
    return "".join([_HEX[value & 15] for value in (*groups, *seats)])


def _group_sums(table: Table) -> Iterable[int]:
    if not table.cuts:
        return (zlib.crc32(table.data),)
    width, view, crc32 = 8 * len(table.columns), memoryview(table.data), zlib.crc32
    sums = []
    for low, high in _ranges(table):
        value = 0
        for at in range(0, len(view), width):
            value = crc32(view[at + 8 * low : at + 8 * high], value)
        sums.append(value)
    return sums


def _ranges(table: Table) -> list[tuple[int, int]]:
    edges = (0, *table.cuts, len(table.columns))
    return list(pairwise(edges))


def check_names(game: Game, state: Any) -> list[str]:
    """Return what each digit of `checks` is about: tables and groups of columns, then "" for each seat."""
    names, seats = [], 0
    for table in game.tables(state):
        if table.by_seat:
            seats = len(table.data) // (8 * len(table.columns))
        for low, high in _ranges(table):
            columns = table.columns[low:high]
            shown = " or ".join(columns) if len(columns) < 4 else f"{columns[0]} … {columns[-1]}"
            names.append(shown if table.cuts else table.name)
    return names + [""] * seats

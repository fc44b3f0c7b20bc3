"""The record of a battle: what it takes to play it again without its participants.

A header says what was played by whom from which seed; one entry a turn says which intents were accepted, who
was skipped, whose answer had been late, who left, and the digest of the state after it. Timeliness is an
input: what arrived in time is written down, so a replay needs no clock.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from turnwright.kernel.game import Game, OnSkip, Seat, SeatInfo

__all__ = [
    "DIGEST_BYTES",
    "Footer",
    "Header",
    "OnDisconnect",
    "Record",
    "TurnEntry",
    "TurnRules",
    "checks",
    "digest",
]

DIGEST_BYTES = 8
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
    """Hex, 2 * DIGEST_BYTES digits, of the state after the turn; empty: the rules failed in this turn."""
    checks: bytes = b""
    """One byte for each part of the state, to name what differs; empty when not kept."""


@dataclass(frozen=True, slots=True)
class Footer:
    """How it ended: "over", "aborted" or "void", with the game's results as JSON values."""

    ending: str
    turns: int
    results: Any = None


@dataclass(slots=True)
class Record:
    """A whole record. truncated: it has no footer (the writer was cut off)."""

    header: Header
    turns: list[TurnEntry] = field(default_factory=list)
    footer: Footer | None = None
    truncated: bool = False


def digest(snapshot: bytes) -> str:
    """Return the digest of a canonical state (BLAKE2b, 8 bytes, hex)."""
    return hashlib.blake2b(snapshot, digest_size=DIGEST_BYTES).hexdigest()


def _groups(fields: Iterable[tuple[str, bytes]]) -> tuple[dict[str, int], dict[str, int]]:
    rows: dict[str, int] = {}
    columns: dict[str, int] = {}
    for name, value in fields:
        row, _, column = name.partition(".")
        rows[row] = zlib.crc32(value, rows.get(row, 0))
        columns[column] = zlib.crc32(value, columns.get(column, 0))
    return rows, columns


def checks(game: Game, state: Any) -> tuple[bytes, tuple[str, ...], tuple[str, ...]]:
    """Return one byte for each row and column of the state's named fields, and their names.

    "tanks[1].energy" belongs to the row "tanks[1]" and the column "energy"; where both bytes differ, the
    field has been found. Costs one pass over the fields: for records that are kept, not for every turn.
    """
    rows, columns = _groups(game.fields(state))
    code = bytes(v & 0xFF for v in (*rows.values(), *columns.values()))
    return code, tuple(rows), tuple(columns)

"""The record of a battle: what it takes to play it again without its participants.

A header says what was played by whom from which seed; one entry a turn says which intents were accepted, who
was skipped, whose answer had been late, who left, and the digest of the state after it. Timeliness is an
input: what arrived in time is written down, so a replay needs no clock.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from turnwright.kernel.checks import SEAT_DIGITS
from turnwright.kernel.game import OnSkip, Seat, SeatInfo

__all__ = [
    "DIGEST_BYTES",
    "Broken",
    "Footer",
    "Header",
    "OnDisconnect",
    "OnLate",
    "Record",
    "TurnEntry",
    "TurnRules",
    "digest",
]

DIGEST_BYTES = 8
OnDisconnect = Literal["skip", "dead", "official"]
"""A participant that left: skip = idle, skipped each turn; dead = out at once; official = its last intent."""

OnLate = Literal["drop", "next"]
"""An intent after the deadline of the observation it answers: drop = it does nothing; next = it answers the
next observation."""


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
    on_late: OnLate = "drop"


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
    check_digits: int = SEAT_DIGITS
    """How many digits of checks the entries have in every turn, where they are kept."""


@dataclass(slots=True)  # not frozen: one is made every turn, and that would take several times as long
class TurnEntry:
    """One turn; never changed. late_ns: how late the late answers were, ns (drop: that came in this turn)."""

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
    """To name what differs, see `checks.checks`; empty when not kept."""
    opening: bool = False
    """Whether the turn began a round."""
    answered: str = ""
    """One character a seat (see `answers`): its slowest answer in this turn and those before it without."""
    server_late_ns: int = 0
    """By how much the server itself was late in this turn; 0 where nobody could notice."""
    keyframe: bytes = b""
    """The battle after this turn, see `Battle.save`; empty in most turns."""
    debugged: tuple[Seat, ...] | None = None
    """Whom operators debug, see `Battle.debugged`; None: the same seats as in the turn before."""


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
    entry: TurnEntry | None = None
    """What it says now, if it is a turn's."""
    behind: tuple[TurnEntry, ...] = ()
    """What the lines behind it say, some turns: clues, since their hashes cannot be checked any more."""


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

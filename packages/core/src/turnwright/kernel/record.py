"""The record of a battle: all that a replay without participants needs.

The header holds game, setup, seats and seed; one entry a turn holds the accepted intents, the skipped seats,
late answers, seats that left, and the digest of the state after it. Timeliness is an input: the record holds
what arrived in time, so a replay needs no clock.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from turnwright.errors import SetupError
from turnwright.kernel.deadline import TIMEOUT_NS_MIN
from turnwright.kernel.failure import Failure
from turnwright.kernel.game import OnSkip, Seat, SeatInfo
from turnwright.kernel.printed import TurnPrints

DIGEST_BYTES = 8
OnDisconnect = Literal["skip", "dead", "official"]
"""A participant that left: skip = idle, skipped each turn; dead = out at once; official = its last intent."""

OnLate = Literal["drop", "next"]
"""An intent after the deadline of the observation it answers: drop = it does nothing; next = it answers the
next observation."""


@dataclass(frozen=True, slots=True)
class TurnRules:
    """Rules of collecting turns.

    Attributes:
        timeout_ns: for each observation.
        opening_timeout_ns: for a round's first.
        max_skipped: skipped turns in a row until disqualification, 0 = never.
        max_silence_ns: time without an answer in time that it takes as well, 0 = none.
        max_rounds_out: rounds from which a seat may be disqualified until it is out of the battle.
    """

    timeout_ns: int = 30_000_000
    opening_timeout_ns: int | None = None
    on_skip: OnSkip = "repeat"
    max_skipped: int = 30
    on_disconnect: OnDisconnect = "skip"
    on_late: OnLate = "drop"
    max_silence_ns: int = 0
    max_rounds_out: int = 1


def check_rules(rules: TurnRules) -> TurnRules:
    """Return `rules` if they can be kept.

    Raises:
        SetupError: a timeout below 1 µs or an unknown policy.
    """
    for timeout in (rules.timeout_ns, rules.opening_timeout_ns):
        if timeout is not None and timeout < TIMEOUT_NS_MIN:
            raise SetupError(f"turn timeout is {timeout / 1000:g} µs; give 1 µs or more, e.g. 30000")
    if rules.on_skip not in ("repeat", "idle"):
        raise SetupError(f"on-skip is {rules.on_skip!r}; give repeat or idle")
    if rules.on_late not in ("drop", "next"):
        raise SetupError(f"on-late is {rules.on_late!r}; give drop or next")
    if rules.on_disconnect not in ("skip", "dead", "official"):
        raise SetupError(f"on-disconnect is {rules.on_disconnect!r}; give skip, dead or official")
    return rules


@dataclass(frozen=True, slots=True)
class Header:
    """The battle before its first turn: with the entries, all that a replay needs."""

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
    """The announcement of the battle to spectators; the game's own (JSON values)."""
    rules_hash: str = ""
    """Of the source of the rules. See `Game.rules_hash`."""
    sandbox: str = ""
    """The level under which bot directories played, e.g. "full"; empty: none."""


@dataclass(slots=True)  # not frozen: one is made every turn, and that would take several times as long
class TurnEntry:
    """The record of one turn, which never changes.

    Attributes:
        late_ns: how late the late answers were, ns. If late answers are dropped ("drop"), these are the
            answers that came in this turn.
    """

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
    """A full check, see `state_checks.full_check`; empty in most turns."""
    opening: bool = False
    """Whether the turn began a round."""
    answered: str = ""
    """One character a seat, see `answer_code`: its slowest answer since the last entry that has this."""
    server_late_ns: int = 0
    """Lateness of the server itself in this turn, ns; 0 where no seat could notice."""
    keyframe: bytes = b""
    """The battle after this turn, see `Battle.save`; empty in most turns."""
    debugged: tuple[Seat, ...] | None = None
    """The seats that operators debug, see `Battle.debugged`; None: the same as in the turn before."""
    failures: Mapping[Seat, Failure] = field(default_factory=dict)
    """Failures that became known in this turn, perhaps of seats that left before."""
    printed: Mapping[Seat, TurnPrints] = field(default_factory=dict)
    """Output of bots that the server read in this turn; a replay does not need it."""
    out: Mapping[Seat, Failure] = field(default_factory=dict)
    """Why seats were disqualified from the round alone; `failures` has those that play no more."""


@dataclass(frozen=True, slots=True)
class Footer:
    """The end of a record.

    Attributes:
        ending: "over", "aborted" or "void".
        results: the game's results as JSON values.
        printed: what bots printed after the last turn.
    """

    ending: str
    turns: int
    results: Any = None
    printed: Mapping[Seat, TurnPrints] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """The first line that was changed after it was written.

    Attributes:
        turn: 0 for the header, None for the footer.
    """

    line: int
    turn: int | None
    recorded: str
    """The hash in the line."""
    found: str
    """The hash of the line as it reads now."""


@dataclass(slots=True)
class Record:
    """A whole record.

    Attributes:
        truncated: it has no footer (the writer was cut off).
        broken: the first changed line, if any. `turns` has it and those behind it as they stand, up to one
            that cannot be read; without the header, none.
    """

    header: Header
    turns: list[TurnEntry] = field(default_factory=list)
    footer: Footer | None = None
    truncated: bool = False
    broken: ChangedLine | None = None


def digest(snapshot: bytes) -> str:
    """Return the digest of a canonical state (BLAKE2b, 8 bytes, hex)."""
    return hashlib.blake2b(snapshot, digest_size=DIGEST_BYTES).hexdigest()


# ---- answer times: one character a seat, two steps an octave ----------------------------------------------
#
#     "0" below 1.4 µs … "J" from 0.72 ms … "K" from 1.02 ms … "U" from 32.8 ms … "-" no answer
#
# The characters sort as the times do.

ANSWER_CODES = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""Code k: from 2**(k / 2) µs on, the last one for all that is longer."""
NO_ANSWER = "-"
_LAST = len(ANSWER_CODES) - 1


def answer_code(duration_ns: int) -> str:
    """Return the character for a duration (ns; below 0 counts as 0)."""
    duration_us = duration_ns // 1000
    if duration_us < 1:
        return ANSWER_CODES[0]
    octave = duration_us.bit_length() - 1
    upper_half = duration_us * duration_us >> (2 * octave + 1)
    return ANSWER_CODES[min(2 * octave + upper_half, _LAST)]


def answer_ns(code: str) -> int | None:
    """Return the duration of a character, ns, within 19 %, or None for no answer and for an invalid
    character.
    """
    step = ANSWER_CODES.find(code) if len(code) == 1 else -1
    if step < 0:
        return None
    return (1000 << step // 2) * (1682 if step % 2 else 1189) // 1000


def answer_codes(durations_ns: Mapping[Seat, int], seats: int) -> str:
    """Return the characters for all seats."""
    return "".join([answer_code(durations_ns[s]) if s in durations_ns else NO_ANSWER for s in range(seats)])


# ---- keyframes: as many as it takes to reach any turn within 50 ms ----------------------------------------


_SEEK_US = 20_000
"""Time to replay from one keyframe to the next, at most, with interpreted rules."""
_INTERVAL_MAX = 1_000
_WAY = 1 << 20


def keyframe_interval(seats: int) -> int:
    """Return the number of turns between two keyframes of a record.

    It depends on the number of acting seats.

    A turn of the tank takes about 5.6 µs a seat and 0.1 µs a pair, interpreted (measured 2026-11-27).
    """
    return max(1, min(_INTERVAL_MAX, 100 * _SEEK_US // max(1, seats * (560 + 10 * seats))))


class KeyframePace:
    """The distance to the next keyframe.

    Args:
        every: turns between two, 0: no keyframes; None: by acting seats.
    """

    __slots__ = ("_acting", "_every", "_left", "_step")

    def __init__(self, every: int | None = None) -> None:
        self._every = every
        self._left = _WAY
        self._acting = -1
        self._step = 0

    def is_due(self, turn: int, acting: int) -> bool:
        """Count a turn and return whether it gets a keyframe.

        Args:
            turn: its number.
            acting: the seats that act after it.
        """
        if self._every is not None:
            return self._every > 0 and turn % self._every == 0
        if acting != self._acting:
            self._acting, self._step = acting, _WAY // keyframe_interval(acting)
        self._left -= self._step
        if self._left > 0:
            return False
        self._left = _WAY
        return True

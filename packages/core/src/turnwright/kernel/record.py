"""The record of a battle: everything that a replay without participants needs.

The header has the game, the setup, the seats and the seed. Each turn has an entry with the accepted intents,
the skipped seats, the late answers, the seats that left, and the digest of the state after the turn. The
entry also stores which answers were in time, so a replay needs no clock.
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
MAX_SKIPPED_DEFAULT = 30
"""The default of `TurnRules.max_skipped`."""
OnDisconnect = Literal["skip", "dead", "official"]
"""How the seat of a disconnected participant is played. skip: the seat skips each turn and is idle. dead: the
seat is out immediately. official: the seat repeats its last intent.
"""

OnLate = Literal["drop", "next"]
"""The effect of an intent that comes after the deadline of its observation. drop: the intent has no effect.
next: the intent answers the next observation.
"""


@dataclass(frozen=True, slots=True)
class TurnRules:
    """Rules for answers and missed turns.

    Attributes:
        timeout_ns: the time limit for the answer to an observation.
        opening_timeout_ns: the time limit for the answer to a round's first observation. None means
            `timeout_ns`.
        max_skipped: the number of skipped turns in a row after which a seat is disqualified, 0 = never.
        max_silence_ns: the total time for which the server must also have waited for the seat in these turns.
            0 means that the time does not matter.
        max_rounds_out: a seat that is disqualified in this number of rounds is disqualified from the battle.
    """

    timeout_ns: int = 30_000_000
    opening_timeout_ns: int | None = None
    on_skip: OnSkip = "repeat"
    max_skipped: int = MAX_SKIPPED_DEFAULT
    on_disconnect: OnDisconnect = "skip"
    on_late: OnLate = "drop"
    max_silence_ns: int = 0
    max_rounds_out: int = 1


def check_rules(rules: TurnRules) -> TurnRules:
    """Return `rules` if they are valid. `SkipCounts` checks the limits on missed turns.

    Raises:
        SetupError: a timeout is below 1 µs, or `on_skip`, `on_late` or `on_disconnect` has an unknown value.
    """
    for timeout in (rules.timeout_ns, rules.opening_timeout_ns):
        if timeout is not None and timeout < TIMEOUT_NS_MIN:
            raise SetupError(f"turn timeout is {timeout / 1000:g} µs: give 1 µs or more, e.g. 30000")
    if rules.on_skip not in ("repeat", "idle"):
        raise SetupError(f"on-skip is {rules.on_skip!r}: give repeat or idle")
    if rules.on_late not in ("drop", "next"):
        raise SetupError(f"on-late is {rules.on_late!r}: give drop or next")
    if rules.on_disconnect not in ("skip", "dead", "official"):
        raise SetupError(f"on-disconnect is {rules.on_disconnect!r}: give skip, dead or official")
    return rules


@dataclass(frozen=True, slots=True)
class Header:
    """The battle before its first turn. Header and entries are all that a replay needs."""

    game: str
    behaviour_version: int
    seed: int
    setup: Mapping[str, Any]
    seats: tuple[SeatInfo, ...]
    rules: TurnRules
    tolerant: bool = False
    """Whether the battle skips a stage of the rules that fails, for that turn, and continues."""
    made_by: str = ""
    """The program that wrote the record, with its version."""
    announced: Mapping[str, Any] = field(default_factory=dict)
    """The announcement of the battle to spectators, in the game's format (JSON values)."""
    rules_hash: str = ""
    """The hash of the source of the rules (see `Game.rules_hash`)."""
    sandbox: str = ""
    """The sandbox level of the bots that were started from directories, e.g. "full". Empty: no sandbox, or
    not known.
    """


@dataclass(slots=True)  # not frozen: one is made every turn, and frozen ones take several times as long
class TurnEntry:
    """The record of one turn. It never changes after `Battle.record_turn` has completed it.

    Attributes:
        intents: the accepted intents, by seat.
        skipped: the seats that missed the turn.
        gone: the seats whose participants have left since the turn before.
        disqualified: the seats that this turn disqualified from the round or the battle.
        faults: the stages of the rules that failed (see `Game.faults`).
        late_ns: how late the late answers were, by seat, in ns. With `on_late` "drop", these are the late
            answers that arrived in this turn.
    """

    turn: int
    intents: Mapping[Seat, Any]
    skipped: tuple[Seat, ...] = ()
    late_ns: Mapping[Seat, int] = field(default_factory=dict)
    gone: tuple[Seat, ...] = ()
    disqualified: tuple[Seat, ...] = ()
    faults: tuple[tuple[str, str], ...] = ()
    digest: str = ""
    """The digest of the state after the turn, in hex. It has 2 * DIGEST_BYTES digits, of which a file stores
    only the first. Empty: the rules failed in this turn, or no digests are kept.
    """
    checks: str = ""
    """A full check (see `state_checks.full_check`). Empty in most turns."""
    opening: bool = False
    """Whether the turn began a round."""
    answered: str = ""
    """One character for each seat (see `answer_code`). It shows the seat's slowest answer since the last
    entry that has such characters.
    """
    server_late_ns: int = 0
    """How late the server itself was in this turn, in ns. 0 means that the server was in time, or its
    lateness could not affect a seat.
    """
    keyframe: bytes = b""
    """The battle after this turn (see `Battle.save`). Empty in most turns."""
    debugged: tuple[Seat, ...] | None = None
    """The seats that operators debug (see `Battle.debugged`). None means the same as in the turn before."""
    failures: Mapping[Seat, Failure] = field(default_factory=dict)
    """The failures that became known in this turn. A failed seat may have left in an earlier turn."""
    printed: Mapping[Seat, TurnPrints] = field(default_factory=dict)
    """Output of bots that the server read in this turn. A replay does not need it."""
    out: Mapping[Seat, Failure] = field(default_factory=dict)
    """The reasons for which seats were disqualified from the round, but not from the battle. A seat that is
    disqualified from the battle is in `failures`.
    """


@dataclass(frozen=True, slots=True)
class Footer:
    """The end of a record.

    Attributes:
        ending: "over", "aborted" or "void".
        results: the game's results as JSON values.
        printed: what bots printed after the last turn. A reader adds it to `printed` of the last turn
            instead.
    """

    ending: str
    turns: int
    results: Any = None
    printed: Mapping[Seat, TurnPrints] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """The first line that was changed after it was written.

    Attributes:
        line: the number of the line in the file, from 1.
        turn: the number of the turn in the line. 0 means that the line is the header. None means that the
            line is the footer.
    """

    line: int
    turn: int | None
    recorded: str
    """The hash in the line. "" means that the line does not end with a hash."""
    found: str
    """The hash of the line as it is now."""


@dataclass(slots=True)
class Record:
    """A whole record.

    Attributes:
        truncated: whether the record has no footer, because the writer was interrupted. False if `broken` is
            set.
        broken: the first line that was changed, or None. `turns` contains this line and the lines after it as
            they are, up to the first line that cannot be read. If the header was changed, `turns` is empty.
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
# The characters sort in the order of the times.

ANSWER_CODES = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""The code at index k stands for times of 2**(k / 2) µs and more, up to the time of the next code. The last
code stands for all longer times.
"""
NO_ANSWER = "-"
_LAST = len(ANSWER_CODES) - 1


def answer_code(duration_ns: int) -> str:
    """Return the character for a duration (ns). A negative duration counts as 0."""
    duration_us = duration_ns // 1000
    if duration_us < 1:
        return ANSWER_CODES[0]
    octave = duration_us.bit_length() - 1
    upper_half = duration_us * duration_us >> (2 * octave + 1)
    return ANSWER_CODES[min(2 * octave + upper_half, _LAST)]


def answer_ns(code: str) -> int | None:
    """Return the duration that a character stands for, in ns, with a precision of 19 %. None means that there
    was no answer, or the character is invalid.
    """
    step = ANSWER_CODES.find(code) if len(code) == 1 else -1
    if step < 0:
        return None
    return (1000 << step // 2) * (1682 if step % 2 else 1189) // 1000


def answer_codes(durations_ns: Mapping[Seat, int], seats: int) -> str:
    """Return one character for each of `seats` seats: its answer time, or NO_ANSWER."""
    return "".join([answer_code(durations_ns[s]) if s in durations_ns else NO_ANSWER for s in range(seats)])


# ---- keyframes: enough of them to reach any turn within 50 ms ---------------------------------------------


_SEEK_US = 20_000
"""The longest time that a replay with interpreted rules may take from one keyframe to the next, in µs."""
_INTERVAL_MAX = 1_000
_WAY = 1 << 20


def keyframe_interval(seats: int) -> int:
    """Return the number of turns between two keyframes of a record.

    The number depends on `seats`, the number of seats that still act.

    With interpreted rules, a turn of the tank takes about 5.6 µs for each seat and 0.1 µs for each pair of
    seats (measured 2026-11-27).
    """
    return max(1, min(_INTERVAL_MAX, 100 * _SEEK_US // max(1, seats * (560 + 10 * seats))))


class KeyframePace:
    """Decides which turns of a record get a keyframe.

    Args:
        every: the number of turns between two keyframes. 0 means that there are no keyframes. None means the
            number depends on the number of acting seats.
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
            turn: the turn's number.
            acting: the number of seats that act after the turn.
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

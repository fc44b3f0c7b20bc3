"""The record of a battle: everything that a replay without participants needs.

The header has the game, setup, seats and seed. Each turn has an entry with the accepted intents, the skipped
seats, late answers, seats that left, and the digest of the state after the turn. Whether an answer was in
time is an input. So a replay needs no clock.
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
"""The number of skipped turns in a row after which a seat is disqualified; 0 = never."""
OnDisconnect = Literal["skip", "dead", "official"]
"""What a disconnected participant does. skip: it skips each turn and is idle. dead: it is out at once.
official: it repeats its last intent."""

OnLate = Literal["drop", "next"]
"""The effect of an intent after the deadline of the observation that it answers. drop: none. next: it answers
the next observation."""


@dataclass(frozen=True, slots=True)
class TurnRules:
    """Rules for answers and missed turns.

    Attributes:
        timeout_ns: the timeout of an observation.
        opening_timeout_ns: the timeout of a round's first observation.
        max_skipped: the number of skipped turns in a row after which a seat is disqualified, 0 = never.
        max_silence_ns: the time without an answer in time that must also pass, 0 = none.
        max_rounds_out: after being disqualified from this number of rounds, a seat is out of the battle.
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
    """Return `rules` if they are valid.

    Raises:
        SetupError: a timeout is below 1 µs, or a policy is unknown.
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
    """The battle before its first turn. Header and entries are all that a replay needs."""

    game: str
    behaviour_version: int
    seed: int
    setup: Mapping[str, Any]
    seats: tuple[SeatInfo, ...]
    rules: TurnRules
    tolerant: bool = False
    """Whether a stage of the rules that fails is skipped for that turn."""
    made_by: str = ""
    announced: Mapping[str, Any] = field(default_factory=dict)
    """The announcement of the battle to spectators, in the game's format (JSON values)."""
    rules_hash: str = ""
    """The hash of the source of the rules (see `Game.rules_hash`)."""
    sandbox: str = ""
    """The sandbox level of bot directories, e.g. "full". Empty: no sandbox."""


@dataclass(slots=True)  # not frozen: one is made every turn, and frozen ones take several times as long
class TurnEntry:
    """The record of one turn, which never changes.

    Attributes:
        late_ns: how late the late answers were, ns. With "drop" these are the answers that arrived in this
            turn.
    """

    turn: int
    intents: Mapping[Seat, Any]
    skipped: tuple[Seat, ...] = ()
    late_ns: Mapping[Seat, int] = field(default_factory=dict)
    gone: tuple[Seat, ...] = ()
    disqualified: tuple[Seat, ...] = ()
    faults: tuple[tuple[str, str], ...] = ()
    digest: str = ""
    """The digest of the state after the turn, in hex: 2 * DIGEST_BYTES digits, in a file only the first of
    them. Empty: the rules failed in this turn."""
    checks: str = ""
    """A full check (see `state_checks.full_check`). Empty in most turns."""
    opening: bool = False
    """Whether the turn began a round."""
    answered: str = ""
    """One character for each seat (see `answer_code`): its slowest answer since the last entry that has
    this.
    """
    server_late_ns: int = 0
    """How late the server itself was in this turn, ns. 0 if this could not affect a seat."""
    keyframe: bytes = b""
    """The battle after this turn (see `Battle.save`). Empty in most turns."""
    debugged: tuple[Seat, ...] | None = None
    """The seats that operators debug (see `Battle.debugged`). None: the same as in the turn before."""
    failures: Mapping[Seat, Failure] = field(default_factory=dict)
    """Failures that became known in this turn. Some of these seats may have left earlier."""
    printed: Mapping[Seat, TurnPrints] = field(default_factory=dict)
    """Output of bots that the server read in this turn. A replay does not need it."""
    out: Mapping[Seat, Failure] = field(default_factory=dict)
    """Why seats were disqualified from this round only. Seats that are out of the battle are in
    `failures`.
    """


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
        turn: the turn's number; 0: the header; None: the footer.
    """

    line: int
    turn: int | None
    recorded: str
    """The hash in the line."""
    found: str
    """The hash of the line as it is now."""


@dataclass(slots=True)
class Record:
    """A whole record.

    Attributes:
        truncated: whether it has no footer, because the writer was interrupted.
        broken: the first changed line, if any. `turns` contains this line and the following ones as they are,
            up to one that cannot be read. Without a readable header `turns` is empty.
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
"""Code k stands for 2**(k / 2) µs and more. The last one stands for all longer times."""
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
    """Return the duration of a character, ns, within 19 %. None: no answer, or an invalid
    character.
    """
    step = ANSWER_CODES.find(code) if len(code) == 1 else -1
    if step < 0:
        return None
    return (1000 << step // 2) * (1682 if step % 2 else 1189) // 1000


def answer_codes(durations_ns: Mapping[Seat, int], seats: int) -> str:
    """Return the characters for all seats."""
    return "".join([answer_code(durations_ns[s]) if s in durations_ns else NO_ANSWER for s in range(seats)])


# ---- keyframes: enough of them to reach any turn within 50 ms ---------------------------------------------


_SEEK_US = 20_000
"""The longest time to replay from one keyframe to the next, with interpreted rules."""
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
        every: turns between two keyframes. 0: no keyframes. None: depends on the number of acting seats.
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

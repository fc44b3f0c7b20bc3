"""Completes resolved turns for the record, with digest, checks, answer times and keyframe."""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any

from turnwright.kernel.deadline import Inbox
from turnwright.kernel.game import Game, Seat
from turnwright.kernel.record import KeyframePace, TurnEntry, answer_codes, digest
from turnwright.kernel.state_checks import full_check, is_full_check

ANSWERS_EVERY = 16
"""The number of turns after which answer times are recorded."""


class TurnRecorder:
    """Completes the entries of resolved turns.

    Args:
        keep_digests, keep_checks: as for `Battle`.

    Attributes:
        digest: as for `Battle`.
        debugged: the debugged seats of the last turn.
    """

    __slots__ = ("_game", "_keyframes", "_slowest_ns", "debugged", "digest", "keep_checks", "keep_digests")

    def __init__(self, game: Game, *, keep_digests: bool, keep_checks: bool) -> None:
        self._game = game
        self.keep_digests, self.keep_checks = keep_digests, keep_checks
        self.digest = ""
        self.debugged: tuple[Seat, ...] = ()
        self._slowest_ns: dict[Seat, int] = {}
        self._keyframes = KeyframePace(game.keyframe_turns)

    def note_answer_time(self, seat: Seat, duration_ns: int) -> None:
        """Record how long an answer took, in ns. This is for battles without an inbox that measures the
        times.
        """
        if duration_ns > self._slowest_ns.get(seat, -1):
            self._slowest_ns[seat] = duration_ns

    def add_debugged(self, entry: TurnEntry, seats: Set[Seat]) -> None:
        """Add the debugged seats to the entry, if they have changed since the turn before."""
        now = tuple(sorted(seats)) if seats else ()
        if now != self.debugged:
            self.debugged = entry.debugged = now

    def add_digest(self, entry: TurnEntry, state: Any) -> None:
        """Add the digest of the state after the turn to the entry, if digests are kept."""
        if self.keep_digests:
            self.digest = entry.digest = digest(self._game.snapshot(state))

    def add_checks(
        self, entry: TurnEntry, state: Any, inbox: Inbox, seats: int, save: Callable[[], bytes] | None
    ) -> None:
        """Add checks, answer times and a keyframe to the entry, as far as they are due.

        Args:
            save: returns a keyframe. None means that the turn has ended the battle, so it needs no keyframe.
        """
        inbox.note_durations(self._slowest_ns)
        turn, ends = entry.turn, save is None
        if self._slowest_ns and (ends or turn % ANSWERS_EVERY == 0):
            entry.answered = answer_codes(self._slowest_ns, seats)
            self._slowest_ns = {}
        if self._keyframes.is_due(turn, len(self._game.asked(state))) and save is not None:
            entry.keyframe = save()
        if ends or is_full_check(turn):
            entry.checks = full_check(self._game, state)

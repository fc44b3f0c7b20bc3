"""The contract of a game: everything the kernel asks of one, and nothing more.

A game is stateless: all that changes lives in the State that `setup` returns. State, Intent, Observation
and Frame are opaque to the kernel, which only passes them on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from turnwright.kernel.streams import Streams

__all__ = ["Game", "OnSkip", "Outcome", "Seat", "SeatInfo", "Table"]

Seat = int
"""The 0-based index of a participant in one battle; see `Game.open_ended`."""

OnSkip = Literal["repeat", "idle"]
"""What a missed turn executes: the last intent again, or the game's idle intent."""


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """Who sits where. `options` are the game's own (JSON values); the kernel does not read them.

    What follows is for people who read a record; rules do not look at it. source_hash: of the participant's
    directory, where it is known.
    """

    name: str
    version: str = "1.0"
    team: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    authors: tuple[str, ...] = ()
    platform: str | None = None
    programming_lang: str | None = None
    source_hash: str | None = None


class Table(NamedTuple):
    """A part of the canonical state: rows of equal fields, 8 bytes each, one row behind the other in `data`.

    by_seat: row k is of seat k. A record keeps checks of it, to tell where a state differs. watched: columns
    that have one in every turn. apart: whether every few turns each column has its own; else all have one.
    """

    name: str
    columns: tuple[str, ...]
    data: bytes
    by_seat: bool = False
    watched: tuple[int, ...] = ()
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a battle ended: one score per seat, higher is better, and the game's own results."""

    scores: tuple[float, ...]
    results: Any = None


class Game(Protocol):
    """What a game must answer. Every method is deterministic and touches nothing but its arguments."""

    name: str
    """The game's name in the catalogue."""
    behaviour_version: int
    """Raised whenever a change of the rules can alter an outcome."""
    rules_hash: str
    """Of the source of the rules, to tell two that should be the same apart; "": not known."""
    defaults: Mapping[str, Any]
    """The setup that is used where none is given (JSON values)."""
    open_ended: bool
    """Whether seats may be asked that the header of a battle does not name: who comes while it runs."""
    keyframe_turns: int | None
    """Turns from one keyframe of a record to the next; 0: it has none; None: as a quick seek needs it."""

    def setup(self, setup: Mapping[str, Any], seats: Sequence[SeatInfo], streams: Streams) -> Any:
        """Return the State before the first turn.

        Raises: SetupError when the settings or the number of seats are impossible.
        """

    def asked(self, state: Any) -> Sequence[Seat]:
        """Return, in order of seat, who gets an observation now and may answer it."""

    def awaited(self, state: Any) -> Sequence[Seat]:
        """Return, of those asked, for whom the turn waits until the deadline."""

    def opening(self, state: Any) -> bool:
        """Return whether the observation now is the first of a round (a participant may need to wake up)."""

    def observe(self, state: Any, seat: Seat) -> Any:
        """Return what `seat` may know now. Changes nothing."""

    def frame(self, state: Any) -> Any:
        """Return what a spectator sees now. Changes nothing."""

    def merge(self, first: Any, second: Any) -> Any:
        """Return the intent of a seat that sent `first` and then `second` for the same turn."""

    def intent_when_missed(self, state: Any, seat: Seat, on_skip: OnSkip) -> Any:
        """Return what a seat does in a turn that it missed."""

    def retire(self, state: Any, seat: Seat) -> None:
        """Take `seat` out of the battle when the next turn is resolved; it keeps its score."""

    def resolve(self, state: Any, intents: Mapping[Seat, Any], streams: Streams) -> Sequence[Any]:
        """Advance `state` by one turn, in place, and return what happened (the game's own events).

        intents: one for each seat that was asked, in order of seat.
        """

    def faults(self, state: Any) -> Sequence[tuple[str, str]]:
        """Return the stages that failed in the last turn and were skipped: (stage, what it raised).

        Always empty unless the game was told to go on after an exception in its rules.
        """

    def outcome(self, state: Any) -> Outcome | None:
        """Return how the battle ended, or None while it goes on."""

    def snapshot(self, state: Any) -> bytes:
        """Return the canonical state: equal bytes if and only if the battle goes on in the same way."""

    def tables(self, state: Any) -> Iterable[Table]:
        """Yield the snapshot in tables with names, always the same ones in the same order."""

    def save(self, state: Any) -> bytes:
        """Return the state as JSON, on one line: all that decides how it goes on, and how it will look."""

    def restore(self, state: Any, data: bytes) -> None:
        """Put into `state`, fresh from `setup` with the same setup and seats, what `save` returned.

        What the last turn looked like (its events) may be missing until the next turn is resolved.
        Raises: ValueError, TypeError or LookupError for anything else. Data comes from files of strangers:
        nothing in it may be believed.
        """

    def intent_to_data(self, intent: Any) -> Any:
        """Return an intent as JSON values; an object has no null in it."""

    def intent_from_data(self, data: Any) -> Any:
        """Return the intent that `intent_to_data` wrote. Raises: ValueError for anything else."""

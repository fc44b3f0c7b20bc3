"""The contract of a game: six methods to write, defaults for all else.

A game is stateless: all that changes lives in the State that `setup` returns, a dataclass or a msgspec
structure (see `kernel.saved_state`). The kernel only passes states, intents, observations and frames on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, NamedTuple

import msgspec

from turnwright.errors import GameError, SetupError
from turnwright.kernel import saved_state
from turnwright.kernel.random_intents import intent_type, random_value
from turnwright.kernel.rng import Stream, Streams

if TYPE_CHECKING:  # so that `Game` alone means Game[Any, Any]
    from typing_extensions import TypeVar

    State = TypeVar("State", default=Any)
    Intent = TypeVar("Intent", default=Any)
    T = TypeVar("T")
else:
    from typing import TypeVar

    State, Intent, T = TypeVar("State"), TypeVar("Intent"), TypeVar("T")

Seat = int
"""The 0-based index of a participant in one battle; see `Game.open_ended`."""

OnSkip = Literal["repeat", "idle"]
"""The intent of a missed turn: the last one again, or the game's idle intent."""

PerSeat = Annotated[list[T], saved_state.BY_SEAT]
"""The type of a field of a state that has one value for each seat, in order, e.g. `score: PerSeat[int]`."""


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """The participant of a seat.

    `options` are the game's own (JSON values); the kernel does not read them.

    The fields from authors on are for readers of a record; rules do not read them.

    Attributes:
        source_hash: the hash of the participant's directory or of the game's built-in bots, if known.
    """

    name: str
    version: str = "1.0"
    team: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    authors: tuple[str, ...] = ()
    platform: str | None = None
    programming_lang: str | None = None
    source_hash: str | None = None


class StateTable(NamedTuple):
    """A part of the canonical state, as a table of 8-byte fields.

    All rows have the same fields. `data` holds one row after the other.

    Attributes:
        by_seat: whether row k belongs to seat k. A record keeps checks of a table, to name where a state
        differs.
        every_column: whether there is a check for each column. Otherwise there is one for the table.
    """

    name: str
    columns: tuple[str, ...]
    data: bytes
    by_seat: bool = False
    every_column: bool = False


class RoundProgress(NamedTuple):
    """Round and turn of a battle. Both 1…, 0 before the first;

    Attributes:
        turn: the turn of the round.
        opened_round: whether the last turn began a round.
        round_over, battle_over: whether it ended one.
        alive: the seats that still play, in order.
    """

    round: int
    turn: int
    opened_round: bool
    round_over: bool
    battle_over: bool
    alive: Sequence[Seat]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a battle.

    One score per seat, higher is better, and the game's own results.
    """

    scores: tuple[float, ...]
    results: Any = None


class Game(ABC, Generic[State, Intent]):
    """The rules of a game.

    Every method is deterministic and touches nothing but its arguments.

    To write: setup, asked, observe, resolve, outcome, read_intent. The defaults know two fields of a state,
    where it has them: `retired: PerSeat[bool]` (see `retire`) and `last: PerSeat[Intent]` (see
    `default_intent`).
    """

    name: str
    """The game's name in the catalogue."""
    behaviour_version: int = 1
    """Raised whenever a change of the rules can alter an outcome."""
    rules_hash: str = ""
    """Of the source of the rules, to tell two that should be the same apart; "": not known."""
    defaults: Mapping[str, Any] = {}
    """The default settings (JSON values)."""
    open_ended: bool = False
    """Whether seats may join a running battle; the battle's header does not name these."""
    keyframe_turns: int | None = None
    """Turns from one keyframe of a record to the next; 0: it has none; None: as a quick seek needs it."""

    # ---- to write ------------------------------------------------------------------------------------------

    @abstractmethod
    def setup(self, settings: Mapping[str, Any], seats: Sequence[SeatInfo], streams: Streams) -> State:
        """Return the state before the first turn.

        Args:
            settings: `defaults`, and over them what was given.

        Raises:
            SetupError or ValueError: the settings or the number of seats are impossible.
        """

    @abstractmethod
    def asked(self, state: State) -> Sequence[Seat]:
        """Return the seats that get an observation now and may answer it, in order."""

    @abstractmethod
    def observe(self, state: State, seat: Seat) -> Any:
        """Return what `seat` may know now: JSON values or msgspec structures.

        Changes nothing.
        """

    @abstractmethod
    def resolve(self, state: State, intents: Mapping[Seat, Intent], streams: Streams) -> Sequence[Any]:
        """Advance `state` by one turn, in place.

        Returns what happened: the game's own events.

        Args:
            intents: one for each seat that was asked, in order of seat; of one that missed the turn, what
                `default_intent` returned.
        """

    @abstractmethod
    def outcome(self, state: State) -> Outcome | None:
        """Return the outcome of the battle, or None while it lasts."""

    @abstractmethod
    def read_intent(self, data: Any) -> Intent:
        """Return an intent from JSON values, e.g. `msgspec.convert(data, Move)`.

        They come from participants: nothing in them may be believed.

        Raises:
            ValueError: the values are not an intent. That is the participant's mistake; any other exception
                is the game's own.
        """

    # ---- defaults ------------------------------------------------------------------------------------------

    def awaited(self, state: State) -> Sequence[Seat]:
        """Return the asked seats for which the turn waits until the deadline: all."""
        return self.asked(state)

    def round_progress(self, state: State) -> RoundProgress | None:
        """Return the round and turn of the battle.

        None: it has one round, and its turns are those of the kernel.
        """
        return None

    def opening(self, state: State) -> bool:
        """Return whether the next observation is the first of a round.

        A participant may need to wake up.
        """
        return False

    def frame(self, state: State) -> Any:
        """Return what a spectator sees now, JSON values or structures: all of the state.

        Changes nothing.
        """
        return msgspec.to_builtins(state)

    def live_frame(self, state: State, events: Sequence[Any]) -> tuple[Any, Sequence[Any]]:
        """Return what spectators get while the battle is played.

        That is a frame, and the events of the last turn. The default hides nothing. A game with hidden
        information leaves it out here, since bots may watch, too. The replay of a record shows `frame` and
        all events. Changes nothing.
        """
        return self.frame(state), events

    def scores(self, state: State) -> Sequence[float] | None:
        """Return the score of each seat so far, by seat; None: not known before the end.

        Of a battle that is over, those of `outcome`. For spectators alone: no record holds them. Changes
        nothing.
        """
        return None

    def round_scores(self, state: State) -> Sequence[float] | None:
        """Return each seat's score in the round that the last turn ended.

        None in any other turn, and always in a game of one round. Changes nothing.
        """
        return None

    def merge(self, first: Intent, second: Intent) -> Intent:
        """Return the intent of a seat that sent two for the same turn.

        The default takes the second.
        """
        return second

    def default_intent(self, state: State, seat: Seat, on_skip: OnSkip) -> Intent | None:
        """Return the intent for a seat that missed the turn, by default None.

        With "repeat" it is the seat's value in the field `last` of the state, if there is one.
        """
        last = getattr(state, "last", None)
        return last[seat] if on_skip == "repeat" and isinstance(last, list) else None

    def retire(self, state: State, seat: Seat) -> None:
        """Take `seat` out of the battle when the next turn is resolved.

        It keeps its score.

        Sets the field `retired` of the state, which `resolve` and `asked` read.
        """
        retired = getattr(state, "retired", None)
        if not isinstance(retired, list):
            raise GameError(
                f"{self.name}.retire() found no field `retired: PerSeat[bool]` in the state; add it, or write"
                " retire()"
            )
        retired[seat] = True

    def reinstate(self, state: State, seat: Seat) -> None:
        """Take back `retire` before the first turn of a round is resolved.

        Only games that tell their rounds by `round_progress` need it.
        """
        retired = getattr(state, "retired", None)
        if isinstance(retired, list):
            retired[seat] = False

    def faults(self, state: State) -> Sequence[tuple[str, str]]:
        """Return the stages that failed in the last turn and were skipped.

        Each is a tuple (stage, what it raised).

        Always empty unless the game continues after exceptions in its rules.
        """
        return ()

    def tables(self, state: State) -> Iterable[StateTable]:
        """Yield the snapshot in tables with names, always the same ones in the same order.

        "state" has one row, with a column for each field. "seats" has one row for each seat, of the `PerSeat`
        fields. A field of type Final never changes and is left out.
        """
        for name, columns, data in saved_state.packed_tables(state):
            yield StateTable(name, columns, data, by_seat=name == saved_state.SEATS, every_column=True)

    def snapshot(self, state: State) -> bytes:
        """Return the canonical state.

        Two states have equal bytes if and only if their battles continue identically.
        """
        return b"".join([table.data for table in self.tables(state)])

    def save(self, state: State) -> bytes:
        """Return the state as JSON, on one line.

        It contains everything that decides how the battle continues, and how it will look.
        """
        return saved_state.save_state(state)

    def restore(self, state: State, data: bytes) -> None:
        """Restore `state` from what `save` returned.

        `state` is fresh from `setup` with the same setup and seats.

        The last turn's events may be missing until the next turn is resolved.

        The data comes from untrusted files: nothing in it may be believed.

        Raises:
            ValueError, TypeError or LookupError: anything else.
        """
        saved_state.restore_state(state, data)

    def write_intent(self, intent: Intent) -> Any:
        """Return an intent as JSON values, which `read_intent` reads.

        An object has no null in it.
        """
        return msgspec.to_builtins(intent)

    def random_intent(self, state: State, seat: Seat, rng: Stream) -> Intent:
        """Return any intent that a participant may send, for tests.

        Drawn from the type `Intent`.

        Raises:
            GameError: the type does not say which values there are (see `random_value`).
        """
        kind = intent_type(type(self))
        try:
            intent: Intent = random_value(kind, rng)
        except TypeError as error:
            raise GameError(f"{self.name}.random_intent() is to be written: {error}") from None
        return intent

    # ---- for learners: optional, without defaults, but that of rewards -----------------------------------

    def observation_space(self, settings: Mapping[str, Any], seats: Sequence[SeatInfo]) -> Any:
        """Return the space of encoded observations, one of Gymnasium.

        The same for all seats.

        Raises:
            SetupError: the game cannot be an environment for learners.
        """
        raise self._no_environment("observation_space")

    def action_space(self, settings: Mapping[str, Any], seats: Sequence[SeatInfo]) -> Any:
        """Return the space of actions, one of Gymnasium, the same for all seats."""
        raise self._no_environment("action_space")

    def encode(self, observation: Any, memory: dict[str, Any]) -> Any:
        """Return an observation as an element of the observation space.

        It is called for every observation of a seat.

        Args:
            memory: the memory of this seat in this episode, for what it keeps; it begins with seat, seats and
                settings.
        """
        raise self._no_environment("encode")

    def decode(self, action: Any, observation: Any) -> Intent:
        """Return the intent of an element of the action space."""
        raise self._no_environment("decode")

    def rewards(self, state: State) -> Mapping[str, Sequence[float]]:
        """Return the terms of the last turn's reward by name, each with one number a seat.

        None at all ({}): the reward is the change of `scores`, with the name "score".
        """
        return {}

    def _no_environment(self, method: str) -> SetupError:
        return SetupError(
            f"the game {self.name} has no {method}(): an environment for learners needs observation_space,"
            " action_space, encode and decode of its class"
        )

"""The contract of a game: six methods that a game must define, and optional methods.

A game object has no state of its own. Everything that changes during a battle is in the State that `setup`
returns. A State is a dataclass or a msgspec structure (see `kernel.saved_state`). The kernel passes states,
intents, observations and frames on without looking inside.
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

if TYPE_CHECKING:  # with these defaults `Game` alone means Game[Any, Any]
    from typing_extensions import TypeVar

    State = TypeVar("State", default=Any)
    Intent = TypeVar("Intent", default=Any)
    T = TypeVar("T")
else:
    from typing import TypeVar

    State, Intent, T = TypeVar("State"), TypeVar("Intent"), TypeVar("T")

Seat = int
"""The 0-based index of a participant in one battle. See `Game.open_ended`."""

OnSkip = Literal["repeat", "idle"]
"""The intent of a missed turn: the seat's last intent again, or the game's idle intent."""

PerSeat = Annotated[list[T], saved_state.BY_SEAT]
"""The type of a field of a state that has one value for each seat, in order, e.g. `score: PerSeat[int]`."""


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """The participant of a seat.

    The fields `authors` to `source_hash` are for readers of a record. The rules do not use them. None or an
    empty tuple means not known.
    """

    name: str
    """The participant's name. Two seats can have the same name."""
    version: str = "1.0"
    """The participant's version."""
    team: int | None = None
    """The number of the participant's team, or None in a game without teams."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options of this seat that the game defines (JSON values). The kernel does not read them."""
    authors: tuple[str, ...] = ()
    """The authors of the program."""
    platform: str | None = None
    """The platform of the program, e.g. "JVM"."""
    programming_lang: str | None = None
    """The language of the program."""
    source_hash: str | None = None
    """A hash of the participant's directory, or of the game's built-in bots."""


class StateTable(NamedTuple):
    """A part of the canonical state, as a table of 8-byte fields.

    All rows have the same fields. `data` contains one row after the other. A record stores checksums of
    tables. With them, a reader of the record can find where a state differs.

    Attributes:
        by_seat: whether the table has one row for each seat, in order of seat.
        every_column: whether each column has its own checksum. Otherwise there is one checksum for the whole
            table.
    """

    name: str
    columns: tuple[str, ...]
    data: bytes
    by_seat: bool = False
    every_column: bool = False


class RoundProgress(NamedTuple):
    """The round and turn that a battle has reached."""

    round: int
    """The round, counted from 1, or 0 before the first round."""
    turn: int
    """The turn of the round, counted from 1, or 0 before the first turn."""
    opened_round: bool
    """Whether the last turn began a round."""
    round_over: bool
    """Whether the last turn ended a round."""
    battle_over: bool
    """Whether the last turn ended the battle."""
    alive: Sequence[Seat]
    """The seats that still play in this round, in order."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a battle."""

    scores: tuple[float, ...]
    """The score of each seat. Higher is better."""
    results: Any = None
    """Further results that the game defines, or None."""


class Game(ABC, Generic[State, Intent]):
    """The rules of a game.

    Every method is deterministic. A method reads and changes nothing except its arguments.

    A game must define six methods: `setup`, `asked`, `observe`, `resolve`, `outcome` and `read_intent`. All
    other methods are optional. The defaults use two fields of the state, if the state has these fields:
    `retired: PerSeat[bool]` (see `retire`) and `last: PerSeat[Intent]` (see `default_intent`). The methods
    `observation_space`, `action_space`, `encode` and `decode` raise SetupError unless the game defines them.
    """

    name: str
    """The game's name in the catalogue."""
    behaviour_version: int = 1
    """The version of the rules. Increase it with every change that can alter an outcome."""
    rules_hash: str = ""
    """A hash of the source of the rules, or "" if it is unknown. Equal rules have equal hashes."""
    defaults: Mapping[str, Any] = {}
    """The default settings (JSON values)."""
    open_ended: bool = False
    """Whether seats may join a running battle. The header of the record does not contain such seats."""
    keyframe_turns: int | None = None
    """The number of turns between two keyframes of a record. 0 means no keyframes. None means that turnwright
    chooses the number, so that a viewer can jump quickly to any turn.
    """

    # ---- methods to write ----------------------------------------------------------------------------------

    @abstractmethod
    def setup(self, settings: Mapping[str, Any], seats: Sequence[SeatInfo], streams: Streams) -> State:
        """Return the state before the first turn.

        Args:
            settings: `defaults`, with the values that the user gave.
            seats: the participants.
            streams: the random numbers of the battle.

        Raises:
            SetupError: the game cannot be played with these settings or this number of seats. The game may
                raise ValueError instead.
        """

    @abstractmethod
    def asked(self, state: State) -> Sequence[Seat]:
        """Return the seats that get an observation in this turn and may answer, in ascending order."""

    @abstractmethod
    def observe(self, state: State, seat: Seat) -> Any:
        """Return the observation of `seat`: everything that the seat is allowed to know now, as JSON values
        or msgspec structures.

        This method changes nothing.
        """

    @abstractmethod
    def resolve(self, state: State, intents: Mapping[Seat, Intent], streams: Streams) -> Sequence[Any]:
        """Advance `state` by one turn, in place.

        Args:
            state: the state, which is changed.
            intents: one intent for each seat that was asked, in order of seat. For a seat that missed the
                turn, it is the result of `default_intent`.
            streams: the random numbers of the battle.

        Returns:
            The events of the turn, in the game's own form.
        """

    @abstractmethod
    def outcome(self, state: State) -> Outcome | None:
        """Return the outcome of the battle, or None if it is not over."""

    @abstractmethod
    def read_intent(self, data: Any) -> Intent:
        """Return an intent from JSON values, e.g. `msgspec.convert(data, Move)`.

        Args:
            data: the JSON values that a participant sent. They can be anything.

        Raises:
            ValueError: the data is not an intent. This is the participant's mistake. Any other exception is a
                mistake of the game.
        """

    # ---- defaults ------------------------------------------------------------------------------------------

    def awaited(self, state: State) -> Sequence[Seat]:
        """Return those seats of `asked` for which the turn waits until the deadline. By default the turn
        waits for all of them.
        """
        return self.asked(state)

    def round_progress(self, state: State) -> RoundProgress | None:
        """Return the round and turn of the battle.

        None means that the battle has one round, and that the kernel counts its turns.
        """
        return None

    def opening(self, state: State) -> bool:
        """Return whether the next observation is the first observation of a round. Bots may get more time for
        it.
        """
        return False

    def frame(self, state: State) -> Any:
        """Return the frame that a spectator sees now, as JSON values or msgspec structures. The default is
        the whole state.

        This method changes nothing.
        """
        return msgspec.to_builtins(state)

    def live_frame(self, state: State, events: Sequence[Any]) -> tuple[Any, Sequence[Any]]:
        """Return the frame and the events that spectators get during the battle.

        The default hides nothing. A game with hidden information must hide that information here, because
        bots can also watch. The replay of a record shows `frame` and all events. This method changes nothing.

        Returns:
            A frame, and the events of the last turn.
        """
        return self.frame(state), events

    def scores(self, state: State) -> Sequence[float] | None:
        """Return the score of each seat so far, or None if scores are known only at the end.

        When the battle is over, these are the scores of `outcome`. The scores are for spectators, and no
        record contains them. This method changes nothing.
        """
        return None

    def round_scores(self, state: State) -> Sequence[float] | None:
        """Return each seat's score in the round that the last turn ended.

        The result is None if the last turn did not end a round. In a game without rounds the result is always
        None. This method changes nothing.
        """
        return None

    def merge(self, first: Intent, second: Intent) -> Intent:
        """Return the intent of a seat that sent two intents for one turn. The default is the second
        intent.
        """
        return second

    def default_intent(self, state: State, seat: Seat, on_skip: OnSkip) -> Intent | None:
        """Return the intent for a seat that missed the turn.

        The default is None. If `on_skip` is "repeat" and the state has a field `last`, the default is the
        seat's entry in this field.
        """
        last = getattr(state, "last", None)
        return last[seat] if on_skip == "repeat" and isinstance(last, list) else None

    def retire(self, state: State, seat: Seat) -> None:
        """Take `seat` out of the battle when the next turn is resolved. The seat keeps its score.

        The default sets the field `retired` of the state, which `resolve` and `asked` read.

        Raises:
            GameError: the state has no field `retired`.
        """
        retired = getattr(state, "retired", None)
        if not isinstance(retired, list):
            raise GameError(
                f"{self.name}.retire() found no field `retired: PerSeat[bool]` in the state; add it, or write"
                " retire()"
            )
        retired[seat] = True

    def reinstate(self, state: State, seat: Seat) -> None:
        """Undo `retire` before the first turn of a round is resolved.

        Only games with rounds (`round_progress`) need this method.
        """
        retired = getattr(state, "retired", None)
        if isinstance(retired, list):
            retired[seat] = False

    def faults(self, state: State) -> Sequence[tuple[str, str]]:
        """Return the stages of the rules that raised an exception in the last turn, each with the text of its
        exception.

        The result is empty unless the game skips such stages and continues.
        """
        return ()

    def tables(self, state: State) -> Iterable[StateTable]:
        """Yield the state as named tables. The names and the order of the tables are always the same.

        The table "state" has one row, with a column for each field. The table "seats" has one row per seat,
        with the `PerSeat` fields. Fields of type Final never change, so the tables leave them out.

        Raises:
            GameError: a field has a value that is not allowed in a state.
            ValueError: the `PerSeat` fields have different lengths.
        """
        for name, columns, data in saved_state.packed_tables(state):
            yield StateTable(name, columns, data, by_seat=name == saved_state.SEATS, every_column=True)

    def snapshot(self, state: State) -> bytes:
        """Return the canonical state.

        Two states have equal bytes if and only if their battles continue in the same way.
        """
        return b"".join([table.data for table in self.tables(state)])

    def save(self, state: State) -> bytes:
        """Return the state as JSON on one line.

        The JSON contains everything that decides how the battle continues and looks.

        Raises:
            GameError: a field has a value that is not allowed in a state.
        """
        return saved_state.save_state(state)

    def restore(self, state: State, data: bytes) -> None:
        """Restore `state` from `data`, the result of `save`.

        The restored state need not contain the events of the last turn, because the next turn makes new
        events.

        Args:
            state: a new state from `setup`, with the same settings and seats.
            data: the content of a file, which can be anything.

        Raises:
            ValueError: the data is not a saved state. The game may raise TypeError or LookupError instead.
        """
        saved_state.restore_state(state, data)

    def write_intent(self, intent: Intent) -> Any:
        """Return an intent as JSON values. `read_intent` must be able to read them. JSON objects in the
        result must not contain null.
        """
        return msgspec.to_builtins(intent)

    def random_intent(self, state: State, seat: Seat, rng: Stream) -> Intent:
        """Return a random intent that a participant can send, for tests.

        The default draws a random value of the type `Intent`. Write this method if not every value of the
        type is a possible intent.

        Raises:
            GameError: random values of the type `Intent` cannot be drawn.
        """
        kind = intent_type(type(self))
        try:
            intent: Intent = random_value(kind, rng)
        except TypeError as error:
            raise GameError(f"{self.name}.random_intent() must be written: {error}") from None
        return intent

    # ---- for learners: optional, without defaults except for rewards ---------------------------------------

    def observation_space(self, settings: Mapping[str, Any], seats: Sequence[SeatInfo]) -> Any:
        """Return the Gymnasium space of encoded observations, which is the same for all seats."""
        raise self._no_environment("observation_space")

    def action_space(self, settings: Mapping[str, Any], seats: Sequence[SeatInfo]) -> Any:
        """Return the Gymnasium space of actions, which is the same for all seats."""
        raise self._no_environment("action_space")

    def encode(self, observation: Any, memory: dict[str, Any]) -> Any:
        """Return an observation as an element of the observation space.

        The environment calls this method for every observation of a seat.

        Args:
            observation: the result of `observe`.
            memory: a dictionary that is kept for this seat during the episode. At first it contains `seat`,
                `seats` and `settings`.
        """
        raise self._no_environment("encode")

    def decode(self, action: Any, observation: Any) -> Intent:
        """Return the intent that an element of the action space stands for.

        Args:
            observation: the result of `observe` for the seat that acts.
        """
        raise self._no_environment("decode")

    def rewards(self, state: State) -> Mapping[str, Sequence[float]]:
        """Return the terms of the last turn's reward by name, with one number per seat.

        The default has no terms. Without terms, the reward is the change of `scores`, and its name is
        "score".
        """
        return {}

    def _no_environment(self, method: str) -> SetupError:
        return SetupError(
            f"the game {self.name} has no {method}(): an environment for learners needs observation_space,"
            " action_space, encode and decode of its class"
        )


def unique_names(names: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """Return the names, changed where necessary: no two are equal, and none is in `taken`.

    "A", "A" becomes "A", "A (2)".
    """
    used = set(taken)
    unique = []
    for name in names:
        number, candidate = 1, name
        while candidate in used:
            number += 1
            candidate = f"{name} ({number})"
        used.add(candidate)
        unique.append(candidate)
    return unique

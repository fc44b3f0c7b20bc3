"""Checks the calls of a game. An error names the game's mistake in one line.

The line names the method, and shows what the method returned or raised, and what was expected. Games by other
authors are played through this wrapper, so that a mistake makes only the battle void.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import pairwise
from traceback import walk_tb
from types import CodeType
from typing import Any

import msgspec

from turnwright.errors import GameError, SetupError
from turnwright.kernel.game import Game, OnSkip, Outcome, RoundProgress, Seat, SeatInfo, StateTable
from turnwright.kernel.rng import Stream, Streams

JSON_BYTES_MAX = 1 << 20
"""The largest size of an observation, of a frame, and of the events of a turn, in bytes. A message of the
generic protocol has the same limit.
"""
_SHOWN_CHARS = 60
_NO_STATES = (str, bytes, int, float, complex, list, tuple, set, frozenset, dict, type, Iterator)


class EndlessCall(BaseException):
    """Ends a call of a game that has taken longer than `after_s` seconds."""

    after_s: float = 0.0


class CheckedGame(Game[Any, Any]):
    """A wrapped game that raises GameError when it breaks the contract.

    The results of the methods for learners are not checked.

    Args:
        around: returns the context in which each call runs.

    Raises:
        GameError: an attribute of the game has a value that a record cannot contain.
    """

    def __init__(self, game: Game, around: Callable[[], AbstractContextManager[Any]] = nullcontext) -> None:
        _check_attributes(game)
        self._around = around
        self.game = game
        self.name = game.name
        self.behaviour_version = game.behaviour_version
        self.rules_hash = game.rules_hash
        self.defaults = game.defaults
        self.open_ended = game.open_ended
        self.keyframe_turns = game.keyframe_turns
        module = type(game).__module__
        self._package = module.rpartition(".")[0] or module

    # ---- the six methods that a game must write ------------------------------------------------------------

    def setup(self, settings: Mapping[str, Any], seats: Sequence[SeatInfo], streams: Streams) -> Any:
        """Return the game's state.

        Raises:
            SetupError, ValueError: the game raised this exception.
            GameError: the game made any other mistake.
        """
        state = self._call("setup", settings, seats, streams, passing=(SetupError, ValueError))
        if state is None or isinstance(state, _NO_STATES):
            raise self._returned("setup", state, "a state: a dataclass or a msgspec structure")
        return state

    def asked(self, state: Any) -> Sequence[Seat]:
        """Return the seats that are asked, each once and in order."""
        return self._seats("asked", state)

    def observe(self, state: Any, seat: Seat) -> Any:
        """Return an observation that can be written as JSON."""
        return self._as_json("observe", state, seat)

    def resolve(self, state: Any, intents: Mapping[Seat, Any], streams: Streams) -> Sequence[Any]:
        """Return the events, a list or tuple that can be written as JSON."""
        events = self._call("resolve", state, intents, streams)
        if not isinstance(events, list | tuple):
            raise self._returned("resolve", events, "a list of what happened, e.g. []")
        self._must_be_json("resolve", events, "a list of what happened, of ")
        return events

    def outcome(self, state: Any) -> Outcome | None:
        """Return None, or an Outcome with finite scores and results in JSON."""
        outcome = self._call("outcome", state)
        if outcome is None:
            return None
        if not isinstance(outcome, Outcome):
            raise self._returned("outcome", outcome, "None, or Outcome(scores)")
        scores = outcome.scores
        if not _are_scores(scores):
            raise self._returned("outcome", scores, "scores that are finite numbers, one for each seat")
        self._must_be_json("outcome", outcome.results, "results that are ")
        return outcome

    def read_intent(self, data: Any) -> Any:
        """Return an intent.

        Raises:
            ValueError: the participant made a mistake.
            GameError: the game made a mistake.
        """
        intent = self._call("read_intent", data, passing=(ValueError,))
        if intent is None:
            raise self._returned(
                "read_intent", None, "an intent; raise ValueError if the data is not an intent"
            )
        self.write_intent(intent)  # the record needs it, and here the sender is still known
        return intent

    # ---- the other methods ---------------------------------------------------------------------------------

    def awaited(self, state: Any) -> Sequence[Seat]:
        """Return the seats that are awaited, each once and in order."""
        return self._seats("awaited", state)

    def round_progress(self, state: Any) -> RoundProgress | None:
        """Return the result of the game's `round_progress`."""
        progress: RoundProgress | None = self._call("round_progress", state)
        return progress

    def opening(self, state: Any) -> bool:
        """Return the result of the game's `opening`."""
        return bool(self._call("opening", state))

    def frame(self, state: Any) -> Any:
        """Return a frame that can be written as JSON."""
        return self._as_json("frame", state)

    def live_frame(self, state: Any, events: Sequence[Any]) -> tuple[Any, Sequence[Any]]:
        """Return a frame and a list of events that can be written as JSON."""
        shown = self._call("live_frame", state, events)
        if not isinstance(shown, tuple) or len(shown) != 2 or not isinstance(shown[1], list | tuple):
            raise self._returned("live_frame", shown, "a tuple of a frame and a list of events")
        self._must_be_json("live_frame", shown, "a frame and events that are ")
        return shown

    def scores(self, state: Any) -> Sequence[float] | None:
        """Return the scores so far, which must be finite numbers, or None."""
        scores: Sequence[float] | None = self._call("scores", state)
        if scores is not None and not _are_scores(scores):
            raise self._returned("scores", scores, "None, or finite numbers, one for each seat")
        return scores

    def round_scores(self, state: Any) -> Sequence[float] | None:
        """Return the scores of the ended round, which must be finite numbers, or None."""
        scores: Sequence[float] | None = self._call("round_scores", state)
        if scores is not None and not _are_scores(scores):
            raise self._returned("round_scores", scores, "None, or finite numbers, one for each seat")
        return scores

    def merge(self, first: Any, second: Any) -> Any:
        """Return the result of the game's `merge`."""
        return self._call("merge", first, second)

    def default_intent(self, state: Any, seat: Seat, on_skip: OnSkip) -> Any:
        """Return the result of the game's `default_intent`."""
        return self._call("default_intent", state, seat, on_skip)

    def retire(self, state: Any, seat: Seat) -> None:
        """Call the game's `retire`."""
        self._call("retire", state, seat)

    def reinstate(self, state: Any, seat: Seat) -> None:
        """Call the game's `reinstate`."""
        self._call("reinstate", state, seat)

    def faults(self, state: Any) -> Sequence[tuple[str, str]]:
        """Return the result of the game's `faults`."""
        return self._call("faults", state, make=tuple)  # type: ignore[no-any-return]  # a tuple

    def tables(self, state: Any) -> Iterable[StateTable]:
        """Return a list of the tables of the state."""
        return self._call("tables", state, make=list)  # type: ignore[no-any-return]  # a list of tables

    def snapshot(self, state: Any) -> bytes:
        """Return the result of the game's `snapshot`, which must be bytes."""
        data = self._call("snapshot", state)
        if not isinstance(data, bytes):
            raise self._returned("snapshot", data, "bytes")
        return data

    def save(self, state: Any) -> bytes:
        """Return the result of the game's `save`, which must be bytes."""
        data = self._call("save", state)
        if not isinstance(data, bytes):
            raise self._returned("save", data, "bytes: JSON, on one line")
        return data

    def restore(self, state: Any, data: bytes) -> None:
        """Restore `state` from `data` with the game's `restore`.

        Raises:
            ValueError, TypeError, LookupError: the data is not a saved state.
        """
        self._call("restore", state, data, passing=(ValueError, TypeError, LookupError))

    def write_intent(self, intent: Any) -> Any:
        """Return an intent as values that can be written as JSON."""
        return self._as_json("write_intent", intent)

    def random_intent(self, state: Any, seat: Seat, rng: Stream) -> Any:
        """Return the result of the game's `random_intent`."""
        return self._call("random_intent", state, seat, rng)

    # ---- for learners --------------------------------------------------------------------------------------

    def observation_space(self, settings: Mapping[str, Any], seats: Sequence[SeatInfo]) -> Any:
        """Return the result of the game's `observation_space`."""
        return self._call("observation_space", settings, seats, passing=(SetupError,))

    def action_space(self, settings: Mapping[str, Any], seats: Sequence[SeatInfo]) -> Any:
        """Return the result of the game's `action_space`."""
        return self._call("action_space", settings, seats, passing=(SetupError,))

    def encode(self, observation: Any, memory: dict[str, Any]) -> Any:
        """Return the result of the game's `encode`."""
        return self._call("encode", observation, memory, passing=(SetupError,))

    def decode(self, action: Any, observation: Any) -> Any:
        """Return the result of the game's `decode`."""
        return self._call("decode", action, observation, passing=(SetupError,))

    def rewards(self, state: Any) -> Mapping[str, Sequence[float]]:
        """Return the result of the game's `rewards`."""
        return self._call("rewards", state)  # type: ignore[no-any-return]  # see `Game.rewards`

    # ---- the checks ----------------------------------------------------------------------------------------

    def _call(
        self, method: str, *args: Any, passing: tuple[type[Exception], ...] = (), make: Any = None
    ) -> Any:
        try:
            with self._around():
                result = getattr(self.game, method)(*args)
                return result if make is None else make(result)
        except KeyboardInterrupt:  # perhaps from Ctrl-C
            raise
        except EndlessCall as error:
            where = _place(error, self._package)
            raise GameError(
                f"{self.name}.{method}() did not return within {error.after_s:g} s{where}"
            ) from error
        except BaseException as error:
            if isinstance(error, (GameError, *passing)):
                raise
            raise GameError(f"{self.name}.{method}() raised {raised(error, self._package)}") from error

    def _seats(self, method: str, state: Any) -> Sequence[Seat]:
        seats = self._call(method, state)
        is_list = isinstance(seats, list | tuple | range) and all(
            type(seat) is int and seat >= 0 for seat in seats
        )
        if not is_list or any(one >= two for one, two in pairwise(seats)):
            raise self._returned(method, seats, "seats in order, each once, e.g. [0, 1]")
        return seats  # type: ignore[no-any-return]  # looked at above

    def _as_json(self, method: str, *args: Any) -> Any:
        value = self._call(method, *args)
        self._must_be_json(method, value)
        return value

    def _must_be_json(self, method: str, value: Any, what: str = "") -> None:
        """Raise GameError for a value that cannot be written as JSON, or whose JSON has more than
        JSON_BYTES_MAX bytes.
        """
        try:
            size = len(msgspec.json.encode(value))
        except (TypeError, ValueError, RecursionError, OverflowError) as error:
            expected = f"{what}JSON values, structures or dataclasses ({error})"
            raise self._returned(method, value, expected) from error
        if size > JSON_BYTES_MAX:
            raise GameError(
                f"{self.name}.{method}() returned {size:,} bytes of JSON; at most {JSON_BYTES_MAX:,}"
            )

    def _returned(self, method: str, value: Any, expected: str) -> GameError:
        try:
            shown = repr(value)
        except Exception:
            shown = f"a {type(value).__name__}"
        if len(shown) > _SHOWN_CHARS:
            shown = shown[:_SHOWN_CHARS] + "…"
        return GameError(f"{self.name}.{method}() returned {' '.join(shown.split())}; expected {expected}")


def _check_attributes(game: Game) -> None:
    """Raise GameError for attributes that a record cannot contain."""
    version, turns = game.behaviour_version, game.keyframe_turns
    expected = {
        "defaults": (_are_settings(game.defaults), "a dictionary of JSON values by name"),
        "behaviour_version": (_is_count(version, 1), "a whole number from 1 on"),
        "keyframe_turns": (turns is None or _is_count(turns, 0), "None, or a whole number from 0 on"),
        "rules_hash": (isinstance(game.rules_hash, str), "a text"),
    }
    for name, (is_right, what) in expected.items():
        if not is_right:
            shown = " ".join(f"{getattr(game, name)!r:.{_SHOWN_CHARS}}".split())
            raise GameError(f"{game.name}.{name} is {shown}; expected {what}")


def _is_count(value: Any, least: int) -> bool:
    return type(value) is int and value >= least


def _are_settings(defaults: Any) -> bool:
    if not isinstance(defaults, Mapping) or not all(isinstance(name, str) for name in defaults):
        return False
    try:
        return bool(msgspec.json.decode(msgspec.json.encode(dict(defaults))) == dict(defaults))
    except (TypeError, ValueError, RecursionError, OverflowError):
        return False


CHECKED_CALL: CodeType = CheckedGame._call.__code__
"""The code object of the function through which all calls of a game go. A thread that is inside this function
runs the game's code.
"""


def _are_scores(scores: Any) -> bool:
    return isinstance(scores, list | tuple) and all(map(_is_finite, scores))


def _is_finite(score: Any) -> bool:
    try:
        return isinstance(score, int | float) and math.isfinite(score)
    except OverflowError:  # a whole number above the largest float
        return False


def raised(error: BaseException, package: str = "") -> str:
    """Return an exception and its place on one line, e.g. "KeyError: 'x' (game.py, line 12)".

    Args:
        package: the package in which to search for the place. The place is the innermost line of the
            traceback in a module of this package. If there is no such line, or `package` is "", it is the
            innermost line of all.
    """
    said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    return said + _place(error, package)


def _place(error: BaseException, package: str) -> str:
    """Return where an exception was raised, e.g. " (game.py, line 12)", or ""."""
    frames = list(walk_tb(error.__traceback__))
    own = [one for one in frames if package and _is_in(one[0].f_globals.get("__name__"), package)]
    if not frames:
        return ""
    frame, line = (own or frames)[-1]
    file = frame.f_code.co_filename.replace("\\", "/").rpartition("/")[2]
    if file.startswith("<"):  # a file of Python itself, e.g. the importer for a file with a syntax error
        return ""
    return f" ({file}, line {line})"


def _is_in(module: object, package: str) -> bool:
    return isinstance(module, str) and f"{module}.".startswith(f"{package}.")

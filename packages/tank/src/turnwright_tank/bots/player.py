"""Participants in this process: bots, bot classes and plain functions, such as

    def spin(observation):
        return {"turn_rate": 5, "target_speed": 8, "firepower": 1}

A function has no event handlers. It finds the events in `observation.events`. It returns the intent of that
turn, or None to miss the turn.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Protocol, get_args, get_type_hints, runtime_checkable

from turnwright.errors import SetupError
from turnwright.wire.plain_json import camel
from turnwright_tank.bots.bot import Bot, Handlers
from turnwright_tank.bots.identity import BotIdentity, GameInfo, read_identity
from turnwright_tank.intent import TankIntent, TeamMessage
from turnwright_tank.observation import Observation
from turnwright_tank.wire.royale.limits import NAME_CHARS_MAX

BotFunction = Callable[[Observation], TankIntent | Mapping[str, Any] | None]

_TYPES = {name: get_args(hint)[0] for name, hint in get_type_hints(TankIntent).items()}
"""The type of each field of an intent. Each field may also be None."""
_SNAKE = {camel(name): name for name in (*_TYPES, *get_type_hints(TeamMessage))}


@runtime_checkable
class Player(Protocol):
    """A participant in this process.

    The battle calls `game_started` once in each game, `round_started` once in each round, and `step` in each
    turn.
    """

    def use_seed(self, seed: int | str | None) -> None: ...
    def game_started(self, info: GameInfo | Mapping[str, Any]) -> None: ...
    def round_started(self, round_number: int) -> None: ...
    def step(self, observation: Observation) -> TankIntent | None: ...
    def on_skipped_turn(self, turn_number: int) -> None: ...
    def on_slow(self, notice: str) -> None: ...
    def on_round_ended(self, results: Any) -> None: ...
    def on_game_ended(self, results: Any) -> None: ...


def as_player(given: Any, seed: int | str | None = None) -> Player:
    """Return the player for an argument of `run_battle`.

    A Bot class is instantiated, a Bot is used as it is, and a function is wrapped. Any other argument raises
    SetupError.

    `seed` seeds the bot's own random numbers. None leaves them as they are.
    """
    if isinstance(given, type) and issubclass(given, Bot):
        given = given()
    elif not isinstance(given, type) and not isinstance(given, Player) and callable(given):
        given = _FunctionPlayer(given)
    if not isinstance(given, Player) or isinstance(given, type):
        raise SetupError(
            f"a participant is {given!r}, expected a Bot, a Bot class or a function of one observation"
        )
    if seed is not None:
        given.use_seed(seed)
    return given


def name_of(given: Any) -> str:
    """Return the name of a Bot, a Bot class, a function or another player in results."""
    if inspect.isroutine(given):
        return str(given.__name__)
    cls = given if isinstance(given, type) else type(given)
    return read_identity(cls, environment={}).name if issubclass(cls, Bot) else cls.__name__


class _FunctionPlayer(Handlers):
    """A function of one observation as a player."""

    def __init__(self, function: BotFunction) -> None:
        self._function = function

    def use_seed(self, seed: int | str | None) -> None:
        """Do nothing: a function has no random numbers of the library."""

    def game_started(self, info: GameInfo | Mapping[str, Any]) -> None:
        """Do nothing: a function has no handlers."""

    def round_started(self, round_number: int) -> None:
        """Do nothing: a function reads the round in the observation."""

    def step(self, observation: Observation) -> TankIntent | None:
        """Return the function's answer.

        Raises:
            ValueError: the answer is not an intent.
        """
        answer = self._function(observation)
        return answer if answer is None or isinstance(answer, TankIntent) else _intent_of(answer)


def _intent_of(answer: Mapping[str, Any]) -> TankIntent:
    """Return the intent of a mapping with snake_case or camelCase names."""
    try:
        return TankIntent(**{name: _checked(name, value) for name, value in _named(answer).items()})
    except (AttributeError, TypeError) as error:
        what = f"a bot answered {answer!r}, expected a TankIntent or a dict of its fields: {error}"
        raise ValueError(what) from None


def _named(given: Mapping[str, Any]) -> dict[str, Any]:
    return {_SNAKE.get(name, name): value for name, value in given.items()}


def _checked(name: str, value: Any) -> Any:
    """Return the value of a field.

    Raises:
        TypeError: the value has the wrong type.
    """
    takes = _TYPES.get(name)
    if value is None or takes is None:
        return value
    if name == "team_messages":
        return tuple(one if isinstance(one, TeamMessage) else TeamMessage(**_named(one)) for one in value)
    fits = isinstance(value, int | float if takes is float else takes)
    if not fits or (isinstance(value, bool) and takes is not bool):
        raise TypeError(f"{name} is {value!r:.60}, expected {takes.__name__}")
    return float(value) if takes is float else value


def identity_of(bot: object, name: str) -> BotIdentity:
    """Return the identity of a bot of this process.

    It ignores the environment, which is that of the server.
    """
    kind = bot if isinstance(bot, type) else type(bot)
    if issubclass(kind, Bot):
        return read_identity(kind, environment={})
    return BotIdentity(name=name[:NAME_CHARS_MAX])

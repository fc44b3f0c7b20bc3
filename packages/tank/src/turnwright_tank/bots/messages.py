"""Tank Royale's messages for bots, read and written with the standard library only."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from operator import attrgetter
from typing import Any, get_args, get_type_hints

from turnwright.wire.plain_json import camel, json_bytes, read_json
from turnwright_tank import observation as seen
from turnwright_tank.bots.identity import BotIdentity, GameInfo, initial_position
from turnwright_tank.intent import TankIntent
from turnwright_tank.observation import BulletState, Observation, TankState

Message = tuple[str, Any]
"""The type of a message, and its content as its reader in `READERS` returns it."""


class UnreadableMessage(ValueError):
    """The server sent a text that is not a message of the protocol."""


def read_message(text: bytes | str) -> Message:
    """Return a message of a server. If a message has no reader, its content is None.

    Raises:
        UnreadableMessage: the text is not a message.
    """
    try:
        message = read_json(text)
        kind = message["type"]
        if not isinstance(kind, str):
            raise UnreadableMessage("its type is not a text")
        reader = READERS.get(kind)
        return kind, None if reader is None else reader(message)
    except KeyError as error:
        raise UnreadableMessage(f"it has no {error.args[0]}") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise UnreadableMessage(str(error)) from None


def write_intent(intent: TankIntent, turn_number: int) -> bytes:
    """Return the message of an intent with the turn that it answers. Fields that are not set are left out."""
    said: dict[str, Any] = {"type": "BotIntent"}
    said |= {name: value for name, value in zip(_INTENT, _values(intent), strict=True) if value is not None}
    if intent.team_messages is not None:
        said["teamMessages"] = [
            {"message": one.message, "messageType": one.message_type, "receiverId": one.receiver_id}
            for one in intent.team_messages
        ]
    said["turnNumber"] = turn_number
    return json_bytes(said)


def write_handshake(identity: BotIdentity, session_id: str, secret: str | None) -> bytes:
    """Return the handshake of a bot. Its field `turnwright` asks our server for an ErrorReply to mistakes."""
    said: dict[str, Any] = {
        "type": "BotHandshake",
        "sessionId": session_id,
        "secret": secret,
        "turnwright": 1,
    }
    said |= {camel(one.name): getattr(identity, one.name) for one in fields(identity)}
    position = initial_position(identity.initial_position)
    if position is not None:
        said["initialPosition"] = _set_ones(dict(zip(("x", "y", "direction"), position, strict=True)))
    return json_bytes(_set_ones(said))


READY = json_bytes({"type": "BotReady"})
"""The answer to GameStartedEventForBot."""


def _set_ones(said: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in said.items()
        if value is not None and value is not False and value != ()
    }


# ---- reading: a function for each type -------------------------------------------------------------------


Reader = Callable[[Any], Any]
"""A function that makes a value from JSON values."""


def _reader(shape: type) -> Reader:
    """Return the function that makes a dataclass from a JSON object."""
    hints = get_type_hints(shape)
    needed = [
        (camel(one.name), _value_reader(hints[one.name])) for one in fields(shape) if one.default is MISSING
    ]
    others = [camel(one.name) for one in fields(shape) if one.default is not MISSING]

    def read(values: dict[str, Any]) -> Any:
        return shape(
            *[values[name] if read is None else read(values[name]) for name, read in needed],
            *map(values.get, others),
        )

    return read


def _value_reader(kind: Any) -> Reader | None:
    """Return the function that reads a value of a type, or None if the JSON value needs no conversion."""
    if kind is float:  # a server may write 30.0 as 30
        return float
    return _STRUCTURES.get(kind)


def _read_list(read: Reader) -> Reader:
    return lambda values: [read(one) for one in values]


def _read_events(values: Any) -> list[Any]:
    """Return the events of a turn, without those that this library does not know."""
    return [_EVENTS[one["type"]](one) for one in values if one["type"] in _EVENTS]


_STRUCTURES: dict[Any, Reader] = {}
"""The functions that read nested structures, by type. Each entry uses the entries before it."""
_STRUCTURES[BulletState] = _reader(BulletState)
_STRUCTURES[list[BulletState]] = _read_list(_STRUCTURES[BulletState])
_STRUCTURES[TankState] = _reader(TankState)
_EVENTS = {kind.__name__: _reader(kind) for kind in get_args(seen.Event)}
_STRUCTURES[list[seen.Event]] = _read_events


def _read_game(values: dict[str, Any]) -> tuple[GameInfo, str | None]:
    """Return the game, and the bot's seed if the server sends one to a process that plays several battles."""
    names = {named["botId"]: named["name"] for named in values.get("botNames") or ()}
    info = GameInfo.of_setup(values["gameSetup"], values["myId"], tuple(values["teammateIds"]), names)
    return info, values.get("botSeed")


def _read_results(values: dict[str, Any]) -> dict[str, Any] | None:
    """Return the bot's own scores by snake_case names."""
    results = values.get("results")
    if results is None:
        return None
    return {re.sub("[A-Z]", lambda one: f"_{one.group().lower()}", name): n for name, n in results.items()}


READERS: dict[str, Reader] = {
    "ServerHandshake": lambda values: values["sessionId"],
    "GameStartedEventForBot": _read_game,
    "RoundStartedEvent": lambda values: values["roundNumber"],
    "TickEventForBot": _reader(Observation),
    "SkippedTurnEvent": lambda values: (values["turnNumber"], values.get("reason") or ""),
    "RoundEndedEventForBot": _read_results,
    "GameEndedEventForBot": _read_results,
    "ErrorReply": lambda values: (values["code"], values["message"]),
}
"""The function that reads the content of a message, by type of the message."""
_PLAIN = [one.name for one in fields(TankIntent) if one.name not in ("team_messages", "turn_number")]
"""The fields of an intent whose values need no conversion to JSON."""
_INTENT = [*map(camel, _PLAIN)]
_values = attrgetter(*_PLAIN)

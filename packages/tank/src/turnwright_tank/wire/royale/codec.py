"""Encodes and decodes messages. Decoding returns a Fault instead of raising an exception.

Typed decoders read nearly all messages. `recover_message` is slower and reads the messages that they refuse.
It is needed because bots' JSON libraries write NaN and lone surrogates, and because a fault should explain
what to do.
"""

from __future__ import annotations

from typing import Union

import msgspec

from turnwright.wire.faults import CLOSE_TOO_BIG, Fault, FaultCode
from turnwright_tank.structs import Frame, Observation, TankIntent
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.lenient_decoder import (
    HANDSHAKES,
    Expected,
    check_handshake,
    limit_texts,
    recover_message,
)
from turnwright_tank.wire.royale.limits import COLOR_CHARS_MAX, MESSAGE_BYTES_MAX, VALUES_MAX

Incoming = Union[  # noqa: UP007 (msgspec and readers want the names)
    TankIntent,
    m.BotHandshake,
    m.ObserverHandshake,
    m.ControllerHandshake,
    m.BotReady,
    m.StartGame,
    m.StopGame,
    m.PauseGame,
    m.ResumeGame,
    m.NextTurn,
    m.ChangeTps,
    m.BotPolicyUpdate,
    m.EnableDebugMode,
    m.DisableDebugMode,
    m.ListDirectories,
    m.BootBots,
]
"""A message that the server accepts."""

ServerMessage = Union[  # noqa: UP007
    Observation,
    Frame,
    m.ServerHandshake,
    m.BotListUpdate,
    m.GameStartedEventForBot,
    m.GameStartedEventForObserver,
    m.GameEndedEventForBot,
    m.GameEndedEventForObserver,
    m.GameAbortedEvent,
    m.GamePausedEventForObserver,
    m.GameResumedEventForObserver,
    m.RoundStartedEvent,
    m.RoundEndedEventForBot,
    m.RoundEndedEventForObserver,
    m.SkippedTurnEvent,
    m.TpsChangedEvent,
    m.BotPolicies,
    m.RoundTrips,
    m.Directories,
    m.OperatorToken,
    m.ErrorReply,
]
"""A message that a client accepts."""

# A decoder for one type is twice as fast as a decoder for
# all types, but it accepts a message without `type`. So it
# gets only messages that begin or end with the `type` of
# an intent. Every known bot API writes `type` first or
# last.
_INTENT_STARTS = (b'{"type":"BotIntent"', b'{"type": "BotIntent"')
_INTENT_ENDS = (b' "type": "BotIntent"\n}', b',"type":"BotIntent"}', b' "type": "BotIntent"}')

_intents = msgspec.json.Decoder(TankIntent)
_incoming: msgspec.json.Decoder[Incoming] = msgspec.json.Decoder(Incoming)
_from_server: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)
_TO_SERVER = Expected.of(Incoming, not_from_here=ServerMessage, to_server=True)
_TO_CLIENT = Expected.of(ServerMessage, not_from_here=Incoming, to_server=False)

encode = msgspec.json.Encoder().encode
"""Return a message as compact JSON with `type` first. Optional fields that are not set are left out."""


def decode(data: bytes, notes: list[Fault] | None = None) -> Incoming | Fault:
    """Return the message of one WebSocket text message to the server, or a Fault.

    Args:
        notes: list to which faults are added if a part of the message was dropped or cut, and the rest of it
            counts.
    """
    if len(data) > MESSAGE_BYTES_MAX:
        advice = f"a message of {len(data)} bytes; {MESSAGE_BYTES_MAX} at most"
        return Fault(FaultCode.TOO_BIG, advice, closes=CLOSE_TOO_BIG)
    notes = [] if notes is None else notes
    decoder = _intents if data.endswith(_INTENT_ENDS) or data.startswith(_INTENT_STARTS) else _incoming
    try:
        message: Incoming | Fault = decoder.decode(data)
    except (ValueError, RecursionError):
        if data.count(b",") > VALUES_MAX:
            return Fault(
                FaultCode.TOO_BIG, f"a faulty message of more than {VALUES_MAX} values; it is not read"
            )
        message = recover_message(data, _TO_SERVER, notes)
    if type(message) is TankIntent:
        return message if len(data) <= COLOR_CHARS_MAX else limit_texts(message, notes)
    if isinstance(message, HANDSHAKES):
        return check_handshake(message) or message
    return message


def decode_server(data: bytes) -> ServerMessage | Fault | None:
    """Return a message from a server, None for an unknown type, or a Fault."""
    try:
        return _from_server.decode(data)
    except (ValueError, RecursionError):
        found = recover_message(data, _TO_CLIENT, [])
    return None if isinstance(found, Fault) and found.code is FaultCode.UNKNOWN_TYPE else found


def error_reply(fault: Fault) -> m.ErrorReply:
    """Return the message that reports `fault` to a client that takes ErrorReply."""
    return m.ErrorReply(code=fault.code.value, message=fault.advice, refers_to=fault.refers_to)

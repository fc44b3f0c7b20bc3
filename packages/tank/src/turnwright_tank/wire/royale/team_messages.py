"""Checks team messages against the rules that apply since 1.4.

If an intent breaks a rule, the server rejects the whole intent and closes the connection with the reason.

An intent may have TEAM_MESSAGES_MAX packets and BATCH_MESSAGES_MAX messages, where each entry of a batch
counts. A packet may have TEAM_MESSAGE_BYTES_MAX bytes, and all packets together TEAM_MESSAGES_BYTES_MAX bytes
of compact JSON.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

import msgspec

from turnwright.wire.faults import CLOSE_POLICY, Fault, FaultCode
from turnwright_tank.structs import TankIntent, TeamMessage
from turnwright_tank.wire.royale.limits import (
    BATCH_MESSAGES_MAX,
    TEAM_MESSAGE_BYTES_MAX,
    TEAM_MESSAGES_BYTES_MAX,
    TEAM_MESSAGES_MAX,
)

BATCH_TYPE = "team-message-batch-v1"
"""The message type of a packet that holds several messages."""


class _Broken(Exception):
    """A rule was broken. str() gives the reason."""


def check_team_messages(
    intent: TankIntent, sender: int, teammates: Collection[int], batch_capable: Collection[int]
) -> Fault | None:
    """Return the fault of the team messages of `intent`, or None.

    Args:
        sender: the bot id of the sender.
        teammates: the bot ids of the sender's team when the game started, including bots that have left.
        batch_capable: ids of the bots that accept batches, including bots that have left (these get nothing).
    """
    messages = intent.team_messages
    if not messages:
        return None
    try:
        _check_sizes(messages)
        _check_receivers(messages, [mate for mate in teammates if mate != sender], batch_capable)
    except _Broken as broken:
        return Fault(FaultCode.TEAM_MESSAGE, str(broken), closes=CLOSE_POLICY, refers_to="BotIntent")
    return None


def _check_sizes(messages: tuple[TeamMessage, ...]) -> None:
    if len(messages) > TEAM_MESSAGES_MAX:
        raise _Broken(f"teamMessages exceeds {TEAM_MESSAGES_MAX} messages")
    if len(msgspec.json.encode(messages)) > TEAM_MESSAGES_BYTES_MAX:
        raise _Broken(f"teamMessages exceeds {TEAM_MESSAGES_BYTES_MAX} UTF-8 bytes")
    logical = sum(_logical(message) for message in messages)
    if logical > BATCH_MESSAGES_MAX:
        raise _Broken(f"teamMessages exceeds {BATCH_MESSAGES_MAX} logical messages")


def _logical(message: TeamMessage) -> int:
    if len(message.message.encode()) > TEAM_MESSAGE_BYTES_MAX:
        raise _Broken(f"Team message exceeds {TEAM_MESSAGE_BYTES_MAX} UTF-8 bytes")
    if not message.message_type.strip():
        raise _Broken("Team message has a blank messageType")
    return _batch_length(message.message) if message.message_type == BATCH_TYPE else 1


def _parsed(text: object) -> Any:
    try:
        return json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None


def _batch_length(text: str) -> int:
    batch = _parsed(text)
    entries = batch.get("messages") if isinstance(batch, dict) else None
    if not isinstance(entries, list) or not entries:
        raise _Broken("Team message batch has no list of messages")
    for entry in entries:
        if not isinstance(entry, dict):
            raise _Broken("Team message batch entry is not an object")
        kind = entry.get("messageType")
        if not isinstance(kind, str) or not kind.strip():
            raise _Broken("Team message batch entry has no messageType")
        if _parsed(entry.get("message")) is None:
            raise _Broken("Team message batch entry has no message in JSON")
    return len(entries)


def _check_receivers(
    messages: tuple[TeamMessage, ...], teammates: Collection[int], batch_capable: Collection[int]
) -> None:
    for message in messages:
        receiver = message.receiver_id
        if receiver is not None and receiver not in teammates:
            raise _Broken("Team message receiverId is not a teammate")
    for message in messages:
        if message.message_type != BATCH_TYPE:
            continue
        receivers = teammates if message.receiver_id is None else (message.receiver_id,)
        if not all(receiver in batch_capable for receiver in receivers):
            raise _Broken("A batch recipient does not support team-message-batch-v1")

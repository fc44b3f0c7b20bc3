"""Team messages: limits since 1.4, receivers, batches."""

from __future__ import annotations

import json
from typing import Any

import pytest

from packages.core.tests.messages import missing
from turnwright_tank.structs import TankIntent, TeamMessage
from turnwright_tank.wire.royale import limits
from turnwright_tank.wire.royale.team_messages import BATCH_TYPE, check_team_messages


def _reason(*messages: TeamMessage, mates: tuple[int, ...] = (2, 3), able: tuple[int, ...] = (2, 3)) -> str:
    fault = check_team_messages(TankIntent(team_messages=messages), 1, mates, able)
    if fault is None:
        return ""
    assert fault.closes == 1008
    assert fault.definite
    return fault.reason


def _batch(*entries: Any, receiver: int | None = None) -> TeamMessage:
    return TeamMessage(json.dumps({"messages": list(entries)}), BATCH_TYPE, receiver)


def _entry(message: str = "1", kind: str = "t") -> dict[str, str]:
    return {"messageType": kind, "message": message}


def test_an_intent_without_team_messages_is_fine() -> None:
    assert check_team_messages(TankIntent(), 1, (), ()) is None
    assert check_team_messages(TankIntent(team_messages=()), 1, (), ()) is None


@pytest.mark.parametrize(("count", "ok"), [(1, True), (63, True), (64, True), (65, False)])
def test_packets_have_a_limit(count: int, ok: bool) -> None:
    assert (_reason(*[TeamMessage("1", "t", 2)] * count) == "") is ok


@pytest.mark.parametrize(("entries", "ok"), [(1, True), (127, True), (128, True), (129, False)])
def test_messages_in_batches_have_a_limit(entries: int, ok: bool) -> None:
    reason = _reason(_batch(*[_entry()] * entries))
    assert (reason == "") is ok
    assert ok or "128" in reason


def test_entries_of_all_batches_and_single_messages_are_counted_together() -> None:
    half = _batch(*[_entry()] * 63)
    assert _reason(half, half, TeamMessage("1", "t"), TeamMessage("1", "t")) == ""
    assert _reason(half, half, *[TeamMessage("1", "t")] * 3) != ""


@pytest.mark.parametrize("letter", ["a", "é"])
def test_one_packet_has_a_limit_in_utf8_bytes(letter: str) -> None:
    most = limits.TEAM_MESSAGE_BYTES_MAX // len(letter.encode())
    assert _reason(TeamMessage(letter * most, "t")) == ""
    assert str(limits.TEAM_MESSAGE_BYTES_MAX) in _reason(TeamMessage(letter * (most + 1), "t"))


def test_all_packets_together_have_a_limit_as_compact_json() -> None:
    full = TeamMessage("a" * limits.TEAM_MESSAGE_BYTES_MAX, "t")
    one = len('{"message":"","messageType":"t"}')
    commas_and_brackets = 5 + 2
    rest = limits.TEAM_MESSAGES_BYTES_MAX - 5 * len(full.message) - 6 * one - commas_and_brackets
    assert _reason(*[full] * 5, TeamMessage("a" * rest, "t")) == ""
    over = _reason(*[full] * 5, TeamMessage("a" * (rest + 1), "t"))
    assert str(limits.TEAM_MESSAGES_BYTES_MAX) in over


@pytest.mark.parametrize(
    ("receiver", "ok"),
    [(None, True), (2, True), (3, True), (1, False), (4, False), (0, False), (10**30, False)],
)
def test_a_receiver_is_a_teammate_and_not_oneself(receiver: int | None, ok: bool) -> None:
    reason = _reason(TeamMessage("1", "t", receiver), mates=(1, 2, 3))
    assert bool(reason) is not ok
    assert ok or not missing(reason, "receiverId", "not a teammate")


def test_a_bot_without_a_team_may_send_a_broadcast_without_receivers() -> None:
    assert _reason(TeamMessage("1", "t"), mates=(), able=()) == ""


@pytest.mark.parametrize("kind", ["", "  "])
def test_a_message_has_a_type(kind: str) -> None:
    assert _reason(TeamMessage("1", kind)) != ""


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "x",
        "[]",
        "{}",
        "null",
        "[" * 100_000,
        '{"messages": []}',
        '{"messages": {}}',
        '{"messages": [1]}',
        '{"messages": [{}]}',
        '{"messages": [{"message": "1"}]}',
        '{"messages": [{"messageType": "t"}]}',
        '{"messages": [{"messageType": " ", "message": "1"}]}',
        '{"messages": [{"messageType": 5, "message": "1"}]}',
        '{"messages": [{"messageType": "t", "message": 1}]}',
        '{"messages": [{"messageType": "t", "message": "null"}]}',
        '{"messages": [{"messageType": "t", "message": "x"}]}',
        '{"messages": [{"messageType": "t", "message": "1"}, {}]}',
    ],
)
def test_a_broken_batch_is_refused(payload: str) -> None:
    assert "Team message batch" in _reason(TeamMessage(payload[:40_000], BATCH_TYPE, 2))


def test_a_whole_batch_is_taken() -> None:
    assert _reason(_batch(_entry('{"x": NaN}'), _entry("[1, 2]"), receiver=2)) == ""


def test_every_receiver_of_a_batch_must_understand_batches() -> None:
    refusal = "A batch recipient does not support team-message-batch-v1"
    assert _reason(_batch(_entry()), able=(2,)) == refusal
    assert _reason(_batch(_entry(), receiver=3), able=(2,)) == refusal
    assert _reason(_batch(_entry(), receiver=2), able=(2,)) == ""
    assert _reason(TeamMessage("1", "t"), able=()) == ""

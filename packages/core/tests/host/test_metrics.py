"""The metrics are Prometheus text, and answer the questions of operators."""

from __future__ import annotations

import re

import pytest

from packages.core.tests.host.prometheus import parse
from packages.core.tests.host.support import MS, Room, S, duel


def metrics(room):
    samples, kinds = parse(room.host.metrics(room.now_ns))

    def value(name, **labels):
        return samples[f"turnwright_{name}", tuple(sorted(labels.items()))]

    return value, kinds


def test_an_empty_server_has_well_formed_metrics():
    value, kinds = metrics(Room(tps=30))
    assert value("turns_total") == 0
    assert value("tps") == 30
    assert value("phase", phase="waiting for participants") == 1
    assert value("connections", role="bot") == 0
    assert kinds["turnwright_turns_total"] == "counter"


def test_a_running_game_says_its_turns_phases_answer_times_and_skips():
    clock = iter(range(0, 10**12, 1_000))
    room, _, one, two = duel(plays=True, max_skipped=0, stopwatch=lambda: next(clock))
    room.spectator()
    room.stranger()
    two.answer = lambda seen: {"turn": seen["turn"]} if seen["turn"] % 4 else None
    one.after_ns = 2 * MS
    room.run(S)
    value, kinds = metrics(room)
    turns = room.host.room.battle.turn
    assert value("turns_total") == turns > 100
    assert value("connections", role="bot") == 2
    assert [value("connections", role=r) for r in ("observer", "controller", "stranger")] == [1, 1, 1]
    for phase in ("collect", "resolve", "events", "observers", "send"):
        assert value("phase_seconds_count", phase=phase) > 100
    assert value("phase_seconds_sum", phase="resolve") > 0
    assert abs(value("answer_seconds", seat="0", bot="one", quantile="0.5") - 0.002) < 0.0001
    assert value("answer_seconds_count", seat="0", bot="one") in (turns - 1, turns)
    assert value("skipped_turns", seat="0", bot="one") == 0
    assert value("skipped_turns", seat="1", bot="two") in (turns // 4, turns // 4 - 1)
    assert kinds["turnwright_answer_seconds"] == "summary"


def test_faults_and_ends_are_counted_by_kind():
    room, boss, one, _ = duel()
    one.send(b"{")
    one.say("stop")
    boss.say("stop")
    value, _ = metrics(room)
    assert value("faults_total", code="malformed") == 1
    assert value("faults_total", code="not-your-role") == 1
    assert value("battles_total", ending="aborted") == 1
    assert value("battles_total", ending="over") == value("battles_total", ending="void") == 0
    assert value("messages_total") == room.host.messages_total


def test_lateness_of_a_paced_game_is_there():
    room, *_ = duel(plays=True, tps=30)
    room.server.alarm_late_ns = lambda: 300_000
    room.run(S)
    value, _ = metrics(room)
    assert abs(value("turn_lateness_seconds", quantile="0.5") - 0.0003) < 0.00002
    assert value("server_late_turns") == 0


@pytest.mark.parametrize("name", ['a"b', "a\\b", 'x"} 1', "ü😀", "\\n"])
def test_a_name_cannot_break_out_of_its_label(name):
    room = Room()
    boss, bots = room.operator(), [room.bot(name), room.bot("b")]
    room.start(boss, bots)
    samples, _ = parse(room.host.metrics(0))
    labels = {dict(k[1])["bot"] for k in samples if k[0] == "turnwright_skipped_turns"}
    unescaped = {re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], text) for text in labels}
    assert unescaped == {name, "b"}


def test_no_secret_and_no_session_is_in_the_metrics():
    room = Room(bot_secrets=frozenset({"s3cret"}), controller_secrets=frozenset({"s3cret"}))
    boss = room.operator(secret="s3cret")
    bots = room.bots(2, secret="s3cret")
    room.start(boss, bots)
    text = room.host.metrics(0)
    assert "s3cret" not in text
    assert not any(c.session in text for c in room.clients.values())

"""The metrics are Prometheus text, and say what operators ask."""

from __future__ import annotations

import re

import pytest

from tests.host.support import MS, Room, S, duel

SAMPLE = re.compile(r"([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (-?[0-9.eE+-]+|NaN|[+-]Inf)")
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"')


def parse(text):
    """Return {(name, labels): value} and {family: kind}; strict about the format."""
    assert text.endswith("\n")
    kinds, helped, samples = {}, set(), {}
    for line in text.splitlines():
        if line.startswith("# HELP "):
            name, said = line[7:].split(" ", 1)
            assert said
            assert name not in helped
            helped.add(name)
        elif line.startswith("# TYPE "):
            name, kind = line[7:].split(" ")
            assert kind in ("counter", "gauge", "summary", "histogram")
            assert name not in kinds
            kinds[name] = kind
        else:
            match = SAMPLE.fullmatch(line)
            assert match, line
            name, inner, value = match.groups()
            labels = dict(LABEL.findall(inner or ""))
            assert ",".join(f'{k}="{v}"' for k, v in labels.items()) == (inner or "")
            key = (name, tuple(sorted(labels.items())))
            assert key not in samples
            samples[key] = float(value)
            family = re.sub("_(sum|count)$", "", name) if name not in kinds else name
            assert family in kinds
            assert family in helped
    return samples, kinds


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
    room.observer()
    room.stranger()
    two.answer = lambda tick: {"turnNumber": tick["turnNumber"]} if tick["turnNumber"] % 4 else None
    one.after_ns = 2 * MS
    room.run(S)
    value, kinds = metrics(room)
    turns = room.table.battle.turn
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
    one.say("StopGame")
    boss.say("StopGame")
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
    boss, bots = room.controller(turnwright=1), [room.bot(name), room.bot("b")]
    room.start(boss, bots)
    samples, _ = parse(room.host.metrics(0))
    labels = {dict(k[1])["bot"] for k in samples if k[0] == "turnwright_skipped_turns"}
    unescaped = {re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], text) for text in labels}
    assert unescaped == {name, "b"}


def test_no_secret_and_no_session_is_in_the_metrics():
    room = Room(bot_secrets=frozenset({"s3cret"}), controller_secrets=frozenset({"s3cret"}))
    boss = room.controller(secret="s3cret", turnwright=1)
    bots = room.bots(2, secret="s3cret")
    room.start(boss, bots)
    text = room.host.metrics(0)
    assert "s3cret" not in text
    assert not any(c.session in text for c in room.clients.values())

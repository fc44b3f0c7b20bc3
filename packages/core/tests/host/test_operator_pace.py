"""Pausing, stepping and speeds, and our deliberate differences from the official server."""

from __future__ import annotations

import itertools
import random

import pytest

from packages.core.tests.host.support import MS, TIMEOUT, Room, S, duel
from turnwright.kernel.verify import verify

PERIOD = S // 30
PAUSED, RESUMED, TPS = "paused", "resumed", "speed"


def said(boss):
    """Return the announcements since `hush`, as (kind, detail) pairs."""
    return [(m["type"], m.get("cause") or m.get("tps")) for m in boss.of(PAUSED, RESUMED, TPS)]


def tick_times_ns(client):
    heard = zip(client.heard, client.stamps_ns, strict=True)
    return [at_ns for m, at_ns in heard if m["type"] in ("observation", "frame")]


def gaps_ns(client):
    times = tick_times_ns(client)
    return [b - a for a, b in itertools.pairwise(times)]


def paused():
    room, boss, one, two = duel()
    boss.say("pause")
    return room, boss.hush(), one, two


def answer(room, *bots):
    for bot in bots:
        bot.say("intent")
    return room.run()


# ---- the table of commands, state by state -------------------------------------------------------------

RUNNING = [
    ("pause", {}, [(PAUSED, "pause")], "paused"),
    ("resume", {}, [], "running"),
    ("step", {}, [], "running"),
    ("speed", {"tps": -1}, [], "running"),
    ("speed", {"tps": 50}, [(TPS, 50)], "running"),
    ("speed", {"tps": 0}, [(TPS, 0), (PAUSED, "pause")], "paused"),
    ("debug", {"on": True}, [], "running"),
    ("debug", {"on": False}, [], "running"),
]


@pytest.mark.parametrize(("kind", "fields", "announced", "phase"), RUNNING)
def test_a_command_on_a_running_game(kind, fields, announced, phase):
    room, boss, *_ = duel()
    boss.hush().say(kind, **fields)
    room.run()
    assert said(boss) == announced
    assert room.phase == phase
    assert room.host.room.battle.turn == 1


WHILE_PAUSED = [
    ("pause", {}, [(PAUSED, "pause")], "paused"),
    ("resume", {}, [(RESUMED, None)], "running"),
    ("speed", {"tps": -1}, [], "paused"),
    ("speed", {"tps": 50}, [(TPS, 50)], "paused"),
    ("speed", {"tps": 0}, [(TPS, 0), (PAUSED, "pause")], "paused"),
    ("debug", {"on": True}, [], "paused"),
    ("debug", {"on": False}, [], "paused"),
    ("step", {}, [], "paused"),
]


@pytest.mark.parametrize(("kind", "fields", "announced", "phase"), WHILE_PAUSED)
def test_a_command_on_a_paused_game(kind, fields, announced, phase):
    room, boss, *_ = paused()
    boss.say(kind, **fields)
    room.run()
    assert said(boss) == announced
    assert room.phase == phase
    assert room.host.room.battle.turn == 1


WITHOUT_A_GAME = [
    ("pause", {}, []),
    ("resume", {}, []),
    ("step", {}, []),
    ("speed", {"tps": -1}, []),
    ("speed", {"tps": 50}, [(TPS, 50)]),
    ("speed", {"tps": 0}, [(TPS, 0)]),
    ("debug", {"on": True}, []),
]


@pytest.mark.parametrize("when", ["before", "waiting", "after"])
@pytest.mark.parametrize(("kind", "fields", "announced"), WITHOUT_A_GAME)
def test_a_command_without_a_game_pauses_and_resumes_nothing(when, kind, fields, announced):
    room = Room()
    boss, bots = room.operator(), room.bots(2)
    for bot in bots:
        bot.readies = False
    if when != "before":
        room.start(boss, bots)
    if when == "after":
        boss.say("stop")
    phase = room.phase
    boss.hush().say(kind, **fields)
    assert said(boss) == announced
    assert room.phase == phase


# ---- pausing -------------------------------------------------------------------------------------------


def test_a_paused_game_collects_and_does_not_resolve():
    room, boss, one, two = paused()
    answer(room, one, two)
    room.run(3600 * S)
    assert room.host.room.battle.turn == 1
    assert not room.host.room.battle.collecting.inbox.missing
    assert room.server.alarm_ns is None
    boss.say("resume")
    assert room.run().host.room.battle.turn == 2


def test_the_deadline_runs_while_paused_and_resuming_starts_no_new_one():
    """On purpose unlike the official server: a pause moves no deadline, so it cannot change an outcome."""
    room, boss, one, two = paused()
    room.run(TIMEOUT)
    one.say("intent")
    room.run(5 * MS)
    boss.say("resume")
    room.run()
    assert room.host.room.battle.turn == 2
    assert [m["turn"] for m in two.of("skipped")] == [1]
    assert one.of("skipped") == []


def test_each_step_is_one_turn_and_says_no_pause():
    room, boss, one, two = paused()
    one.answer = two.answer = lambda seen: {}
    answer(room, one, two)
    for turn in range(2, 8):
        boss.say("step")
        room.run(5 * MS)
        assert room.host.room.battle.turn == turn
    assert said(boss) == []
    assert room.phase == "paused"


def test_steps_asked_for_ahead_are_played_one_after_the_other():
    room, boss, one, two = paused()
    one.answer = two.answer = lambda seen: {}
    answer(room, one, two)
    for _ in range(5):
        boss.say("step")
    room.run(50 * MS)
    assert room.host.room.battle.turn == 6
    assert boss.ticks == [(1, turn) for turn in range(2, 7)]


def test_a_step_waits_for_the_answers_or_the_deadline():
    """On purpose unlike the official server, which takes whatever has come so far."""
    room, boss, one, two = paused()
    boss.say("step")
    one.say("intent")
    room.run(TIMEOUT)
    assert room.host.room.battle.turn == 1
    room.run(1)
    assert room.host.room.battle.turn == 2
    assert [m["turn"] for m in two.of("skipped")] == [1]


def test_pausing_forgets_steps_not_yet_played():
    room, boss, one, two = paused()
    boss.say("step")
    boss.say("pause")
    answer(room, one, two)
    room.run(S)
    assert room.host.room.battle.turn == 1


def test_a_game_can_begin_paused_and_steps_lead_through_it():
    room, boss, one, two = duel(tps=0)
    assert said(boss)[-1:] == [(PAUSED, "pause")]
    assert one.ticks == []
    boss.say("step")
    room.run()
    assert one.ticks == two.ticks == [(1, 1)]
    answer(room, one, two)
    boss.say("step")
    assert room.run().host.room.battle.turn == 2
    assert room.phase == "paused"


def test_resuming_at_speed_zero_resumes_at_the_speed_before():
    """On purpose unlike the official server, which then runs without any wait."""
    room, boss, *_ = duel(tps=50)
    boss.say("speed", tps=0)
    boss.hush().say("resume")
    assert said(boss) == [(TPS, 50), (RESUMED, None)]
    assert (room.host.room.tps, room.phase) == (50, "running")


def test_leaving_speed_zero_resumes():
    room, boss, one, two = duel()
    boss.say("speed", tps=0)
    answer(room, one, two)
    boss.hush().say("speed", tps=50)
    room.run()
    assert said(boss) == [(TPS, 50), (RESUMED, None)]
    assert room.host.room.battle.turn == 2


def test_the_speed_outlives_the_game():
    room, boss, *bots = duel()
    boss.say("speed", tps=20)
    boss.say("stop")
    room.start(boss.hush(), bots)
    assert room.host.room.pace.tps == 20
    assert said(boss) == []


def test_commands_of_one_operator_stay_in_order():
    room, boss, *_ = duel(plays=True, tps=100)
    for _ in range(20):
        boss.say("pause")
        boss.say("resume")
    assert room.phase == "running"
    room.run(S)
    assert room.host.room.battle.turn >= 100


# ---- debug mode ----------------------------------------------------------------------------------------


def test_debug_mode_pauses_after_each_turn_until_resumed():
    room, boss, _one, _two = duel(plays=True)
    boss.hush().say("debug", on=True)
    room.run(50 * MS)
    assert said(boss) == [(PAUSED, "debug_step")]
    assert room.host.room.battle.turn == 2
    boss.hush().say("step")
    room.run(50 * MS)
    assert said(boss) == [(PAUSED, "debug_step")]
    assert room.host.room.battle.turn == 3
    boss.hush().say("resume")
    room.run(50 * MS)
    assert said(boss) == [(RESUMED, None)]
    assert room.host.room.battle.turn > 10


def test_a_debug_step_reports_its_pause_after_the_turn():
    room, boss, one, two = duel()
    boss.hush().say("debug", on=True)
    answer(room, one, two)
    assert boss.kinds()[1:] == ["frame", PAUSED]


def test_leaving_debug_mode_keeps_the_pause():
    room, boss, _one, _two = duel(plays=True)
    boss.say("debug", on=True)
    room.run(20 * MS)
    boss.say("debug", on=False)
    room.run(20 * MS)
    assert room.phase == "paused"
    boss.hush().say("step")
    room.run(20 * MS)
    assert said(boss) == []
    assert room.phase == "paused"


# ---- cadence -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tps", [1, 7, 30, 999, 1000])
def test_turns_come_on_an_exact_cadence_without_drift(tps):
    room, boss, one, two = duel(plays=True, tps=tps)
    one.after_ns, two.after_ns = 100, 200
    room.run(40 * S // tps)
    times = tick_times_ns(boss)
    assert len(times) == 41
    assert all(abs(t - times[0] - k * S / tps) <= 1 for k, t in enumerate(times))
    assert tick_times_ns(two) == times


def test_an_overrun_is_not_followed_by_a_burst():
    room, boss, one, _two = duel(plays=True, tps=100, setup={"turnTimeoutUs": 500_000})
    room.run(95 * MS)
    one.after_ns = 300 * MS
    room.run(20 * MS)
    one.after_ns = MS
    room.run(S)
    gaps = gaps_ns(boss)
    assert max(gaps) > 250 * MS
    assert min(gaps) >= 10 * MS


def test_a_changed_speed_holds_from_the_next_turn_on():
    room, boss, *_ = duel(plays=True, tps=10)
    room.run(S)
    boss.say("speed", tps=100)
    before = room.host.room.battle.turn
    room.run(S)
    assert room.host.room.battle.turn - before in (100, 101)


def test_a_frame_and_the_observations_of_a_turn_leave_at_the_same_instant():
    room, boss, one, two = duel(plays=True, tps=30)
    watcher = room.spectator()
    room.run(S)
    times = [
        [t for m, t in zip(c.heard, c.stamps_ns, strict=True) if m.get("turn") == 20]
        for c in (boss, watcher, one, two)
    ]
    assert {t for row in times for t in row} == {times[0][0]}


# ---- the outcome does not depend on the speed ----------------------------------------------------------


def played(tps, seed=3, turns=60, meddle=None):
    """Play a battle of bots whose answers are scripted, some late and some missing; return its record."""
    room = Room(record=True, tps=tps, max_skipped=0)
    boss, bots = room.operator(), room.bots(3)
    lagging = set()

    def script(bot):
        def answer(seen):
            rng = random.Random(f"{seed}/{bot.conn}/{seen['turn']}")
            kind = rng.random()
            lags = bot in lagging
            lagging.discard(bot)
            bot.after_ns = rng.randint(1000, TIMEOUT // (2 if lags else 1) - 1000)
            if kind < 0.1:
                return None
            if kind < 0.2 and not lags:  # with the next answer it takes two timeouts at most
                bot.after_ns = TIMEOUT + rng.randint(1000, TIMEOUT // 2)
                lagging.add(bot)
            return {"intent": rng.randint(0, 9), "turn": seen["turn"]}

        return answer

    for bot in bots:
        bot.answer = script(bot)
    room.start(boss, bots)
    if meddle:
        meddle(room, boss)
    while room.host.room.battle is not None and room.host.room.battle.turn < turns:
        room.run(20 * MS)
    boss.say("stop")
    record = room.record()
    del record.turns[turns:]
    assert verify(record, room.config.new_game(False)).ok
    return [(e.turn, e.skipped, e.digest) for e in record.turns], any(e.late_ns for e in record.turns)


def pauses(room, boss):
    for k, wait_ms in enumerate((13, 31, 2, 55, 8, 21)):
        room.run(wait_ms * MS)
        boss.say("pause")
        room.run(k * 17 * MS)
        if k % 2:
            boss.say("step")
            room.run(3 * MS)
        boss.say("speed", tps=(999, 1, -1, 30, 0, 60)[k])
        boss.say("resume")


@pytest.mark.parametrize("seed", range(4))
def test_the_same_answers_give_the_same_turns_at_every_speed_and_through_pauses(seed):
    slow, some_were_late = played(1, seed)
    assert len(slow) == 60
    assert any(skipped for _, skipped, _ in slow)
    assert some_were_late
    for run in (*(played(tps, seed)[0] for tps in (-1, 30, 999)), played(30, seed, meddle=pauses)[0]):
        assert run == slow

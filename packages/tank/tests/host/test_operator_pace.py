"""Debug mode, merged answers and the cadence for operators of another make, in the official words."""

from __future__ import annotations

import itertools

from packages.tank.tests.host.royale_rooms import MS, Room, S, duel

PAUSED, RESUMED, TPS = "GamePausedEventForObserver", "GameResumedEventForObserver", "TpsChangedEvent"


def said(boss):
    """Return the announcements since `hush`, as (kind, detail) pairs."""
    return [(m["type"], m.get("pauseCause") or m.get("tps")) for m in boss.of(PAUSED, RESUMED, TPS)]


def gaps_ns(client):
    heard = zip(client.heard, client.stamps_ns, strict=True)
    times = [at_ns for m, at_ns in heard if m["type"].startswith("TickEvent")]
    return [b - a for a, b in itertools.pairwise(times)]


def paused():
    room, boss, one, two = duel()
    boss.say("PauseGame")
    return room, boss.hush(), one, two


# ---- pausing -------------------------------------------------------------------------------------------


def test_answers_while_paused_count_and_second_thoughts_merge():
    room, boss, one, two = paused()
    one.say("BotIntent", turnRate=3)
    one.say("BotIntent", targetSpeed=1)
    two.say("BotIntent")
    boss.say("ResumeGame")
    room.run()
    state = one.last("TickEventForBot")["botState"]
    assert (state["turnRate"], state["speed"]) == (3, 1)


# ---- debug mode ----------------------------------------------------------------------------------------


def test_a_game_can_begin_in_debug_mode():
    room = Room()
    boss, bots = room.operator(turnwright=1), room.bots(2)
    room.start(boss.hush(), bots, debug=True)
    assert bots[0].ticks == [(1, 1)]
    assert said(boss) == [(PAUSED, "debug_step")]
    boss.say("StopGame")
    room.start(boss.hush(), bots)
    assert said(boss) == []


# ---- cadence -------------------------------------------------------------------------------------------


def test_an_operator_of_another_make_gets_a_millisecond_before_the_next_turn():
    room, boss, one, two = duel(plays=True, operator={"name": "gui"})
    one.after_ns = two.after_ns = 1000
    room.run(20 * MS)
    assert set(gaps_ns(boss)) == {MS}


def test_an_operator_of_another_make_does_not_slow_down_a_speed_that_was_asked_for():
    """Waking a little late must not add up: each turn is due a period after the one before was due."""
    room, _, one, two = duel(plays=True, tps=1000, operator={"name": "gui"})
    room.server.alarm_late_ns = lambda: 200_000
    one.after_ns = two.after_ns = 1000
    room.run(S)
    assert room.host.room.battle.turn >= 999

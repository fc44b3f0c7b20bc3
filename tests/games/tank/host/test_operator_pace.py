"""Pausing, stepping and speeds as operators know them, and what we do otherwise on purpose."""

from __future__ import annotations

import itertools
import random

from tests.games.tank.host.royale_rooms import MS, TIMEOUT, Room, S, duel
from turnwright.kernel.verify import verify

PERIOD = S // 30
PAUSED, RESUMED, TPS = "GamePausedEventForObserver", "GameResumedEventForObserver", "TpsChangedEvent"


def said(boss):
    """Return what was announced since `hush`, as (kind, detail) pairs."""
    return [(m["type"], m.get("pauseCause") or m.get("tps")) for m in boss.of(PAUSED, RESUMED, TPS)]


def tick_times_ns(client):
    heard = zip(client.heard, client.stamps_ns, strict=True)
    return [at_ns for m, at_ns in heard if m["type"].startswith("TickEvent")]


def gaps_ns(client):
    times = tick_times_ns(client)
    return [b - a for a, b in itertools.pairwise(times)]


def paused():
    room, boss, one, two = duel()
    boss.say("PauseGame")
    return room, boss.hush(), one, two


def answer(room, *bots):
    for bot in bots:
        bot.say("BotIntent")
    return room.run()


# ---- the table of commands, state by state -------------------------------------------------------------

RUNNING = [
    ("PauseGame", {}, [(PAUSED, "pause")], "paused"),
    ("ResumeGame", {}, [], "running"),
    ("NextTurn", {}, [], "running"),
    ("ChangeTps", {"tps": -1}, [], "running"),
    ("ChangeTps", {"tps": 50}, [(TPS, 50)], "running"),
    ("ChangeTps", {"tps": 0}, [(TPS, 0), (PAUSED, "pause")], "paused"),
    ("EnableDebugMode", {}, [], "running"),
    ("DisableDebugMode", {}, [], "running"),
]


WHILE_PAUSED = [
    ("PauseGame", {}, [(PAUSED, "pause")], "paused"),
    ("ResumeGame", {}, [(RESUMED, None)], "running"),
    ("ChangeTps", {"tps": -1}, [], "paused"),
    ("ChangeTps", {"tps": 50}, [(TPS, 50)], "paused"),
    ("ChangeTps", {"tps": 0}, [(TPS, 0), (PAUSED, "pause")], "paused"),
    ("EnableDebugMode", {}, [], "paused"),
    ("DisableDebugMode", {}, [], "paused"),
    ("NextTurn", {}, [], "paused"),
]


WITHOUT_A_GAME = [
    ("PauseGame", {}, []),
    ("ResumeGame", {}, []),
    ("NextTurn", {}, []),
    ("ChangeTps", {"tps": -1}, []),
    ("ChangeTps", {"tps": 50}, [(TPS, 50)]),
    ("ChangeTps", {"tps": 0}, [(TPS, 0)]),
    ("EnableDebugMode", {}, []),
]


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
    boss, bots = room.controller(turnwright=1), room.bots(2)
    room.start(boss, bots, debug=True)
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
    assert room.table.battle.turn >= 999


# ---- the outcome does not depend on the speed ----------------------------------------------------------


def played(tps, seed=3, turns=60, meddle=None):
    """Play a battle of bots whose answers are scripted, some late and some missing; return its record."""
    room = Room(record=True, tps=tps, max_skipped=0, record_digests=True)
    boss, bots = room.controller(turnwright=1), room.bots(3)
    lagging = set()

    def script(bot):
        def answer(tick):
            rng = random.Random(f"{seed}/{bot.conn}/{tick['turnNumber']}")
            kind = rng.random()
            lags = bot in lagging
            lagging.discard(bot)
            bot.after_ns = rng.randint(1000, TIMEOUT // (2 if lags else 1) - 1000)
            if kind < 0.1:
                return None
            if kind < 0.2 and not lags:  # with the next answer it takes two timeouts at most
                bot.after_ns = TIMEOUT + rng.randint(1000, TIMEOUT // 2)
                lagging.add(bot)
            number = {"turnNumber": tick["turnNumber"]}
            return {
                "turnRate": rng.uniform(-9, 9),
                "targetSpeed": rng.uniform(-8, 8),
                "firepower": 1,
                **number,
            }

        return answer

    for bot in bots:
        bot.answer = script(bot)
    room.start(boss, bots)
    if meddle:
        meddle(room, boss)
    while room.table.battle is not None and room.table.battle.turn < turns:
        room.run(20 * MS)
    boss.say("StopGame")
    record = room.record()
    del record.turns[turns:]
    assert verify(record, room.config.new_game(False)).ok
    return [(e.turn, e.skipped, e.digest) for e in record.turns], any(e.late_ns for e in record.turns)


def pauses(room, boss):
    for k, wait_ms in enumerate((13, 31, 2, 55, 8, 21)):
        room.run(wait_ms * MS)
        boss.say("PauseGame")
        room.run(k * 17 * MS)
        if k % 2:
            boss.say("NextTurn")
            room.run(3 * MS)
        boss.say("ChangeTps", tps=(999, 1, -1, 30, 0, 60)[k])
        boss.say("ResumeGame")

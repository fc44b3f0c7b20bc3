"""Breakpoints and debug graphics: the effects of an operator's policy for one bot."""

from __future__ import annotations

import json

import pytest

from packages.tank.tests.host.royale_rooms import MS, TIMEOUT, duel, rules
from turnwright_tank.wire.recording.from_record import messages_of
from turnwright_tank.wire.royale.codec import encode

PAUSED, RESUMED = "GamePausedEventForObserver", "GameResumedEventForObserver"


def policy(boss, bot_id, on=True, what="breakpointEnabled"):
    boss.say("BotPolicyUpdate", botId=bot_id, **{what: on})


def said(boss):
    return [(m["type"], m.get("pauseCause")) for m in boss.of(PAUSED, RESUMED)]


@pytest.mark.parametrize("supported", [True, False])
def test_a_bot_in_a_debugger_gets_a_breakpoint_by_itself(supported):
    room, boss, *_ = duel(breakpoint_mode=supported)
    boss.say("StopGame")
    bots = [room.bot("plain"), room.bot("debugged", debuggerAttached=True)]
    bots[0].answer = lambda tick: {}
    room.start(boss.hush(), bots)
    bots[0].say("BotIntent")
    room.run(5 * TIMEOUT)
    assert (room.phase == "paused") == supported
    assert said(boss) == ([(PAUSED, "breakpoint")] if supported else [])


# ---- what pages get ------------------------------------------------------------------------------------


def policies(client):
    return [{k: v for k, v in said.items() if k != "type"} for said in client.of("BotPolicies")]


def test_pages_learn_which_bots_have_breakpoints_and_which_are_waited_for():
    room, boss, one, two = duel(max_skipped=0)
    page, plain = room.spectator(turnwright=1, history=1).hush(), room.spectator().hush()
    policy(boss, 1), policy(boss, 1)
    assert policies(page) == [{"breakpoints": [1]}]
    two.say("BotIntent")
    room.run(TIMEOUT + 1)
    assert [kind for kind in page.kinds()[1:] if kind != "History"] == ["BotPolicies", "BotPolicies", PAUSED]
    assert policies(page)[1:] == [{"breakpoints": [1], "waitedFor": [1]}]
    one.say("BotIntent")
    room.run()
    assert policies(page)[2:] == [{"breakpoints": [1]}]
    policy(boss, 1, what="debuggingEnabled"), policy(boss, 1, False)
    assert policies(page)[3:] == [{"debugging": [1], "breakpoints": [1]}, {"debugging": [1]}]
    assert policies(boss) == policies(page)
    assert policies(plain) == []


# ---- debug graphics ------------------------------------------------------------------------------------

SVG = "<svg/>"


def drawings(boss, bot_id):
    frames = boss.of("TickEventForObserver")
    states = [next(b for b in f["botStates"] if b["id"] == bot_id) for f in frames]
    return [(s["isDebuggingEnabled"], s.get("debugGraphics")) for s in states]


def test_debug_graphics_are_shown_only_while_the_operator_wants_them():
    room, boss, one, two = duel()
    one.answer = two.answer = lambda tick: {"debugGraphics": f"{SVG}{tick['turnNumber']}"}
    one.say("BotIntent"), two.say("BotIntent")
    room.run(3 * MS)
    assert drawings(boss.hush(), 1) == []
    room.run(2 * MS)
    assert set(drawings(boss, 1)) == {(False, None)}
    policy(boss, 1, what="debuggingEnabled")
    room.run(2 * MS)
    boss.hush()
    room.run(2 * MS)
    assert [on for on, _ in drawings(boss, 1)] == [True, True]
    assert all(text.startswith(SVG) for _, text in drawings(boss, 1))
    assert set(drawings(boss, 2)) == {(False, None)}
    assert one.last("TickEventForBot")["botState"]["isDebuggingEnabled"] is True
    assert two.last("TickEventForBot")["botState"]["isDebuggingEnabled"] is False
    policy(boss, 1, False, what="debuggingEnabled")
    room.run(MS)
    boss.hush()
    room.run(2 * MS)
    assert set(drawings(boss, 1)) == {(False, None)}


def test_a_record_shows_debug_graphics_in_the_turns_in_which_spectators_saw_them():
    room, boss, one, two = duel(record=True, record_checks=True)
    one.answer = two.answer = lambda tick: {"debugGraphics": f"{SVG}{tick['turnNumber']}"}
    one.say("BotIntent"), two.say("BotIntent")
    for bot_id, on in ((1, True), (2, True), (1, False), (1, True), (2, False), (1, False)):
        room.run(7 * MS)
        policy(boss, bot_id, on, what="debuggingEnabled")
    room.run(7 * MS)
    boss.say("StopGame")
    told = [entry.debugged for entry in room.record().turns]
    assert [seats for seats in told if seats is not None] == [(0,), (0, 1), (1,), (0, 1), (0,), ()]
    replayed = [json.loads(encode(message)) for message in messages_of(room.record(), rules(False))]
    ticks = [said for said in replayed if said["type"] == "TickEventForObserver"]
    assert ticks == boss.of("TickEventForObserver")
    assert 10 < sum(tick["botStates"][0]["isDebuggingEnabled"] for tick in ticks) < len(ticks) - 10


def test_the_first_turn_of_a_game_says_that_debugging_is_off():
    room, boss, one, two = duel(plays=True)
    policy(boss, 1, what="debuggingEnabled")
    boss.say("StopGame")
    room.start(boss.hush(), [one.hush(), two])
    room.run(5 * MS)
    flags = [t["botState"]["isDebuggingEnabled"] for t in one.of("TickEventForBot")]
    assert flags[:3] == [False, True, True]
    shown = [turn["botStates"][0]["isDebuggingEnabled"] for turn in boss.of("TickEventForObserver")]
    assert shown[:3] == [True, True, True], "spectators see it at once"

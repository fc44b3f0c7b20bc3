"""Breakpoints and debug graphics: what an operator's policy for one bot does."""

from __future__ import annotations

import json

import pytest

from tests.host.support import MS, TIMEOUT, S, duel, rules
from turnwright.games.tank.wire.recording.from_record import messages_of
from turnwright.games.tank.wire.royale.codec import encode

PAUSED, RESUMED = "GamePausedEventForObserver", "GameResumedEventForObserver"


def policy(boss, bot_id, on=True, what="breakpointEnabled"):
    boss.say("BotPolicyUpdate", botId=bot_id, **{what: on})


def waiting(**config):
    """Return a game that stands because seat 0 has a breakpoint and has not answered turn 1; seat 1 has."""
    room, boss, one, two = duel(max_skipped=0, **config)
    policy(boss, 1)
    two.answer = lambda tick: {}
    two.say("BotIntent")
    room.run(TIMEOUT + 1)
    assert room.phase == "paused"
    return room, boss.hush(), one.hush(), two.hush()


def said(boss):
    return [(m["type"], m.get("pauseCause")) for m in boss.of(PAUSED, RESUMED)]


def skips(client):
    return [event["turnNumber"] for event in client.of("SkippedTurnEvent")]


def test_a_bot_at_a_breakpoint_is_waited_for_for_ever():
    room, boss, one, two = duel()
    policy(boss, 1)
    boss.hush()
    two.say("BotIntent")
    room.run(TIMEOUT)
    assert said(boss) == []
    room.run(1)
    assert said(boss) == [(PAUSED, "breakpoint")]
    assert room.host.at_breakpoint
    assert room.server.alarm_ns is None
    room.run(3600 * S)
    assert room.table.battle.turn == 1
    assert skips(one) == skips(two) == []


def test_its_answer_ends_the_wait():
    room, boss, one, _ = waiting()
    room.run(60 * S)
    one.say("BotIntent", targetSpeed=1)
    room.run()
    assert said(boss) == [(RESUMED, None)]
    assert room.table.battle.turn == 2
    assert one.last("TickEventForBot")["botState"]["speed"] == 1
    assert skips(one) == []
    assert not room.host.at_breakpoint


def test_other_bots_keep_their_deadline():
    room, boss, one, two = duel(max_skipped=0)
    policy(boss, 1)
    room.run(S)
    two.say("BotIntent", targetSpeed=1)
    one.say("BotIntent", targetSpeed=1)
    room.run()
    assert room.table.battle.turn == 2
    assert (skips(one), skips(two)) == ([], [1])
    assert two.last("TickEventForBot")["botState"]["speed"] == 0


def test_all_that_are_waited_for_must_answer():
    room, boss, one, two = duel(max_skipped=0)
    policy(boss, 1), policy(boss, 2)
    boss.hush()
    room.run(S)
    one.say("BotIntent")
    room.run(S)
    assert room.table.battle.turn == 1
    two.say("BotIntent")
    room.run()
    assert room.table.battle.turn == 2
    assert said(boss) == [(PAUSED, "breakpoint"), (RESUMED, None)]


def test_a_fast_bot_with_a_breakpoint_pauses_nothing():
    room, boss, *_ = duel(plays=True)
    policy(boss, 1), policy(boss, 2)
    boss.hush()
    room.run(50 * MS)
    assert said(boss) == []
    assert boss.ticks[-1][1] > 40


def test_taking_the_breakpoint_away_skips_the_bot_and_goes_on():
    room, boss, one, _ = waiting()
    policy(boss, 1, False)
    room.run()
    assert said(boss) == [(RESUMED, None)]
    assert room.table.battle.turn == 2
    assert skips(one) == [2, 1]


def test_resuming_pauses_again_as_long_as_the_bot_is_missing():
    room, boss, one, _ = waiting()
    boss.say("ResumeGame")
    room.run(S)
    assert said(boss) == [(RESUMED, None), (PAUSED, "breakpoint")]
    one.say("BotIntent")
    assert room.run().table.battle.turn == 2


def test_a_step_says_again_what_it_waits_for():
    room, boss, *_ = waiting()
    boss.say("NextTurn")
    room.run(S)
    assert said(boss) == [(PAUSED, "breakpoint")]
    assert room.table.battle.turn == 1


def test_a_pause_during_the_wait_outlives_it():
    room, boss, one, _ = waiting()
    boss.say("PauseGame")
    one.say("BotIntent")
    room.run(S)
    assert room.table.battle.turn == 1
    assert room.phase == "paused"
    boss.say("ResumeGame")
    assert room.run().table.battle.turn == 2


def test_a_bot_that_leaves_is_waited_for_no_longer():
    """On purpose unlike the official server, which stands still until somebody resumes."""
    room, boss, one, _ = waiting()
    one.leave()
    room.run()
    assert said(boss) == [(RESUMED, None)]
    assert room.table.battle.turn == 2


def test_stopping_during_the_wait_ends_the_wait():
    room, boss, one, two = waiting()
    boss.say("StopGame")
    assert not room.host.at_breakpoint
    room.start(boss, [one, two])
    assert room.phase == "running"
    assert not room.host.at_breakpoint


def test_a_game_that_begins_while_an_old_one_is_drained_keeps_its_own_time():
    """The game is stopped between its deadline and the end of the drain."""
    room, boss, one, two = duel(max_skipped=0)
    policy(boss, 1)
    room.server.stall(TIMEOUT + 1)
    room.server.step()
    assert room.table.draining
    boss.say("StopGame")
    room.start(boss, [one, two])
    room.run(TIMEOUT)
    assert (room.phase, room.table.battle.turn) == ("running", 1)
    room.run(1)
    assert room.phase == "paused"


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


def test_a_policy_stays_with_the_connection_for_its_next_game():
    room, boss, one, two = waiting()
    boss.say("StopGame")
    room.start(boss.hush(), [two, one])
    two.say("BotIntent")
    room.run(S)
    assert said(boss) == [(PAUSED, "breakpoint")]
    one.leave()
    boss.say("StopGame")
    assert not any(c.breakpoint for c in room.host.lobby.clients.values())


def test_a_field_that_is_not_said_changes_nothing():
    room, boss, *_ = duel()
    policy(boss, 1), policy(boss, 1, what="debuggingEnabled")
    boss.say("BotPolicyUpdate", botId=1)
    client = room.table.clients[0]
    assert (client.breakpoint, client.debugging) == (True, True)


def test_debug_mode_and_a_breakpoint_together_pause_for_both_reasons():
    room, boss, one, two = duel(max_skipped=0)
    two.answer = lambda tick: {}
    two.say("BotIntent")
    boss.say("EnableDebugMode")
    policy(boss, 1)
    boss.hush()
    room.run(S)
    assert said(boss) == [(PAUSED, "breakpoint")]
    one.say("BotIntent")
    room.run(S)
    assert said(boss)[1:] == [(RESUMED, None), (PAUSED, "debug_step"), (PAUSED, "breakpoint")]


# ---- what our stream tells of it -----------------------------------------------------------------------


def policies(client):
    return [{k: v for k, v in said.items() if k != "type"} for said in client.of("BotPolicies")]


def test_our_stream_tells_who_is_in_breakpoint_mode_and_for_whom_the_turn_waits():
    room, boss, one, two = duel(max_skipped=0)
    page, plain = room.observer(frames=1).hush(), room.observer().hush()
    policy(boss, 1), policy(boss, 1)
    assert policies(page) == [{"breakpoints": [1]}]
    two.say("BotIntent")
    room.run(TIMEOUT + 1)
    assert page.kinds()[1:] == ["BotPolicies", "BotPolicies", PAUSED]
    assert policies(page)[1:] == [{"breakpoints": [1], "waitedFor": [1]}]
    one.say("BotIntent")
    room.run()
    assert policies(page)[2:] == [{"breakpoints": [1]}]
    policy(boss, 1, what="debuggingEnabled"), policy(boss, 1, False)
    assert policies(page)[3:] == [{"debugging": [1], "breakpoints": [1]}, {"debugging": [1]}]
    assert policies(plain) == policies(boss) == []


def test_a_breakpoint_that_is_taken_away_is_not_waited_for_in_what_is_told():
    room, boss, *_ = waiting()
    page = room.observer(frames=1)
    policy(boss, 1, False)
    assert policies(page) == [{"breakpoints": [1], "waitedFor": [1]}, {}]


def test_who_comes_late_is_told_what_is_set_before_why_the_game_stands():
    room, boss, *_ = waiting()
    page = room.observer(frames=1)
    assert page.kinds()[-2:] == ["BotPolicies", PAUSED]
    assert policies(page) == [{"breakpoints": [1], "waitedFor": [1]}]
    assert policies(room.observer()) == []
    boss.say("StopGame")
    assert policies(room.observer(frames=1)) == []


def test_a_bot_that_left_is_in_no_mode_any_more():
    room, _, one, _ = waiting()
    page = room.observer(frames=1).hush()
    one.leave()
    assert policies(page) == [{}]


def test_a_game_that_begins_with_a_breakpoint_tells_it_after_its_start():
    room, boss, one, two = waiting()
    boss.say("StopGame")
    page = room.observer(frames=1).hush()
    room.start(boss, [two, one])
    assert page.kinds()[1:4] == ["GameStartedEventForObserver", "BotPolicies", "RoundStartedEvent"]
    assert policies(page) == [{"breakpoints": [2]}]


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

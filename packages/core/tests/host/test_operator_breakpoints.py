"""Breakpoints: the effects of an operator's policy for one bot."""

from __future__ import annotations

from packages.core.tests.host.support import MS, TIMEOUT, S, duel

PAUSED, RESUMED = "paused", "resumed"


def policy(boss, seat, on=True, what="breakpoints"):
    boss.say("policy", seat=seat, **{what: on})


def waiting(**config):
    """Return a game that waits for seat 0, which has a breakpoint and has not answered turn 1. Seat 1 has."""
    room, boss, one, two = duel(max_skipped=0, **config)
    policy(boss, 0)
    two.answer = lambda seen: {}
    two.say("intent")
    room.run(TIMEOUT + 1)
    assert room.phase == "paused"
    return room, boss.hush(), one.hush(), two.hush()


def said(boss):
    return [(m["type"], m.get("cause")) for m in boss.of(PAUSED, RESUMED)]


def skips(client):
    return [event["turn"] for event in client.of("skipped")]


def test_a_bot_at_a_breakpoint_is_waited_for_for_ever():
    room, boss, one, two = duel()
    policy(boss, 0)
    boss.hush()
    two.say("intent")
    room.run(TIMEOUT)
    assert said(boss) == []
    room.run(1)
    assert said(boss) == [(PAUSED, "breakpoint")]
    assert room.host.at_breakpoint
    assert room.server.alarm_ns is None
    room.run(3600 * S)
    assert room.host.room.battle.turn == 1
    assert skips(one) == skips(two) == []


def test_its_answer_ends_the_wait():
    room, boss, one, _ = waiting()
    room.run(60 * S)
    one.say("intent", intent=1)
    room.run()
    assert said(boss) == [(RESUMED, None)]
    assert room.host.room.battle.turn == 2
    assert one.last("observation")["observation"]["points"] == 1
    assert skips(one) == []
    assert not room.host.at_breakpoint


def test_other_bots_keep_their_deadline():
    room, boss, one, two = duel(max_skipped=0)
    policy(boss, 0)
    room.run(S)
    two.say("intent", intent=1)
    one.say("intent", intent=1)
    room.run()
    assert room.host.room.battle.turn == 2
    assert (skips(one), skips(two)) == ([], [1])
    assert two.last("observation")["observation"]["points"] == 0


def test_all_that_are_waited_for_must_answer():
    room, boss, one, two = duel(max_skipped=0)
    policy(boss, 0), policy(boss, 1)
    boss.hush()
    room.run(S)
    one.say("intent")
    room.run(S)
    assert room.host.room.battle.turn == 1
    two.say("intent")
    room.run()
    assert room.host.room.battle.turn == 2
    assert said(boss) == [(PAUSED, "breakpoint"), (RESUMED, None)]


def test_a_fast_bot_with_a_breakpoint_pauses_nothing():
    room, boss, *_ = duel(plays=True)
    policy(boss, 0), policy(boss, 1)
    boss.hush()
    room.run(50 * MS)
    assert said(boss) == []
    assert boss.ticks[-1][1] > 40


def test_removing_a_breakpoint_skips_the_bot_and_resumes():
    room, boss, one, _ = waiting()
    policy(boss, 0, False)
    room.run()
    assert said(boss) == [(RESUMED, None)]
    assert room.host.room.battle.turn == 2
    assert skips(one) == [2, 1]
    assert [event["reason"] for event in one.of("skipped")] == ["released", "no answer"]


def test_resuming_pauses_again_as_long_as_the_bot_is_missing():
    room, boss, one, _ = waiting()
    boss.say("resume")
    room.run(S)
    assert said(boss) == [(RESUMED, None), (PAUSED, "breakpoint")]
    one.say("intent")
    assert room.run().host.room.battle.turn == 2


def test_a_step_repeats_the_reason_of_the_wait():
    room, boss, *_ = waiting()
    boss.say("step")
    room.run(S)
    assert said(boss) == [(PAUSED, "breakpoint")]
    assert room.host.room.battle.turn == 1


def test_a_pause_during_the_wait_outlives_it():
    room, boss, one, _ = waiting()
    boss.say("pause")
    one.say("intent")
    room.run(S)
    assert room.host.room.battle.turn == 1
    assert room.phase == "paused"
    boss.say("resume")
    assert room.run().host.room.battle.turn == 2


def test_a_bot_that_leaves_is_waited_for_no_longer():
    """On purpose unlike the official server, which stands still until it is resumed."""
    room, boss, one, _ = waiting()
    one.leave()
    room.run()
    assert said(boss) == [(RESUMED, None)]
    assert room.host.room.battle.turn == 2


def test_stopping_during_the_wait_ends_the_wait():
    room, boss, one, two = waiting()
    boss.say("stop")
    assert not room.host.at_breakpoint
    room.start(boss, [one, two])
    assert room.phase == "running"
    assert not room.host.at_breakpoint


def test_a_game_that_begins_while_an_old_one_is_drained_keeps_its_own_time():
    """The game is stopped between its deadline and the end of the drain."""
    room, boss, one, two = duel(max_skipped=0)
    policy(boss, 0)
    room.server.stall(TIMEOUT + 1)
    room.server.step()
    assert room.host.room.run.collector.drain.is_on
    boss.say("stop")
    room.start(boss, [one, two])
    room.run(TIMEOUT)
    assert (room.phase, room.host.room.battle.turn) == ("running", 1)
    room.run(1)
    assert room.phase == "paused"


def test_a_policy_stays_with_the_connection_for_its_next_game():
    room, boss, one, two = waiting()
    boss.say("stop")
    room.start(boss.hush(), [two, one])
    two.say("intent")
    room.run(S)
    assert said(boss) == [(PAUSED, "breakpoint")]
    one.leave()
    boss.say("stop")
    assert not any(c.breakpoint for c in room.host.lobby.clients.values())


def test_an_unset_field_changes_nothing():
    room, boss, *_ = duel()
    policy(boss, 0), policy(boss, 0, what="debugging")
    boss.say("policy", seat=0)
    client = room.host.room.clients[0]
    assert (client.breakpoint, client.debugging) == (True, True)


def test_debug_mode_and_a_breakpoint_together_pause_for_both_reasons():
    room, boss, one, two = duel(max_skipped=0)
    two.answer = lambda seen: {}
    two.say("intent")
    boss.say("debug", on=True)
    policy(boss, 0)
    boss.hush()
    room.run(S)
    assert said(boss) == [(PAUSED, "breakpoint")]
    one.say("intent")
    room.run(S)
    assert said(boss)[1:] == [(RESUMED, None), (PAUSED, "debug_step"), (PAUSED, "breakpoint")]


# ---- what pages get ------------------------------------------------------------------------------------


def policies(client):
    """Return the policies that are not empty."""
    return [{k: v for k, v in said.items() if k != "type" and v} for said in client.of("policies")]


def test_a_removed_breakpoint_is_not_reported_as_waited_for():
    room, boss, *_ = waiting()
    page = room.spectator()
    policy(boss, 0, False)
    assert policies(page) == [{"breakpoints": [0], "waitedFor": [0]}, {}]


def test_a_late_spectator_gets_the_policies_before_the_reason_for_the_pause():
    room, boss, *_ = waiting()
    page = room.spectator()
    assert page.kinds()[-2:] == ["policies", PAUSED]
    assert policies(page) == [{"breakpoints": [0], "waitedFor": [0]}]
    boss.say("stop")
    assert policies(room.spectator()) == []


def test_a_bot_that_left_is_in_no_mode_any_more():
    room, _, one, _ = waiting()
    page = room.spectator().hush()
    one.leave()
    assert policies(page) == [{}]


def test_a_game_that_begins_with_a_breakpoint_tells_it_after_its_start():
    room, boss, one, two = waiting()
    boss.say("stop")
    page = room.spectator().hush()
    room.start(boss, [two, one])
    assert page.kinds()[1:4] == ["ready", "policies", "frame"]
    assert policies(page) == [{"breakpoints": [1]}]


SVG = "<svg/>"


def drawings(boss, bot_id):
    frames = boss.of("frame")
    states = [next(b for b in f["botStates"] if b["id"] == bot_id) for f in frames]
    return [(s["isDebuggingEnabled"], s.get("debugGraphics")) for s in states]

"""Double answers, misses and slow bots: messages to bots and operators of both makes."""

from __future__ import annotations

from packages.tank.tests.host.royale_rooms import Room, S, duel
from turnwright_tank.wire.royale import messages as m


def skips(client):
    return [event["turnNumber"] for event in client.of("SkippedTurnEvent")]


def answers(*bots, **fields):
    for bot in bots:
        bot.say("BotIntent", **fields)


# ---- early, late and double ----------------------------------------------------------------------------


def test_second_thoughts_in_a_turn_are_merged_field_by_field():
    room, _, one, two = duel()
    one.say("BotIntent", targetSpeed=1, turnRate=1)
    one.say("BotIntent", turnRate=2)
    answers(two)
    room.run()
    state = one.last("TickEventForBot")["botState"]
    assert (state["speed"], state["turnRate"]) == (1, 2)


# ---- disqualification ----------------------------------------------------------------------------------


def test_a_disqualified_bot_stays_connected_and_hears_the_end():
    room, _, one, two = duel(max_skipped=2, setup={"numberOfRounds": 2})
    one.answer = lambda tick: {}
    answers(one)
    room.run(S)
    assert two.closed is None
    assert two.last("GameEndedEventForBot")["results"]["rank"] == 2
    assert [r["roundNumber"] for r in two.of("RoundEndedEventForBot")] == [1, 2]


# ---- a slow bot is named -------------------------------------------------------------------------------


def test_a_slow_bot_is_named_to_programs_of_ours_alone():
    room = Room(max_skipped=0)
    boss, gui = room.operator(turnwright=1), room.operator(name="gui")
    fast, slow = room.bot("fast", turnwright=1), room.bot("slow", turnwright=1)
    fast.answer = lambda tick: {}
    slow.answer = lambda tick: {} if tick["turnNumber"] % 5 else None
    room.start(boss, [fast, slow])
    room.run(2 * S)
    (first, *_) = [line for line in room.logged("warning") if "is slow" in line]
    assert slow.last("ErrorReply")["message"] == first
    assert slow.last("ErrorReply")["code"] == boss.last("ErrorReply")["code"] == "slow"
    assert gui.of("ErrorReply") == fast.of("ErrorReply") == []


def test_a_slow_bot_of_another_make_gets_only_its_skips():
    room, boss, one, two = duel(max_skipped=0)
    one.answer = lambda tick: {}
    answers(one)
    room.run(S)
    assert two.of("ErrorReply") == []
    assert len(skips(two)) > 50
    assert boss.of("ErrorReply")


def test_our_clients_get_the_reason_of_a_skip_and_official_ones_do_not():
    room = Room(max_skipped=0)
    boss, one, two = room.operator(turnwright=1), room.bot("one", turnwright=1), room.bot("two")
    room.start(boss, [one, two])
    room.run(S)
    assert skips(one) == skips(two) != []
    assert {event.get("reason") for event in one.of("SkippedTurnEvent")} == {"no answer"}
    assert all(set(event) == {"type", "turnNumber"} for event in two.of("SkippedTurnEvent"))


# ---- what was measured ---------------------------------------------------------------------------------


def test_only_living_tanks_get_a_skip():
    """A tank that dies in the turn that it missed gets no message, as from the official server."""
    room, _, one, two = duel(max_skipped=1, setup={"numberOfRounds": 1})
    answers(two)
    two.answer = lambda tick: {}
    room.run(S)
    assert all(type_ != m.type_name(m.SkippedTurnEvent) for type_ in two.kinds())
    assert len(skips(one)) == 1

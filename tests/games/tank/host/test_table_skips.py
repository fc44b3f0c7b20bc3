"""Answers in time, late, early, double and missing; what a miss costs; whose lateness counts."""

from __future__ import annotations

from tests.games.tank.host.royale_rooms import Room, S, duel
from tests.messages import missing
from turnwright.games.tank.wire.royale import messages as m

US = 1_000


def skips(client):
    return [event["turnNumber"] for event in client.of("SkippedTurnEvent")]


def speed(client):
    return client.last("TickEventForBot")["botState"]["speed"]


def turn(room):
    return room.table.battle.turn


def answers(*bots, **fields):
    for bot in bots:
        bot.say("BotIntent", **fields)


# ---- who never answers -----------------------------------------------------------------------------------


# ---- skipped turns -------------------------------------------------------------------------------------


# ---- early, late and double ----------------------------------------------------------------------------


def thinker(room, bot, needs_ns):
    """Let a bot think of the newest turn when it is free, for needs_ns(turn); it begins with the open one.

    Its intents name no turn, but their speed is that of the turn that they answer.
    """
    thinks_of, newest = [0], [0]

    def think(number):
        thinks_of[0], newest[0] = number, 0
        if number:
            room.server.at(room.now_ns + needs_ns(number), lambda: answered(number))

    def answered(number):
        bot.post("BotIntent", 0, targetSpeed=number)
        think(newest[0])

    def hear(tick):
        newest[0] = tick["turnNumber"]
        if not thinks_of[0]:
            think(newest[0])

    bot.answer = hear
    think(turn(room))


def test_second_thoughts_in_a_turn_are_merged_field_by_field():
    room, _, one, two = duel()
    one.say("BotIntent", targetSpeed=1, turnRate=1)
    one.say("BotIntent", turnRate=2)
    answers(two)
    room.run()
    state = one.last("TickEventForBot")["botState"]
    assert (state["speed"], state["turnRate"]) == (1, 2)


NUMBERED = [
    # the turn it names, while turn 2 is open, and whether it counts
    (2, True),
    (1, False),
    (3, False),
    (0, False),
    (-7, False),
    (2**62, False),
]


# ---- the server's own lateness -------------------------------------------------------------------------


# ---- disqualification ----------------------------------------------------------------------------------


def test_a_disqualified_bot_stays_connected_and_hears_the_end():
    room, _, one, two = duel(max_skipped=2, setup={"numberOfRounds": 2})
    one.answer = lambda tick: {}
    answers(one)
    room.run(S)
    assert two.closed is None
    assert two.last("GameEndedEventForBot")["results"]["rank"] == 2
    assert [r["roundNumber"] for r in two.of("RoundEndedEventForBot")] == [1, 2]


# ---- programs that leave -------------------------------------------------------------------------------

POLICIES = [
    # policy, on_skip, speed of the tank in the four turns after its program left, disqualified
    ("skip", "repeat", [2, 0, 0, 0], False),
    ("skip", "idle", [2, 0, 0, 0], False),
    ("official", "idle", [2, 3, 4, 5], False),
    ("official", "repeat", [2, 3, 4, 5], False),
]


# ---- a slow bot is named -------------------------------------------------------------------------------


def test_a_slow_bot_is_named_in_the_log_and_to_programs_of_ours():
    room = Room(max_skipped=0)
    boss, gui = room.controller(turnwright=1), room.controller(name="gui")
    fast, slow = room.bot("fast", turnwright=1), room.bot("slow", turnwright=1)
    fast.answer = lambda tick: {}
    slow.answer = lambda tick: {} if tick["turnNumber"] % 5 else None
    room.start(boss, [fast, slow])
    room.run(2 * S)
    (first, *_) = [line for line in room.logged("warning") if "is slow" in line]
    assert not missing(first, "slow is slow", "10 of the last 100")
    assert slow.last("ErrorReply")["message"] == first
    assert slow.last("ErrorReply")["code"] == boss.last("ErrorReply")["code"] == "slow"
    assert gui.of("ErrorReply") == fast.of("ErrorReply") == []


def test_a_slow_bot_of_another_make_is_told_of_its_skips_alone():
    room, boss, one, two = duel(max_skipped=0)
    one.answer = lambda tick: {}
    answers(one)
    room.run(S)
    assert two.of("ErrorReply") == []
    assert len(skips(two)) > 50
    assert boss.of("ErrorReply")


# ---- what was measured ---------------------------------------------------------------------------------


def test_only_the_living_are_told_of_a_skip():
    """Whoever dies in the turn that it missed is told nothing (as by the official server)."""
    room, _, one, two = duel(max_skipped=1, setup={"numberOfRounds": 1})
    answers(two)
    two.answer = lambda tick: {}
    room.run(S)
    assert all(type_ != m.type_name(m.SkippedTurnEvent) for type_ in two.kinds())
    assert len(skips(one)) == 1

"""Teams: allowed receivers, limits, and no leak to the other side."""

from __future__ import annotations

import json

import pytest

from packages.core.tests.messages import missing
from packages.tank.tests.host.royale_rooms import Room


def teams(**fields):
    """Return a game of two teams of two (seats 0, 1 and 2, 3) and one without a team (seat 4)."""
    room = Room(record=True)
    boss = room.operator(turnwright=1)
    bots = [
        room.bot(f"{team}{k}", teamId=team, teamName=f"team {team}", teamVersion="2", **fields)
        for team in (7, 4)
        for k in range(2)
    ]
    bots.append(room.bot("alone", **fields))
    room.start(boss, bots)
    return room, boss, bots


def note(text="hi", kind="note", to=None):
    message = {"message": text, "messageType": kind}
    return message if to is None else {**message, "receiverId": to}


def say(bot, *messages):
    bot.say("BotIntent", teamMessages=list(messages))


def finish(room, bots):
    for bot in bots:
        if bot.closed is None:
            bot.say("BotIntent")
    return room.run()


def got(bot):
    events = bot.last("TickEventForBot")["events"]
    return [(e["senderId"], e["message"]) for e in events if e["type"] == "TeamMessageEvent"]


def test_a_broadcast_reaches_only_the_teammates():
    room, _, bots = teams()
    say(bots[0], note("to us"))
    finish(room, bots)
    assert [got(bot) for bot in bots] == [[], [(1, "to us")], [], [], []]


def test_messages_of_a_bot_without_a_team_are_not_recorded_and_the_rest_of_its_intent_is():
    room, _, bots = teams()
    for bot in (bots[0], bots[4]):
        bot.say("BotIntent", targetSpeed=8, teamMessages=[note("to whom?")])
    finish(room, bots)
    intents = next(turn.intents for turn in room.record().turns if turn.intents)
    assert intents[0].team_messages[0].message == "to whom?"
    assert (intents[4].team_messages, intents[4].target_speed) == (None, 8)


def test_messages_come_in_the_order_they_were_sent_in():
    room, _, bots = teams()
    say(bots[2], *(note(str(k), to=4) for k in range(6)))
    finish(room, bots)
    assert got(bots[3]) == [(3, str(k)) for k in range(6)]


def test_spectators_see_no_team_messages():
    room, boss, bots = teams()
    say(bots[0], note("secret plan"))
    finish(room, bots)
    assert "secret plan" not in json.dumps(boss.heard)


def assert_refused(bot, *words):
    """Assert that a bot's connection was closed for a reason that names these words."""
    code, reason = bot.closed
    assert (code, missing(reason, *words)) == (1008, [])


@pytest.mark.parametrize("receiver", [3, 4, 5, 1, 0, -1, 99])
def test_a_message_to_a_wrong_receiver_closes_and_its_intent_does_not_count(receiver):
    room, _, bots = teams()
    bots[0].say("BotIntent", targetSpeed=8, teamMessages=[note("psst", to=receiver)])
    assert_refused(bots[0], "receiverId", "not a teammate")
    assert 0 in room.host.room.battle.collecting.inbox.missing
    finish(room, bots)
    assert all(got(bot) == [] for bot in bots[1:] if bot.ticks[-1] == (1, 2))


def test_a_bot_without_a_team_has_no_receivers():
    room, _, bots = teams()
    say(bots[4], note("anybody?"))
    finish(room, bots)
    assert [got(bot) for bot in bots] == [[]] * 5
    say(bots[4], note("you?", to=1))
    assert bots[4].closed is not None


@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        ([note()] * 65, "teamMessages exceeds 64"),
        ([note("x" * 49_153)], "Team message exceeds 49152 UTF-8 bytes"),
        ([note("x" * 49_000)] * 6, "teamMessages exceeds 262144 UTF-8 bytes"),
        ([note(kind=" ")], "blank messageType"),
    ],
)
def test_too_much_closes_with_the_official_reason(messages, reason):
    room, _, bots = teams()
    say(bots[0], *messages)
    assert_refused(bots[0], reason)
    assert room.phase == "running"


def test_as_much_as_is_allowed_is_delivered():
    room, _, bots = teams()
    say(bots[0], *[note("x" * 4000)] * 64)
    assert bots[0].closed is None
    finish(room, bots)
    assert len(got(bots[1])) == 64


BATCH = json.dumps({"messages": [{"messageType": "t", "message": "1"}]})


def batch(to=None):
    return note(BATCH, "team-message-batch-v1", to)


def test_a_batch_goes_to_teammates_that_take_batches():
    room, _, bots = teams(teamMessageBatchVersion=1)
    say(bots[0], batch())
    finish(room, bots)
    assert got(bots[1]) == [(1, BATCH)]


def test_a_batch_to_a_bot_with_an_older_api_closes_the_senders_connection():
    _, _, bots = teams()
    say(bots[0], batch(to=2))
    assert_refused(bots[0], "recipient", "team-message-batch-v1")


def test_a_teammate_that_left_gets_nothing_and_delays_nothing():
    room, _, bots = teams()
    bots[1].leave()
    say(bots[0], note("gone?", to=2), batch())
    assert bots[0].closed is None
    finish(room, [b for b in bots if b is not bots[1]])
    assert room.host.room.battle.turn == 2


def test_a_new_handshake_during_the_game_makes_no_new_teammates():
    room, _, bots = teams()
    bots[0].hello("bot", name="70", teamId=4)
    say(bots[0], note("let me in", to=3))
    assert_refused(bots[0], "receiverId", "not a teammate")
    finish(room, bots)
    assert got(bots[2]) == []


def test_bots_learn_their_teammates_at_the_start():
    _, _, bots = teams()
    assert [b.last("GameStartedEventForBot")["teammateIds"] for b in bots] == [[2], [1], [4], [3], []]


def test_a_team_has_one_row_in_the_results():
    room, boss, bots = teams()
    for bot in bots[2:]:
        bot.leave()
    for _ in range(40):
        finish(room, bots[:2])
    rows = boss.last("RoundEndedEventForObserver")["results"]
    assert sorted((r["name"], r["isTeam"]) for r in rows) == [
        ("alone", False),
        ("team 4", True),
        ("team 7", True),
    ]
    assert rows[0]["name"] == "team 7"
    assert [s.team for s in room.server.over[0].seats] == [7, 7, 4, 4, None]


def test_a_droid_sees_with_its_teammates_alone():
    room = Room()
    boss = room.operator(turnwright=1)
    bots = [room.bot("leader", teamId=1), room.bot("droid", teamId=1, isDroid=True), room.bot("foe")]
    room.start(boss, bots)
    assert [b.last("TickEventForBot")["botState"]["isDroid"] for b in bots] == [False, True, False]
    assert boss.last("TickEventForObserver")["botStates"][1]["isDroid"]

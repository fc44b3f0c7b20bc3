"""The server reads handshakes, setups and intents in the official words."""

from __future__ import annotations

import pytest

from packages.tank.tests.host.royale_rooms import MS, TIMEOUT, Room, duel, start_game

# ---- handshakes ----------------------------------------------------------------------------------------


def test_the_server_sends_its_handshake_first():
    room = Room(debug_mode=False)
    (hello,) = room.stranger().heard
    assert hello["variant"] == "Tank Royale"
    assert hello["version"].split(".")[0] == "1"
    assert hello["gameTypes"] == ["classic", "1v1", "twinduel", "melee", "custom"]
    assert hello["features"] == {"debugMode": False, "breakpointMode": True}
    assert "gameSetup" not in hello


@pytest.mark.parametrize("role", ["spectator", "operator"])
@pytest.mark.parametrize("history", [None, 1])
def test_a_second_handshake_of_a_spectator_gets_the_bots_and_not_the_whole_game(role, history):
    room, *_ = duel()
    watcher = room.stranger().hello(role, history=history)
    assert "GameStartedEventForObserver" in watcher.kinds()
    watcher.hush()
    for _ in range(5):
        watcher.hello(role, name="again", history=history)
    assert watcher.kinds()[1:] == ["BotListUpdate"] * 5
    assert "again" in room.host.lobby.clients[watcher.conn].name
    room.run(3 * TIMEOUT)
    assert watcher.of("TickEventForObserver", "History")


def test_a_field_of_older_pages_is_accepted_and_changes_nothing():
    """They asked by `frames` for changes in place of ticks, which no server sends any more."""
    room, *_ = duel(plays=True)
    older = room.spectator(turnwright=1, frames=1)
    room.run(3 * TIMEOUT)
    assert older.closed is None
    assert len(older.ticks) > 1
    assert older.of("ErrorReply") == []


# ---- StartGame -----------------------------------------------------------------------------------------

BAD_SETUPS = [
    ("numberOfRounds", 0),
    ("numberOfRounds", -1),
    ("arenaWidth", 0),
    ("arenaWidth", 10**8),
    ("arenaHeight", -5),
    ("minNumberOfParticipants", 0),
    ("turnTimeout", 0),
    ("readyTimeout", 0),
    ("turnTimeout", 10**13),
    ("gameType", "chess"),
    ("gunCoolingRate", 1e7),
]


@pytest.mark.parametrize(("field", "value"), BAD_SETUPS)
def test_an_unplayable_setup_is_refused_with_the_wrong_field(field, value):
    room = Room()
    boss, bots = room.operator(turnwright=1), room.bots(2)
    room.start(boss, bots, **{field: value})
    reply = boss.last("ErrorReply")
    assert (reply["code"], reply["refersTo"]) == ("bad-setup", "StartGame")
    assert field in reply["message"]
    assert field in room.logged("warning")[-1]
    assert boss.closed is None
    assert room.phase == "waiting for participants"
    assert all(bot.kinds() == ["ServerHandshake"] for bot in bots)
    assert "gameSetup" not in room.stranger().heard[0]
    assert room.start(boss, bots).phase == "running"


@pytest.mark.parametrize("gone", ["gunCoolingRate", "defaultTurnsPerSecond", "turnTimeout", "gameType"])
def test_a_setup_with_a_field_missing_is_answered_and_nothing_starts(gone):
    room = Room()
    boss, bots = room.operator(turnwright=1), room.bots(2)
    message = start_game(bots)
    del message["gameSetup"][gone]
    boss.say("StartGame", **message)
    assert boss.last("ErrorReply")["code"] == "missing-field"
    assert gone in boss.last("ErrorReply")["message"]
    assert boss.closed is None
    assert room.start(boss, bots).phase == "running"


# ---- malformed input -----------------------------------------------------------------------------------


def test_a_part_that_is_wrong_is_dropped_and_the_rest_counts():
    room, boss, one, two = duel(operator={"turnwright": 1})
    room.host.lobby.clients[one.conn].ours = True
    one.send(b'{"type":"BotIntent","targetSpeed":NaN,"turnRate":5}')
    assert one.last("ErrorReply")["code"] == "bad-number"
    assert room.host.room.battle.collecting.inbox.missing == {1}
    two.say("BotIntent", turnRate=5)
    room.run()
    speeds = [(b["speed"], b["turnRate"]) for b in boss.last("TickEventForObserver")["botStates"]]
    assert speeds == [(0, 5), (0, 5)]


def test_invalid_colours_do_not_stop_the_game():
    room, boss, one, _two = duel(plays=True)
    colours = ["red", "#12345", "#GGGGGG", "", " ", "#FF000080", "#" * 999]
    one.answer = lambda tick: {"bodyColor": colours[tick["turnNumber"] % len(colours)]}
    room.run(20 * MS)
    assert boss.ticks[-1] == (1, 21)

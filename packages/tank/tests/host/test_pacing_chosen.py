"""Official observers, controllers and debuggers in a room that chooses the pacing of each battle."""

from __future__ import annotations

from packages.tank.tests.host.royale_rooms import Room, S

PAGE = {"turnwright": 1, "history": 1}
"""A page has its own clock."""


def undecided():
    """Return a room that chooses, with a page that commands it and two bots that answer."""
    room = Room(pacing=None, tps=10)
    boss, bots = room.operator(**PAGE), room.bots(2)
    for bot in bots:
        bot.answer = lambda seen: {}
    return room, boss, bots


def turns_in(room, time_ns):
    before = room.host.room.turns_total
    room.run(time_ns)
    return room.host.room.turns_total - before


def restart(room, boss, bots):
    boss.say("StopGame")
    room.start(boss, bots)


def test_bots_wait_for_an_official_observer_and_for_an_official_controller():
    for role in ("spectator", "operator"):
        room, boss, bots = undecided()
        getattr(room, role)()
        room.start(boss, bots)
        assert 9 <= turns_in(room, S) <= 11, role


def test_an_observer_that_joins_a_battle_is_shown_it_at_the_rooms_speed():
    room, boss, bots = undecided()
    room.start(boss, bots)
    assert turns_in(room, S) > 100
    eye = room.spectator()
    assert turns_in(room, S) > 100
    assert 9 <= len(eye.ticks) <= 12
    restart(room, boss, bots)
    assert 9 <= turns_in(room, S) <= 11


def test_such_an_observer_has_the_speed_that_an_operator_gave_before():
    room, boss, bots = undecided()
    eye = room.spectator()
    room.start(boss, bots)
    boss.say("ChangeTps", tps=20)
    eye.leave()
    restart(room, boss, bots)
    eye = room.spectator()
    assert turns_in(room, S) > 100
    assert 19 <= len(eye.ticks) <= 22


def test_an_official_observer_gets_nothing_about_the_pacing():
    room, boss, bots = undecided()
    room.start(boss, bots)
    eye = room.spectator()
    boss.hush()
    restart(room, boss, bots)
    assert room.host.room.pacing == "together"
    assert [m.get("pacing") for m in boss.of("TpsChangedEvent")] == [None]
    assert eye.of("TpsChangedEvent") == []


def test_a_battle_begins_in_debug_mode_unless_its_pacing_is_given():
    room, boss, bots = undecided()
    assert room.stranger().heard[0]["features"]["debugMode"]
    boss.say("StartGame", **room.start_game(bots), debugMode=True)
    room.run(S)
    assert room.phase == "paused"
    assert room.host.room.pacing == "together"


def test_a_battle_waits_for_a_bot_that_says_that_it_is_in_a_debugger():
    room, boss, _ = undecided()
    bots = [room.bot("one", debuggerAttached=True), room.bot("two")]
    room.start(boss, bots)
    assert room.host.room.pacing == "together"

"""A room whose operator gives no pacing chooses one when a battle begins, by the clients that are there."""

from __future__ import annotations

import msgspec
import pytest

from packages.core.tests.host.support import MS, Client, Room, S
from turnwright.host.metrics import render

PAGE = {"history": True}
"""The fields of a page's handshake: it has its own clock."""


def undecided(**config) -> tuple[Room, Client, list[Client]]:
    """Return a room that chooses, with a page that commands it and two bots that answer."""
    room = Room(pacing=None, tps=10, **config)
    boss, bots = room.operator(**PAGE), room.bots(2)
    for bot in bots:
        bot.answer = lambda seen: {}
    return room, boss, bots


def pacing_in_metrics(room: Room) -> str:
    text = render(room.host.room, room.host.lobby, 0, {})
    return next(line for line in text.splitlines() if line.startswith("turnwright_pacing{"))


def turns_in(room: Room, time_ns: int) -> int:
    before = room.host.room.turns_total
    room.run(time_ns)
    return int(room.host.room.turns_total - before)


def test_a_battle_waits_for_no_spectator_if_each_has_its_own_clock():
    room, boss, bots = undecided()
    room.spectator(**PAGE)
    room.start(boss, bots)
    assert turns_in(room, S) > 100
    assert room.host.room.pacing == "apart"


@pytest.mark.parametrize("role", ["spectator", "operator"])
def test_a_battle_waits_for_its_pace_while_a_client_without_a_clock_is_there(role):
    room, boss, bots = undecided()
    room.stranger().hello(role)
    room.start(boss, bots)
    assert 9 <= turns_in(room, S) <= 11
    assert room.host.room.pacing == "together"


def test_a_battle_waits_for_its_pace_where_a_bot_is_in_breakpoint_mode():
    room, boss, bots = undecided()
    room.start(boss, bots)
    assert room.host.room.pacing == "apart"
    boss.say("policy", seat=0, breakpoints=True)
    boss.say("stop")
    room.start(boss, bots)
    assert room.host.room.pacing == "together"


def test_the_pacing_holds_until_the_battle_ends():
    room, boss, bots = undecided()
    room.start(boss, bots)
    eye = room.spectator()
    assert turns_in(room, S) > 100
    boss.say("stop")
    room.start(boss, bots)
    assert 9 <= turns_in(room, S) <= 11
    eye.leave()
    assert 9 <= turns_in(room, S) <= 11
    boss.say("stop")
    room.start(boss, bots)
    assert turns_in(room, S) > 100


def test_metrics_tell_the_pacing_of_the_battle_or_of_the_next_one():
    room, boss, bots = undecided()
    assert '"apart"' in pacing_in_metrics(room)
    eye = room.spectator()
    assert '"together"' in pacing_in_metrics(room)
    eye.leave()
    room.start(boss, bots)
    room.spectator()
    assert '"apart"' in pacing_in_metrics(room), "it holds until the battle ends"
    boss.say("stop")
    assert '"together"' in pacing_in_metrics(room)


def test_pages_get_the_pacing_before_the_battle():
    room, boss, bots = undecided()
    page = room.spectator(**PAGE)
    assert page.last("speed")["pacing"] == "apart"
    eye = room.spectator()
    page.hush()
    room.start(boss, bots)
    assert page.kinds()[1:3] == ["speed", "ready"]
    assert page.last("speed") == {"type": "speed", "tps": 10, "pacing": "together"}
    boss.say("stop")
    page.hush()
    room.start(boss, bots)
    assert page.of("speed") == [], "it is no news"
    eye.leave()
    boss.say("stop")
    room.start(boss, bots)
    assert page.last("speed")["pacing"] == "apart"


def test_a_page_stops_reading_the_battle_before():
    room, boss, bots = undecided()
    page = room.spectator(**PAGE)
    room.server.full.add(page.conn)
    room.start(boss, bots)
    room.run(500 * MS)
    boss.say("stop")
    room.spectator()
    room.start(boss, bots)
    room.server.relieve(page.conn)
    room.run(300 * MS)
    turns = [m["turn"] for m in map(msgspec.json.decode, page.pieces) if m["type"] == "frame"]
    assert turns == [1, 2, 3, 4], "and none of the battle before, which had many more"


def test_a_battle_that_waits_for_no_spectator_cannot_be_debugged():
    room, boss, bots = undecided()
    room.start(boss, bots)
    boss.say("debug", on=True)
    assert boss.last("error")["code"] == "not-now"


@pytest.mark.parametrize("pacing", ["apart", "together"])
def test_a_given_pacing_holds_for_all_clients(pacing):
    room = Room(pacing=pacing, tps=10)
    boss, bots = room.operator(**({} if pacing == "apart" else PAGE)), room.bots(2)
    room.start(boss, bots)
    assert room.host.room.pacing == pacing

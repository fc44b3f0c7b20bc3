"""The wait for the first answers of a battle is reported to spectators and to the display of progress."""

from __future__ import annotations

from packages.core.tests.host.support import MS, Room, S
from turnwright.app.progress import Follower


def waiting(*plays):
    """Return a room whose battle waits for first answers, its page and its bots.

    Args:
        plays: the bots that answer.
    """
    room = Room(first_answer=True, tps=-1)
    boss, page, bots = room.operator(), room.spectator(), room.bots(2)
    for bot in plays:
        bots[bot].answer = lambda seen: {}
    room.start(boss, bots)
    return room, page.hush(), bots


def waited_for(page):
    return [said["waitedFor"] for said in page.of("policies")]


def test_a_long_wait_for_a_first_answer_is_reported_once_and_so_is_its_end():
    room, page, bots = waiting(1)
    room.run(400 * MS)
    assert waited_for(page) == []
    room.run(300 * MS)
    assert waited_for(page) == [[0]]
    assert Follower().look(room.host.room.battle).waiting_for == (room.host.room.battle.header.seats[0].name,)
    bots[0].say("intent")
    room.run()
    assert waited_for(page) == [[0], []]
    assert Follower().look(room.host.room.battle).waiting_for == ()


def test_quick_first_answers_are_not_reported():
    room, page, _ = waiting(0, 1)
    room.run(3 * S)
    assert room.server.over[0].turns > 2
    assert waited_for(page) == []


def test_the_wait_for_a_bot_that_never_answers_ends_with_its_turn():
    room, page, _ = waiting(1)
    room.run(30 * S)
    assert waited_for(page) == [[0], []]


def test_a_bot_that_leaves_is_removed_from_the_wait():
    room, page, bots = waiting(1)
    room.run(600 * MS)
    bots[0].leave()
    room.run()
    assert waited_for(page) == [[0], []]


def test_an_answer_that_cannot_be_used_ends_the_wait():
    room, page, bots = waiting(1)
    room.run(600 * MS)
    bots[0].send(b'{"type":"intent","intent":7,"turn":"one"}')
    room.run(10 * MS)
    assert waited_for(page) == [[0], []]
    assert room.host.room.battle.referee.skips.of(0).skipped == 1

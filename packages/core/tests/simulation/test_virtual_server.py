"""The virtual server: the world continues while the loop is busy, and messages wait to be read."""

from __future__ import annotations

import pytest

from packages.core.tests.host.support import MS, Room, S
from packages.core.tests.simulation.virtual_server import DRAIN_ROUNDS_MAX


def quiet():
    room = Room()
    return room, room.server


def test_things_happen_at_their_times_and_in_order_of_asking():
    room, server = quiet()
    seen = []
    for name, at_ms in (("c", 5), ("a", 2), ("b", 2)):
        server.at(room.now_ns + at_ms * MS, lambda name=name: seen.append((name, room.now_ns)))
    start = room.now_ns
    server.run(start + 10 * MS)
    assert seen == [("a", start + 2 * MS), ("b", start + 2 * MS), ("c", start + 5 * MS)]
    assert room.now_ns == start + 10 * MS


def test_during_a_stall_the_world_continues_and_messages_wait():
    room, server = quiet()
    bot = room.bot()
    start = room.now_ns
    heard_at = []
    receive = room.host.receive
    room.host.receive = lambda conn, data, now_ns: heard_at.append(now_ns) or receive(conn, data, now_ns)
    bot.post("ready", 3 * MS)
    server.at(start + 4 * MS, lambda: bot.post("ready", 0))
    server.stall(20 * MS)
    assert heard_at == []
    server.run(start + 20 * MS)
    assert heard_at == [start + 20 * MS] * 2


@pytest.mark.parametrize(("first", "order"), [(True, ["alarm", "message"]), (False, ["message", "alarm"])])
def test_a_late_loop_may_look_at_its_alarm_or_at_its_sockets_first(first, order):
    room, server = quiet()
    client = room.stranger()
    server.alarm_first = lambda: first
    seen = []
    room.host.wake = lambda now_ns: seen.append("alarm")
    room.host.receive = lambda conn, data, now_ns: seen.append("message")
    client.post("pause", 2 * S)
    server.stall(6 * S)
    server.step()
    assert seen == order


def test_an_alarm_rings_late_by_the_given_time_and_reports_it():
    room, server = quiet()
    late = []
    server.alarm_late_ns = lambda: 300
    server.on_late = lambda at_ns, by_ns: late.append(by_ns)
    room.stranger()
    room.run(6 * S)
    assert late[0] == 300


def test_a_drain_reads_all_that_has_come_and_ends():
    room, server = quiet()
    bots = room.bots(2)
    drained = []
    room.host.pending_read = lambda now_ns: drained.append(now_ns)
    for bot in bots:
        bot.post("ready", MS)
    server.stall(MS)
    read = room.host.messages_total
    server.drain()
    assert drained == []
    server.run(room.now_ns)
    assert room.host.messages_total == read + 2
    assert drained == [room.now_ns]


def test_a_client_that_never_stops_sending_does_not_prolong_a_drain():
    room, server = quiet()
    bot = room.bot()
    drained = []
    room.host.pending_read = lambda now_ns: drained.append(now_ns)
    room.host.receive = lambda conn, data, now_ns: bot.post("ready", 0)
    bot.post("ready", 0)
    server.drain()
    for _ in range(DRAIN_ROUNDS_MAX + 2):
        server.step()
    assert len(drained) == 1


def test_after_its_end_a_connection_brings_nothing_more():
    room, server = quiet()
    bot = room.bot()
    left = []
    server.on_left = left.append
    read = room.host.messages_total
    server.arrive(bot.conn, None, room.now_ns + MS)
    bot.post("ready", 2 * MS)
    room.run(5 * MS)
    assert left == [bot.conn]
    assert room.host.messages_total == read
    bot.leave()
    assert left == [bot.conn]


def test_a_step_without_work_returns_false():
    _, server = quiet()
    assert server.step() is False


def test_each_write_of_a_turn_takes_its_time_and_its_stamp_is_taken_after_it():
    room, server = quiet()
    server.write_ns = lambda: 7
    boss, bots = room.operator(), room.bots(3)
    start = room.now_ns
    room.start(boss, bots)
    assert [bot.stamps_ns[-1] - start for bot in bots] == [7, 14, 21]
    battle, deadlines = room.host.room.battle, [0]
    while (deadline := battle.collecting.inbox.next_deadline_ns(deadlines[-1] + 1)) is not None:
        deadlines.append(deadline)
    assert [at_ns - battle.collecting.inbox.timeout_ns - start for at_ns in deadlines[1:]] == [7, 14, 21]

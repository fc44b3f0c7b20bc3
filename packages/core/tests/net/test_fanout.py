"""Frames reach many spectators in order, in slices; a slow one gets fewer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from turnwright.host import effects as fx
from turnwright.host.spectators import BACKLOG_BYTES_MAX, BEHIND_NS_MAX
from turnwright.net.fanout import FRAMES_BYTES_MAX, SLICE_NS, WAITING_FRAMES_MAX, Fanout


class Loop:
    """A clock that each write advances, and a list of scheduled calls."""

    def __init__(self) -> None:
        self.now_ns = 0
        self.write_ns = 0
        self.later: list[Callable[[], None]] = []

    def round(self) -> None:
        calls, self.later = self.later, []
        for call in calls:
            call()

    def run(self) -> int:
        rounds = 0
        while self.later:
            self.round()
            rounds += 1
        return rounds


class One:
    """A connection that keeps the data that it was sent."""

    def __init__(self, loop: Loop, key: int) -> None:
        self.loop, self.key = loop, key
        self.backlog = 0
        self.sent: list[bytes] = []
        self.closed: tuple[int, str] | None = None

    def send(self, data: bytes) -> None:
        self.loop.now_ns += self.loop.write_ns
        self.sent.append(data)

    def close(self, code: int, reason: str = "") -> None:
        self.closed = code, reason


class Hall:
    def __init__(self, count: int) -> None:
        self.loop = Loop()
        self.all: dict[int, Any] = {key: One(self.loop, key) for key in range(1, count + 1)}
        self.fanout = Fanout(self.all, lambda call: self.loop.later.append(call), lambda: self.loop.now_ns)
        self.keys = tuple(self.all)
        self.newest = 0

    def publish(self, data: bytes, droppable: bool = False) -> None:
        self.fanout.publish(fx.Publish(self.keys, data, droppable))

    def show(self) -> None:
        self.newest += 1
        self.publish(b"f%d" % self.newest, droppable=True)

    def press(self, key: int, high: bool = True) -> None:
        self.fanout.pressure(self.all[key], high)


def test_a_few_spectators_are_written_to_immediately() -> None:
    hall = Hall(20)
    hall.publish(b"a")
    hall.show()
    hall.show()
    assert hall.loop.later == []
    assert all(one.sent == [b"a", b"f1", b"f2"] for one in hall.all.values())


def test_many_are_written_to_in_slices_and_in_order() -> None:
    hall = Hall(1_000)
    hall.loop.write_ns = 10_000
    hall.show()
    assert sum(bool(one.sent) for one in hall.all.values()) == SLICE_NS // 10_000 + 2
    hall.show()
    hall.publish(b"end")
    longest = 0
    while hall.loop.later:
        began = hall.loop.now_ns
        hall.loop.round()
        longest = max(longest, hall.loop.now_ns - began)
    assert longest <= SLICE_NS + 4 * 10_000
    assert all(one.sent == [b"f1", b"f2", b"end"] for one in hall.all.values())


def test_a_flush_leaves_nothing_waiting() -> None:
    hall = Hall(1_000)
    hall.loop.write_ns = 10_000
    hall.publish(b"a")
    hall.publish(b"b")
    hall.fanout.flush()
    assert all(one.sent == [b"a", b"b"] for one in hall.all.values())
    hall.loop.run()
    assert all(len(one.sent) == 2 for one in hall.all.values())


def test_unseen_frames_are_dropped_for_newer_ones_and_other_messages_are_not() -> None:
    hall = Hall(1_000)
    hall.loop.write_ns = 10_000
    hall.show()
    for _ in range(WAITING_FRAMES_MAX + 5):
        hall.show()
        hall.publish(b"w")
    newest = hall.newest
    hall.loop.run()
    for one in hall.all.values():
        assert one.sent.count(b"w") == WAITING_FRAMES_MAX + 5
        frames = [data for data in one.sent if data != b"w"]
        assert len(frames) <= WAITING_FRAMES_MAX + 1
        assert int(frames[-1][1:]) == newest


@pytest.mark.parametrize(("late_ns", "closed"), [(BEHIND_NS_MAX - 1, None), (BEHIND_NS_MAX, 1013)])
def test_a_spectator_that_takes_no_frames_for_long_is_closed(late_ns: int, closed: int | None) -> None:
    hall = Hall(1)
    hall.press(1)
    hall.all[1].backlog = BACKLOG_BYTES_MAX
    hall.show()
    hall.loop.now_ns += late_ns
    hall.show()
    assert (hall.all[1].closed or (None,))[0] == closed


def test_a_spectator_that_cannot_take_an_undroppable_message_is_closed() -> None:
    hall = Hall(2)
    hall.press(1)
    hall.all[1].backlog = BACKLOG_BYTES_MAX
    hall.publish(b"frame", droppable=True)
    assert hall.all[1].closed is None
    hall.publish(b"word")
    assert hall.all[1].closed == (1013, "too slow to follow")
    assert hall.all[1].sent == []
    assert hall.all[2].sent == [b"frame", b"word"]


def test_many_that_are_full_share_the_room_for_official_ticks() -> None:
    hall = Hall(1_000)
    room = FRAMES_BYTES_MAX // 1_000
    assert room < BACKLOG_BYTES_MAX
    for key, one in hall.all.items():
        hall.press(key)
        one.backlog = room + key % 2
    hall.publish(b"tick", droppable=True)
    hall.publish(b"word")
    assert hall.all[1].sent == [b"word"]
    assert hall.all[2].sent == [b"tick", b"word"]

"""Spectators read a long battle: its newest part from memory, the part before from the record on disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from turnwright.host import effects as fx
from turnwright.host.watching.history import READ_BYTES_MAX, BattlePieces, Excerpt
from turnwright.net.history_writer import HURRIED_REST_TIMES, REST_TIMES, SLICE_NS, HistoryWriter

LINE = b"%07d" + b"." * 92 + b"\n"
WINDOW = 20 * 164
"""Room for 20 lines."""


class Loop:
    """A clock that writes and waits advance, and a list of scheduled calls."""

    def __init__(self) -> None:
        self.now_ns = 0
        self.later: list[tuple[int, Callable[[], None]]] = []

    def call_later(self, delay_s: float, call: Callable[[], None]) -> None:
        self.later.append((self.now_ns + round(delay_s * 1e9), call))

    def step(self) -> bool:
        if not self.later:
            return False
        self.later.sort(key=lambda one: one[0])
        at_ns, call = self.later.pop(0)
        self.now_ns = max(self.now_ns, at_ns)
        call()
        return True


class Connections(dict[int, Any]):
    """Connections by number, which count the lookups."""

    looks = 0

    def get(self, key: int, default: Any = None) -> Any:
        self.looks += 1
        return super().get(key, default)


class One:
    """A connection that keeps the data that it was sent."""

    def __init__(self, key: int) -> None:
        self.key = key
        self.sent: list[bytes] = []
        self.on_send: Callable[[], object] = lambda: None

    def send(self, data: bytes) -> None:
        self.sent.append(data)
        self.on_send()

    @property
    def lines(self) -> list[bytes]:
        return [line + b"\n" for data in self.sent for line in data.splitlines()[1:]]

    @property
    def heads(self) -> list[bytes]:
        return [data.partition(b"\n")[0] for data in self.sent]


class Record:
    """The lines of a record on disk, ten at a reading. Without `hall.disk` the record is lost."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.reads = 0

    def read(self, at: int) -> bytes | None:
        assert self.hall.on_thread, "the loop reads no file"
        self.reads += 1
        self.hall.order.append(self)
        return None if self.hall.disk is None else b"".join(self.hall.disk[at : at + 10])


class Hall:
    """Spectators of one battle with a window of 20 lines."""

    def __init__(self, count: int, *, is_recorded: bool = True) -> None:
        self.loop = Loop()
        self.ones = [One(key) for key in range(1, count + 1)]
        self.connections = Connections({one.key: one for one in self.ones})
        self.history = BattlePieces(WINDOW)
        self.all: list[bytes] = []
        self.disk: list[bytes] | None = self.all
        self.on_thread = False
        self.jobs: list[tuple[Callable[[], Any], Callable[[Any], None]]] = []
        self.order: list[Record] = []
        self.records: list[Record] = []
        self.is_recorded = is_recorded
        self.writer = HistoryWriter(
            self.connections,
            self.loop.call_later,
            lambda: self.loop.now_ns,
            lambda call, done: self.jobs.append((call, done)),
            self.record_of,
            lambda part: self.message(part),
        )

    def record_of(self, battle: int) -> Any:
        assert battle == 7
        self.records.append(Record(self))
        return self.records[-1] if self.is_recorded else None

    def message(self, part: Excerpt) -> bytes:
        start = "" if part.start is None else f" {part.start.decode()}"
        return f"{part.first}{start}\n".encode() + part.lines

    def let_read(self, *ones: One, begin: int = 0, hurry: bool = False) -> None:
        keys = tuple(one.key for one in ones or self.ones)
        self.writer.read(fx.ReadHistory(keys, self.history, 7, begin, hurry))

    def play(self, turns: int) -> None:
        for _ in range(turns):
            self.all.append(LINE % len(self.all))
            self.history.add(self.all[-1], b"start" if len(self.all) % 5 == 0 else None)
            self.writer.grew()

    def run(self, rounds: int = 10_000) -> None:
        """Let the loop and the disk work until there is nothing to do."""
        for _ in range(rounds):
            assert len(self.jobs) <= 1, "one reading at a time"
            if self.jobs:
                call, done = self.jobs.pop()
                self.on_thread = True
                lines = call()
                self.on_thread = False
                done(lines)
            elif not self.loop.step():
                return
        raise AssertionError("it does not come to rest")


def test_a_late_spectator_gets_the_beginning_from_the_record_and_the_rest_from_memory():
    hall = Hall(1)
    hall.play(100)
    hall.let_read()
    hall.run()
    assert hall.ones[0].lines == hall.all
    assert hall.records[0].reads == -(-hall.history.first // 10), "the lines before the window, ten at a time"


def test_a_spectator_in_the_window_costs_no_reading_from_the_disk():
    hall = Hall(3)
    hall.let_read()
    for _ in range(30):
        hall.play(10)
        hall.run()
    assert [one.lines for one in hall.ones] == [hall.all] * 3
    assert hall.order == []


def test_a_spectator_that_begins_at_a_start_reads_on_from_there():
    hall = Hall(2)
    hall.play(100)
    hall.let_read(begin=90)
    hall.run()
    hall.play(3)
    hall.run()
    for one in hall.ones:
        assert one.heads == [b"90 start", b"100"]
        assert one.lines == [hall.all[0], *hall.all[90:]]
    assert hall.order == [], "nothing is read from the disk"


def test_a_forgotten_start_of_a_full_spectator_is_replaced_by_a_later_one():
    hall = Hall(1)
    hall.play(100)
    hall.writer.pressure(hall.ones[0], True)
    hall.let_read(begin=90)
    hall.play(100)
    hall.writer.pressure(hall.ones[0], False)
    hall.run()
    (head,) = hall.ones[0].heads
    assert head == b"185 start"
    assert hall.ones[0].lines == [hall.all[0], *hall.all[185:]]


@pytest.mark.parametrize(("hurry", "rest"), [(False, REST_TIMES), (True, HURRIED_REST_TIMES)])
def test_the_writer_rests_less_where_turns_wait_for_their_pace(hurry, rest):
    hall = Hall(200)

    def pass_time() -> None:
        hall.loop.now_ns += 10_000

    for one in hall.ones:
        one.on_send = pass_time
    hall.let_read(hurry=hurry)
    hall.play(1)
    began_ns = hall.loop.now_ns
    hall.run()
    writing_ns = len(hall.ones) * 10_000
    assert all(one.lines == hall.all for one in hall.ones)
    assert rest - 1 < (hall.loop.now_ns - began_ns) / writing_ns - 1 < rest + 12


def test_a_slow_spectator_reads_on_from_the_record_where_the_window_has_left_it_behind():
    hall = Hall(1)
    hall.let_read()
    hall.play(15)
    hall.run()
    hall.writer.pressure(hall.ones[0], True)
    hall.play(200)
    hall.run()
    assert len(hall.ones[0].lines) == 15
    hall.writer.pressure(hall.ones[0], False)
    hall.run()
    assert hall.ones[0].lines == hall.all


def test_readings_from_the_disk_are_fair_and_rest():
    hall = Hall(3)
    hall.play(100)
    hall.let_read()
    hall.run()
    for end in range(len(hall.order)):
        counts = [hall.order[:end].count(one) for one in hall.records]
        assert max(counts) - min(counts) <= 1, "each reader in its turn"
    assert hall.loop.now_ns >= (len(hall.order) - 1) * 19 * SLICE_NS, "a twentieth of the time at most"
    assert [one.lines for one in hall.ones] == [hall.all] * 3


def test_a_spectator_that_is_full_or_gone_waits_for_no_reading_and_delays_no_other():
    hall = Hall(3)
    hall.play(100)
    hall.let_read()
    hall.writer.pressure(hall.ones[0], True)
    del hall.connections[2]
    hall.writer.left(2)
    hall.run()
    assert [len(one.lines) for one in hall.ones] == [0, 0, 100]


@pytest.mark.parametrize("loss", ["no record", "at once", "later"])
def test_without_a_record_a_late_spectator_begins_where_it_can_in_the_window(loss):
    hall = Hall(1, is_recorded=loss != "no record")
    hall.play(103)
    hall.let_read()
    if loss == "at once":
        hall.disk = None
    elif loss == "later":
        hall.disk = hall.all[:30]
        hall.loop.step()
        for _ in range(3):
            call, done = hall.jobs.pop()
            hall.on_thread = True
            done(call())
            while not hall.jobs:
                hall.loop.step()
        hall.disk = None
    hall.run()
    (one,) = hall.ones
    start = next(k for k, head in enumerate(one.heads) if head.endswith(b" start"))
    assert one.heads[start] == b"85 start"
    assert one.sent[start].splitlines(keepends=True)[1:] == [hall.all[0], *hall.all[85:]]
    assert one.lines[: 30 if loss == "later" else 0] == hall.all[: 30 if loss == "later" else 0]


def test_a_disk_that_is_behind_is_asked_again_without_haste():
    hall = Hall(1)
    hall.play(100)
    hall.disk = []
    hall.let_read()
    for _ in range(50):
        if hall.jobs:
            call, done = hall.jobs.pop()
            hall.on_thread = True
            done(call())
        hall.loop.step()
    assert hall.order
    assert hall.loop.now_ns / len(hall.order) >= 19 * SLICE_NS
    hall.disk = hall.all
    hall.on_thread = False
    hall.run()
    assert hall.ones[0].lines == hall.all


def test_a_thousand_sleeping_spectators_cost_nothing_at_all():
    hall = Hall(1_001)
    *sleepers, awake = hall.ones
    hall.let_read()
    hall.play(5)
    hall.run()
    for one in sleepers:
        hall.writer.pressure(one, True)
    hall.connections.looks = 0
    for _ in range(100):
        hall.play(10)
        hall.run()
    assert awake.lines == hall.all
    assert {len(one.lines) for one in sleepers} == {5}
    assert hall.connections.looks < 300, "none of them is looked at"
    assert hall.history.length - hall.history.first <= 20, "and nothing is kept for them"


def test_spectators_at_one_place_share_a_message():
    hall = Hall(100)
    hall.let_read()
    hall.play(3)
    made = []
    message = hall.message
    hall.message = lambda part: made.append(part) or message(part)  # type: ignore[method-assign]
    hall.let_read()
    hall.run()
    assert len(made) == 1
    assert READ_BYTES_MAX > 300

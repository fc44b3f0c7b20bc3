"""The timer queue: in order of due time, then of number; nothing before it is due."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnwright_world.rules.timers import TimerQueue


@given(st.lists(st.integers(0, 50), max_size=40), st.lists(st.integers(0, 60), max_size=10))
def test_everything_comes_once_in_order_whenever_one_looks(dues, looks):
    timer_queue = TimerQueue()
    for number, due in enumerate(dues):
        timer_queue.push(due, number)
    taken = []
    for until in [*sorted(looks), 60]:
        while (found := timer_queue.pop(until)) is not None:
            assert found[0] <= until
            taken.append(found)
        assert timer_queue.next_due is None or timer_queue.next_due > until
    assert taken == sorted((due, number) for number, due in enumerate(dues))
    assert len(timer_queue) == 0


def test_the_next_due_time_is_known():
    timer_queue = TimerQueue()
    assert timer_queue.next_due is None
    timer_queue.push(9, 1)
    timer_queue.push(4, 2)
    assert (timer_queue.next_due, len(timer_queue)) == (4, 2)
    assert timer_queue.pop(3) is None

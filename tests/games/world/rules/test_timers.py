"""The agenda: in order of due time, then of number; nothing before it is due."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnwright.games.world.rules.timers import Agenda


@given(st.lists(st.integers(0, 50), max_size=40), st.lists(st.integers(0, 60), max_size=10))
def test_everything_comes_once_in_order_whenever_one_looks(dues, looks):
    agenda = Agenda()
    for number, due in enumerate(dues):
        agenda.push(due, number)
    taken = []
    for until in [*sorted(looks), 60]:
        while (found := agenda.pop(until)) is not None:
            assert found[0] <= until
            taken.append(found)
        assert agenda.next_due is None or agenda.next_due > until
    assert taken == sorted((due, number) for number, due in enumerate(dues))
    assert len(agenda) == 0


def test_what_is_due_next_is_known():
    agenda = Agenda()
    assert agenda.next_due is None
    agenda.push(9, 1)
    agenda.push(4, 2)
    assert (agenda.next_due, len(agenda)) == (4, 2)
    assert agenda.pop(3) is None

"""Input counts as read when a drain is answered, or some slices later."""

from __future__ import annotations

from turnwright_world.host.late_input import SLICES_UNREAD, LateInput


def test_input_due_before_the_sockets_were_read_misses_nothing() -> None:
    late = LateInput()
    assert not late.may_lie_unread(100, 100)
    assert late.may_lie_unread(100, 101)
    late.start_reading(150)
    assert late.reading
    assert late.may_lie_unread(100, 160)
    assert late.reading_done()
    assert not late.may_lie_unread(150, 160)
    assert late.may_lie_unread(151, 160)


def test_an_unexpected_answer_changes_nothing() -> None:
    late = LateInput()
    late.start_reading(150)
    late.turn_ends(170)
    assert not late.reading
    assert not late.reading_done()
    assert late.read_until_ns == 170


def test_input_counts_as_read_some_slices_later() -> None:
    late = LateInput()
    late.turn_ends(100)
    for number in range(1, SLICES_UNREAD):
        late.slice_begins(100 + number)
        assert late.read_until_ns == 100
    late.slice_begins(200)
    assert late.read_until_ns == 101

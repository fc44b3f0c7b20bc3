"""What has been read: until a drain is answered, or some slices later."""

from __future__ import annotations

from turnwright.host.world.hearing import SLICES_UNREAD, Hearing


def test_what_was_due_before_the_sockets_were_read_misses_nothing() -> None:
    hearing = Hearing()
    assert not hearing.misses(100, 100)
    assert hearing.misses(100, 101)
    hearing.drain(150)
    assert hearing.draining
    assert hearing.misses(100, 160)
    assert hearing.drained()
    assert not hearing.misses(150, 160)
    assert hearing.misses(151, 160)


def test_an_answer_that_nobody_waits_for_changes_nothing() -> None:
    hearing = Hearing()
    hearing.drain(150)
    hearing.cut(170)
    assert not hearing.draining
    assert not hearing.drained()
    assert hearing.heard_ns == 170


def test_what_was_read_is_known_some_slices_later() -> None:
    hearing = Hearing()
    hearing.cut(100)
    for number in range(1, SLICES_UNREAD):
        hearing.slice(100 + number)
        assert hearing.heard_ns == 100
    hearing.slice(200)
    assert hearing.heard_ns == 101

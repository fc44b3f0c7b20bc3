"""Messages that the host of a world does not know."""

from __future__ import annotations

from packages.core.tests.messages import missing
from turnwright_world.host.host import meaningless


def test_the_expected_messages_are_named_in_one_line() -> None:
    assert not missing(meaningless("HELLO"), "HELLO", "already")
    assert not missing(meaningless("a" * 9), "no message", "a" * 9)
    assert meaningless("a\n\x1b[2J{0}" + "x" * 100).isprintable()
    assert "\n" not in meaningless("a\nb")
    assert len(meaningless("x" * 1_000)) < 160

"""Messages that the host of a world does not know."""

from __future__ import annotations

from turnwright.games.world.host.host import meaningless


def test_what_was_expected_is_said_on_one_line() -> None:
    assert meaningless("COMMAND") == 'COMMAND has a "text", what a player would type'
    assert meaningless("a\n\x1b[2J{0}" + "x" * 100).startswith("there is no message 'a")
    assert "\n" not in meaningless("a\nb")
    assert len(meaningless("x" * 1_000)) < 160

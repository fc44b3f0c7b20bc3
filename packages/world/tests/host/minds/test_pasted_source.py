"""A paste: room for one mind and no more."""

from __future__ import annotations

import pytest

from turnwright_world.host.minds.pasted_source import PASTE_LINES_MAX, Paste
from turnwright_world.intent import PLAYER_SOURCE_SIZE_MAX


@pytest.mark.parametrize(("count", "dropped"), [(-1, False), (0, False), (1, True)])
def test_a_paste_has_a_maximum_of_lines(count: int, dropped: bool) -> None:
    paste = Paste("")
    for _ in range(PASTE_LINES_MAX + count):
        paste.add("")
    assert (len(paste.lines), paste.dropped) == (min(PASTE_LINES_MAX, PASTE_LINES_MAX + count), dropped)


def test_a_paste_holds_little_more_than_a_mind_may_have() -> None:
    paste = Paste("")
    for _ in range(100):
        paste.add("é" * 500)
    assert paste.dropped
    assert not paste.has_room
    assert paste.size <= PLAYER_SOURCE_SIZE_MAX + 1_001

"""The commands of minds, as a player types them."""

from __future__ import annotations

import pytest

from packages.core.tests.messages import naming
from packages.world.tests.host.minds.pasting import MIND, kept, own, paste
from turnwright_world.host.minds.commands import HELP
from turnwright_world.host.minds.pasted_source import PASTE_GAP_NS


def test_a_player_without_a_mind_learns_what_to_do() -> None:
    world = kept("Kim")
    world.type(1, "mind")
    assert naming(world.text(1), "You", "mind", "mind help")
    world.type(1, "mind help")
    assert "full stop alone" in world.text(1).replace("\n", " ")
    assert HELP.startswith("mind: ")


@pytest.mark.parametrize("line", ["mind dance", "mind for", "mind stop", "mind prints", "mind paste dragon"])
def test_an_impossible_command_is_answered_with_a_reason(line: str) -> None:
    world = kept("Kim")
    world.type(1, line)
    text = world.text(1).replace("\n", " ")
    assert any(part in text for part in ("means nothing", "no mind of yours", "No creature of yours"))


@pytest.mark.parametrize("line", ["mind stop wolf", "mind for wolf stop", "MIND FOR WOLF STOP"])
def test_a_name_may_come_first_or_last(line: str) -> None:
    world = kept("Kim")
    wolf = own(world, 1)
    paste(world, 1, MIND, "wolf")
    world.type(1, line)
    assert "The mind is stopped" in world.text(1)
    assert not world.own_minds["account:kim", wolf.id].on
    world.type(1, "mind for wolf")
    text = world.text(1).replace("\n", " ")
    assert "stopped." in text
    assert "You:" not in text


def test_lines_pasted_after_a_refused_paste_are_not_commands() -> None:
    world = kept("Kim")
    world.type(1, "mind paste dragon", *MIND.split("\n"), "look", ".")
    text = world.text(1).replace("\n", " ")
    assert naming(text, "No creature of yours", "has no effect")
    assert "deflect" not in text
    assert "Exits" not in text
    world.type(1, "time")
    assert "Turn" in world.text(1)


def test_a_refused_paste_ends_by_itself_when_nothing_is_pasted() -> None:
    world = kept("Kim")
    world.type(1, "mind paste dragon")
    world.run_ms(PASTE_GAP_NS // 1_000_000 + 1)
    world.text(1)
    world.type(1, "time")
    assert "Turn" in world.text(1)

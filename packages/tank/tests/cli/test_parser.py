"""Options that only commands of the tank have."""

from __future__ import annotations

import pytest

from packages.core.tests.messages import says
from turnwright.cli.battle import options_of
from turnwright.cli.parser import GivenOptions, ParsedCommand, parse
from turnwright.errors import SetupError


def given(*words: str) -> GivenOptions:
    command = parse(words)
    assert isinstance(command, ParsedCommand)
    return command.given


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["battle", "--rounds", "x"], "--rounds … 'x' … whole number … `turnwright battle --help`"),
        (["battle", "--gun-cooling-rate", "x"], "--gun-cooling-rate … 'x' … number"),
        (["battle", "--arena", "800"], "--arena … '800' … 800x600"),
        (["demo", "--record", "x"], "--record … 'x' … .twr"),
    ],
)
def test_an_unparsable_command_line_is_refused_in_one_line(argv: list[str], words: str) -> None:
    with pytest.raises(SetupError) as caught:
        parse(argv)
    assert says(str(caught.value), words)
    assert "\n" not in str(caught.value)


def test_an_arena_is_two_sides() -> None:
    options = options_of(given("battle", "A", "B", "--arena", "800X600"))
    assert (options.arena_width, options.arena_height) == (800, 600)

"""The commands of `turnwright world`."""

from __future__ import annotations

import pytest

from packages.core.tests.messages import missing, says
from turnwright.cli.__main__ import main
from turnwright.cli.parser import parse
from turnwright.errors import SetupError


@pytest.mark.parametrize(
    ("words", "module"),
    [
        (["world", "serve"], "serve"),
        (["world", "doctor"], "doctor"),
        (["new", "world-bot", "wolf.py"], "new_world_bot"),
    ],
)
def test_each_kind_has_its_own_command(words: list[str], module: str) -> None:
    command = parse(words)
    assert not isinstance(command, int)
    assert command.run.__module__ == f"turnwright_world.cli.{module}"
    assert command.prog == " ".join(["turnwright", *words[:2]])


@pytest.mark.parametrize("words", [[], ["castle"]])
def test_a_missing_or_unknown_command_is_refused_in_one_line(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["world", *words]) == 2
    said = capsys.readouterr().err
    assert "turnwright world --help" in said
    assert len(said.splitlines()) == 1


def test_a_world_has_no_battles_and_its_own_command_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["battle", "--game", "world", "A", "B"]) == 2
    assert not missing(capsys.readouterr().err, "--game world", "turnwright world serve")


def test_a_duration_without_a_unit_is_refused_with_both_readings() -> None:
    with pytest.raises(SetupError) as caught:
        parse(["world", "serve", "--turn", "20"])
    assert says(str(caught.value), "--turn … '20' … unit … 20ms or 20s?")

from __future__ import annotations

import pytest

from turnwright.cli.__main__ import main
from turnwright.cli.parser import build_parser, parse


@pytest.mark.parametrize("words", [["demo"], ["bot", "new", "wolf.py"], ["doctor"]])
def test_each_kind_has_a_command_of_its_own(words: list[str]) -> None:
    argv = ["world", *words]
    arguments = parse(build_parser(argv), argv)
    assert arguments.run.__module__ == f"turnwright.cli.world_{words[0]}"
    assert arguments.prog == f"turnwright world {words[0]}"


@pytest.mark.parametrize("words", [[], ["castle"]])
def test_what_is_missing_or_unknown_is_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["world", *words]) == 2
    said = capsys.readouterr().err
    assert "turnwright world --help" in said
    assert len(said.splitlines()) == 1

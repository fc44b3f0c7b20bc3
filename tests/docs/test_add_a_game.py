"""The game of the how-to, with its own options and protocol, is a folder that can be played."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from turnwright import run_battle
from turnwright.app.game.playable import find_game
from turnwright.cli.__main__ import main
from turnwright.cli.new_game import create_game
from turnwright.host.protocol import IntentMessage

PAGE = Path(__file__).parents[2] / "packages/core/docs/add-a-game.md"
FILE = re.compile(r"```python\n# guess/(\w+\.py)[^\n]*\n(.*?)```", re.DOTALL)


def test_a_folder_brings_its_options_and_its_protocol(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = create_game("guess", tmp_path)
    for name, text in FILE.findall(PAGE.read_text(encoding="utf-8")):
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write(text)
    game = find_game(str(folder))
    assert game.protocol().decode(b"42", []) == IntentMessage(42, None)
    assert main(["battle", "--game", str(folder), "--help"]) == 0
    assert "--turns" in capsys.readouterr().out
    assert run_battle("Middle", "Echo", game=str(folder), turns=3, turn_timeout="5s").turns == 3

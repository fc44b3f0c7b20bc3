"""`turnwright replay` prints a world's record as text."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnwright.cli.__main__ import main
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import Footer, TurnRules
from turnwright.net.files.writer import LineFiles, RecordWriter
from turnwright.wire.record.v2 import Encoder
from turnwright_world.game import WorldGame
from turnwright_world.intent import WorldIntent


@pytest.mark.parametrize("how", [[], ["--text"]])
def test_replay_prints_a_worlds_record_with_and_without_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], how: list[str]
) -> None:
    game = WorldGame()
    setup = {"open": False, "content": ""}
    battle = Battle(game, setup, (SeatInfo("Ann"),), 3, TurnRules(), keep_checks=True)
    recorder = RecordWriter(LineFiles(lambda _: tmp_path / "world.twr"), lambda: Encoder(game.write_intent))
    recorder.open(1, battle.header)
    for verb in ("", "dig", "", "", "", ""):
        battle.open_turn()
        battle.collecting.submit(0, WorldIntent(verb), 0)
        battle.end_collecting(0)
        recorder.turn(1, battle.close_turn().entry)
    recorder.close(1, Footer("aborted", battle.turn))
    assert main(["replay", str(tmp_path / "world.twr"), *how]) == 0
    assert "Ann> dig" in capsys.readouterr().out

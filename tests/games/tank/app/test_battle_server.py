"""Battles of tanks at a server of their own go over to the compiled rules while they are played."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.tank.prepared_battle import prepared
from turnwright.app.battle_server import play_live
from turnwright.cli.__main__ import main
from turnwright.games.tank.app.options import TankOptions
from turnwright.games.tank.backends import compile as compiled
from turnwright.games.tank.backends.warm_up import RulesSpeed
from turnwright.games.tank.game import TankGame
from turnwright.net import loop as loops

pytestmark = pytest.mark.process


@pytest.mark.skipif(not compiled.available(), reason="numba is not installed")
def test_a_battle_that_goes_over_to_the_compiled_rules_verifies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached = False
    compiled.load()
    monkeypatch.setattr(compiled, "is_loaded", lambda program=None: cached)
    monkeypatch.setattr(compiled, "is_cached", lambda program=None: cached)
    options = TankOptions(("Spinner", "Rammer"), rounds=3, record=tmp_path / "b.twr", tps=-1)
    games: list[TankGame] = []

    class CompiledInRound2(RulesSpeed):
        def new_game(self, tolerant: bool) -> TankGame:
            games.append(super().new_game(tolerant))
            return games[-1]

        def begin_aside(self) -> None:
            nonlocal cached
            cached = self._in_cache = True

    rules_speed = CompiledInRound2("auto", "void", print, between_rounds=True)
    battle = prepared(options, 7, rules_speed)
    summary = loops.run(play_live(battle, lambda progress: None))
    assert battle.record_files.finish() == options.record
    assert (summary.ending, summary.rounds) == ("over", 3)
    assert [game.speed for game in games] == ["numba"]
    monkeypatch.undo()
    assert main(["verify", str(tmp_path / "b.twr")]) == 0

from __future__ import annotations

import pytest

from turnwright.games.tank import compiled
from turnwright.net.warmup import new_game, warm_up


def test_rules_that_go_on_after_an_error_are_interpreted() -> None:
    assert new_game(True).speed == "python"
    assert new_game(True).on_error == "continue"
    assert new_game(False).on_error == "raise"


def test_the_compiled_rules_are_loaded_only_for_battles_that_use_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[str] = []
    monkeypatch.setattr(compiled, "load", lambda tell: tell("loading"))
    warm_up("continue", told.append)
    assert told == []
    warm_up("void", told.append)
    assert told == (["loading"] if compiled.available() else [])

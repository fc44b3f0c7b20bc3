"""A setting of the ladder server in a tournament's file is known by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnwright.app.game.playable import find_game
from turnwright.errors import SetupError
from turnwright_league.app.options import settings_in_file


def test_a_misspelt_setting_is_refused_with_the_name_that_was_meant(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="did you mean rounds"):
        settings_in_file(tmp_path, find_game("tank"), {"round": 3})
    assert settings_in_file(tmp_path, find_game("tank"), {"rounds": 3}) == {"rounds": 3}

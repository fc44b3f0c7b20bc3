"""Folders of tournaments."""

from __future__ import annotations

from pathlib import Path

import pytest

from packages.core.tests.app.bots import dice_game, write_bot
from packages.league.tests.app.playing import play


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder for a tournament."""
    place = tmp_path / "bots"
    place.mkdir()
    return place


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small tournament of two built-in bots and a directory."""
    place = tmp_path_factory.mktemp("honest")
    game = dice_game(place / "dice")
    write_bot(place / "cup", "Mine")
    play(place / "cup", "Low", "High", game=game, battles=2)
    return place

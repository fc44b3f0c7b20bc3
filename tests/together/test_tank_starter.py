"""A person with only a browser finds a starter tank, the rules, and whom the first battle is against."""

from __future__ import annotations

from pathlib import Path

import pytest

from packages.core.tests.app.lan.pages import ask
from turnwright.app.game.playable import find_game
from turnwright.app.lan.starter import StarterPages
from turnwright_league.app.ladder.upload_check import UploadCheck, check_upload


@pytest.fixture(scope="module")
def tank() -> StarterPages:
    return StarterPages(find_game("tank"), find_game("tank").bots.first_opponent)


def test_the_page_names_the_first_opponent_and_the_main_rules(tank: StarterPages) -> None:
    start = tank.overview()
    assert start["opponent"] == "Spinner"
    assert start["reference"]
    assert 3 <= len(start["rules"]) <= 8


def test_a_downloaded_starter_bot_passes_the_check_unchanged(tank: StarterPages, tmp_path: Path) -> None:
    answer = ask(tank, "/get/bot?name=Ada")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="Ada.py"'
    (tmp_path / "Ada.py").write_bytes(answer.body)
    report = check_upload(UploadCheck(tmp_path / "Ada.py", "Ada.py", "anna", tmp_path / "bot"))
    assert report.entry is not None
    assert report.entry.name.startswith("Ada")


def test_the_reference_of_the_bot_library_is_there_as_text(tank: StarterPages) -> None:
    answer = ask(tank, "/get/api")
    assert answer.content_type.startswith("text/plain")
    assert "on_scanned_bot" in answer.body.decode()

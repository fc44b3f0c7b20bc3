"""A person with only a browser finds a starter bot, the rules and an opponent for the first battle."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path
from urllib.parse import quote

import pytest

from packages.core.tests.app.bots import dice_game
from packages.core.tests.app.lan.pages import ask
from turnwright.app.game.playable import find_game
from turnwright.app.lan.starter import StarterPages
from turnwright.net.http.docs_site import SITE_POLICY


@pytest.mark.parametrize("name", ["", "2fast", "../x", "class", "random", "x" * 31, "<script>"])
def test_a_name_that_python_would_not_take_is_refused_with_a_reason(name: str, tmp_path: Path) -> None:
    pages = StarterPages(find_game(dice_game(tmp_path / "dice")), "Low")
    answer = ask(pages, f"/get/bot?name={quote(name)}")
    assert answer.status == 400
    assert "name" in answer.body.decode()
    assert answer.content_type.startswith("text/plain")


def test_a_game_without_library_and_rules_offers_a_bot_alone(tmp_path: Path) -> None:
    game = dice_game(tmp_path / "dice")
    pages = StarterPages(find_game(game), find_game(game).bots.first_opponent)
    assert pages.overview()["reference"] is False
    assert pages.overview()["rules"] == []
    assert ask(pages, "/get/bot?name=Ada").status == 200
    assert pages.respond("/get/api") is None
    assert pages.respond("/get/other") is None


def test_the_documentation_is_there_where_the_installation_has_it(tmp_path: Path) -> None:
    archive = tmp_path / "docs.tar.xz"
    game = dice_game(tmp_path / "dice")
    pages = StarterPages(find_game(game), "Low", archive)
    assert pages.overview()["manual"] is False
    assert pages.respond("/manual/") is None
    with tarfile.open(archive, "w:xz") as packed:
        for name, content in {"index.html": b"<p>first", "docs/A b.html": b"<p>page"}.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            packed.addfile(member, io.BytesIO(content))
    pages = StarterPages(find_game(game), "Low", archive)
    assert pages.overview()["manual"] is True
    assert ask(pages, "/manual/").body == b"<p>first"
    page = ask(pages, "/manual/docs/A%20b.html")
    assert (page.body, page.policy) == (b"<p>page", SITE_POLICY)
    assert pages.respond("/manual/../../etc/passwd") is None

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from packages.core.tests.messages import missing
from packages.league.tests.tournament.play import RULES, by_strength, entries_of, play_all
from turnwright.app.game.playable import find_game
from turnwright.errors import SetupError
from turnwright.net.http.ports import bind
from turnwright_league.app.page import server as module
from turnwright_league.app.page.content import PageSource
from turnwright_league.app.page.server import HOME, STANDINGS_PATH, LivePage, TournamentPages
from turnwright_league.tournament.standings import standings_of

ID = "0123456789" * 4


def source(title: str = "cup") -> PageSource:
    entries = entries_of(3)
    played = play_all(entries, RULES, by_strength(entries))
    return PageSource(title, entries, played, standings_of(entries, played, RULES), 5, rules=RULES)


def test_a_server_shows_the_page_its_content_the_viewer_and_records(tmp_path: Path) -> None:
    (tmp_path / "one.twr").write_bytes(b"record")
    shown = TournamentPages(find_game("snake"), lambda one: tmp_path / "one.twr" if one == ID else None)
    assert shown.replays == "frames"
    shown.show(replace(source(), replays=shown.replays))

    def body(path: str) -> bytes | None:
        answer = shown.pages.show(path, {})
        return None if answer is None else answer.body

    assert b"viewer/tournament/main.js" in (body(HOME) or b"")
    assert b"viewer/main.js" in (body("/") or b"")
    assert json.loads(body(STANDINGS_PATH) or b"")["replays"] == "frames"
    assert body(f"/records/{ID}.twr") == b"record"
    for name in ("one.twr", f"{ID}", f"{ID}.twr%0a", f"..%2f{ID}.twr", f"{ID[1:]}a.twr", f"{ID[1:]}.twr"):
        assert body(f"/records/{name}") is None, name


def test_the_file_is_written_at_first_at_the_end_and_seldom_between(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = 1000.0
    monkeypatch.setattr(module, "monotonic", lambda: now_s)
    page = LivePage(tmp_path, None)
    assert page.start() is None

    def title() -> str:
        text = (tmp_path / "index.html").read_text(encoding="utf-8")
        return next(name for name in "abcd" if f'"title":"{name}"' in text)

    page.show(lambda kind: replace(source("a"), replays=kind))
    assert title() == "a"
    page.show(lambda kind: replace(source("b"), replays=kind))
    assert title() == "a"
    now_s += module.PAGE_S_MIN
    page.show(lambda kind: replace(source("c"), replays=kind))
    assert title() == "c"
    page.show(lambda kind: replace(source("d"), replays=kind), last=True)
    assert title() == "d"
    page.close()


def test_a_write_error_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "index.html").mkdir()
    told: list[str] = []
    page = LivePage(tmp_path, None, on_notice=told.append)
    for _ in range(2):
        page.show(lambda kind: replace(source(), replays=kind), last=True)
    (notice,) = told
    assert not missing(notice, tmp_path / "index.html")


@pytest.mark.process
def test_a_port_that_is_taken_is_an_error_of_its_operator(tmp_path: Path) -> None:
    (taken,) = bind("127.0.0.1", 0)
    with taken:
        port = taken.getsockname()[1]
        taken.listen()
        page = LivePage(tmp_path, TournamentPages(find_game("snake"), lambda _: None), port)
        with pytest.raises(SetupError) as refused:
            page.start()
        page.close()
    assert not missing(str(refused.value), port)

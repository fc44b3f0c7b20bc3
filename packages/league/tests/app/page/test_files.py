from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.messages import missing
from packages.league.tests.tournament.play import RULES, by_strength, entries_of, play_all
from tests.browser.injections import INJECTIONS
from turnwright.errors import SetupError
from turnwright_league.app.page.content import PageSource, page_data
from turnwright_league.app.page.files import EMBEDDED_ID, export_page, tournament_page
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.standings import standings_of


def source(entries: Sequence[TournamentEntry]) -> PageSource:
    played = play_all(entries, RULES, by_strength(entries, 2.0))
    return PageSource("cup", entries, played, standings_of(entries, played, RULES), at_us=5, rules=RULES)


def embedded(page: bytes) -> dict[str, Any]:
    found = re.search(rf'<script type="application/json" id="{EMBEDDED_ID}">([^<]*)</script>', page.decode())
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_the_page_holds_its_content_and_loads_nothing() -> None:
    data = page_data(source(entries_of(4)))
    page = tournament_page(data)
    assert embedded(page) == json.loads(json.dumps(data))
    text = page.decode()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'")
    assert "unsafe" not in policy[1]
    head = text[: text.index(f'id="{EMBEDDED_ID}"')]
    assert not re.search(
        r'(?:src|href)="(?!#|data:)', re.sub(r"<style>.*?</style>", "", head, flags=re.DOTALL)
    )


def test_no_name_leaves_its_place() -> None:
    entries = [TournamentEntry(text, text, "bot", f"{nth:04x}") for nth, text in enumerate(INJECTIONS)]
    table = standings_of(entries, [], RULES)
    data = page_data(PageSource(INJECTIONS[8], entries, [], table, 5, notes=INJECTIONS))
    page = tournament_page(data)
    assert embedded(page) == json.loads(json.dumps(data))
    plain = tournament_page(page_data(PageSource("cup", [], [], standings_of([], [], RULES), 5)))
    for tag in ("<script", "</script", "<img", "<svg", "<meta", "<link", "<style", "<iframe"):
        assert page.decode().lower().count(tag) == plain.decode().lower().count(tag), tag


@pytest.mark.parametrize(("place", "path"), [("x/cup.html", "x/cup.html"), ("y", "y/index.html")])
def test_a_file_or_a_folder_is_written(place: str, path: str, tmp_path: Path) -> None:
    assert export_page(source(entries_of(3)), tmp_path / place) == tmp_path / path
    assert embedded((tmp_path / path).read_bytes())["title"] == "cup"


def test_a_page_that_is_there_stays_unless_forced(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(SetupError) as refused:
        export_page(source(entries_of(3)), tmp_path)
    assert not missing(str(refused.value), str(tmp_path / "index.html"), "--force")
    assert (tmp_path / "index.html").read_text() == "mine"
    export_page(source(entries_of(3)), tmp_path, force=True)
    assert (tmp_path / "index.html").stat().st_size > 10_000


def test_an_unwritable_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(SetupError) as refused:
        export_page(source(entries_of(3)), tmp_path / "file" / "below")
    assert not missing(str(refused.value), str(tmp_path / "file" / "below"))


def test_an_unshowable_record_has_no_page_and_is_reported(tmp_path: Path) -> None:
    given = source(entries_of(3))
    (tmp_path / "bad.twr").write_bytes(b"no record")
    told: list[str] = []
    first = given.played[0].id
    path = export_page(
        replace(given, folder="cup"),
        tmp_path / "out",
        replays=True,
        record=lambda one: tmp_path / ("bad.twr" if one == first else "none.twr"),
        on_notice=told.append,
    )
    (notice,) = told
    assert not missing(notice, "bad.twr")
    assert not any(row[9] for row in embedded(path.read_bytes())["battles"])

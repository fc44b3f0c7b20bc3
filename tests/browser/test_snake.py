"""A game with its own simple view: snake, replayed, and from a page on disk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from packages.core.tests.app.snake_records import play_snake, written
from packages.core.tests.cli.running import Running
from tests.browser.screen import Screen

if TYPE_CHECKING:
    from tests.browser.conftest import Films, NewScreen


@pytest.fixture(scope="module")
def twr(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record of snake."""
    return written(play_snake(turns=120), tmp_path_factory.mktemp("snake") / "s.twr")


def test_a_record_of_snake_plays_with_timeline_standings_and_events(screen: Screen, twr: Path) -> None:
    with Running("replay", twr, "--no-open") as server:
        screen.witness.expected.append("ERR_CONNECTION_REFUSED")
        screen.open(server.page()).until_loaded()
        assert "verified" in screen.status()
        screen.hold()
        table = screen.page.get_by_role("table", name="Standings")
        assert sorted(table.get_by_role("button").all_inner_texts()) == ["Greedy", "Wanderer"]
        screen.timeline.focus()
        screen.press("End")
        screen.until("the end", lambda: screen.index() == screen.ends()[1])
        assert "Final results" in screen.page.get_by_role("region", name="Results").inner_text()
        screen.page.get_by_role("tab", name="Events").click()
        events = screen.page.get_by_role("listbox")
        screen.until(
            "events are listed", lambda: "ate" in events.inner_text() or "died" in events.inner_text()
        )
        screen.press("Escape")
        screen.shoot("snake-end")
        screen.press("Home")
        screen.page.get_by_role("tab", name="Frame").click()
        screen.until(
            "the frame is text, too", lambda: "snakes" in screen.page.locator(".frame-panel").inner_text()
        )
        screen.shoot("snake-replay")


def test_a_page_of_snake_from_disk_plays_and_asks_for_nothing(
    screen: Screen, twr: Path, tmp_path: Path
) -> None:
    out = tmp_path / "s.html"
    with Running("replay", twr, "--html", out) as command:
        assert command.wait() == 0
    screen.open(out.as_uri()).until_loaded()
    screen.until("time goes on", lambda: screen.spot()[1] > 5)
    assert [url for url in screen.witness.requests if not url.startswith("data:")] == [out.as_uri()]


def test_the_page_fits_on_a_phone(new_screen: NewScreen, twr: Path, tmp_path: Path) -> None:
    out = tmp_path / "s.html"
    with Running("replay", twr, "--html", out) as command:
        assert command.wait() == 0
    phone = new_screen(width=390, height=844)
    phone.open(out.as_uri()).until_loaded()
    phone.until("time goes on", lambda: phone.spot()[1] > 5)
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.shoot("snake-phone")


def test_a_record_dropped_on_the_page_is_answered_with_the_command_that_shows_it(
    screen: Screen, twr: Path, tmp_path: Path, films: Films
) -> None:
    out = tmp_path / "s.html"
    with Running("replay", twr, "--html", out) as command:
        assert command.wait() == 0
    screen.open(out.as_uri()).until_loaded()
    for file, game in ((films.twr, "tank"), (twr, "snake")):
        screen.drop(file)
        said = f"{file.name}: this is a record of {game}, which this page cannot play; run `turnwright replay"
        screen.until("it is refused", lambda said=said: said in screen.message())
        assert f"turnwright replay {file.name}`" in screen.message()
        screen.shoot(f"snake-dropped-{game}")
    assert screen.ends()[1] > 5, "the battle that was shown is still there"

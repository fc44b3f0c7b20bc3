"""A bot that crashes, in the console of the page: while it is watched, and in its record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from packages.core.tests.cli.running import Running
from packages.core.tests.net.bot_directories import make_bot
from tests.browser.crashing_bot import CRASHES
from tests.browser.screen import Screen

if TYPE_CHECKING:
    from tests.browser.conftest import NewScreen


def _console(screen: Screen) -> str:
    screen.ranking_row("Mine").click()
    return screen.page.get_by_label("Console output").inner_text()


def _tells(screen: Screen) -> bool:
    said = _console(screen)
    return all(part in said for part in ("crashed in turn 3", "ZeroDivisionError", "Traceback"))


def test_the_console_shows_a_crash_with_the_printed_lines(new_screen: NewScreen, tmp_path: Path) -> None:
    bot, record = make_bot(tmp_path, "Mine", {"Mine.py": CRASHES}), tmp_path / "b.twr"
    words = ["battle", bot, "Spinner", "Tracker", "--rounds", "2", "--seed", "3", "--record", record]
    with Running(*words, "--watch", "--no-open", "--wait", "60s", "--keep-open") as command:
        live = new_screen().open(command.page()).until_shown()
        live.until("the console tells it while it is watched", lambda: _tells(live))
        live.shoot("crash-live")
        late = new_screen().open(live.page.url).until_shown()
        late.until("the console tells it to who comes late", lambda: _tells(late))
        for screen in (live, late):  # a page that is open asks on, and a server that stops refuses
            screen.page.close()
    with Running("replay", record, "--no-open") as command:
        again = new_screen().open(command.page()).until_loaded()
        again.until("the console tells it in a replay", lambda: _tells(again))
        again.shoot("crash-replay")
        again.page.close()


def test_a_crash_is_shown_when_the_page_shows_its_turn(new_screen: NewScreen, tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "Mine", {"Mine.py": CRASHES.replace("turn == 3", "turn == 60")})
    with Running("battle", bot, "Spinner", "--seed", "3", "--watch", "--no-open", "--wait", "60s") as command:
        url = command.page().partition("#")[0]
        screen = new_screen().open(f"{url}?tps=1").until_shown()
        command.said(r"Mine crashed in turn \d+ of round 1")
        message = screen.page.locator(".status-message")
        screen.page.keyboard.press("ArrowRight")
        screen.until(
            "the page is at a turn", lambda: "you at 1." in screen.page.locator(".played").inner_text()
        )
        screen.page.wait_for_timeout(500)
        assert not message.is_visible(), "the page has not shown the turn of the crash"
        screen.page.get_by_role("button", name="Live").click()
        screen.until("the crash is told", lambda: "Mine crashed in turn 6" in message.inner_text())
        screen.shoot("crash-apart")
        screen.page.close()

"""A battle that waits for no spectator: each page has its own clock."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from packages.core.tests.cli.running import Running
from tests.browser.screen import Screen

if TYPE_CHECKING:
    from tests.browser.conftest import NewScreen


def place(screen: Screen) -> tuple[int, int]:
    """Return the round and turn that a page shows while the battle is further."""
    text = screen.page.locator(".played").inner_text()
    found = re.search(r"you at (\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def test_two_pages_watch_a_battle_that_is_over_each_at_its_own_pace(new_screen: NewScreen) -> None:
    words = ["battle", "Spinner", "Tracker", "Rammer", "--rounds", "3", "--seed", "11"]
    with Running(*words, "--watch", "--no-open", "--wait", "60s") as command:
        url = command.page()
        desk = new_screen().open(url).until_shown()
        phone = new_screen(390, 844, has_touch=True, is_mobile=True).open(url.partition("#")[0]).until_shown()
        command.said(r"classic, 3 rounds, .* turns")
        for screen in (desk, phone):
            screen.until("it shows a turn near the beginning", lambda screen=screen: place(screen)[0] == 1)
            assert screen.page.get_by_text("Final results").count() == 0, "the results are not told early"
        desk.page.keyboard.press("Space")
        stopped = place(desk)
        phone_at = place(phone)
        phone.until("the other page plays on", lambda: place(phone) > phone_at)
        assert place(desk) == stopped
        desk.page.keyboard.press("ArrowRight")
        desk.until("one turn on", lambda: place(desk) == (stopped[0], stopped[1] + 1))
        assert not desk.page.locator(".tps-slider").is_visible(), "no page changes the battle's speed"
        phone.page.get_by_role("button", name="Live").click()
        phone.until(
            "the results are told at the end", lambda: phone.page.get_by_text("Final results").count() == 1
        )
        desk.until("every turn was compared", lambda: desk.page.get_by_text("verified here").count() == 1)
        desk.shoot("apart-desk")
        phone.shoot("apart-phone")
        assert command.process.poll() is None, "the page stays until it is closed"
        for screen in (desk, phone):
            screen.page.close()
        assert command.wait(60) == 0


SMALL = "tests.browser.small_window"
LONG = ["battle", *["Spinner"] * 4, *["Tracker"] * 4, "--rounds", "4", "--seed", "5", "--watch", "--no-open"]
"""About 5,000 turns, of which a window of 400 KB holds a part."""


def test_a_page_that_comes_late_plays_a_long_battle_from_its_first_turn(new_screen: NewScreen) -> None:
    with Running("400", *LONG, "--wait", "60s", module=SMALL) as command:
        url = command.page()
        early = new_screen().open(url)
        command.said(r"4 rounds, .* turns")
        late = new_screen().open(url.partition("#")[0]).until_shown()
        late.until("it shows a turn near the beginning", lambda: place(late)[0] == 1)
        for screen in (early, late):
            screen.page.get_by_role("button", name="Live").click()
            screen.until("all is verified", lambda s=screen: s.page.get_by_text("verified here").count() == 1)
            assert screen.page.get_by_text("Earlier turns").count() == 0
        for screen in (early, late):
            screen.page.close()


def test_without_a_record_a_late_page_begins_at_a_keyframe_with_a_notice(
    new_screen: NewScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TURNWRIGHT_TEST_NO_RECORD", "1")
    with Running("400", *LONG, "--wait", "60s", module=SMALL) as command:
        url = command.page()
        early = new_screen().open(url)
        command.said(r"4 rounds, .* turns")
        late = new_screen().open(url.partition("#")[0]).until_shown()
        late.until("it shows a later turn", lambda: place(late)[0] > 1)
        assert late.page.get_by_text("Earlier turns").count() > 0
        late.shoot("cut")
        late.page.get_by_role("button", name="Live").click()
        late.until("every turn was compared", lambda: late.page.get_by_text("verified here").count() == 1)
        late.until("the results are told", lambda: late.page.get_by_text("Final results").count() == 1)
        late.shoot("cut-end")
        for screen in (early, late):
            screen.page.close()

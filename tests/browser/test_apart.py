"""A battle that waits for no spectator: each page has a clock of its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.browser.running import running
from tests.browser.screen import Screen

if TYPE_CHECKING:
    from tests.browser.conftest import NewScreen


def place(screen: Screen) -> tuple[int, int]:
    """Return the round and turn that a page shows while the battle is further."""
    text = screen.page.locator(".played").inner_text()
    found = re.search(r"you are at (\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def test_two_pages_watch_a_battle_that_is_over_each_at_its_own_pace(new_screen: NewScreen) -> None:
    words = ["battle", "Spinner", "Tracker", "Rammer", "--rounds", "3", "--seed", "11"]
    with running(*words, "--watch", "--no-open", "--wait", "60s") as command:
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

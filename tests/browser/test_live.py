"""A battle during play: operators, spectators, late visitors and its end."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from packages.core.tests.cli.running import Running
from tests.browser.screen import Screen

if TYPE_CHECKING:
    from tests.browser.conftest import NewScreen

MAX = "20"
"""The last step of the slider: as fast as it goes."""


@pytest.fixture
def battle() -> Iterator[Running]:
    """A battle of built-in bots that waits for a spectator; its page stays afterwards."""
    words = ["Spinner", "Tracker", "Rammer", "--rounds", "2", "--seed", "11", "--pacing", "together"]
    with Running("battle", *words, "--watch", "--no-open", "--wait", "60s", "--keep-open") as command:
        yield command


def commands(screen: Screen) -> bool:
    """Return whether the page may command."""
    return screen.page.get_by_role("group", name="Controls for everyone").is_visible()


def set_speed(screen: Screen, step: str) -> None:
    """Move the slider of the battle's speed."""
    screen.page.get_by_label("Turns per second of the battle").fill(step)


def test_a_live_battle_is_watched_commanded_and_seen_to_its_end(
    battle: Running, new_screen: NewScreen
) -> None:
    url = battle.page()
    assert "#code=" in url
    chief = new_screen().open(url).until_shown()
    chief.until("the page commands", lambda: commands(chief))
    assert "code" not in chief.page.url, "the code stayed in the address bar"
    _sees_tanks_move(chief)
    guest = new_screen().open(url.partition("#")[0]).until_shown()
    _watches_only(guest)
    _pauses_and_steps(chief, guest)
    _changes_the_speed(chief, guest)
    _switches_for_one_bot(chief, guest)
    for screen in (chief, guest):
        screen.witness.expected.append("ERR_CONNECTION_REFUSED")  # the server ends before the page
    _sees_the_end(chief, guest)
    for screen in (chief, guest):
        assert screen.witness.outside(screen.host) == []


def test_an_operator_has_every_control_on_a_small_phone(battle: Running, new_screen: NewScreen) -> None:
    phone = new_screen(360, 640, has_touch=True, is_mobile=True, device_scale_factor=2)
    phone.open(battle.page()).until_shown()
    phone.until("the page commands", lambda: commands(phone))
    for name in (
        "Pause the battle",
        "One turn of the battle",
        "Stop",
        "Restart",
        "New battle",
        "Open a record",
    ):
        box = phone.button(name).bounding_box()
        assert box is not None, name
        assert box["x"] >= 0, name
        assert box["x"] + box["width"] <= 360, f"{name} lies outside"
    phone.shoot("live-phone")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_pause_button_stays_under_the_mouse(
    width: int, height: int, battle: Running, new_screen: NewScreen
) -> None:
    chief = new_screen(width, height).open(battle.page()).until_shown()
    chief.until("the page commands", lambda: commands(chief))
    before = chief.button("Pause the battle for everyone").bounding_box()
    arena = chief.page.locator("#stage").bounding_box()
    assert before is not None
    at = (before["x"] + before["width"] / 2, before["y"] + before["height"] / 2)
    for state in ("server paused", "live", "server paused"):
        chief.page.mouse.click(*at)
        chief.until(f"it is {state}", lambda s=state: s in chief.status())
        button = chief.button("Resume" if state == "server paused" else "Pause the battle")
        assert button.bounding_box() == before
        assert chief.page.locator("#stage").bounding_box() == arena
        words, controls = (chief.page.locator(one).bounding_box() for one in (".battle-round", ".operator"))
        assert words is not None
        assert controls is not None
        is_beside = (
            words["y"] < controls["y"] + controls["height"] and controls["y"] < words["y"] + words["height"]
        )
        assert not is_beside or words["x"] + words["width"] <= controls["x"], "words lie over the controls"
    chief.shoot(f"live-paused-{width}")


def _sees_tanks_move(screen: Screen) -> None:
    before, energies = screen.turn(), screen.energies()
    assert sorted(energies) == ["Rammer", "Spinner", "Tracker"]
    screen.until("turns go by", lambda: screen.turn() > before + 15)
    screen.ranking_row("Spinner").click()
    facts = screen.tab("Bot")
    at = facts.get_by_text("Position").locator("xpath=following-sibling::dd")
    place = at.inner_text()
    screen.until("it has moved", lambda: at.inner_text() != place)
    screen.shoot("live-chief")


def _watches_only(guest: Screen) -> None:
    guest.button("View only").wait_for()
    assert not commands(guest)


def _switches_for_one_bot(chief: Screen, guest: Screen) -> None:
    """A switch and the status of all pages show the state at the server, not the last click."""
    facts = chief.tab("Bot")
    for name in ("Debug graphics", "Breakpoint mode"):
        switch = facts.get_by_role("button", name=name)
        assert switch.get_attribute("aria-pressed") == "false"
        switch.click()
        chief.until("it is on", lambda s=switch: s.get_attribute("aria-pressed") == "true")
    (said,) = chief.until("it is told", lambda: re.findall(r"In breakpoint mode: \w+\.", chief.status()))
    guest.until("all are told", lambda: said in guest.status())
    late = facts.get_by_role("button", name="Breakpoint mode")
    late.click()
    for screen in (chief, guest):
        screen.until("all are told of its end", lambda s=screen: "breakpoint" not in s.status())
    assert late.get_attribute("aria-pressed") == "false"


def _pauses_and_steps(chief: Screen, guest: Screen) -> None:
    chief.button("Pause the battle for everyone").click()
    for screen in (chief, guest):
        screen.until("it is paused", lambda s=screen: "server paused" in s.status())
        screen.still()
        screen.until("all that came is shown", lambda s=screen: s.index() == s.ends()[1])
        screen.still()
    turn = chief.turn()
    assert guest.turn() == turn
    chief.page.wait_for_timeout(500)
    assert (chief.turn(), guest.turn()) == (turn, turn), "the server went on"
    chief.shoot("live-paused")
    for step in (1, 2):
        chief.button("One turn of the battle").click()
        for screen in (chief, guest):
            screen.until("one turn", lambda s=screen, t=turn + step: s.turn() >= t)
        chief.page.wait_for_timeout(200)
        assert (chief.turn(), guest.turn()) == (turn + step, turn + step), "not exactly one turn"


def _changes_the_speed(chief: Screen, guest: Screen) -> None:
    set_speed(chief, "2")  # 2 turns a second
    chief.button("Resume the battle for everyone").click()
    guest.until("it goes on", lambda: "live" in guest.status())
    turn, began = guest.turn(), time.monotonic()
    guest.until("six turns have passed", lambda: guest.turn() >= turn + 6)
    passed = guest.turn() - turn
    at_most = 2 * (time.monotonic() - began) + 3
    assert passed <= at_most, "at most 2 turns a second, and what was on its way"
    guest.button("View only").wait_for()


def _sees_the_end(chief: Screen, guest: Screen) -> None:
    set_speed(chief, MAX)
    for screen in (chief, guest):
        card = screen.page.get_by_role("region", name="Results")
        screen.until("the results", lambda c=card: "Final results" in " ".join(c.all_inner_texts()), 60)
        assert all(name in card.inner_text() for name in ("Spinner", "Tracker", "Rammer"))
    chief.shoot("live-results")
    chief.until("nothing is left to command", lambda: not commands(chief))  # the slider had the keys
    chief.press("Escape")
    chief.press("Home")
    first, last = chief.ends()
    assert last > first + 200
    # it may still play, as it does for a second after the last turn
    chief.until("what was seen can be seen again", lambda: chief.index() <= first + 100)


def test_the_code_in_the_address_works_once(battle: Running, new_screen: NewScreen) -> None:
    url = battle.page()
    first = new_screen().open(url).until_shown()
    first.until("the first commands", lambda: commands(first))
    second = new_screen().open(url).until_shown()
    second.button("View only").wait_for()
    second.until("it says why", lambda: "was already used" in second.status())
    assert not commands(second)
    first.page.reload()
    first.until_shown()
    first.until("a reload keeps the command", lambda: commands(first))
    second.button("View only").click()
    second.page.get_by_label("Operator's secret").fill("guess")
    second.button("Sign in").click()
    second.until("a wrong secret is refused", lambda: "does not know this secret" in second.status())
    assert not commands(second)
    second.shoot("live-refused")


def test_a_late_spectator_sees_the_present_and_can_look_back(battle: Running, new_screen: NewScreen) -> None:
    first = new_screen().open(battle.page()).until_shown()
    first.until("the battle has gone on", lambda: first.spot() > (1, 100), 60)
    first.button("Pause the battle for everyone").click()
    first.until("it is paused", lambda: "server paused" in first.status())
    first.still()
    first.until("all that came is shown", lambda: first.index() == first.ends()[1])
    late = new_screen().open(battle.page().partition("#")[0]).until_shown()
    late.until("it is where the battle is", lambda: late.spot() == first.spot())
    late.until("energies are those of now", lambda: late.energies() == first.energies())
    assert "server paused" in late.status()
    late.press("Home")
    late.until("it can look back", lambda: late.spot() < first.spot())
    first.button("Resume the battle for everyone").click()
    late.press("l")
    late.until(
        "it follows", lambda: late.spot() > (1, first.turn() - 10) and late.index() > late.ends()[0] + 20
    )
    late.shoot("live-late")


def test_a_watched_battle_leaves_its_page_with_the_reasons(new_screen: NewScreen) -> None:
    """The server ends with the battle; its page has asked before."""
    words = ["Spinner", "Rammer", "--rounds", "2", "--seed", "11", "--tps", "300", "--pacing", "together"]
    with Running("battle", *words, "--watch", "--no-open", "--wait", "60s") as command:
        screen = new_screen().open(command.page()).until_shown()
        assert command.wait() == 0
    panel = screen.tab("Why?")
    panel.get_by_role("button", name="Spinner").click()
    screen.until("it is told", lambda: "died in turn" in panel.locator(".headline").inner_text())
    assert "Whole battle: " in panel.inner_text()
    screen.shoot("why-after-the-server")

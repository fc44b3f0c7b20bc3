"""The page without a mouse, and for users of screen readers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from packages.core.tests.cli.running import Running
from tests.browser.axe import AXE, faults
from tests.browser.screen import Screen

if TYPE_CHECKING:
    from tests.browser.conftest import Films, NewScreen


BEGIN = """() => {
  document.activeElement.blur();
  getSelection().setPosition(document.body, 0);
  window.visited = new Set();
}"""

FOCUSED = """() => {
  const element = document.activeElement;
  if (element === document.body || window.visited.has(element)) return null;
  window.visited.add(element);
  const style = getComputedStyle(element);
  const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  const box = element.getBoundingClientRect();
  return {
    what: element.outerHTML.slice(0, 120),
    ring: ring || style.boxShadow !== "none",
    seen: box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight,
  };
}"""

MISSED = """() => [...document.querySelectorAll("button, select, input, a[href], summary, [tabindex='0']")]
  .filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => !window.visited.has(one))
  .map((one) => one.outerHTML.slice(0, 120))"""


def tour(screen: Screen) -> list[dict[str, Any]]:
    """Press Tab until nothing new is reached; return the reached elements."""
    screen.page.evaluate(BEGIN)
    visited: list[dict[str, Any]] = []
    idle = 0
    while idle < 3:
        screen.press("Tab")
        here = screen.page.evaluate(FOCUSED)
        idle = idle + 1 if here is None else 0
        visited += [] if here is None else [here]
        assert len(visited) < 200, "there is no end to it"
    return visited


def test_every_control_is_reached_by_tab_and_seen_when_it_is(screen: Screen, replayed: str) -> None:
    screen.open(replayed + "#turn=1.150").until_loaded()
    screen.ranking_row("Ace").click()
    for tab in ("Bot", "Why?", "Bot's view", "Charts", "Events"):
        screen.tab(tab)
        screen.page.wait_for_timeout(200)  # panels refresh ten times a second
        visited = tour(screen)
        assert screen.page.evaluate(MISSED) == [], tab
        assert [one["what"] for one in visited if not one["ring"]] == [], f"{tab}: no focus to be seen"
        assert [one["what"] for one in visited if not one["seen"]] == [], f"{tab}: the focus is out of sight"


def test_a_battle_is_understood_without_a_mouse(screen: Screen, replayed: str) -> None:
    """Loser, time and reason, with keys alone."""
    screen.open(replayed).until_loaded()
    screen.press("Space")
    screen.until("it stands", lambda: screen.button("Play (Space)").count() == 1)
    screen.press("Home")
    screen.press("n")
    screen.until("a death is shown", lambda: screen.index() > 0)
    screen.press("4")
    screen.press("w")
    panel = screen.page.locator("[role=tabpanel]:visible")
    screen.until("it is said why", lambda: "Rammer" in panel.inner_text())
    screen.shoot("why")
    screen.press("?")
    screen.page.get_by_role("dialog", name="Help").wait_for()
    screen.shoot("help")
    screen.press("Escape")
    screen.press("r")
    dialog = screen.page.get_by_role("dialog")
    dialog.wait_for()
    screen.press("Tab")
    assert screen.page.evaluate(
        "document.activeElement === document.body || document.activeElement.closest('dialog') !== null"
    ), "the focus is behind the dialog"
    screen.press("Escape")
    screen.until("it is closed", lambda: not dialog.is_visible())
    screen.press("/")
    assert screen.page.evaluate("document.activeElement.type") == "search"
    screen.page.keyboard.type("died")
    log = screen.page.locator("[role=tabpanel]:visible")
    screen.until("found", lambda: "Rammer died" in log.inner_text())


@pytest.mark.skipif(
    not AXE.is_file(), reason="no axe-core: npm install --prefix build/npm --no-save axe-core@4"
)
def test_checkers_of_accessibility_find_nothing(new_screen: NewScreen, films: Films) -> None:
    screen = new_screen(reduced_motion="reduce")
    screen.page.add_init_script(path=str(AXE))
    screen.open(films.html.as_uri() + "#turn=1.150").until_loaded()
    screen.ranking_row("Ace").click()
    found = []
    for tab in ("Bot", "Why?", "Bot's view", "Charts", "Events"):
        screen.tab(tab)
        screen.page.wait_for_timeout(200)  # panels refresh ten times a second
        found += faults(screen, tab)
    for key, name in (("?", "Help"), ("r", "Results")):
        screen.press(key)
        screen.page.get_by_role("dialog").wait_for()
        found += faults(screen, name)
        screen.press("Escape")
    assert not found, "\n".join(found)


@pytest.mark.skipif(
    not AXE.is_file(), reason="no axe-core: npm install --prefix build/npm --no-save axe-core@4"
)
def test_checkers_of_accessibility_find_nothing_while_a_server_waits(
    new_screen: NewScreen, films: Films, tmp_path: Path
) -> None:
    for name in ("one", "two", "three"):
        (tmp_path / f"{name}.twr").write_bytes(films.twr.read_bytes())
    with Running("serve", "--records", tmp_path, "--port", "0", "--no-open") as server:
        screen = new_screen(390, 844, bypass_csp=True)
        screen.page.add_init_script(path=str(AXE))
        screen.witness.expected.append("ERR_CONNECTION_REFUSED")  # the server ends before the page
        screen.open(server.page())
        screen.page.get_by_role("link", name="two.twr").wait_for()
        found = faults(screen, "waiting")
        screen.open("about:blank")
    assert not found, "\n".join(found)

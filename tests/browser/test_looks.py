"""Looks of the page: streaming, a theme, calm motion, a phone, a projector."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from packages.core.tests.cli.running import Running
from tests.browser.screen import Screen

if TYPE_CHECKING:
    from tests.browser.conftest import Films, NewScreen

SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
VERSIONS_SHOWN = """rows => rows.map(row => {
  const box = row.querySelector('.version').getBoundingClientRect();
  return box.height > 0 && box.bottom <= row.querySelector('.who').getBoundingClientRect().bottom + 2;
})"""
ON_TOP = """one => {
  const { right, top } = one.getBoundingClientRect();
  return document.elementFromPoint(right - 4, top + 4) === one;
}"""
BACKGROUND = "element => getComputedStyle(element).backgroundColor"


def test_an_overlay_is_transparent_and_shows_the_arena_alone(screen: Screen, replayed: str) -> None:
    screen.open(replayed.replace("/?", "/?overlay=arena&"))
    screen.until("a battle is shown", lambda: "turn" in screen.arena())
    for place in ("html", "body", "#main", "#stage"):
        color = screen.page.locator(place).evaluate(BACKGROUND)
        assert color in ("rgba(0, 0, 0, 0)", "transparent"), f"{place} is {color}"
    for place in ("#head", "#side", "#bottom", "#view-buttons"):
        assert not screen.page.locator(place).is_visible(), place
    box = screen.page.locator("#arena").bounding_box()
    assert box is not None
    assert box["height"] > 790
    screen.shoot("overlay", omit_background=True)


def test_a_bot_that_the_address_names_is_followed(screen: Screen, replayed: str) -> None:
    screen.open(replayed.replace("/?", "/?follow=tracker&")).until_loaded()
    screen.until(
        "it is followed",
        lambda: screen.button("Follow the selected bot").get_attribute("aria-pressed") == "true",
    )
    assert screen.ranking_row("Tracker").get_attribute("aria-pressed") == "true"
    screen.shoot("follow")


def test_a_missing_bot_is_reported(screen: Screen, replayed: str) -> None:
    screen.open(replayed.replace("/?", "/?follow=Nobody&")).until_shown()
    screen.until("it says so", lambda: "No bot is called" in screen.message())
    assert "Tracker" in screen.message()


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_page_follows_the_systems_theme_and_the_readers_choice(
    scheme: Any, new_screen: NewScreen, replayed: str
) -> None:
    screen = new_screen(color_scheme=scheme).open(replayed + "#turn=1.150").until_loaded()
    theme = screen.page.locator("html")
    assert theme.get_attribute("data-theme") == scheme
    dark = screen.page.locator("body").evaluate(BACKGROUND)
    screen.ranking_row("Ace").click()
    screen.page.wait_for_timeout(200)  # panels refresh ten times a second
    screen.shoot(f"theme-{scheme}")
    screen.press("t")
    screen.until("it has changed", lambda: theme.get_attribute("data-theme") != scheme)
    assert screen.page.locator("body").evaluate(BACKGROUND) != dark
    screen.page.reload()
    screen.until_shown()
    assert theme.get_attribute("data-theme") != scheme, "the choice is kept"


def test_with_reduced_motion_nothing_moves_by_itself(new_screen: NewScreen, replayed: str) -> None:
    screen = new_screen(reduced_motion="reduce").open(replayed).until_loaded()
    before = screen.turn()
    screen.until("the battle is still played", lambda: screen.turn() > before + 10)
    moving = screen.page.evaluate("document.getAnimations().filter(a => a.playState === 'running').length")
    assert moving == 0
    screen.shoot("reduced-motion")


PHONES = [(360, 640), pytest.param(390, 844, marks=pytest.mark.explore), (844, 390)]


@pytest.mark.parametrize(("width", "height"), PHONES)
def test_a_phone_scrolls_in_one_direction_and_reaches_every_control(
    width: int, height: int, new_screen: NewScreen, replayed: str
) -> None:
    screen = new_screen(width, height, has_touch=True, is_mobile=True, device_scale_factor=2)
    screen.open(replayed + "#turn=1.150").until_loaded()
    assert screen.page.evaluate(SIDEWAYS) == 0
    screen.shoot(f"phone-{width}x{height}")
    for name in ("Play (Space)", "One turn forward", "Results", "Keys and help", "Zoom in", "Open a record"):
        button = screen.button(name)
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width, f"{name} lies outside"
        assert min(box["width"], box["height"]) >= 24, f"{name} is too small for a finger"
    screen.button("One turn forward").tap()
    screen.until("a step", lambda: screen.spot() == (1, 151))
    screen.ranking_row("Ace").scroll_into_view_if_needed()
    screen.ranking_row("Ace").tap()
    screen.tab("Why?").scroll_into_view_if_needed()
    assert screen.page.evaluate(SIDEWAYS) == 0
    screen.shoot(f"phone-{width}x{height}-why")


def test_on_a_phone_a_tab_that_is_chosen_fills_the_room_below_the_arena(
    new_screen: NewScreen, replayed: str
) -> None:
    screen = new_screen(390, 844, has_touch=True, is_mobile=True, device_scale_factor=2)
    screen.open(replayed + "#turn=1.150").until_loaded()
    screen.ranking_row("Ace").tap()
    assert screen.ranking_row("Ace").is_visible()
    panel = screen.tab("Why?")
    side = screen.page.locator("#side").bounding_box()
    box = panel.bounding_box()
    assert side is not None
    assert box is not None
    assert box["y"] - side["y"] < 60, "only the tabs stand above it"
    screen.shoot("phone-why-in-sight")


def test_on_a_phone_the_results_lead_to_the_reasons(new_screen: NewScreen, replayed: str) -> None:
    screen = new_screen(390, 844, has_touch=True, is_mobile=True, device_scale_factor=2)
    screen.open(replayed + "#turn=3.1").until_loaded()
    screen.button("Results").tap()
    why = screen.page.get_by_role("dialog").get_by_role("button", name="Why did Ace")
    box = why.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 390
    screen.shoot("phone-results")
    why.tap()
    screen.until("it is told", lambda: screen.page.locator(".why-panel .headline").is_visible())


def test_a_projector_shows_the_arena_as_large_as_it_goes(new_screen: NewScreen, replayed: str) -> None:
    screen = new_screen(1920, 1080).open(replayed + "#turn=2.200").until_loaded()
    screen.page.wait_for_timeout(300)  # panels refresh ten times a second
    screen.shoot("projector")
    box = screen.page.locator("#arena").bounding_box()
    assert box is not None
    assert box["height"] > 800


def test_rows_of_events_grow_with_the_letters_of_a_large_projector(
    new_screen: NewScreen, replayed: str
) -> None:
    screen = new_screen(3840, 2160).open(replayed + "#turn=1.150").until_loaded()
    rows = screen.tab("Events").locator(".log-row")
    screen.until("events are listed", lambda: rows.count() > 3)
    boxes = [rows.nth(k).bounding_box() for k in (0, 1)]
    first, second = boxes
    assert first is not None
    assert second is not None
    assert second["y"] - first["y"] == pytest.approx(first["height"], abs=1), "no row lies over another one"
    size = rows.first.evaluate("row => parseFloat(getComputedStyle(row).fontSize)")
    assert first["height"] > size * 1.5
    screen.shoot("projector-4k")


_UNIT = """canvas => canvas.getContext("2d").getTransform().a * canvas.clientWidth / canvas.width"""


@pytest.mark.parametrize(
    ("width", "height", "unit"),
    [(1280, 800, 1), pytest.param(2560, 1440, 17 / 14, marks=pytest.mark.explore), (3840, 2160, 1.5)],
)
def test_drawings_in_panels_scale_with_the_font_and_clicks_still_hit(
    new_screen: NewScreen, replayed: str, width: int, height: int, unit: float
) -> None:
    screen = new_screen(width, height).open(replayed + "#turn=1.150").until_loaded()
    screen.hold()
    marks = screen.timeline.locator("canvas")
    assert marks.evaluate(_UNIT) == pytest.approx(unit, rel=0.01)
    box = screen.timeline.bounding_box()
    assert box is not None
    assert box["height"] == pytest.approx(58 * unit, abs=2)
    first, last = screen.ends()
    for part in (0.25, 0.75):
        x = box["x"] + 6 * unit + part * (box["width"] - 12 * unit)
        screen.page.mouse.click(x, box["y"] + box["height"] / 2)
        wanted = first + part * (last - first)
        screen.until("that turn is shown", lambda wanted=wanted: abs(screen.index() - wanted) <= 3)
        head = screen.timeline.locator(".playhead").bounding_box()
        assert head is not None
        assert head["x"] + head["width"] / 2 == pytest.approx(x, abs=4)
    chart = screen.tab("Charts").locator(".chart canvas").first
    screen.until("it is drawn", lambda: chart.evaluate(_UNIT) == pytest.approx(unit, rel=0.01))
    screen.shoot(f"drawn-{width}")
    place = chart.bounding_box()
    assert place is not None
    screen.page.mouse.click(place["x"] + place["width"] * 0.6, place["y"] + place["height"] / 2)
    line = screen.page.locator(".chart-head").first
    screen.until(
        "the turn shown stands under the mouse",
        lambda: abs((line.bounding_box() or place)["x"] - place["x"] - place["width"] * 0.6) <= 4,
    )


def test_a_dialog_that_is_opened_right_after_another_is_not_emptied_by_its_end(
    screen: Screen, replayed: str
) -> None:
    screen.open(replayed).until_loaded()
    screen.press("?")
    screen.page.get_by_role("dialog", name="Help").wait_for()
    screen.page.evaluate(  # in one go, as on a busy page: the browser reports the end later
        """() => {
          document.querySelector("dialog").close();
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "r", bubbles: true }));
          return new Promise((done) => void setTimeout(done, 100));
        }"""
    )
    assert "Results" in screen.page.get_by_role("dialog").inner_text()


def test_a_missing_record_leads_to_the_existing_ones_in_readable_text(
    new_screen: NewScreen, films: Films, tmp_path: Path
) -> None:
    (tmp_path / "one.twr").write_bytes(films.twr.read_bytes())
    with Running("serve", "--records", tmp_path, "--port", "0", "--no-open") as server:
        screen = new_screen(390, 844).open(server.page().split("#")[0] + "?replay=/records/none.twr")
        screen.witness.expected.append("404")
        welcome = screen.page.locator("#welcome")
        screen.until("it says so", lambda: "none.twr is not on this server" in welcome.inner_text())
        link = screen.page.get_by_role("link", name="one.twr")
        heading = welcome.get_by_role("heading", level=2)
        assert heading.evaluate(ON_TOP)
        link.click()
        screen.until_loaded()


def test_a_ranking_shows_versions_of_all_built_in_bots_or_of_none(screen: Screen, replayed: str) -> None:
    screen.open(replayed + "#turn=1.5").until_loaded()
    screen.hold()
    for width in (1240, 1260, 1280, 1366, 1440):
        screen.page.set_viewport_size({"width": width, "height": 800})
        rows = screen.page.locator("table.ranking tbody tr")
        shown = rows.evaluate_all(VERSIONS_SHOWN)
        assert len(set(shown)) == 1, (width, shown)
        assert shown[0] or width < 1250


def test_on_a_phone_reasons_get_more_room_than_the_arena(new_screen: NewScreen, replayed: str) -> None:
    screen = new_screen(390, 844).open(replayed + "#turn=1.150").until_loaded()
    screen.hold()
    panel = screen.tab("Why?")
    screen.page.wait_for_timeout(300)
    box, whole = panel.bounding_box(), screen.page.locator("#side").bounding_box()
    assert box is not None
    assert whole is not None
    assert whole["y"] + whole["height"] - box["y"] > 844 * 0.5
    screen.shoot("phone-why")


def test_an_event_shows_its_figure_however_long_the_names_are(screen: Screen, replayed: str) -> None:
    screen.open(replayed).until_loaded()
    screen.press("End")
    events = screen.tab("Events")
    events.evaluate("panel => (panel.style.width = '280px')")
    figure = events.locator(".log-row .figure", has_text=" left").first
    figure.wait_for()
    assert figure.evaluate("one => one.scrollWidth <= one.clientWidth")
    screen.shoot("events-narrow")


def test_the_results_of_a_round_lie_on_no_tank_of_the_next(screen: Screen, replayed: str) -> None:
    screen.open(replayed + "#turn=1.1").until_loaded()
    screen.page.get_by_label("Jump to a round").select_option("2")
    screen.hold()
    screen.press("ArrowLeft")
    screen.button("Play").click()
    card = screen.page.get_by_role("region", name="Results")
    screen.until("the round's results are shown", lambda: card.is_visible())
    screen.until("the next round is played", lambda: screen.spot()[0] == 2)
    screen.until("the head has them", lambda: "After round 1 of 3" in screen.status())
    assert not card.is_visible()
    screen.shoot("between-rounds")


def test_a_row_that_moves_covers_the_text_of_the_other(screen: Screen, replayed: str) -> None:
    screen.open(replayed + "#turn=1.150").until_loaded()
    screen.ranking_row("Ace").click()
    for row in screen.page.locator("table.ranking tbody tr").all():
        color = str(row.evaluate(BACKGROUND))
        assert color.startswith(("rgb(", "color(srgb")), color
        assert "/" not in color, f"{color} lets the text below through"

"""The page for a room of people: whose controls, still rankings, the board, sharing, sounds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from packages.core.tests.app.snake_records import play_snake, written
from packages.core.tests.cli.running import Running
from packages.core.tests.messages import missing
from tests.browser.screen import Screen

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Films, NewScreen

LETTERS_PX = 28
"""The smallest letters that the back row can read, on a screen that is 1080 pixels high."""
SIZES = """places => [...new Set(places.flatMap(place => [place, ...place.querySelectorAll('*')])
  .filter(each => [...each.childNodes].some(node => node.nodeType === 3 && node.textContent.trim() !== '')
    && each.getClientRects().length > 0)
  .map(each => parseFloat(getComputedStyle(each).fontSize)))]"""
COUNTED = """async board => {
  await new Promise(requestAnimationFrame);
  await new Promise((done) => void setTimeout(done, 0)); // sizes are told to the page after a frame
  const box = board.getBoundingClientRect();
  const seen = [...board.querySelectorAll('li')].filter(one => {
    const { height, left } = one.getBoundingClientRect();
    return height > 0 && left < one.parentElement.getBoundingClientRect().right - 1;
  });
  const cut = seen.filter(one => {
    const { bottom } = one.getBoundingClientRect();
    return bottom > Math.min(box.bottom, one.parentElement.getBoundingClientRect().bottom) + 1;
  });
  const rows = seen.filter(one => one.parentElement.className.includes('room-scores'));
  const more = parseInt(board.querySelector('.room-more').textContent.replace(/[^0-9]/g, '') || '0');
  return [cut.map(one => one.textContent), rows.length, more];
}"""
MY_BOT = """from turnwright_tank.bots import Bot


class Mine(Bot):
    name = "Mine"

    def on_tick(self, observation):
        self.target_speed = 4
        self.turn_rate = 3


if __name__ == "__main__":
    Mine().main()
"""


@pytest.fixture(scope="module")
def snake_record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of snake."""
    return written(play_snake(turns=120), tmp_path_factory.mktemp("snake") / "s.twr")


@pytest.fixture(scope="module")
def snake_page(snake_record: Path) -> Iterator[str]:
    """Its address in the viewer."""
    with Running("replay", snake_record, "--no-open") as command:
        yield command.page()


def with_query(url: str, query: str) -> str:
    """Return a page's address with more parameters."""
    page, _, fragment = url.partition("#")
    path, _, given = page.partition("?")
    return f"{path}?{'&'.join(filter(None, [query, given]))}{'#' + fragment if fragment else ''}"


# ---- whose controls ----------------------------------------------------------------------------------------


def test_the_controls_for_all_look_different_from_my_own_and_say_whose_they_are(
    new_screen: NewScreen,
) -> None:
    words = ["Spinner", "Rammer", "--rounds", "2", "--seed", "11", "--watch", "--no-open", "--wait", "60s"]
    with Running("battle", *words, "--keep-open", "--pacing", "together") as command:
        chief = new_screen().open(command.page()).until_shown()
        chief.witness.expected.append("ERR_CONNECTION_REFUSED")  # the server ends before the page
        operator = chief.page.get_by_role("group", name="Controls for everyone")
        operator.wait_for()
        mine = chief.page.get_by_role("group", name=re.compile("^Play"))
        assert "everyone" in operator.inner_text()
        assert "my view" in mine.inner_text()
        color = "element => getComputedStyle(element).color"
        theirs = operator.get_by_role("button", name=re.compile("^(Pause|Resume) the battle for everyone"))
        own = mine.get_by_role("button", name=re.compile(r"^(Pause|Play) \(Space\)"))
        assert theirs.evaluate(color) != own.evaluate(color)
        chief.shoot("room-controls")


def test_a_replay_does_not_label_its_controls_as_my_view(screen: Screen, replayed: str) -> None:
    screen.open(replayed).until_loaded()
    assert not screen.page.locator(".mine .whose").is_visible()


# ---- the ranking -------------------------------------------------------------------------------------------


def go_to(screen: Screen, round_number: int, turn: int) -> None:
    """Go to a turn as a link does."""
    screen.page.evaluate(f"location.hash = 'turn={round_number}.{turn}'")
    screen.until("the turn is shown", lambda: screen.spot() == (round_number, turn))


def order(screen: Screen) -> list[str]:
    """Return the names in the ranking, from the top."""
    return screen.page.locator("table.ranking .name").all_inner_texts()


def test_the_ranking_does_not_move_under_a_finger(screen: Screen, replayed: str) -> None:
    screen.open(replayed + "#turn=1.2").until_loaded()
    screen.hold()
    first = order(screen)
    screen.page.locator("table.ranking tbody").hover()
    go_to(screen, 2, 150)
    screen.until("the scores are those of then", lambda: "dead" in "".join(screen.energies().values()))
    assert order(screen) == first, "it moved under the pointer"
    screen.page.locator("#arena").hover()
    screen.until("it follows the scores", lambda: order(screen) != first)


# ---- my own bot --------------------------------------------------------------------------------------------


def test_my_own_bot_is_selected_at_the_start(new_screen: NewScreen, tmp_path: Path) -> None:
    folder = tmp_path / "Mine"
    folder.mkdir()
    (folder / "Mine.py").write_text(MY_BOT)
    record = tmp_path / "m.twr"
    with Running("battle", folder, "Spinner", "--rounds", "1", "--seed", "3", "--record", record) as battle:
        assert battle.wait() == 0, battle.lines
    with Running("replay", record, "--no-open") as replay:
        screen = new_screen().open(replay.page()).until_loaded()
        screen.until("it is selected", lambda: selected(screen, "Mine"))
        assert "Status" in screen.page.locator("[role=tabpanel]:visible").inner_text()
        other = new_screen().open(with_query(replay.page(), "bot=spinner")).until_loaded()
        other.until("the one of the address is", lambda: selected(other, "Spinner"))


def test_the_bot_that_was_chosen_before_is_selected_again(screen: Screen, replayed: str) -> None:
    screen.open(replayed).until_loaded()
    screen.ranking_row("Tracker").click()
    screen.page.reload()
    screen.until_loaded()
    screen.until("it is selected", lambda: selected(screen, "Tracker"))


def selected(screen: Screen, name: str) -> bool:
    """Return whether a bot is selected."""
    return screen.ranking_row(name).get_attribute("aria-pressed") == "true"


# ---- the dead ----------------------------------------------------------------------------------------------


def test_a_dead_bots_panels_keep_its_last_state(screen: Screen, replayed: str) -> None:
    screen.open(replayed + "#turn=1.1").until_loaded()
    screen.hold()
    screen.press("n")
    screen.until("a death is shown", lambda: screen.spot()[1] > 1)
    dead = next(name for name, energy in screen.energies().items() if "dead" in energy)
    screen.ranking_row(dead).click()
    facts = screen.tab("Bot")
    at = facts.get_by_text("Position").locator("xpath=following-sibling::dd")
    place = screen.until("its place is told", lambda: at.inner_text() if at.inner_text() != "–" else None)
    go_to(screen, 1, screen.spot()[1] + 300)
    screen.until("its place is still told", lambda: at.inner_text() == place)
    assert "dead" in facts.inner_text()
    saw = screen.tab("Bot's view")
    assert not missing(saw.inner_text(), "last observation")
    screen.shoot("room-dead")


# ---- the results -------------------------------------------------------------------------------------------


def results(screen: Screen) -> str:
    """Return the text of the results dialog."""
    screen.press("r")
    dialog = screen.page.get_by_role("dialog")
    text = dialog.inner_text()
    screen.press("Escape")
    return text


def test_results_of_a_round_are_hidden_until_its_end(screen: Screen, replayed: str) -> None:
    screen.open(replayed + "#turn=1.20").until_loaded()
    screen.hold()
    assert "No round is over" in results(screen)
    screen.page.get_by_label("Jump to a round").select_option("2")
    screen.until("round 2", lambda: screen.spot() == (2, 1))
    assert "after round 1" in results(screen)
    screen.page.get_by_label("Jump to a round").select_option("3")
    screen.until("round 3", lambda: screen.spot() == (3, 1))
    assert "after round 2" in results(screen)
    screen.press("End")
    screen.until("the end", lambda: screen.index() == screen.ends()[1])
    assert "Final results" in results(screen)


def test_the_result_of_snake_is_hidden_until_its_end(screen: Screen, snake_page: str) -> None:
    screen.open(snake_page + "#index=3").until_loaded()
    screen.hold()
    assert "not over" in results(screen)
    screen.press("End")
    screen.until("the end", lambda: screen.index() == screen.ends()[1])
    assert "Final results" in results(screen)


# ---- why ---------------------------------------------------------------------------------------------------


def test_the_sums_of_why_close_for_every_bot_and_its_last_seconds_can_be_watched(
    screen: Screen, replayed: str
) -> None:
    screen.open(replayed + "#turn=2.1").until_loaded()
    screen.hold()
    over = 0
    for name in ("Ace", "Spinner", "Tracker", "Rammer"):
        screen.ranking_row(name).click()
        panel = screen.tab("Why?")
        screen.until("it is told", lambda n=name, p=panel: n in p.locator(".headline").inner_text())
        figures = [_number(text) for text in panel.locator(".ledger .number").all_inner_texts()]
        assert round(sum(figures[:-1]), 1) == figures[-1] >= 0, (name, figures)
        over += panel.locator(".ledger tr.over").count()
        panel.get_by_role("button", name="Watch its last 5 s").click()
        screen.until("it plays", lambda: screen.button("Pause (Space)").count() == 1)
        assert screen.spot()[0] == 2
        screen.hold()
    assert over >= 1, "no overkill was told apart"
    screen.shoot("room-why")


def _number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", ""))


# ---- the board ---------------------------------------------------------------------------------------------


def smallest(places: Locator) -> float:
    """Return the size of the smallest letters in some places, CSS pixels."""
    return float(min(places.evaluate_all(SIZES)))


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (3840, 2160)])
def test_a_projector_shows_scores_round_clock_and_events_for_the_back_row(
    width: int, height: int, new_screen: NewScreen, replayed: str
) -> None:
    screen = new_screen(width, height).open(with_query(replayed, "overlay=1") + "#turn=2.150")
    board = screen.page.locator("#room-board")
    screen.until("the board is there", lambda: board.is_visible() and "Round 2 of 3" in board.inner_text())
    text = board.inner_text()
    assert all(name in text for name in ("Ace", "Spinner", "Tracker", "Rammer"))
    assert "0:05" in text
    assert "turn 150" in text
    screen.until("events are told", lambda: board.locator(".room-events li").count() >= 1)
    assert smallest(board) >= LETTERS_PX * height / 1080
    for place in ("#head", "#side", "#bottom", "#view-buttons"):
        assert not screen.page.locator(place).is_visible(), place
    screen.shoot(f"room-board-{width}")


def test_the_winner_is_shown_between_rounds_and_at_the_end(new_screen: NewScreen, replayed: str) -> None:
    screen = new_screen(1920, 1080).open(with_query(replayed, "overlay=1&tps=400"))
    winner = screen.page.get_by_role("region", name="Winner")
    screen.until("the winner of round 1", lambda: "Round 1: " in " ".join(winner.all_inner_texts()))
    assert "win" in winner.inner_text()
    assert smallest(winner) >= LETTERS_PX
    screen.shoot("room-winner")
    screen.until("the winner of all", lambda: "!" in " ".join(winner.all_inner_texts()))
    screen.shoot("room-winner-final")
    struck = "names => names.filter(name => getComputedStyle(name).textDecorationLine !== 'none').length"
    assert screen.page.locator("#room-board .room-scores .out .name").count() >= 1
    assert screen.page.locator("#room-board .room-scores .name").evaluate_all(struck) == 0, (
        "a winner struck out"
    )


CROWD = ["Spinner", "Tracker", "Rammer", "Duck"] * 3


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a battle of many bots."""
    record = tmp_path_factory.mktemp("crowd") / "many.twr"
    with Running("battle", *CROWD, "--rounds", "2", "--seed", "3", "--record", record) as battle:
        assert battle.wait() == 0, battle.lines
    with Running("replay", record, "--no-open") as replay:
        yield replay.page()


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (390, 844)])
def test_a_board_of_many_bots_cuts_no_line_and_counts_the_hidden_bots(
    width: int, height: int, new_screen: NewScreen, crowd: str
) -> None:
    screen = new_screen(width, height).open(with_query(crowd, "overlay=1&tps=400"))
    board = screen.page.locator("#room-board")
    winner = screen.page.get_by_role("region", name="Winner")
    for where in ("the board", "the arena"):  # between the rounds, at the end
        aside = where == "the board"
        screen.until(
            f"a winner stands on {where}",
            lambda a=aside: winner.is_visible() and board.locator(".room-winner").count() == a,
        )
        cut, seen, more = screen.until("all is counted", lambda: board.evaluate(COUNTED))
        assert not cut
        assert seen >= 2
        assert seen + more == len(CROWD)
        screen.shoot(f"room-board-many-{width}-{'between' if aside else 'end'}")


def test_a_waiting_projector_shows_only_a_message_in_large_letters(
    new_screen: NewScreen, films: Films, tmp_path: Path
) -> None:
    (tmp_path / "one.twr").write_bytes(films.twr.read_bytes())
    with Running("serve", "--records", tmp_path, "--port", "0", "--no-open") as server:
        desk = new_screen().open(server.page())
        desk.page.get_by_role("link", name="one.twr").wait_for()
        wall = new_screen(1920, 1080).open(with_query(server.page(), "overlay=1"))
        welcome = wall.page.locator("#welcome")
        wall.until("it waits", lambda: "Waiting" in welcome.inner_text())
        wall.until("the records are known", lambda: welcome.locator(".records a").count() == 1)
        assert not welcome.get_by_role("button").is_visible()
        assert not welcome.locator(".records").is_visible()
        assert smallest(welcome) >= LETTERS_PX
        for one in (desk, wall):
            one.witness.expected.append("ERR_CONNECTION_REFUSED")  # the server ends before the page


def test_the_board_is_there_for_snake_on_a_phone_and_in_a_page_from_disk(
    new_screen: NewScreen, snake_page: str, films: Films
) -> None:
    for nth, (url, size) in enumerate(
        [(snake_page, (1920, 1080)), (snake_page, (390, 844)), (films.html.as_uri(), (1920, 1080))]
    ):
        screen = new_screen(*size).open(with_query(url, "overlay=1"))
        board = screen.page.locator("#room-board")
        screen.until("the board is there", lambda b=board: b.is_visible() and "turn" in b.inner_text())
        assert smallest(board) >= (LETTERS_PX if size[1] == 1080 else 16)
        screen.page.wait_for_timeout(1000)
        screen.shoot(f"room-board-other-{nth}")


def test_a_kiosk_goes_through_the_records_of_its_server(
    new_screen: NewScreen, films: Films, tmp_path: Path
) -> None:
    records = tmp_path / "records"
    records.mkdir()
    for name in ("one", "two"):
        (records / f"{name}.twr").write_bytes(films.twr.read_bytes())
    with Running("serve", "--records", records, "--port", "0") as server:
        screen = new_screen(960, 540).open(with_query(server.page(), "kiosk=1&tps=1000"))
        screen.witness.expected.append("ERR_CONNECTION_REFUSED")  # the server ends before the page
        asked = screen.witness.requests
        for nth in (1, 2):
            screen.until_seen(lambda n=nth: len([one for one in asked if one.endswith(".twr")]) >= n)
        shown = [one.rsplit("/", 1)[1] for one in asked if one.endswith(".twr")]
        assert sorted(shown[:2]) == ["one.twr", "two.twr"]
        screen.until("the board is there", lambda: screen.page.locator("#room-board").is_visible())
        screen.shoot("room-kiosk")


# ---- sharing -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["tank", "snake", "disk"])
def test_a_picture_and_a_film_are_made_in_the_page(
    game: str, screen: Screen, replayed: str, snake_page: str, films: Films, tmp_path: Path
) -> None:
    url = {"tank": replayed, "snake": snake_page, "disk": films.html.as_uri()}[game]
    screen.open(url + "#turn=1.40").until_loaded()
    screen.hold()
    at = screen.spot()
    screen.button("Share").click()
    dialog = screen.page.get_by_role("dialog", name="Share")
    screen.shoot(f"room-share-{game}")
    with screen.page.expect_download() as picture:
        dialog.get_by_role("button", name="Save a picture").click()
    picture.value.save_as(tmp_path / "picture.png")
    shot = (tmp_path / "picture.png").read_bytes()
    assert shot[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(shot[16:20], "big") >= 600
    assert len(shot) > 5000, "an empty picture"
    dialog.get_by_label("First turn of the video").fill("10")
    dialog.get_by_label("Last turn of the video").fill("100")
    with screen.page.expect_download() as film:
        dialog.get_by_role("button", name="Make the video").click()
    film.value.save_as(tmp_path / "film.webm")
    assert film.value.suggested_filename.endswith("10-100.webm")
    assert (tmp_path / "film.webm").read_bytes()[:4] == b"\x1a\x45\xdf\xa3"
    screen.press("Escape")
    screen.until("the page shows what it showed before", lambda: screen.spot() == at)


def test_a_missing_span_is_reported(screen: Screen, replayed: str) -> None:
    screen.open(replayed + "#turn=1.40").until_loaded()
    screen.hold()
    screen.press("g")
    dialog = screen.page.get_by_role("dialog", name="Share")
    dialog.get_by_label("First turn of the video").fill("90000")
    dialog.get_by_role("button", name="Make the video").click()
    screen.until("it says so", lambda: "not in the part of the battle" in dialog.inner_text())


# ---- the arena ---------------------------------------------------------------------------------------------


def test_radar_wedges_are_quiet_until_a_bot_is_selected(screen: Screen, replayed: str) -> None:
    screen.open(replayed + "#turn=1.150").until_loaded()
    screen.hold()
    screen.shoot("room-arena")
    screen.witness.expected.append("willReadFrequently")  # of the canvas that is looked at here
    drawn = """canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
      .some((value, k) => k % 4 === 3 && value > 0)"""
    haze = screen.page.locator("#haze")
    assert not haze.evaluate(drawn)
    screen.press("s")
    screen.press("s")
    screen.until("those of all are drawn when asked for", lambda: haze.evaluate(drawn))


def test_sounds_are_off_until_they_are_switched_on(screen: Screen, replayed: str) -> None:
    screen.page.add_init_script(
        """window.heard = 0;
           const start = AudioScheduledSourceNode.prototype.start;
           AudioScheduledSourceNode.prototype.start = function (...given) {
             window.heard += 1;
             return start.apply(this, given);
           };"""
    )
    screen.open(replayed).until_loaded()
    screen.until("shots were fired", lambda: screen.spot()[1] > 150)
    assert screen.page.evaluate("window.heard") == 0
    screen.button("Sounds on or off").click()
    screen.until("they are heard", lambda: screen.page.evaluate("window.heard") > 3)
    assert screen.button("Sounds on or off").get_attribute("aria-pressed") == "true"

"""States of a battle on the page: a crash in the ranking, messages in full, the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packages.core.tests.cli.running import Running
from packages.core.tests.net.bot_directories import make_bot
from tests.browser.crashing_bot import CRASHES
from tests.browser.screen import Screen

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import NewScreen

_IS_WHOLE = "place => place.scrollWidth <= place.clientWidth && place.scrollHeight <= place.clientHeight"


def test_a_crash_is_marked_in_the_ranking_and_its_message_is_whole(
    new_screen: NewScreen, tmp_path: Path
) -> None:
    bot, record = make_bot(tmp_path, "Mine", {"Mine.py": CRASHES}), tmp_path / "b.twr"
    words = ["battle", bot, "Spinner", "Tracker", "--rounds", "1", "--seed", "3", "--record", record]
    words += ["--pacing", "together"]
    with Running(*words, "--watch", "--no-open", "--wait", "60s", "--keep-open") as command:
        live = new_screen().open(command.page()).until_shown()
        message = live.page.locator(".status-message")
        live.until("the message is there", lambda: "crashed in turn 3" in message.inner_text())
        assert message.evaluate(_IS_WHOLE), "all of it can be read, next to the controls for everyone"
        mark = live.page.locator("table.ranking tr", has_text="Mine").locator(".failure")
        live.until("its row is marked", lambda: "crashed" in mark.inner_text())
        assert "ZeroDivisionError" in (mark.get_attribute("title") or "")
        live.until("the battle is over", lambda: "■ over" in live.status())
        live.until("its end is shown", lambda: live.page.get_by_role("button", name="Play again").count())
        assert live.page.get_by_role("button", name="Live").get_attribute("aria-pressed") == "false"
        live.witness.expected += ["ERR_CONNECTION_REFUSED", "analysis"]  # the server ends
    with Running("replay", record, "--no-open") as command:
        again = new_screen().open(command.page() + "#turn=1.2").until_loaded()
        assert again.page.locator(".failure:visible").count() == 0, "it has not happened yet"
        again.press("ArrowRight")
        again.until("it is marked from its turn on", lambda: again.page.locator(".failure:visible").count())


def test_the_end_of_a_record_offers_to_play_it_again(screen: Screen, replayed: str) -> None:
    screen.open(replayed).until_loaded()
    screen.press("End")
    again = screen.page.get_by_role("button", name="Play again")
    again.wait_for()
    places = screen.page.locator("table.ranking .place-cell")
    assert places.all_inner_texts() == sorted(places.all_inner_texts()), "at the end the places are in order"
    again.click()
    screen.until("it plays from its beginning", lambda: 0 < screen.index() < 200)

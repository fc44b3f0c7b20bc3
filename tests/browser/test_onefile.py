"""The page that `turnwright replay --html` writes, opened from disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.screen import Screen

if TYPE_CHECKING:
    from tests.browser.conftest import Films


def test_a_page_from_disk_plays_and_asks_for_nothing(screen: Screen, films: Films) -> None:
    url = films.html.as_uri()
    screen.open(url).until_loaded()
    assert "verified here" in screen.status()
    screen.until("time goes on", lambda: screen.spot()[1] > 5)
    screen.hold()
    screen.page.get_by_label("Jump to a round").select_option("2")
    screen.until("round 2 is shown", lambda: screen.spot() == (2, 1))
    screen.press("ArrowRight")
    screen.until("one turn later", lambda: screen.spot() == (2, 2))
    screen.press("End")
    screen.until("the end", lambda: screen.index() == screen.ends()[1])
    asked = [address for address in screen.witness.requests if not address.startswith("data:")]
    assert asked == [url]
    screen.shoot("one-file")


def test_a_page_from_disk_may_reach_no_network(screen: Screen, films: Films) -> None:
    screen.open(films.html.as_uri()).until_shown()
    outcome = screen.page.evaluate("fetch('http://127.0.0.1:9/').then(() => 'sent', error => String(error))")
    assert "sent" not in outcome
    (breach,) = screen.until("the breach is reported", lambda: screen.witness.breaches)
    assert "http://127.0.0.1:9/" in breach
    screen.witness.breaches.clear()
    screen.witness.expected += ["Content Security Policy", "Content-Security-Policy"]


def test_a_link_to_a_turn_works_in_a_page_from_disk(screen: Screen, films: Films) -> None:
    screen.open(films.html.as_uri() + "#turn=3.5").until_loaded()
    screen.until("the turn is shown", lambda: screen.spot() == (3, 5))


def test_another_file_can_be_dropped_on_a_page_from_disk(screen: Screen, films: Films) -> None:
    screen.open(films.html.as_uri()).until_loaded()
    screen.drop(films.royale)
    screen.until("the other one is shown", lambda: "verified" not in screen.status())
    screen.until_loaded()

"""Our record, served by `turnwright replay`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from packages.core.tests.cli.running import Running
from tests.browser.screen import Screen

if TYPE_CHECKING:
    from tests.browser.conftest import Films, NewScreen


def test_a_record_plays_and_is_verified(screen: Screen, replayed: str) -> None:
    screen.open(replayed).until_loaded()
    assert "verified here" in screen.status()
    assert "record" in screen.status()
    before, energies = screen.turn(), screen.energies()
    assert sorted(energies) == ["Ace", "Rammer", "Spinner", "Tracker"]
    screen.until("time goes on", lambda: screen.turn() > before + 20)
    screen.until("the arena says so too", lambda: f"turn {before}" not in screen.arena())
    assert screen.witness.outside(screen.host) == []
    screen.shoot("replay-playing")


def test_a_page_is_few_requests_so_that_it_is_soon_there_over_a_slow_link(
    screen: Screen, replayed: str
) -> None:
    screen.open(replayed).until_loaded()
    assert 3 < len(screen.witness.requests) <= 8, screen.witness.requests


def test_the_timeline_is_a_slider_for_the_keyboard(screen: Screen, replayed: str) -> None:
    screen.open(replayed).until_loaded()
    screen.hold()
    first, last = screen.ends()
    screen.timeline.focus()
    screen.press("End")
    screen.until("the end is shown", lambda: screen.index() == last)
    screen.press("Home")
    screen.until("the beginning is shown", lambda: screen.index() == first)
    for key, index in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("Shift+ArrowRight", 11)]:
        screen.press(key)
        screen.until(f"{key} leads to {index}", lambda index=index: screen.index() == index)
    screen.press("PageDown")
    screen.until("round 2 begins", lambda: screen.spot() == (2, 1))
    screen.press("PageUp")
    screen.until("round 1 begins", lambda: screen.spot() == (1, 1))


def test_buttons_step_both_ways_and_rounds_are_jumped_to(screen: Screen, replayed: str) -> None:
    screen.open(replayed).until_loaded()
    round_number, turn = screen.hold()
    screen.button("One turn forward").click()
    screen.until("one turn later", lambda: screen.spot() == (round_number, turn + 1))
    screen.button("One turn back").click()
    screen.button("One turn back").click()
    screen.until("two turns earlier", lambda: screen.spot() == (round_number, turn - 1))
    screen.page.get_by_label("Jump to a round").select_option("3")
    screen.until("round 3 is shown", lambda: screen.spot() == (3, 1))
    screen.press("n")
    died = screen.until("a death is shown", lambda: screen.spot() if screen.spot() > (3, 1) else None)
    log = screen.tab("Events")
    assert f"{died[0]}.{died[1]}" in log.inner_text()


def test_a_link_leads_to_the_same_turn_in_another_page(
    screen: Screen, new_screen: NewScreen, replayed: str
) -> None:
    screen.open(replayed).until_loaded()
    screen.hold()
    screen.page.get_by_label("Jump to a round").select_option("2")
    screen.press("Shift+ArrowRight")
    screen.until("turn 11", lambda: screen.spot() == (2, 11))
    energies = screen.energies()
    screen.until("the address names it", lambda: screen.page.url.endswith("#turn=2.11"))
    other = new_screen().open(screen.page.url).until_loaded()
    other.until("the same turn", lambda: other.spot() == (2, 11))
    assert other.button("Play (Space)").count() == 1
    other.until("the same energies", lambda: other.energies() == energies)


def test_speeds_go_from_still_to_as_fast_as_it_draws(screen: Screen, replayed: str) -> None:
    screen.open(replayed).until_loaded()
    rates = screen.page.get_by_label("Speed", exact=True)
    options = rates.locator("option").all_inner_texts()
    assert {"0.1×", "1×", "16×", "max", "0 (still)", "1 TPS", "1000 TPS"} <= set(options)
    rates.select_option(label="0 (still)")
    screen.page.wait_for_timeout(300)  # what was drawn meanwhile has been shown
    screen.still()
    still = screen.turn()
    screen.page.wait_for_timeout(400)
    assert screen.turn() == still
    rates.select_option(label="16×")
    screen.until("it goes on", lambda: screen.turn() != still)
    screen.press("End")
    for _ in range(6):
        screen.press("Shift+ArrowLeft")
    rates.select_option(label="max")
    screen.button("Play (Space)").click()
    screen.until("the end is reached", lambda: screen.index() == screen.ends()[1])
    rates.select_option(label="1000 TPS")
    screen.press("Home")
    screen.button("Play (Space)").click()
    card = screen.page.get_by_role("region", name="Results")
    screen.until("the final results are shown", lambda: "Final results" in " ".join(card.all_inner_texts()))
    screen.shoot("replay-final-results")


def test_the_record_in_the_page_is_the_record_on_disk(screen: Screen, replayed: str, films: Films) -> None:
    screen.open(replayed).until_loaded()
    screen.hold()
    assert f"of {films.rounds}" in screen.status()
    screen.press("End")
    screen.until("the last round", lambda: screen.spot()[0] == films.rounds)
    screen.button("Results").click()
    dialog = screen.page.get_by_role("dialog", name="Final results")
    assert dialog.is_visible()
    assert "Ace" in dialog.inner_text()


def test_without_a_chosen_bot_the_page_shows_the_fate_of_each(screen: Screen, replayed: str) -> None:
    screen.open(replayed + "#turn=2.1").until_loaded()
    panel = screen.tab("Why?")
    fates = panel.get_by_role("button")
    screen.until("all bots are told of", lambda: fates.count() == 4 and "died in" in fates.first.inner_text())
    assert "1st, " in fates.last.inner_text(), "who lost stands first"
    screen.shoot("why-nobody-chosen")
    fates.first.click()
    screen.until("it is told", lambda: "died in turn" in panel.locator(".headline").inner_text())
    assert panel.locator(".reasons li").count() >= 2
    screen.shoot("why-of-a-finished-battle")
    assert screen.spot()[1] > 1, "the turn of its death is shown"


def test_opening_why_closes_the_results(screen: Screen, replayed: str) -> None:
    screen.open(replayed).until_loaded()
    screen.press("End")
    card = screen.page.locator(".results-card")
    card.get_by_role("button", name="Why did Spinner").click()
    screen.until("it is told", lambda: screen.page.locator(".why-panel .headline").is_visible())
    assert not card.is_visible(), "what is told can be seen in the arena"


def test_the_view_of_a_dead_bot_says_when_it_died(screen: Screen, replayed: str) -> None:
    screen.open(replayed).until_loaded()
    screen.hold()
    screen.ranking_row("Spinner").click()
    screen.press("End")
    panel = screen.tab("Bot's view")
    screen.until("it says so", lambda: "It died in turn" in panel.inner_text())


def test_bots_of_the_same_name_are_numbered_in_sentences(screen: Screen, tmp_path: Path) -> None:
    record = tmp_path / "twins.twr"
    words = ["battle", "Ace", "Ace", "Spinner", "--rounds", "1", "--seed", "3", "--record", str(record)]
    with Running(*words) as battle:
        assert battle.wait() == 0
    with Running("replay", record, "--no-open") as replay:
        screen.open(replay.page()).until_loaded()
        screen.hold()
        screen.press("End")
        log = screen.tab("Events")
        screen.until("both are named", lambda: {"Ace #1", "Ace #2"} <= set(_aces(log.inner_text())))
        assert "Ace" in screen.energies(), "in the table the number stands before the name"


def _aces(text: str) -> list[str]:
    return re.findall(r"Ace #\d", text)

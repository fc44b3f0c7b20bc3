"""The page of a tournament: as a file, on its server, and with hostile names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from packages.league.tests.tournament.play import RULES, battle, by_strength, entries_of, play_all
from tests.browser.axe import AXE, faults
from tests.browser.injections import INJECTIONS, visible
from tests.browser.screen import Screen
from turnwright.app.game.playable import find_game
from turnwright.kernel.failure import Failure, FailureReason
from turnwright_league.app.page.content import NAME_MAX, PageProgress, PageSource, page_data
from turnwright_league.app.page.files import tournament_page
from turnwright_league.app.page.server import LivePage, TournamentPages
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.pairings import PairingRules
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.ratings import ratings_of
from turnwright_league.tournament.standings import standings_of
from turnwright_league.tournament.versions import BotVersion

if TYPE_CHECKING:
    from tests.browser.conftest import Films, NewScreen

SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SWISS = replace(RULES, format="swiss")
KNOCKOUT = replace(RULES, format="knockout")


def source(
    entries: Sequence[TournamentEntry], rules: PairingRules = RULES, at_us: int = 1_790_000_000_000_000
) -> PageSource:
    played = play_all(entries, rules, by_strength(entries, 5.0))
    played = [_marked(one, nth, at_us) for nth, one in enumerate(played)]
    table = standings_of(entries, played, rules, ratings_of(entries, played).columns)
    progress = PageProgress(
        len(played), 2 * len(played), 95.0, 2, (f"{entries[0].name} v {entries[1].name}",)
    )
    return PageSource("Friday cup", entries, played, table, at_us, "my-cup", rules, progress)


def _marked(battle: PlayedBattle, nth: int, at_us: int) -> PlayedBattle:
    """Return a battle with times and a record; some are suspect, forfeits, void."""
    rows = tuple(replace(row, p50_us=900, p99_us=2400 + nth, survival=row.score) for row in battle.scores)
    battle = replace(battle, scores=rows, turns=800, played_us=at_us + nth * 1_000_000, record="yes")
    if nth % 17 == 3:
        return replace(battle, suspect=("the server was late in 12 of 800 turns",), server_late_turns=12)
    if nth % 23 == 5:
        return replace(
            battle,
            state="forfeit",
            scores=(replace(rows[0], score=0.0, failure=Failure(FailureReason.CRASHED, 1, 3)), *rows[1:]),
        )
    return replace(battle, state="void") if nth % 31 == 7 else battle


@pytest.fixture
def file(tmp_path: Path) -> Callable[[PageSource], str]:
    def write(given: PageSource) -> str:
        path = tmp_path / "index.html"
        path.write_bytes(tournament_page(page_data(given)))
        return path.as_uri()

    return write


def cells(screen: Screen, column: str) -> list[str]:
    """Return what a column of the standings shows."""
    return screen.page.locator(f".standings tbody .is-{column}").all_inner_texts()


def test_a_file_shows_the_standings_and_asks_for_nothing(
    screen: Screen, file: Callable[[PageSource], str]
) -> None:
    given = source(entries_of(12))
    url = file(given)
    screen.open(url)
    assert cells(screen, "aps") == [f"{row.aps:.1f}" for row in given.standings.rows]
    assert [url] == [one for one in screen.witness.requests if not one.startswith("data:")]
    names = screen.page.locator(".standings tbody th .entry-name").all_inner_texts()
    assert names == [row.name for row in given.standings.rows]
    screen.shoot("tournament", full_page=True)


def test_columns_are_sorted_with_the_keyboard(screen: Screen, file: Callable[[PageSource], str]) -> None:
    given = source(entries_of(12))
    screen.open(file(given))
    wins = sorted((row.win_share or 0.0 for row in given.standings.rows), reverse=True)
    screen.button("Wins").focus()
    screen.press("Enter")
    assert cells(screen, "win_share") == [f"{one:.1f}" for one in wins]
    header = screen.page.locator("thead .is-win_share")
    assert header.get_attribute("aria-sort") == "descending"
    screen.press("Enter")  # it has kept the focus
    assert cells(screen, "win_share") == [f"{one:.1f}" for one in reversed(wins)]
    assert header.get_attribute("aria-sort") == "ascending"


def test_a_cell_leads_to_its_battles(screen: Screen, file: Callable[[PageSource], str]) -> None:
    given = source(entries_of(12))
    screen.open(file(given))
    met = {cell.entry + cell.opponent for cell in given.standings.pairings}
    bad = next(one for one in given.played if one.suspect and "".join(dict.fromkeys(one.spec.seats)) in met)
    rank = {row.entry: row for row in given.standings.rows}
    one, other = (rank[entry] for entry in dict.fromkeys(bad.spec.seats))
    screen.page.get_by_role("button", name=re.compile(f"^{one.name} against {other.name}:")).click()
    dialog = screen.page.get_by_role("dialog")
    said = dialog.inner_text()
    assert f"{one.name} against {other.name}" in said
    for words in (str(bad.spec.seed), bad.suspect[0], f"my-cup/records/{bad.id[:2]}/{bad.id}.twr"):
        assert words in said
    assert dialog.locator("a").count() == 0
    screen.shoot("tournament-battles")
    screen.press("Escape")
    screen.button("Show ").click()
    assert "crashed" in dialog.inner_text()


@pytest.mark.parametrize(("width", "height"), [(360, 640), (844, 390), (1920, 1080)])
def test_nothing_is_wider_than_the_screen(
    width: int, height: int, new_screen: NewScreen, file: Callable[[PageSource], str]
) -> None:
    screen = new_screen(width=width, height=height).open(file(source(entries_of(9), SWISS)))
    assert screen.page.evaluate(SIDEWAYS) == 0
    screen.shoot(f"tournament-{width}")
    screen.page.locator("button.heat").first.click()
    dialog = screen.page.locator("dialog .dialog-body")
    assert dialog.evaluate("one => one.scrollWidth - one.clientWidth") == 0


LONG = "The quick brown fox jumps over the lazy dog "
CUT = "one => one.scrollWidth > one.clientWidth + 2"
EDGE = "one => one.getBoundingClientRect().right"


def test_on_a_phone_wide_tables_show_a_cue_and_keep_names_in_sight(
    new_screen: NewScreen, file: Callable[[PageSource], str]
) -> None:
    entries = [replace(one, name=f"{LONG}{one.name}") for one in entries_of(9)]
    screen = new_screen(width=390, height=844).open(file(source(entries)))
    for label in ("Standings, table", "Pairings, table", "Failures, table"):
        box = screen.page.get_by_role("region", name=label)
        assert box.evaluate(CUT), label
        screen.until("its cue is there", lambda one=box: "more-right" in (one.get_attribute("class") or ""))
        box.evaluate("one => one.scrollTo(one.scrollWidth, 0)")
        screen.until(
            "the cue is on the other side",
            lambda one=box: (one.get_attribute("class") or "").split() == ["scroll", "more-left"],
        )
        name = box.locator("tbody th").first.bounding_box()
        assert name is not None
        assert 0 <= name["x"] < 195, "the name stays in sight"
    screen.page.locator("button.heat").first.click()
    dialog = screen.page.get_by_role("dialog")
    way = dialog.locator(".replay").first
    assert way.evaluate(EDGE) <= 390
    assert dialog.get_by_role("region").first.evaluate(CUT)
    screen.shoot("tournament-phone-battles")


def test_a_redrawn_page_stays_scrolled(new_screen: NewScreen, live: LivePage) -> None:
    given = source(entries_of(12))
    url = live.start()
    assert url is not None
    live.show(lambda kind: replace(given, replays=kind))
    screen = new_screen(width=390, height=844).open(url)
    box = screen.page.get_by_role("region", name="Pairings, table")
    box.evaluate("one => one.scrollTo(100, 0)")
    live.show(lambda kind: replace(given, replays=kind, at_us=given.at_us + 1, title="Redrawn"))
    screen.until("it is drawn anew", lambda: screen.page.locator("#title").inner_text() == "Redrawn")
    assert box.evaluate("one => one.scrollLeft") == 100


def test_a_projector_shows_large_standings(new_screen: NewScreen, file: Callable[[PageSource], str]) -> None:
    screen = new_screen(width=1920, height=1080).open(file(source(entries_of(12))) + "?big=1")
    name = screen.page.locator(".standings tbody th .entry-name").first
    assert float(name.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")) >= 30
    assert screen.page.locator("#standings, #progress").count() == 2
    assert not screen.page.locator("#pairings").is_visible()
    assert screen.page.locator(".standings tbody tr:visible").count() == 12
    screen.shoot("tournament-projector")
    screen.button("Projector").click()
    assert screen.page.locator("#pairings").is_visible()


def test_a_name_leads_to_the_versions_of_a_bot(screen: Screen, file: Callable[[PageSource], str]) -> None:
    given = source(entries_of(5))
    bot = given.standings.rows[1]
    (entry,) = (one for one in given.entries if one.id == bot.entry)
    old = BotVersion(replace(entry, version="0.9"), False, given.at_us, given.at_us + 60_000_000, 12.3, 4, 8)
    new = BotVersion(entry, True, 0, 0, bot.aps, 4, bot.battles)
    screen.open(file(replace(given, versions={bot.entry: (new, old)})))
    screen.page.locator(".standings tbody").get_by_role("button", name=bot.name).click()
    rows = screen.page.get_by_role("dialog").locator(".versions tbody tr")
    assert rows.count() == 2
    said = rows.all_inner_texts()
    assert "(current)" in said[0]
    assert "0.9" in said[1]
    assert "12.3" in said[1]
    screen.shoot("tournament-versions")


def test_uncertain_figures_look_uncertain(screen: Screen, file: Callable[[PageSource], str]) -> None:
    one, other, late = entries_of(3)
    equal = [battle({one.id: 3, other.id: 1}, seed) for seed in (1, 2)]
    why = "the server was late in 12 of 800 turns"
    played = [*equal, battle({one.id: 3, late.id: 1}, 3, suspect=(why,))]
    table = standings_of([one, other, late], played, None)
    screen.open(file(PageSource("cup", [one, other, late], played, table, 5)))
    assert cells(screen, "alike") == cells(screen, "interval") == []  # nothing is known: no columns of dashes
    assert cells(screen, "rank")[-1] == "–"
    last = screen.page.locator(".standings tbody tr").last.inner_text()
    assert why in last
    assert "1 played" in last


def test_a_swiss_table_has_points_opponents_and_ways_to_their_battles(
    screen: Screen, file: Callable[[PageSource], str]
) -> None:
    given = source(entries_of(9), SWISS)
    screen.open(file(given))
    assert cells(screen, "points") == [f"{row.points:.1f}" for row in given.standings.rows]
    rows = screen.page.locator("#swiss tbody tr")
    data = page_data(given)
    assert rows.count() == 9
    shown = rows.first.locator("td, th").all_inner_texts()
    assert shown[1] == given.standings.rows[0].name
    assert shown[2:4] == [f"{number:.1f}" for number in data["swiss"][0]]
    assert len(shown) == 4 + len(data["rounds"])
    assert screen.page.locator("#swiss td", has_text=re.compile("^bye$")).count() == len(data["rounds"])
    screen.shoot("tournament-swiss", full_page=True)
    result = rows.first.locator("button.result").first
    words = result.get_attribute("title") or ""
    result.click()
    assert screen.page.get_by_role("dialog").locator(".played").count() >= 1
    assert re.search(r"Round 1: Bot\d+ (beat|lost to|drew with|meets) Bot\d+", words)


def bracket_texts(screen: Screen) -> list[list[str]]:
    """Return what each match of the bracket shows, by round."""
    rounds = screen.page.locator("#bracket .bracket-round:not(.champion)").all()
    return [one.locator(".match").all_inner_texts() for one in rounds]


def test_a_bracket_leads_from_the_first_round_to_the_winner(
    screen: Screen, file: Callable[[PageSource], str]
) -> None:
    given = whole_cup(13)
    screen.open(file(given))
    assert [len(matches) for matches in bracket_texts(screen)] == [8, 4, 2, 1]
    heads = screen.page.locator("#bracket h3").all_inner_texts()
    assert heads == ["Round of 16", "Quarter-finals", "Semi-finals", "Final", "Winner"]
    assert screen.page.locator("#bracket .bye").count() == 3
    assert screen.page.locator("#bracket .champion .entry-name").inner_text() == given.standings.rows[0].name
    final = screen.page.locator("#bracket button.card").last
    assert given.standings.rows[0].name in final.inner_text()
    screen.shoot("tournament-bracket", full_page=True)
    final.click()
    assert screen.page.get_by_role("dialog").locator(".played").count() == 2


def whole_cup(count: int) -> PageSource:
    """A knockout that is over, of battles that all count."""
    entries = entries_of(count)
    played = play_all(entries, KNOCKOUT, by_strength(entries, 5.0))
    table = standings_of(entries, played, KNOCKOUT, ratings_of(entries, played).columns)
    return PageSource("Friday cup", entries, played, table, 1_790_000_000_000_000, "my-cup", KNOCKOUT)


@pytest.mark.parametrize(("width", "height"), [(360, 640), (1920, 1080)])
def test_a_bracket_is_scrolled_and_makes_no_page_wider(
    width: int, height: int, new_screen: NewScreen, file: Callable[[PageSource], str]
) -> None:
    screen = new_screen(width=width, height=height).open(file(source(entries_of(13), KNOCKOUT)))
    assert screen.page.evaluate(SIDEWAYS) == 0
    assert "so far" in screen.page.locator("#bracket").inner_text()
    screen.shoot(f"tournament-bracket-{width}", full_page=True)


def test_a_projector_shows_the_bracket_large(
    new_screen: NewScreen, file: Callable[[PageSource], str]
) -> None:
    screen = new_screen(width=1920, height=1080).open(file(whole_cup(13)) + "?big=1")
    name = screen.page.locator("#bracket .entry-name:visible").first
    assert float(name.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")) >= 30
    heads = screen.page.locator("#bracket h3:visible").all_inner_texts()
    assert heads == ["Quarter-finals", "Semi-finals", "Final", "Winner"]
    assert not screen.page.locator("#standings").is_visible()
    assert screen.page.evaluate(SIDEWAYS) == 0
    screen.shoot("tournament-bracket-projector", full_page=True)


def test_a_projector_shows_a_large_bracket_from_the_round_of_16_on(
    new_screen: NewScreen, file: Callable[[PageSource], str]
) -> None:
    given = replace(whole_cup(40), played=[])
    screen = new_screen(width=1920, height=1080).open(file(given) + "?big=1")
    heads = screen.page.locator("#bracket h3:visible").all_inner_texts()
    assert heads == ["Round of 16", "Quarter-finals", "Semi-finals"]
    box = screen.page.get_by_role("region", name="Bracket, rounds")
    assert not box.evaluate(CUT)
    assert screen.page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0, (
        "nobody scrolls it"
    )
    screen.shoot("tournament-bracket-projector-40")


def test_lines_over_time_are_of_aps_or_of_a_rating(screen: Screen, file: Callable[[PageSource], str]) -> None:
    screen.open(file(source(entries_of(12))))
    lines = screen.page.locator("#over-time")
    assert lines.locator("h2").inner_text() == "APS over time"
    first = lines.locator("polyline").first.get_attribute("points")
    lines.get_by_role("button", name="Glicko-2").click()
    assert lines.locator("h2").inner_text() == "Glicko-2 over time"
    assert lines.locator("polyline").count() == 8
    assert lines.locator("polyline").first.get_attribute("points") != first
    assert lines.get_by_role("button", name="Glicko-2").get_attribute("aria-pressed") == "true"
    screen.shoot("tournament-ratings", full_page=True)


@pytest.mark.skipif(
    not AXE.is_file(), reason="no axe-core: npm install --prefix build/npm --no-save axe-core@4"
)
def test_checkers_of_accessibility_find_nothing(
    new_screen: NewScreen, file: Callable[[PageSource], str]
) -> None:
    screen = new_screen()
    screen.page.add_init_script(path=str(AXE))
    screen.open(file(source(entries_of(13), KNOCKOUT)))
    found = faults(screen, "bracket")
    screen.open(file(source(entries_of(9), SWISS)))
    found += faults(screen, "page")
    screen.page.locator("button.heat").first.click()
    found += faults(screen, "battles")
    assert not found, "\n".join(found)


@pytest.mark.long
def test_hostile_names_are_shown_as_text(
    screen: Screen, file: Callable[[PageSource], str], tmp_path: Path
) -> None:
    texts = INJECTIONS[:: max(1, len(INJECTIONS) // 60)]
    entries = [TournamentEntry(text, text, "bot", f"{nth:04x}") for nth, text in enumerate(INJECTIONS)]
    few = [one for one in entries if one.name in texts]
    given = source(few, SWISS)
    given = replace(given, title=texts[0], notes=tuple(texts), folder="'; canary(1); '")
    screen.open(file(given))
    shown = screen.page.locator(".standings tbody th .entry-name").all_inner_texts()
    assert len(shown) == len(few)
    assert sorted(shown) != sorted(set(texts))  # they are cut, and cleaned
    seen = visible(
        screen.page.evaluate("[...document.querySelectorAll('main, footer')].map(e => e.textContent).join()")
    )
    for text in texts:
        expected = "".join(one for one in visible(text) if one.isprintable())[:10]
        assert expected in seen, text
    for button in screen.page.locator(".standings tbody button.link").all()[::9]:
        button.click()
        screen.page.get_by_role("dialog").wait_for()
        assert screen.page.locator("dialog a").count() == 0
        screen.press("Escape")
    assert screen.page.locator("main a").count() == 0
    assert screen.page.evaluate(SIDEWAYS) == 0
    heights = screen.page.locator(".standings tbody .name-cell").evaluate_all(
        "all => all.map(one => one.clientHeight)"
    )
    assert max(heights) < 150
    assert all(len(one) <= NAME_MAX + 8 for one in shown)
    screen.shoot("tournament-hostile", full_page=True)
    assert not [url for url in screen.witness.outside() if not url.startswith("file:///")]


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LivePage]:
    """A live page, which is served."""
    page = LivePage(tmp_path, TournamentPages(find_game("tank"), lambda one: tmp_path / f"{one}.twr"))
    yield page
    page.close()


def test_a_live_page_follows_the_tournament_and_leads_to_replays(
    screen: Screen, new_screen: NewScreen, live: LivePage, tmp_path: Path, films: Films
) -> None:
    given = source(entries_of(5))
    url = live.start()
    assert url is not None
    live.show(lambda kind: replace(given, replays=kind))
    screen.open(url.removesuffix("/tournament"))  # "/" leads to it
    screen.until("it is shown", lambda: cells(screen, "aps"))
    assert "of 40 battles" in screen.page.locator("#progress").inner_text()
    more = replace(given, at_us=given.at_us + 1, progress=None, title="Saturday cup")
    live.show(lambda kind: replace(more, replays=kind))
    screen.until("it goes on", lambda: screen.page.locator("#title").inner_text() == "Saturday cup")
    assert screen.page.locator("#progress").count() == 0
    screen.page.locator("button.heat").first.click()
    link = screen.page.locator("dialog a").first
    battle = re.search(r"[0-9a-f]{40}", link.get_attribute("href") or "")
    assert battle is not None
    (tmp_path / f"{battle[0]}.twr").write_bytes(films.twr.read_bytes())
    with screen.page.context.expect_page() as opened:
        link.click()
    replay = Screen(opened.value, screen.witness).until_loaded()
    with opened.value.expect_response(re.compile("/analysis/")) as answer:
        replay.tab("Why?")
    assert answer.value.status == 200
    screen.witness.expected.append("Cannot redefine property: canary")  # of the second page, set twice
    replay.shoot("tournament-replay")
    index = new_screen().open((tmp_path / "index.html").as_uri())
    assert index.page.locator("#title").inner_text() == "Friday cup"
    assert cells(index, "aps") == [f"{row.aps:.1f}" for row in given.standings.rows]

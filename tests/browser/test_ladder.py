"""The pages of a ladder server: account, upload, ladder, projector, phone, hostile texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from packages.core.tests.app.bots import dice_game
from packages.core.tests.cli.running import Running
from packages.league.tests.app.ladder.client import WORD, LadderClient
from packages.league.tests.app.ladder.zips import PLAYS, zip_of
from tests.browser.axe import AXE, faults
from tests.browser.injections import INJECTIONS, visible
from tests.browser.screen import Screen

if TYPE_CHECKING:
    from tests.browser.conftest import NewScreen

pytestmark = pytest.mark.long

SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
TALKS = (
    "import sys\nfrom turnwright.client import play\n\n"
    "for text in {texts!r}:\n    print(text, file=sys.stderr, flush=True)\n"
    "play(lambda observation: 3)\n"
)


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Running]:
    """A ladder server that is served."""
    game = dice_game(tmp_path / "dice")
    with Running(
        "ladder", "--data", tmp_path / "club", "--game", game, "--sandbox", "none", "--port", "0", "--no-open"
    ) as served:
        yield served


def teacher_page(club: Running) -> str:
    return club.said(r"teacher: (\S+)")[1]


def register(screen: Screen, name: str) -> None:
    screen.page.get_by_label("Name", exact=True).fill(name)
    screen.page.get_by_label("Passphrase").fill(WORD)
    screen.button("Make an account").click()
    screen.page.locator("#upload").wait_for()


def upload(screen: Screen, name: str, data: bytes) -> None:
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": data}
    screen.page.locator("#upload input[type=file]").set_input_files(files=[file])  # type: ignore[list-item]
    screen.button("Upload").click()


def states(screen: Screen) -> list[str]:
    return screen.page.locator("#bots .upload .state").all_inner_texts()


def until(screen: Screen, state: str, bots: int) -> None:
    screen.until_seen(lambda: states(screen)[:bots].count(state) == bots)


def test_a_person_makes_an_account_uploads_and_sees_battles_with_replays(
    club: Running, screen: Screen, new_screen: NewScreen
) -> None:
    screen.open(club.page())
    screen.page.locator("#account form").wait_for()
    screen.shoot("arena-login")
    register(screen, "anna")
    assert screen.page.locator("#account .name").inner_text() == "Anna"
    upload(screen, "Broken.py", b"import os\ndef run(:\n")
    until(screen, "Refused", 1)
    problem = screen.page.locator("#bots .problems li").first.inner_text()
    assert problem.startswith("Broken.py, line 2: SyntaxError")
    talks = TALKS.format(texts=["hello, owner"]).encode()
    upload(screen, "Talker.zip", zip_of({"Talker/Talker.py": talks}))
    until(screen, "Plays on the ladder", 1)
    screen.until_seen(lambda: screen.page.locator("#battles li").count() > 1)
    screen.page.locator("#bots details summary").first.click()
    assert "hello, owner" in screen.page.locator("#bots .printed").first.inner_text()
    screen.until_seen(lambda: screen.page.locator("#ladder tr.own").count() == 1)
    assert "Talker (Anna)" in screen.page.locator("#ladder tr.own").inner_text()
    screen.shoot("arena-bots", full_page=True)
    with screen.page.context.expect_page() as opened:
        screen.page.locator("#battles a").first.click()
    replay = Screen(opened.value, screen.witness).until_loaded()
    screen.witness.expected.append("Cannot redefine property: canary")  # of the second page, set twice
    replay.shoot("arena-replay")
    other = new_screen().open(club.page())
    other.until_seen(lambda: other.page.locator("#ladder tbody tr").count() > 2)
    assert "hello, owner" not in other.text()
    assert screen.page.evaluate(SIDEWAYS) == 0


def test_a_newcomer_with_only_a_browser_gets_a_bot_that_plays(
    tmp_path: Path, screen: Screen, new_screen: NewScreen
) -> None:
    words = ("--sandbox", "none", "--port", "0", "--no-open")
    with Running("ladder", "--data", tmp_path / "club", *words) as served:
        screen.open(served.page())
        start = screen.page.locator("#start")
        start.get_by_label("Name of your bot").fill("class")
        screen.button("Download a starter bot").click()
        screen.until_seen(lambda: "choose another name" in start.inner_text())
        start.get_by_label("Name of your bot").fill("TurboBot")
        with screen.page.expect_download() as download:
            screen.button("Download a starter bot").click()
        assert download.value.suggested_filename == "TurboBot.py"
        download.value.save_as(tmp_path / "TurboBot.py")
        assert "first battle against Spinner" in start.inner_text()
        screen.shoot("arena-start", full_page=True)
        register(screen, "anna")
        upload(screen, "TurboBot.py", (tmp_path / "TurboBot.py").read_bytes())
        until(screen, "Plays on the ladder", 1)
        phone = new_screen(width=390, height=844).open(served.page())
        phone.page.locator("#start form").wait_for()
        assert phone.page.evaluate(SIDEWAYS) == 0
        phone.shoot("arena-start-phone", full_page=True)
        screen.witness.expected.append("400")  # the name that Python would not take
        screen.shoot("arena-start-plays", full_page=True)
        for one in (screen, phone):
            one.open("about:blank")


def test_a_visitor_watches_a_battle_that_is_played(tmp_path: Path, screen: Screen) -> None:
    game = dice_game(tmp_path / "dice")
    words = (
        "--game",
        game,
        "--set",
        "turns=200",
        "--sandbox",
        "none",
        "--port",
        "0",
        "--no-open",
        "--tps",
        "4",
    )
    with Running("ladder", "--data", tmp_path / "club", *words) as club:
        anna = LadderClient(club.page())
        anna.register("Anna")
        anna.until_settled(anna.upload(PLAYS, "Bot.py")[1]["upload"])
        screen.open(club.page())
        with screen.page.context.expect_page() as opened:
            screen.page.locator("#running a").first.click()
        live = Screen(opened.value, screen.witness)
        screen.witness.expected.append("Cannot redefine property: canary")  # of the second page, set twice
        live.until_seen(lambda: "live" in live.status())
        first = live.turn()
        live.until_seen(lambda: live.turn() > first > 0 or live.turn() > 3)
        live.shoot("arena-live")
        live.page.close()
        screen.open("about:blank")


def test_a_projector_shows_the_standings_large_and_a_phone_shows_all(
    club: Running, new_screen: NewScreen
) -> None:
    page = club.page()
    anna = LadderClient(page)
    anna.register("Anna")
    _, sent = anna.upload(PLAYS, "Bot.py")
    anna.until_settled(sent["upload"])
    wall = new_screen(width=1920, height=1080).open(page.replace("/ladder", "/projector"))
    rows = wall.page.locator(".standings tbody tr")
    wall.until_seen(lambda: rows.count() == 6)  # the five bots of the game, and hers
    assert wall.page.locator("html.big").count() == 1
    wall.shoot("arena-projector")
    phone = new_screen(width=360, height=640).open(page)
    register(phone, "Bert")
    upload(phone, "Bot.py", PLAYS)
    until(phone, "Plays on the ladder", 1)
    assert phone.page.evaluate(SIDEWAYS) == 0
    phone.shoot("arena-phone", full_page=True)


def test_the_teacher_opens_the_printed_address_and_has_the_class_in_hand(
    club: Running, screen: Screen
) -> None:
    address = teacher_page(club)
    anna = LadderClient(address)
    anna.register("Anna")
    sent = [anna.upload(PLAYS.replace(b"2", b"%d" % n), f"Bot{n}.py")[1]["upload"] for n in (3, 4)]
    for number in sent:
        anna.until_settled(number)
    screen.open(address)
    panel = screen.page.locator("#teacher")
    panel.get_by_role("button", name="Freeze uploads").wait_for()
    assert "#" not in screen.page.url  # the secret is not left in the address
    panel.get_by_role("button", name="Freeze uploads").click()
    anna.until("uploads are frozen", lambda: anna.get("/api/ladder")["frozen"])
    screen.until_seen(lambda: panel.get_by_role("button", name="Allow uploads").is_visible())
    assert not panel.get_by_role("button", name="Freeze uploads").is_visible()
    assert not panel.get_by_role("button", name="Stop it").is_visible()
    panel.get_by_role("button", name="Start it").click()
    screen.until_seen(lambda: "It begins when" in panel.inner_text() or "played" in panel.inner_text())
    screen.until_seen(lambda: "is over" in screen.page.locator("#tournaments").inner_text())
    screen.until_seen(lambda: panel.get_by_role("button", name="Start it").is_visible())
    assert "It begins when" not in panel.inner_text()
    screen.shoot("arena-teacher", full_page=True)
    panel.get_by_role("button", name="Remove Bot3, version 1 of Anna").click()
    anna.until("it is gone", lambda: anna.state_of(sent[0]) == "removed")
    panel.get_by_role("button", name="New passphrase for Anna").click()
    screen.until_seen(lambda: re.search(r"\d{4}-\d{4}-\d{4}", panel.inner_text()))
    with screen.page.expect_download() as download:
        panel.get_by_role("button", name="Download everything").click()
    assert download.value.suggested_filename.endswith(".zip")


@pytest.mark.skipif(
    not AXE.is_file(), reason="no axe-core: npm install --prefix build/npm --no-save axe-core@4"
)
def test_checkers_of_accessibility_find_nothing(club: Running, new_screen: NewScreen) -> None:
    screen = new_screen()
    screen.page.add_init_script(path=str(AXE))
    screen.open(teacher_page(club))
    screen.page.locator("#teacher h3").first.wait_for()
    found = faults(screen, "login")
    register(screen, "Anna")
    upload(screen, "Broken.py", b"def run(:\n")
    until(screen, "Refused", 1)
    upload(screen, "Bot.py", TALKS.format(texts=["a line"]).encode())
    until(screen, "Plays on the ladder", 1)
    screen.until_seen(lambda: screen.page.locator("#battles li").count() > 1)
    screen.page.locator("#bots details summary").first.click()
    found += faults(screen, "bots")
    assert not found, "\n".join(found)


def test_hostile_files_and_prints_are_shown_as_text(club: Running, screen: Screen) -> None:
    texts = [text for text in INJECTIONS[::4] if "\n" not in text]
    page = club.page()
    anna = LadderClient(page)
    anna.register("Anna")
    for nth, text in enumerate(texts[:12]):
        assert anna.upload(b"x = (%d" % nth, f"{text}.py")[0] == 202
    talks = TALKS.format(texts=texts).encode()
    numbers = [anna.upload(talks, "Talker.py")[1]["upload"]]
    config = '{"name": %s, "version": "1", "authors": ["x"], "description": "<script>canary(1)</script>"}'
    for nth, text in enumerate(("<b>bold</b>", "'\\\"><img src=x onerror=canary(2)>")):
        files = {f"Bot{nth}/Bot{nth}.py": talks, f"Bot{nth}/Bot{nth}.json": config % f'"{text}"'}
        numbers.append(anna.upload(zip_of(files), "x.zip")[1]["upload"])
    for number in numbers:
        assert anna.until_settled(number)["state"] == "plays"
    host = page.split("/")[2].split(":")[0]
    screen.page.context.add_cookies(
        [{"name": name, "value": value, "domain": host, "path": "/"} for name, value in anna.cookies.items()]
    )
    screen.open(page)
    screen.until_seen(lambda: screen.page.locator("#battles details").count() > 0)
    for summary in screen.page.locator("summary").all():
        summary.click()
    shown = visible(screen.text())
    assert any("canary" in text and visible(text).strip() in shown for text in texts)
    for tag in ("img", "script", "iframe", "svg", "style", "b", "form form"):
        assert screen.page.locator(f"#own {tag}").count() == 0
    assert {"Replay"} >= set(screen.page.locator("#own a").all_inner_texts())
    assert screen.page.evaluate(SIDEWAYS) == 0
    screen.shoot("arena-hostile", full_page=True)
    both = screen.page.locator("#battles > ol > li", has=screen.page.locator("bdi.own >> nth=1")).first
    screen.until_seen(lambda: both.count() == 1)
    for name in both.locator("bdi.own").all_inner_texts():
        assert f"{name}: answers within" in both.locator(".told").inner_text(), (
            "each of two own bots is named"
        )
    assert not screen.witness.outside(screen.host)


MARKUP = "<img src=x onerror=canary(3)>"


def test_hostile_names_are_text_on_the_pages_of_tournaments_and_on_the_projector(
    tmp_path: Path, screen: Screen
) -> None:
    game = dice_game(tmp_path / "dice")
    words = ("--game", game, "--sandbox", "none", "--port", "0", "--no-open", "--title", MARKUP)
    with Running("ladder", "--data", tmp_path / "club", *words) as club:
        address = teacher_page(club)
        anna, teacher = LadderClient(address), LadderClient(address)
        anna.register("Anna")
        teacher.be_teacher()
        sent = [anna.upload(PLAYS.replace(b"2", b"%d" % n), f"Bot{n}.py")[1]["upload"] for n in (3, 4)]
        assert {anna.until_settled(number)["state"] for number in sent} == {"plays"}
        assert teacher.post("/api/teacher", do="start", name=MARKUP, battles=1)[0] == 200
        tournaments = lambda: [one["state"] for one in anna.get("/api/ladder")["tournaments"]]  # noqa: E731
        anna.until("it is over", lambda: "over" in tournaments())
        origin = club.page().removesuffix("/ladder")
        for path in ("/ladder", "/projector", "/tournaments/1/tournament", "/tournaments/1/tournament?big=1"):
            screen.open(origin + path)
            screen.until_seen(lambda: MARKUP in screen.text())
            assert screen.page.locator("img").count() == 0, path
            assert screen.page.evaluate(SIDEWAYS) == 0, path
            assert not screen.witness.outside(screen.host)
        screen.open("about:blank")

"""200 injections in every field that can reach the page, by every way in: nothing runs, nothing is loaded.

The tests check field by field that they are shown unchanged, as text. `assert_calm` of each page's witness
(after each test) says that no script ran, no dialog opened and the page's policy was never needed.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from packages.core.tests.cli.running import Running
from packages.core.tests.net.bot_directories import make_bot
from tests.browser import hostile
from tests.browser.fake_server import fake_server
from tests.browser.injections import INJECTIONS, visible
from tests.browser.screen import PATIENCE_S, Screen
from turnwright import catalog
from turnwright.app.frames import view_files
from turnwright.app.html import RECORD_ID, one_page

if TYPE_CHECKING:
    from tests.browser.conftest import Films, NewScreen

pytestmark = pytest.mark.long

STEP_MS = 200
"""More than the time after which panels refresh."""
NAME_SIGNS = 20
"""The number of characters that are shown at least of a longer name."""

LOOK = """() => document.body.textContent
  + [...document.querySelectorAll("[title]")].map((one) => one.title).join()"""


SAID = """() => [...document.querySelectorAll(".status-bar, .status-message, #notice, #welcome")]
  .filter((one) => one.checkVisibility()).map((one) => one.innerText).join(" ")"""
NEXT_BOT = """(presses) => {
  for (let nth = 0; nth < presses; nth += 1) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "]", bubbles: true }));
  }
}"""


@pytest.fixture
def screen(new_screen: NewScreen) -> Screen:
    """A small page, because software draws it."""
    return new_screen(960, 540)


class Hurried(Screen):
    """A page whose time passes only at the test's request."""

    def __init__(self, screen: Screen) -> None:
        super().__init__(screen.page, screen.witness)
        self.page.clock.install(time=0)
        self.page.clock.pause_at(1)

    def go(self, steps: int = 1) -> None:
        """Let enough time pass that the panels show the current state."""
        for _ in range(steps):
            self.page.clock.fast_forward(STEP_MS)

    def until(self, what, holds, timeout_s=PATIENCE_S):  # type: ignore[no-untyped-def]
        """Wait until something holds, while time passes."""

        def tried() -> object:
            self.go()
            return holds()

        return super().until(what, tried, timeout_s)

    def says(self) -> str:
        """Return the words at the top and over the arena, without hidden characters."""
        return visible(self.page.evaluate(SAID))

    def seen(self) -> str:
        """Return all text of the page, without hidden characters."""
        return visible(self.page.evaluate(LOOK))


def said(text: str) -> str:
    """Return the part of a text that must be visible: the beginning of its first line."""
    return visible(re.split(r"[\r\n]", text.strip() or " ")[0])[:NAME_SIGNS]


def name_of(text: str) -> str:
    """Return the part of a name that must be visible: its beginning, without line ends."""
    return visible(text)[:NAME_SIGNS] or "(noname)"


def examine(screen: Hurried, every: int) -> None:
    """Select each `every`th bot; check its name, version, team, author, platform and output."""
    screen.page.keyboard.press("Home")
    screen.page.keyboard.press("ArrowRight")
    screen.tab("Bot")
    screen.go()
    for seat in range(0, hostile.COUNT, every):
        screen.page.evaluate(NEXT_BOT, every if seat else 1)
        screen.go()
        panel = visible(screen.page.locator(".bot-panel").evaluate("panel => panel.textContent"))
        texts = hostile.texts_of(seat)
        for field in ("name", "version", "author", "platform", "team"):
            expected = name_of(getattr(texts, field))
            assert expected == "(noname)" or expected in panel, f"{field} of bot {seat + 1}: {panel[:300]!r}"
        for field in ("out", "err"):
            assert said(getattr(texts, field)) in panel, f"{field} of bot {seat + 1}: {panel[-600:]!r}"
        if seat % 40 == 0:
            for tab in ("Why?", "Bot's view", "Charts", "Bot"):
                screen.tab(tab)
                screen.go()
    screen.shoot("hostile-bot")


def walk(screen: Hurried) -> None:
    """See every turn, with debug graphics, then the results and the events."""
    screen.hold()
    screen.timeline.focus()
    screen.press("Home")
    drawn = screen.page.get_by_label("Bots' debug graphics")
    if not drawn.is_checked():
        screen.press("d")
    for turn in range(1, hostile.TURNS + 1):
        screen.until(f"turn {turn} is drawn", lambda t=turn: screen.spot() == (1, t))
        screen.page.wait_for_timeout(20)  # for images to be read
        screen.go()  # and drawn
        screen.press("ArrowRight")
    screen.shoot("hostile-drawn")
    screen.press("End")
    screen.press("r")
    screen.go()
    results = visible(screen.page.get_by_role("dialog").evaluate("dialog => dialog.textContent"))
    for text in INJECTIONS:
        assert name_of(text) in results
    screen.shoot("hostile-results")
    screen.press("Escape")
    screen.tab("Events")
    screen.go()
    assert "died" in screen.seen()
    screen.page.wait_for_timeout(200)


def asked_elsewhere(screen: Screen, *own: str) -> list[str]:
    """Return the requests to servers other than the page's."""
    return [url for url in screen.witness.outside(*own) if not url.startswith("file:///")]


@pytest.mark.parametrize("kind", ["twr", "battle.gz"])
def test_in_a_dropped_file(kind: str, screen: Screen, films: Films, tmp_path: Path) -> None:
    file = tmp_path / f"hostile.{kind}"
    file.write_bytes(hostile.twr() if kind == "twr" else hostile.royale(INJECTIONS[0]))
    hurried = Hurried(screen)
    hurried.open(films.html.as_uri()).until_loaded()
    hurried.drop(file)
    hurried.until("it is shown", lambda: len(hurried.page.locator("table.ranking tbody tr").all()) > 100)
    hurried.until_loaded()
    seen = hurried.seen()
    for text in INJECTIONS:
        assert name_of(text) in seen
    examine(hurried, 5 if kind == "twr" else 20)
    walk(hurried)
    assert asked_elsewhere(hurried) == []


def test_in_names_of_files_and_of_games(screen: Screen, films: Films) -> None:
    hurried = Hurried(screen)
    hurried.open(films.html.as_uri()).until_loaded()
    hurried.hold()
    drop = """([name, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], name));
      const event = new DragEvent("drop", { dataTransfer: data, bubbles: true });
      document.querySelector("#arena").dispatchEvent(event);
    }"""
    tick = '{"type":"TickEventForObserver","roundNumber":1,"turnNumber":1,"botStates":[]}\n'
    for text in INJECTIONS:
        hurried.page.evaluate(drop, [text, "no record"])
        hurried.until("its name is said", lambda t=text: said(t) in hurried.says())
    for text in INJECTIONS[::4]:
        start = {"type": "GameStartedEventForObserver", "gameSetup": {"gameType": text}, "participants": []}
        hurried.page.evaluate(drop, ["x.battle", f"{json.dumps(start)}\n{tick}"])
        shown = name_of(text)[:15]
        hurried.until(f"the game type is said: {shown}", lambda s=shown: s in hurried.says())
    assert asked_elsewhere(hurried) == []


def test_in_the_address(new_screen: NewScreen, films: Films, replayed: str) -> None:
    for nth, text in enumerate(INJECTIONS[::25]):
        screen = Hurried(new_screen())
        given = f"follow={quote(text)}&tps={quote(text)}&overlay=0#turn={quote(text)}"
        screen.open(f"{films.html.as_uri()}?{given}").until_shown()
        screen.until("who is not there is named", lambda s=screen, t=text: said(t) in s.says())
        if nth % 4 == 0:
            screen.witness.expected.append("404")
            screen.open(f"{replayed.partition('?')[0]}?replay={quote(text)}")
            screen.until("there is no such record", lambda s=screen: "cannot be shown" in s.message())
            assert asked_elsewhere(screen, screen.host) == []
        screen.page.context.close()


class Elements(HTMLParser):
    """The elements of a page, and the name of its record."""

    def __init__(self, page: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.name: str | None = None
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if dict(attrs).get("id") == RECORD_ID:
            self.name = dict(attrs)["data-name"]


def test_in_a_page_from_disk(screen: Screen, tmp_path: Path) -> None:
    files, data = view_files(catalog.find("tank")), hostile.twr()
    bare = dict(files)
    for path in files:
        if path.endswith((".js", ".css")):
            bare[path] = replace(files[path], content=b"")
    expected = Elements(one_page(files, "x.twr", b"")).tags
    for text in INJECTIONS:
        found = Elements(one_page(bare, text, b""))
        assert (found.name or "").split() == text.split(), "the name leaves its attribute"
        assert found.tags == expected
    page = tmp_path / "hostile.html"
    page.write_bytes(one_page(files, '"><img src=x onerror=canary(1)>.twr', data))
    hurried = Hurried(screen)
    hurried.open(page.as_uri()).until_loaded()
    walk(hurried)
    page.write_bytes(one_page(files, '"><img src=x onerror=canary(1)>.twr', b"none"))
    hurried.open(page.as_uri())
    hurried.until("its name is said", lambda: "<img src=x onerror=canary(1)>.twr" in hurried.message())
    assert asked_elsewhere(hurried) == []


def test_in_messages_of_a_live_server(screen: Screen) -> None:
    lobby = [{**who, "host": "127.0.0.1", "port": 1000 + who["id"]} for who in hostile.participants()]
    directories = [
        {"id": f"1/{nth}{text}", "name": text, "kind": "bot", "description": text}
        for nth, text in enumerate(INJECTIONS)
    ]
    greeting = [
        {
            "type": "ServerHandshake",
            "sessionId": INJECTIONS[0],
            "name": INJECTIONS[1],
            "version": INJECTIONS[2],
        },
        {"type": "OperatorToken", "token": INJECTIONS[3]},
        {"type": "BotListUpdate", "bots": lobby},
        {"type": "Directories", "entries": directories},
    ]
    screen.witness.expected.append("ERR_CONNECTION_REFUSED")  # the server ends before the page
    with fake_server(greeting) as server:
        hurried = Hurried(screen)
        own = f"127.0.0.1:{server.port}"
        hurried.open(f"http://{own}/#code=abc")
        hurried.until(
            "the page commands", lambda: server.here == 1 and hurried.button("New battle").is_visible()
        )
        hurried.button("New battle").click()
        hurried.go()
        dialog = visible(hurried.page.get_by_role("dialog").evaluate("dialog => dialog.textContent"))
        for text in INJECTIONS:
            assert dialog.count(name_of(text)) >= 2, "in the lobby and in the directories"
        hurried.shoot("hostile-dialog")
        hurried.press("Escape")
        for text in INJECTIONS:
            server.say({"type": "ErrorReply", "message": text})
            hurried.until("the error is said", lambda t=text: said(t) in hurried.says())
        setup = {"gameType": INJECTIONS[5], "arenaWidth": 5000, "arenaHeight": 5000, "numberOfRounds": 1}
        start = {"gameSetup": {**setup, "turnTimeout": 30000}, "participants": hostile.participants()}
        server.say({"type": "GameStartedEventForObserver", **start})
        *turns, footer = hostile.lines()
        server.say(b'{"type":"History","first":0}\n' + b"".join(turns))
        server.say({"type": "GamePausedEventForObserver", "pauseCause": INJECTIONS[6]})
        hurried.until("all of it is there", lambda: hurried.ends()[1] == len(hostile.record().turns) - 1)
        examine(hurried, 20)
        server.say(b'{"type":"History","first":%d}\n' % len(turns) + footer)
        walk(hurried)
        assert asked_elsewhere(hurried, own) == []


def test_in_bot_directories(screen: Screen, tmp_path: Path) -> None:
    bots = tmp_path / "bots"
    for nth, text in enumerate(INJECTIONS):
        field = {"name": text, "version": text, "authors": [text], "description": text, "homepage": text}
        make_bot(bots, f"bot{nth}", config=field)
    screen.witness.expected.append("ERR_CONNECTION_REFUSED")  # the server ends before the page
    with Running("serve", "--port", "0", "--no-open", "--bots", bots) as server:
        hurried = Hurried(screen)
        hurried.open(server.page())
        hurried.until("the page commands", lambda: hurried.button("New battle").is_visible())
        hurried.button("New battle").click()
        dialog = hurried.page.get_by_role("dialog")
        hurried.until("they are listed", lambda: dialog.get_by_role("spinbutton").count() > 100)
        listed = visible(dialog.evaluate("dialog => dialog.textContent"))
        there = [text for text in INJECTIONS if name_of(text) in listed]
        assert len(there) > 150, "the server takes most names as they are"
        assert asked_elsewhere(hurried, hurried.host) == []

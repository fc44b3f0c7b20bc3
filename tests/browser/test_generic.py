"""A live battle of any game (`turnwright serve --game`) in the page: watched, commanded, and replayed."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from packages.core.tests.cli.running import Running
from packages.core.tests.messages import naming
from tests.browser.screen import Screen
from turnwright import catalog

if TYPE_CHECKING:
    from tests.browser.conftest import NewScreen

TURNS, LEAVING_TURN = 1_200, 1_170
ROUND_AND_ROUND = ("up", "left", "down", "right")


def circling(observation: dict[str, Any]) -> str:
    """Go round in a square."""
    return ROUND_AND_ROUND[observation["turn"] % 4]


def leaving(observation: dict[str, Any]) -> str:
    """Go round in a square, and out of the grid in the end."""
    return "up" if observation["turn"] > LEAVING_TURN else circling(observation)


@contextmanager
def playing(url: str, name: str, bot: Callable[[dict[str, Any]], str]) -> Iterator[None]:
    """Play a bot over a separate socket."""
    with connect(url, compression=None, proxy=None) as socket:

        def play() -> None:
            try:
                for text in socket:
                    answer = _answer(json.loads(text), name, bot)
                    if answer is not None:
                        socket.send(json.dumps(answer))
            except ConnectionClosed:
                pass  # the server ends first

        thread = threading.Thread(target=play, daemon=True)
        thread.start()
        yield
    thread.join(10)


def _answer(message: dict[str, Any], name: str, bot: Callable[[Any], str]) -> dict[str, Any] | None:
    if message["type"] == "hello":
        return {"type": "hello", "protocol": 1, "name": name}
    if message["type"] == "ready":
        return {"type": "ready"}
    if message["type"] == "observation" and message["deadlineUs"]:
        return {"type": "intent", "turn": message["turn"], "intent": bot(message["observation"])}
    return None


def folder_without_a_view(tmp_path: Path) -> Path:
    """Return the folder of a game like snake that draws nothing."""
    folder = tmp_path / "viper"
    folder.mkdir()
    rules = catalog.find("snake").file("game.py")
    assert rules is not None
    (folder / "game.py").write_text(rules.read_text().replace('defaults = "snake"', 'defaults = "viper"'))
    return folder


@pytest.mark.parametrize("kind", ["snake", "a folder without a view"])
def test_a_live_battle_is_started_commanded_watched_and_replayed(
    kind: str, new_screen: NewScreen, tmp_path: Path
) -> None:
    game = "snake" if kind == "snake" else folder_without_a_view(tmp_path)
    words = ["--game", game, "--port", "0", "--no-open", "--records", tmp_path / "records"]
    with Running("serve", "--pacing", "together", *words) as server:
        url = f"ws://{urlsplit(server.page()).netloc}"
        chief = new_screen().open(server.page())
        phone = new_screen(width=390, height=844).open(server.page().partition("#")[0])
        for one in (chief, phone):
            one.witness.expected.append("ERR_CONNECTION_REFUSED")  # the server ends before the page
        with playing(url, "Stays", circling), playing(url, "Leaves", leaving):
            chief.until("the bots are here", lambda: "2 bots are connected" in chief.message())
            _start(chief)
            chief.until_shown()
            _pauses_steps_and_goes_on(chief)
            _is_watched(phone, drawn=kind == "snake")
            _goes_back_and_forth(chief)
            last_turn = _ends(chief)
            _is_seen_after_its_end(new_screen(), chief, last_turn)
            _begins_again_and_is_stopped(chief)
        assert chief.witness.outside(chief.host) == []
        _is_replayed(chief, last_turn)
        chief.shoot("generic-record")


def _start(chief: Screen) -> None:
    chief.button("New battle").click()
    dialog = chief.page.get_by_role("dialog", name="New battle")
    assert dialog.get_by_role("checkbox").count() == 2
    assert dialog.get_by_label("width").input_value() == "24", "as the game has it"
    dialog.get_by_label("food").fill("0")
    dialog.get_by_label("turns").fill("")
    start = dialog.get_by_role("button", name="Start the battle")
    start.click()
    assert naming(dialog.inner_text(), "Turns", "not a number", 500)
    dialog.get_by_label("turns").fill(str(TURNS))
    assert "not a number" not in dialog.inner_text(), "the next action takes the message away"
    dialog.get_by_label("Turn timeout (ms)").fill("5000")
    chief.shoot("generic-dialog")
    start.click()


def _pauses_steps_and_goes_on(chief: Screen) -> None:
    before = chief.turn()
    chief.until("turns go by", lambda: chief.turn() > before + 10)
    chief.button("Pause the battle for everyone").click()
    chief.until("it is paused", lambda: "server paused" in chief.status())
    chief.until("the newest turn is shown", lambda: chief.index() == chief.ends()[1])
    chief.still()  # the slider says it up to a moment later than the words
    newest = chief.until(
        "the newest turn is said", lambda: chief.index() == chief.ends()[1] and chief.spot()[1]
    )
    chief.button("One turn of the battle").click()
    chief.until("one turn more", lambda: chief.spot()[1] == newest + 1)
    chief.shoot("generic-paused")
    chief.button("Resume the battle for everyone").click()
    chief.until("it goes on", lambda: chief.spot()[1] > newest + 5)


def _is_watched(phone: Screen, *, drawn: bool) -> None:
    phone.until_shown()
    assert "live" in phone.status()
    assert phone.page.get_by_role("group", name="Controls for everyone").count() == 0, "it only watches"
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    text = phone.page.get_by_role("region", name="Frame")
    if drawn:
        assert text.count() == 0
    else:
        assert "snakes" in text.inner_text()
    phone.shoot("generic-phone" if drawn else "generic-phone-text")


def scores_in(screen: Screen) -> list[str]:
    """Return the scores in the ranking next to the arena."""
    return screen.page.locator("table.ranking td.score").all_inner_texts()


def _goes_back_and_forth(chief: Screen) -> None:
    chief.hold()
    chief.timeline.focus()
    chief.press("Home")
    chief.until("it begins with the state before the first turn", lambda: chief.spot() == (1, 0))
    assert "behind live" in chief.status()
    chief.until("the rules say the scores", lambda: scores_in(chief) == ["0", "0"])
    chief.press("ArrowRight")
    chief.until("one turn on", lambda: chief.spot() == (1, 1))
    chief.until("a turn lived is a point", lambda: scores_in(chief) == ["1", "1"])
    chief.press("l")
    chief.until("it is live again", lambda: "● live" in chief.status() or "over" in chief.status())


def _ends(chief: Screen) -> int:
    """Watch the battle to its end; return the last turn."""
    chief.page.get_by_label("Turns per second of the battle").focus()
    chief.press("End")
    chief.until("the end", lambda: "■ over" in chief.status(), 60)
    chief.timeline.focus()
    chief.press("End")
    results = chief.page.get_by_role("region", name="Results")
    chief.until("results are shown", results.is_visible)
    assert "Final results" in results.inner_text()
    assert results.get_by_role("columnheader").all_inner_texts() == ["#", "Bot", "Score", "Eaten", "Missed"]
    first = results.get_by_role("row").nth(1).get_by_role("cell").all_inner_texts()
    assert (first[0], first[3:]) == ("1", ["0", "0"])
    ranking = chief.page.get_by_role("table", name="Standings")
    assert ranking.get_by_role("button").all_inner_texts() == ["Stays", "Leaves"]
    assert re.search(r"Leaves:?\s+died", chief.tab("Events").inner_text()), "with its own view, and without"
    chief.shoot("generic-end")
    chief.press("Escape")
    chief.still()
    return chief.turn()


def _is_seen_after_its_end(late: Screen, chief: Screen, last_turn: int) -> None:
    late.witness.expected.append("ERR_CONNECTION_REFUSED")
    late.open(f"http://{chief.host}/").until_shown()
    late.until("it shows the last turn", lambda: late.turn() == last_turn)
    assert late.ends()[0] == 0, "with the whole battle"
    assert "■ over" in late.status()
    results = late.page.get_by_role("region", name="Results")
    assert "Final results" in results.inner_text()
    late.page.locator("summary").click()
    assert late.page.get_by_role("link", name="battle-0001.twr").is_visible()
    late.shoot("generic-late")


def _begins_again_and_is_stopped(chief: Screen) -> None:
    chief.page.get_by_label("Turns per second of the battle").focus()
    chief.press("Home")
    chief.press("ArrowRight")
    for name in ("Restart the battle", "Stop the battle"):
        chief.button(name).click()
        chief.button(name).click()
        if name.startswith("Restart"):
            chief.until("it is played again", lambda: "live" in chief.status() and chief.turn() < 1_000)
    chief.until("it is stopped", lambda: "stopped" in chief.status())


def _is_replayed(chief: Screen, last_turn: int) -> None:
    chief.open(f"http://{chief.host}/")
    chief.until("the stopped battle is shown", lambda: "stopped" in chief.status())
    chief.page.locator("summary").click()
    chief.page.get_by_role("link", name="battle-0001.twr").click()
    chief.until_loaded()
    assert "✓ verified" in chief.status()
    assert chief.ends() == (0, last_turn), "a frame for each turn, and the state before the first"
    chief.timeline.focus()
    chief.press("End")
    chief.until("the end", lambda: chief.index() == last_turn)
    assert "Final results" in chief.page.get_by_role("region", name="Results").inner_text()

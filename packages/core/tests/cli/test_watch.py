from __future__ import annotations

import json
import re
import signal
import time
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from packages.core.tests.cli.playing import Run, turnwright
from packages.core.tests.dice_game import folder
from packages.core.tests.messages import missing
from turnwright.app import watch as browser
from turnwright.app.options import GenericBattleOptions
from turnwright.cli.choice import OpenChoice
from turnwright.cli.parser import GivenOptions, ParsedCommand, parse
from turnwright.cli.watch import WAIT_S, Watched, WatchOptions, open_or_print, watched_as
from turnwright.errors import SetupError

URL = "http://127.0.0.1:4567/#code=abc"


def given(*words: str) -> GivenOptions:
    command = parse(["battle", "--game", "snake", *words])
    assert not isinstance(command, int)
    return command.given


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that were opened; there is a display."""
    pages: list[str] = []
    monkeypatch.setattr(browser, "has_display", lambda: True)
    monkeypatch.setattr(browser, "open_page", lambda url: not pages.append(url))
    return pages


@pytest.mark.parametrize(
    ("words", "watch", "bots"),
    [
        (["A", "B"], None, ["A", "B"]),
        (["--watch", "A", "B"], "browser", ["A", "B"]),
        (["A", "--watch", "B"], "browser", ["A", "B"]),
        (["A", "B", "--watch=browser"], "browser", ["A", "B"]),
    ],
)
def test_the_option_takes_no_bot_for_its_value(words: list[str], watch: str | None, bots: list[str]) -> None:
    found = given(*words)
    assert found.make(WatchOptions).watch == watch
    assert list(found.values["bots"]) == bots


def test_a_way_to_watch_that_there_is_not_is_refused() -> None:
    with pytest.raises(SetupError, match="--watch"):
        given("A", "--watch=radio", "B")


def test_options_of_watching_follow_the_command_line() -> None:
    assert watched_as(given("A", "B")) is None
    assert watched_as(given("A", "B", "--watch")) == Watched(None, 0, None, False, apart=True)
    words = ["--watch", "--pacing", "together"]
    assert watched_as(given("A", "B", *words)) == Watched(None, 0, None, False, apart=False)
    words = ["--watch", "--no-open", "--port", "4567", "--wait", "2.5s", "--keep-open"]
    assert watched_as(given("A", "B", *words)) == Watched(False, 4567, 2.5, True, apart=True)
    with pytest.raises(SetupError, match="port is 80"):
        watched_as(given("A", "B", "--watch", "--port", "80"))


@pytest.mark.parametrize("words", [["--port", "4567"], ["--wait", "1s"], ["--keep-open"]])
@pytest.mark.parametrize("watch", [[], ["--watch=text"]])
def test_options_of_a_page_are_refused_without_one(words: list[str], watch: list[str]) -> None:
    with pytest.raises(SetupError) as caught:
        watched_as(given("A", "B", *watch, *words))
    assert not missing(str(caught.value), words[0], "browser", "--watch")


@pytest.mark.parametrize(
    ("watched", "pages", "wait_s"),
    [
        (Watched(), [URL], WAIT_S),
        (Watched(apart=True), [URL], 0.0),
        (Watched(open=False), [], 0.0),
        (Watched(open=False, wait_s=3.0), [], 3.0),
        (Watched(wait_s=0.0), [URL], 0.0),
    ],
)
def test_a_battle_waits_for_a_page_that_was_opened(
    watched: Watched, pages: list[str], wait_s: float, opened: list[str]
) -> None:
    said: list[str] = []
    begun = watched.begin(said.append)
    assert begun.on_page(URL) == wait_s
    assert said == [f"watch: {URL}"]
    assert opened == pages
    assert watched.port == 4567


def test_an_unrequested_record_exists_only_while_it_is_shown(tmp_path: Path) -> None:
    options = GenericBattleOptions(("Greedy", "Greedy"), game="snake")
    with Watched().keeping(options) as kept:
        assert kept is options
    with Watched(keep_open=True).keeping(options) as kept:
        assert kept.record is not None
        folder = kept.record.parent
        assert folder.is_dir()
    assert not folder.exists()
    wanted = GenericBattleOptions(("Greedy", "Greedy"), game="snake", record=tmp_path / "mine.twr")
    with Watched(keep_open=True).keeping(wanted) as kept:
        assert kept is wanted
    with Watched(keep_open=True, apart=True).keeping(options) as kept:
        assert kept is options


def snake_battle(*words: str) -> Run:
    """Start a battle of built-in bots."""
    return turnwright("battle", "--game", "snake", "Greedy", "Wanderer", *words)


def page_of(run: Run) -> str:
    """Return the address of the page that a battle prints to stderr."""
    assert run.process.stderr is not None
    for line in run.process.stderr:
        found = re.search(r"http://\S+", line)
        if found is not None:
            return found[0]
    raise AssertionError("no page was printed")


@pytest.mark.process
def test_a_battle_of_built_in_bots_can_be_watched_and_ends_by_itself() -> None:
    run = snake_battle("--watch", "--no-open", "--wait", "1s", "--tps", "-1", "--json")
    with urlopen(page_of(run), timeout=60) as answer:
        assert b"<!doctype html>" in answer.read()
        assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    assert run.finish().code == 0
    assert '"record": null' in run.out
    assert run.nothing_left()


@pytest.mark.process
def test_a_battle_that_is_over_shows_its_record_until_ctrl_c() -> None:
    words = ("--watch", "--no-open", "--keep-open", "--pacing", "together")
    run = snake_battle("--tps", "-1", *words, "--json")
    page = page_of(run)
    assert run.process.stdout is not None
    assert '"record": null' in run.process.stdout.readline()
    again = page_of(run)
    assert again.startswith(page.partition("#")[0])
    with urlopen(again, timeout=60) as answer:
        assert b"<!doctype html>" in answer.read()
    with urlopen(again.replace("?replay=/", ""), timeout=60) as answer:
        assert json.loads(answer.readline())["game"] == "snake"
    run.process.send_signal(signal.SIGINT)
    assert run.finish().code == 0
    assert run.nothing_left()


@pytest.mark.process
def test_a_finished_battle_stays_for_pages_until_ctrl_c() -> None:
    run = snake_battle("--watch", "--no-open", "--keep-open", "--json")
    url = page_of(run).partition("#code=")[0].replace("http://", "ws://")
    assert run.process.stdout is not None
    assert '"record": null' in run.process.stdout.readline()
    for _ in range(2):
        with connect(url, proxy=None) as page:
            introduce(page, "spectator", "ready", history=True)
            while "\n" not in str(page.recv(timeout=60)):
                pass
        time.sleep(browser.RELOAD_S + 0.5)
    assert run.process.poll() is None
    run.process.send_signal(signal.SIGINT)
    assert run.finish().code == 0
    assert run.nothing_left()


@pytest.mark.process
def test_a_battle_of_a_folders_game_stays_on_its_page_too(tmp_path: Path) -> None:
    where = folder(tmp_path / "dice")
    (tmp_path / "dice" / "bots.py").write_text("BOTS = {'Six': lambda seen: 6}\n", encoding="utf-8")
    words = ["--game", where, "Six", "Six", "--tps", "-1", "--watch", "--no-open", "--keep-open"]
    words += ["--pacing", "together"]
    run = turnwright("battle", *words)
    page_of(run)
    again = page_of(run)
    with urlopen(again.replace("?replay=/", ""), timeout=60) as answer:
        assert json.loads(answer.readline())["game"] == "dice"
    run.process.send_signal(signal.SIGINT)
    assert run.finish().code == 0


@pytest.mark.process
def test_the_code_of_the_page_commands_once_and_others_watch() -> None:
    run = snake_battle("--watch", "--wait", "20s", "--no-open", "--tps", "5", "--pacing", "together")
    page, _, code = page_of(run).partition("#code=")
    url = page.replace("http://", "ws://")
    with connect(url, proxy=None) as first, connect(url, proxy=None) as second:
        token = introduce(first, "operator", "token", code=code)["token"]
        assert introduce(second, "spectator", "ready")["seats"]
        with connect(url, proxy=None) as late:
            introduce(late, "operator", None, code=code)
            assert json.loads(late.recv(timeout=60))["type"] == "hello"
            with pytest.raises(ConnectionClosed, match="Invalid code"):
                late.recv(timeout=60)
        with connect(url, proxy=None) as reloaded:
            introduce(reloaded, "operator", "bots", secret=token)
            reloaded.send('{"type":"speed","tps":-1}')
            while json.loads(second.recv(timeout=60))["type"] != "result":
                pass
    assert run.finish().code == 0
    assert code not in run.out + run.err


@pytest.mark.process
def test_results_are_printed_when_the_battle_is_over_and_the_page_stays_until_it_is_closed() -> None:
    run = snake_battle("--watch", "--wait", "20s", "--no-open", "--tps", "1", "--seed", "5", "--json")
    page, _, code = page_of(run).partition("#code=")
    url = page.replace("http://", "ws://")
    with connect(url, proxy=None) as early:
        introduce(early, "operator", "ready", code=code, history=True)
        assert run.process.stdout is not None
        result = json.loads(run.process.stdout.readline())
        assert result["turns"] > 100, "more than 100 s at 1 TPS"
        with connect(url, proxy=None) as late:
            introduce(late, "spectator", "ready", history=True)
            for one in (early, late):
                turns = played(one)
                assert turns[-1] == result["turns"]
                assert turns == list(range(turns[0], turns[-1] + 1)), "each turn once"
        early.send('{"type":"start","bots":[{"host":"127.0.0.1","port":1}]}')
        assert "refused" in heard(early, "error")["message"]
        assert run.process.poll() is None
    assert run.finish().code == 0
    assert run.nothing_left()


def played(client: ClientConnection) -> list[int]:
    """Read the battle to its result; return the numbers of its turns."""
    turns: list[int] = []
    while True:
        head, *pieces = str(client.recv(timeout=60)).splitlines()
        if json.loads(head)["type"] != "history":
            continue
        for piece in map(json.loads, pieces):
            if piece["type"] == "result":
                return turns
            turns.append(piece["turn"])


@pytest.mark.process
def test_ctrl_c_ends_the_page_of_a_battle_that_is_over() -> None:
    run = snake_battle("--watch", "--wait", "20s", "--no-open", "--seed", "5", "--json")
    with connect(page_of(run).partition("#")[0].replace("http://", "ws://"), proxy=None) as eye:
        introduce(eye, "spectator", "ready", history=True)
        assert run.process.stdout is not None
        assert json.loads(run.process.stdout.readline())["results"]
        run.process.send_signal(signal.SIGINT)
        assert run.finish().code == 0


@pytest.mark.process
def test_a_battle_may_begin_paused() -> None:
    run = snake_battle("--watch", "--wait", "20s", "--no-open", "--tps", "0", "--pacing", "together")
    page, _, code = page_of(run).partition("#code=")
    with connect(page.replace("http://", "ws://"), proxy=None) as operator:
        introduce(operator, "operator", "ready", code=code)
        assert heard(operator, "frame")["turn"] == 0, "how it begins"
        with pytest.raises(TimeoutError):
            heard(operator, "frame", within_s=0.5)
        operator.send('{"type":"step"}')
        assert heard(operator, "frame")["turn"] == 1
        operator.send('{"type":"speed","tps":-1}')
        heard(operator, "result")
    assert run.finish().code == 0


@pytest.mark.process
@pytest.mark.parametrize("again", [True, False])
def test_an_operator_stops_a_battle_and_may_restart_it(again: bool) -> None:
    words = ["--watch", "--wait", "20s", "--no-open", "--tps", "5", "--pacing", "together", "--json"]
    run = snake_battle(*words)
    page, _, code = page_of(run).partition("#code=")
    with connect(page.replace("http://", "ws://"), proxy=None) as operator:
        bots = introduce(operator, "operator", "bots", code=code)["bots"]
        heard(operator, "ready")
        operator.send('{"type":"stop"}')
        heard(operator, "result")
        if again:
            addresses = [{"host": bot["host"], "port": bot["port"]} for bot in bots]
            operator.send(json.dumps({"type": "start", "bots": addresses}))
            operator.send('{"type":"speed","tps":-1}')
            heard(operator, "result")
    run.finish()
    assert run.code == (0 if again else 130), run.err
    assert bool(missing(run.err, "stopped", "n 1.0")) is again


def introduce(client: ClientConnection, role: str, answer: str | None, **more: object) -> dict[str, Any]:
    """Send the client's handshake; return the answer of a type."""
    client.send(json.dumps({"type": "hello", "protocol": 1, "name": "n", "role": role, **more}))
    return {} if answer is None else heard(client, answer)


def heard(client: ClientConnection, kind: str, within_s: float = 60) -> dict[str, Any]:
    while (message := json.loads(client.recv(timeout=within_s)))["type"] != kind:
        pass
    return dict(message)


@pytest.fixture
def opened_unseen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that were opened, without a display."""
    pages: list[str] = []
    monkeypatch.setattr(browser, "has_display", lambda: False)
    monkeypatch.setattr(browser, "open_page", lambda url: not pages.append(url))
    return pages


@pytest.mark.parametrize(("words", "wanted"), [([], None), (["--open"], True), (["--no-open"], False)])
def test_the_option_says_yes_no_or_nothing(words: list[str], wanted: bool | None) -> None:
    command = parse(["serve", "--game", "snake", *words])
    assert isinstance(command, ParsedCommand)
    assert command.given.make(OpenChoice).open is wanted


def test_the_address_is_printed_once_and_opened_where_it_can_be_seen(
    opened_unseen: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not open_or_print(URL, wanted=None)
    monkeypatch.setattr(browser, "has_display", lambda: True)
    assert open_or_print(URL, wanted=None)
    assert not open_or_print(URL, wanted=False)
    assert opened_unseen == [URL]
    assert capsys.readouterr().out == f"{URL}\n" * 3


def test_a_wanted_page_is_opened_and_its_url_is_not_printed_twice(
    opened_unseen: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert open_or_print(URL, wanted=True, said=True)
    assert opened_unseen == [URL]
    assert capsys.readouterr().out == ""

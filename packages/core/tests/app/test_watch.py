from __future__ import annotations

import asyncio
import threading
import webbrowser
from types import SimpleNamespace
from typing import Any, cast

import pytest

from packages.core.tests.net.fixtures import FOR_EVER_S, Stack
from turnwright.app import watch as watching
from turnwright.app.watch import (
    has_display,
    here_of,
    let_ask,
    new_code,
    open_page,
    page_url,
    restarted,
    seen,
    was_stopped,
)
from turnwright.host.summary import BattleSummary
from turnwright.net.websocket.local import LOCAL_HOST


def a_host(*addresses: str, playing: bool = False) -> Any:
    """Return a host with spectators from these addresses."""
    clients = {
        conn: SimpleNamespace(origin=SimpleNamespace(host=host)) for conn, host in enumerate(addresses)
    }
    lobby = SimpleNamespace(clients=clients, spectators=lambda: tuple(clients))
    return SimpleNamespace(lobby=lobby, room=SimpleNamespace(playing=playing))


@pytest.mark.parametrize(
    ("bound", "here"),
    [
        ("localhost", "localhost"),
        ("127.0.0.1", "127.0.0.1"),
        ("", "127.0.0.1"),
        ("*", "127.0.0.1"),
        ("0.0.0.0", "127.0.0.1"),
        ("::", "127.0.0.1"),
        ("[::]", "127.0.0.1"),
        ("::1", "[::1]"),
        ("[fd00::2]", "[fd00::2]"),
        ("game.example", "game.example"),
    ],
)
def test_a_browser_here_reaches_a_server_by_a_name_that_leads_to_it(bound: str, here: str) -> None:
    assert here_of(bound) == here
    assert page_url(bound, 7654) == f"http://{here}:7654/"


def test_the_page_url_has_its_code_in_the_fragment() -> None:
    assert page_url("localhost", 1000, "abc") == "http://localhost:1000/#code=abc"


def test_codes_are_long_and_never_the_same() -> None:
    codes = {new_code() for _ in range(100)}
    assert len(codes) == 100
    assert min(map(len, codes)) >= 20


def test_a_spectator_outside_the_process_ends_the_wait() -> None:
    async def main() -> bool:
        return await seen(a_host(LOCAL_HOST, "127.0.0.1"), FOR_EVER_S)

    assert Stack("asyncio").run(main())


@pytest.mark.parametrize("wait_s", [0.0, 0.02])
def test_a_battle_waits_for_so_long_only(wait_s: float) -> None:
    async def main() -> bool:
        return await seen(a_host(LOCAL_HOST), wait_s)

    assert not Stack("asyncio").run(main())


def test_a_spectator_that_comes_during_the_wait_is_noticed() -> None:
    async def main() -> bool:
        host = a_host(LOCAL_HOST)
        late = SimpleNamespace(origin=SimpleNamespace(host="::1"))
        asyncio.get_running_loop().call_later(0.01, lambda: host.lobby.clients.update({9: late}))
        return await seen(host, 60)

    assert Stack("asyncio").run(main())


@pytest.mark.parametrize(("playing", "ended"), [(True, False), (False, False), (False, True)])
def test_a_restart_is_noticed_even_if_the_battle_has_ended_already(
    playing: bool, ended: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "RESTART_WAIT_S", 0.1)

    async def main() -> bool:
        over = asyncio.Event()
        if ended:
            over.set()
        return await restarted(a_host(playing=playing), over)

    assert Stack("asyncio").run(main()) is (playing or ended)


@pytest.mark.parametrize(
    ("ending", "why", "stopped"),
    [
        ("aborted", "stopped by operator n 1 (127.0.0.1:1)", True),
        ("aborted", "every bot has left", False),
        ("over", "", False),
    ],
)
def test_a_battle_stopped_by_an_operator_differs_from_one_that_bots_left(
    ending: Any, why: str, stopped: bool
) -> None:
    assert was_stopped(cast(BattleSummary, SimpleNamespace(ending=ending, why=why))) is stopped


def test_pages_that_do_not_ask_why_are_waited_for_a_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "ASK_WAIT_S", 0.0)
    asyncio.run(asyncio.wait_for(let_ask(cast(Any, SimpleNamespace(whole=False, busy=False))), FOR_EVER_S))


def test_an_answer_that_takes_too_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "ANALYSIS_WAIT_S", 0.05)
    asyncio.run(asyncio.wait_for(let_ask(cast(Any, SimpleNamespace(whole=False, busy=True))), FOR_EVER_S))


def test_a_server_stays_until_the_whole_analysis_is_there() -> None:
    analysis = SimpleNamespace(whole=False, busy=True)

    async def main() -> None:
        waiting = asyncio.create_task(let_ask(cast(Any, analysis)))
        await asyncio.sleep(0)
        assert not waiting.done()
        analysis.whole = True
        await asyncio.wait_for(waiting, FOR_EVER_S)

    asyncio.run(main())


@pytest.mark.parametrize(
    ("environ", "platform", "there"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"DISPLAY": ""}, "linux", False),
        ({"BROWSER": "firefox"}, "linux", True),
        ({"BROWSER": "", "DISPLAY": ":0"}, "linux", False),
        ({"CI": "true", "DISPLAY": ":0"}, "linux", False),
        ({"CI": "1", "BROWSER": "firefox"}, "linux", False),
        ({}, "darwin", True),
    ],
)
def test_a_browser_is_opened_only_where_it_can_be_seen(
    environ: dict[str, str], platform: str, there: bool
) -> None:
    assert has_display(environ, platform) is there


def test_the_browser_opens_aside_whatever_time_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on, opened = threading.Event(), threading.Event()

    def open_slowly(url: str) -> bool:
        go_on.wait(60)
        assert url == "http://127.0.0.1:1/"
        opened.set()
        return True

    monkeypatch.setattr(webbrowser, "get", lambda: SimpleNamespace(name="firefox", open=open_slowly))
    assert open_page("http://127.0.0.1:1/")
    assert not opened.is_set()
    go_on.set()
    assert opened.wait(60)


def test_a_browser_of_the_terminal_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webbrowser, "get", lambda: SimpleNamespace(name="/usr/bin/w3m"))
    assert not open_page("http://127.0.0.1:1/")


def test_without_a_browser_nothing_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr(webbrowser, "get", none)
    assert not open_page("http://127.0.0.1:1/")

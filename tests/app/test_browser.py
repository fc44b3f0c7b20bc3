from __future__ import annotations

import threading
import webbrowser
from types import SimpleNamespace

import pytest

from turnwright.app.watch import has_display, open_page


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

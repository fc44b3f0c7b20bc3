"""Watching a battle in a browser: its page, and waiting for spectators."""

from __future__ import annotations

import asyncio
import logging
import math
import os
import secrets
import sys
import threading
import webbrowser
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnwright.host.admission import AdmissionConfig
from turnwright.host.host import Host
from turnwright.host.summary import BattleSummary
from turnwright.net.http.analysis import AnalysisProcess
from turnwright.net.websocket.local import LOCAL_HOST

if TYPE_CHECKING:
    from turnwright.app.results import BattleResult
    from turnwright.net.server import LiveServer

RELOAD_S = 3.0
"""The time in which a user may open a closed page again before the server ends, in seconds."""
RESTART_WAIT_S = 3.0
"""The time in which an operator may start a stopped battle again, in seconds. After this time the command
ends.
"""
ASK_WAIT_S = 1.5
"""The time after a watched battle in which its pages may request the analysis, in seconds."""
ANALYSIS_WAIT_S = 15.0
"""The longest time for which the server waits for the analysis after a watched battle, in seconds."""
_SENT_S = 0.2
"""The time that the server allows for the answer to reach the page, in seconds."""
_LOOK_S = 0.05
_CODE_BYTES = 16

_log = logging.getLogger("turnwright")


@dataclass(frozen=True, slots=True)
class Watching:
    """A battle that people watch in a browser.

    Attributes:
        on_page: called with the page's address. A code in the address makes its first user the operator. The
            function returns for how many seconds the battle waits for spectators.
        port: the port of the server, 0 for a free one.
        on_over: called at the end of a battle whose bots do not wait for spectators. The arguments are the
            result and whether a page is open. The function returns for how many seconds the server waits for
            the first page to be opened. Infinity means until Ctrl-C. None means that the server ends
            immediately. While a page is open, the server continues to run.
    """

    on_page: Callable[[str], float]
    port: int = 0
    on_over: Callable[[BattleResult, bool], float | None] = lambda result, is_watched: None


@dataclass(frozen=True, slots=True)
class HandedSpectators:
    """Spectators whose connections another process passes on.

    They can watch, but not operate.

    Attributes:
        gate: decides whether a spectator is admitted.
        hold: accepts the connections of spectators until it is cancelled.
    """

    gate: AdmissionConfig
    hold: Callable[[LiveServer, Host], Awaitable[None]]


def new_code() -> str:
    """Return a random secret code."""
    return secrets.token_urlsafe(_CODE_BYTES)


def here_of(host_name: str) -> str:
    """Return the name by which programs and browsers on this machine reach a server that listens on
    `host_name`.
    """
    name = host_name.strip("[]")
    if name in ("", "*", "0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{name}]" if ":" in name else name


def page_url(host_name: str, port: int, code: str | None = None) -> str:
    """Return the address of a server's viewer.

    Args:
        code: a one-time code. The address contains it in the fragment (after #), which browsers do not send.
    """
    fragment = "" if code is None else f"#code={code}"
    return f"http://{here_of(host_name)}:{port}/{fragment}"


async def seen(host: Host, wait_s: float) -> bool:
    """Wait at most `wait_s` seconds for a spectator from outside this process.

    Return whether there is one.
    """
    try:
        async with asyncio.timeout(wait_s):
            while not watched(host):
                await asyncio.sleep(_LOOK_S)
    except TimeoutError:
        return False
    return True


async def restarted(host: Host, over: asyncio.Event) -> bool:
    """Wait at most RESTART_WAIT_S for the restart of a battle that an operator has stopped.

    Return True if the battle runs again, or if the restarted battle has already ended.

    Args:
        over: set if a battle has ended since the operator stopped the battle.
    """
    try:
        async with asyncio.timeout(RESTART_WAIT_S):
            while not (host.room.playing or over.is_set()):
                await asyncio.sleep(_LOOK_S)
    except TimeoutError:
        return False
    return True


def was_stopped(summary: BattleSummary) -> bool:
    """Return whether an operator stopped the battle."""
    return summary.ending == "aborted" and summary.why.startswith("stopped by ")


def watched(host: Host) -> bool:
    """Return whether there is a spectator from outside this process."""
    clients = host.lobby.clients
    return any(clients[conn].origin.host != LOCAL_HOST for conn in host.lobby.spectators())


async def until_closed(host: Host, first_s: float) -> None:
    """Wait until all pages are closed. Ctrl-C ends the wait, without an exception.

    Args:
        first_s: the time to wait for the first page to be opened, in seconds. If this time is infinite, the
            wait ends only with Ctrl-C.
    """
    try:
        wait_s = first_s
        while await seen(host, wait_s):
            while watched(host):
                await asyncio.sleep(_LOOK_S)
            wait_s = first_s if first_s == math.inf else RELOAD_S
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None:
            task.uncancel()


async def let_ask(analysis: AnalysisProcess) -> None:
    """Wait until the open pages have received the analysis of the whole battle.

    The call waits at most ASK_WAIT_S for the first request, and at most ANALYSIS_WAIT_S in all.
    """
    started = asyncio.get_running_loop().time()
    with suppress(TimeoutError):
        async with asyncio.timeout(ANALYSIS_WAIT_S):
            while not analysis.whole:
                if not analysis.busy and asyncio.get_running_loop().time() - started > ASK_WAIT_S:
                    return
                await asyncio.sleep(_LOOK_S)
            await asyncio.sleep(_SENT_S)


# Opening a page in the user's browser, if the browser would be visible.


_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")
_IN_A_TERMINAL = frozenset({"elinks", "links", "lynx", "w3m", "www-browser"})
"""Text browsers. A text browser would take over the terminal of the command that opens it."""


def has_display(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Return whether the user would see a browser that this process opens.

    In CI and over plain SSH, the user would see no browser. Outside of CI, the environment variable BROWSER
    decides if it is set: a value means that there is a browser, and an empty value means that there is none.
    """
    if environ.get("CI"):
        return False
    if "BROWSER" in environ:
        return bool(environ["BROWSER"])
    return platform in ("darwin", "win32") or any(environ.get(name) for name in _DISPLAYS)


def open_page(url: str) -> bool:
    """Open `url` in a browser, without waiting for it. Return whether there is a graphical browser."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    if os.path.basename(str(getattr(browser, "name", ""))) in _IN_A_TERMINAL:
        return False
    threading.Thread(target=browser.open, args=(url,), name="turnwright-browser", daemon=True).start()
    return True

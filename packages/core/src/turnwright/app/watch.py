"""A battle watched in a browser: its page, and waiting for spectators."""

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
"""Time in which a page that was closed may come back, before its server ends."""
RESTART_WAIT_S = 3.0
"""Time after an operator stopped a battle in which it may be started again. Then the command ends."""
ASK_WAIT_S = 1.5
"""Time after a watched battle in which its pages may ask for the analysis."""
ANALYSIS_WAIT_S = 15.0
"""Longest time after a watched battle that its server stays for the answer."""
_SENT_S = 0.2
"""Time for the answer to reach the page."""
_LOOK_S = 0.05
_CODE_BYTES = 16

_log = logging.getLogger("turnwright")


@dataclass(frozen=True, slots=True)
class Watching:
    """A battle that is watched in a browser.

    Attributes:
        on_page: called with the page's address, whose code makes its first user the operator. It returns for
            how many seconds the battle waits for spectators.
        port: the port of the server, 0 for a free one.
        on_over: called when a battle that waits for no spectator is over, with its result and whether a page
            is open. It returns for how many seconds the server stays for its first page: infinite until
            Ctrl-C, None for not at all. An open page keeps the server alive.
    """

    on_page: Callable[[str], float]
    port: int = 0
    on_over: Callable[[BattleResult, bool], float | None] = lambda result, is_watched: None


@dataclass(frozen=True, slots=True)
class HandedSpectators:
    """Spectators whose connections another process hands over.

    They watch, and operate nothing.

    Attributes:
        gate: decides on their admission.
        hold: takes their connections in until it is cancelled.
    """

    gate: AdmissionConfig
    hold: Callable[[LiveServer, Host], Awaitable[None]]


def new_code() -> str:
    """Return a random secret code."""
    return secrets.token_urlsafe(_CODE_BYTES)


def here_of(host_name: str) -> str:
    """Return the name of a server bound to `host_name` on this machine.

    Programs and browsers reach it by that name.
    """
    name = host_name.strip("[]")
    if name in ("", "*", "0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{name}]" if ":" in name else name


def page_url(host_name: str, port: int, code: str | None = None) -> str:
    """Return the address of a server's viewer.

    Args:
        code: a one-time code; browsers send no fragment anywhere.
    """
    fragment = "" if code is None else f"#code={code}"
    return f"http://{here_of(host_name)}:{port}/{fragment}"


async def seen(host: Host, wait_s: float) -> bool:
    """Wait for a spectator from outside, at most `wait_s` seconds.

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
    """Wait for the restart of a battle that an operator has stopped, at most RESTART_WAIT_S.

    The restarted battle may end between two looks at the room, so its end counts, too.

    Args:
        over: set when a battle has ended since the stop.
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
    """Wait until all pages are closed, or Ctrl-C comes.

    Args:
        first_s: seconds to wait for the first page. If infinite, the wait for further pages is infinite, too.
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
    """Wait until open pages have the analysis of the whole battle.

    At most ASK_WAIT_S until one asks for it, and ANALYSIS_WAIT_S in all.
    """
    started = asyncio.get_running_loop().time()
    with suppress(TimeoutError):
        async with asyncio.timeout(ANALYSIS_WAIT_S):
            while not analysis.whole:
                if not analysis.busy and asyncio.get_running_loop().time() - started > ASK_WAIT_S:
                    return
                await asyncio.sleep(_LOOK_S)
            await asyncio.sleep(_SENT_S)


# Opening a page in the user's browser, where there is one to be seen.


_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")
_IN_A_TERMINAL = frozenset({"elinks", "links", "lynx", "w3m", "www-browser"})
"""Browsers that would take the terminal from the command that opens them, and cannot draw."""


def has_display(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Return whether a browser opened here would be visible.

    Not in CI, not over plain SSH.

    BROWSER in the environment says that there is one; BROWSER empty, that there is none.
    """
    if environ.get("CI"):
        return False
    if "BROWSER" in environ:
        return bool(environ["BROWSER"])
    return platform in ("darwin", "win32") or any(environ.get(name) for name in _DISPLAYS)


def open_page(url: str) -> bool:
    """Open `url` in a browser; return whether there is one.

    Does not wait for the browser.
    """
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    if os.path.basename(str(getattr(browser, "name", ""))) in _IN_A_TERMINAL:
        return False
    threading.Thread(target=browser.open, args=(url,), name="turnwright-browser", daemon=True).start()
    return True

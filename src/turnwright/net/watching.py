"""A battle that somebody watches in a browser: where its page is, and waiting for who watches."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from turnwright.host.host import Host
from turnwright.host.summary import BattleSummary
from turnwright.net.local_link import LOCAL_HOST

__all__ = [
    "RESTART_WAIT_S",
    "Watching",
    "here_of",
    "new_code",
    "page_url",
    "restarted",
    "seen",
    "was_stopped",
]

RESTART_WAIT_S = 3.0
"""How long after an operator has stopped a battle it may be started anew; later the command ends."""
_LOOK_S = 0.05
_CODE_BYTES = 16

_log = logging.getLogger("turnwright")


@dataclass(frozen=True, slots=True)
class Watching:
    """How a battle is watched.

    on_page: told the page's address, which holds a code that makes the first who uses it the operator;
    returns for how many seconds the battle waits for somebody to watch. port: 0 for a free one.
    """

    on_page: Callable[[str], float]
    port: int = 0


def new_code() -> str:
    """Return a code that nobody can guess."""
    return secrets.token_urlsafe(_CODE_BYTES)


def here_of(host_name: str) -> str:
    """Return by which name a program or browser on this machine reaches a server bound to `host_name`."""
    name = host_name.strip("[]")
    if name in ("", "*", "0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{name}]" if ":" in name else name


def page_url(host_name: str, port: int, code: str | None = None) -> str:
    """Return the address of a server's viewer. code: a one-time code; browsers send no fragment anywhere."""
    fragment = "" if code is None else f"#code={code}"
    return f"http://{here_of(host_name)}:{port}/{fragment}"


async def seen(host: Host, wait_s: float) -> bool:
    """Wait until somebody from outside watches, at most `wait_s` seconds; return whether somebody does."""
    try:
        async with asyncio.timeout(wait_s):
            while not _watchers(host):
                await asyncio.sleep(_LOOK_S)
    except TimeoutError:
        return False
    return True


async def restarted(host: Host) -> bool:
    """After an operator has stopped the battle: wait whether it is started anew, RESTART_WAIT_S at most."""
    try:
        async with asyncio.timeout(RESTART_WAIT_S):
            while not host.table.playing:
                await asyncio.sleep(_LOOK_S)
    except TimeoutError:
        return False
    return True


def was_stopped(summary: BattleSummary) -> bool:
    """Return whether an operator stopped the battle; otherwise it lost its bots."""
    return summary.ending == "aborted" and summary.why.startswith("stopped by ")


def _watchers(host: Host) -> int:
    """Return how many watch who are not of this process."""
    clients = host.lobby.clients
    return sum(clients[conn].peer_host != LOCAL_HOST for conn in host.lobby.spectators())

"""Showing a file in the browser: what `turnwright replay` does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from urllib.parse import quote

from turnwright.net import loops
from turnwright.net.page_server import PageServer
from turnwright.net.pages import Pages
from turnwright.net.shelf import Shelf, name_of, url_of
from turnwright.net.stopping import stop_on_signals
from turnwright.net.viewer_files import load_viewer
from turnwright.net.viewing import Viewable

__all__ = ["page_of", "show"]


def page_of(name: str, turn: str | None = None) -> str:
    """Return where the viewer plays the record of that name, below its server's address.

    turn: "ROUND.TURN" to begin with.
    """
    fragment = "" if turn is None else f"#turn={turn}"
    return f"/?replay={quote(url_of(name), safe='/')}{fragment}"


def show(found: Viewable, *, port: int, turn: str | None, on_listening: Callable[[str], None]) -> None:
    """Serve the viewer and the file until Ctrl-C or SIGTERM.

    port: 0 for a free one. on_listening: told the page's address once it can be opened.
    Raises: SetupError when the port is taken.
    """
    loops.run(_show(found, port, turn, on_listening))


async def _show(found: Viewable, port: int, turn: str | None, on_listening: Callable[[str], None]) -> None:
    stop = asyncio.Event()
    stop_on_signals(stop, _ended_well)
    home = page_of(name_of(found.path), turn)
    server = PageServer(Pages(load_viewer(), Shelf.of_files(found.path)), port, home)
    await server.start()
    try:
        on_listening(server.origin + home)
        await stop.wait()
    finally:
        await server.stop()


def _ended_well() -> None:
    """Ctrl-C is how a page is closed, not an interruption."""

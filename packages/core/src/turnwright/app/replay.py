"""A server of pages, without a game or WebSockets, for `replay` and `docs`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from turnwright.app.branch.choice import turns_until
from turnwright.app.frames import view_files
from turnwright.app.game.playable import PlayableGame, find_game, game_of_recordings
from turnwright.errors import RecordError
from turnwright.host.admission import AdmissionConfig
from turnwright.net import loop as loops
from turnwright.net.files.new_file import write_file
from turnwright.net.files.reader import (
    BattleKind,
    OnProgress,
    kind_of_file,
    naming,
    no_progress,
    read_record,
)
from turnwright.net.files.record_list import RECORD_BYTES_MAX, RecordList, name_of, url_of
from turnwright.net.http.analysis import AnalysisProcess
from turnwright.net.http.close import GracefulClose
from turnwright.net.http.listener import Listener
from turnwright.net.http.pages import FRAMES_SUFFIX, Pages
from turnwright.net.http.ports import bind
from turnwright.net.http.request import HttpResponse, encode, text
from turnwright.net.loop import stop_on_signals
from turnwright.net.rules_watchdog import RulesWatchdog
from turnwright.net.websocket.interface import Accepted

HOST_NAME = "127.0.0.1"


class PageServer:
    """Serves `pages` on a port of this machine. With port 0, the system chooses a free port. The attribute
    `port` has the number of the port in use.

    Args:
        home: the path and query to which the server redirects a request for "/". With home "/", there is no
            redirect.
    """

    def __init__(self, pages: Pages, port: int = 0, home: str = "/") -> None:
        self.port = port
        self._pages = pages
        self._home = home

    @property
    def origin(self) -> str:
        """The address of the first page, without the final slash."""
        return f"http://{HOST_NAME}:{self.port}"

    async def start(self) -> None:
        """Start to listen. Afterwards browsers can open the pages at `origin`.

        Raises:
            SetupError: the port is taken.
        """
        sockets = bind(HOST_NAME, self.port)
        self.port = int(sockets[0].getsockname()[1])
        self._listener = Listener(self.on_http, _refuse_upgrade, AdmissionConfig(bound_host=HOST_NAME))
        await self._listener.open(sockets)

    async def stop(self) -> None:
        """Stop listening, and close the pages."""
        self._listener.close()
        self._pages.close()
        await asyncio.sleep(0)

    def on_http(self, method: str, path: str, headers: Mapping[str, str]) -> HttpResponse:
        """Return the answer to a request: a page, the redirect from "/" to `home`, or an error."""
        page = path.partition("?")[0]
        if path == "/" != self._home:
            return text(302, "the record is shown on its own page", Location=self._home)
        shown = self._pages.show(page, headers)
        if shown is None:
            return text(404, f"There is no page {page[:80]!a} here: see /")
        if method == "HEAD":
            return replace(shown, bodiless=True)
        return shown if method == "GET" else text(405, "only GET and HEAD work here", Allow="GET, HEAD")


def _refuse_upgrade(accepted: Accepted) -> None:
    """Refuse a WebSocket connection, because this server plays no battles."""
    accepted.transport.write(encode(text(404, "this server only shows pages; it plays no battles")))
    GracefulClose(accepted.transport, lambda _error: accepted.lost())


# Examining a file before it is shown: its kind, whether this version can show it, whether it is complete.


@dataclass(frozen=True, slots=True)
class Viewable:
    """A file that the viewer can show.

    Attributes:
        kind: the file's format: our own or Tank Royale's.
        size: the size of the file, in bytes.
        truncated: whether the file ends before the end of the battle. The viewer then shows the turns that
            the file contains.
        game: the game whose page shows the file.
        frames: the frames that the page gets instead of the record. None means that the page plays the record
            itself.
    """

    path: Path
    kind: BattleKind
    size: int
    truncated: bool
    game: PlayableGame
    frames: bytes | None = None

    @property
    def name(self) -> str:
        """The name of the file that the page gets."""
        return name_of(self.path) if self.frames is None else name_of(self.path) + FRAMES_SUFFIX

    def content(self) -> bytes:
        """Return the bytes that the page gets."""
        return self.path.read_bytes() if self.frames is None else self.frames


def look_at(
    path: Path,
    on_progress: OnProgress = no_progress,
    game: PlayableGame | None = None,
    turn: str | None = None,
) -> Viewable:
    """Return a `Viewable`, the file in a form that the viewer can show.

    For a record, this loads its game.

    Args:
        game: the game of a record, if the name in its header does not lead to it.
        turn: "ROUND.TURN", a turn that must be in the record. It is not checked for a recording.

    Raises:
        SetupError: the record has no such turn, or its game is unknown or cannot be loaded.
        RecordError: the file cannot be shown, or a call of its game did not return. The message has one line.
    """
    kind = kind_of_file(path)
    size = path.stat().st_size
    if size > RECORD_BYTES_MAX:
        most = RECORD_BYTES_MAX >> 20
        raise RecordError(f"{path} has {size:,} bytes; the viewer can show at most {most} MiB")
    if kind != "record":
        with naming(path):
            reader = game_of_recordings()
        return Viewable(path, kind, size, reader.records.is_cut_off(path, on_progress), reader)
    with RulesWatchdog():
        record = read_record(path, on_progress=on_progress, rules=None if game is None else game.rules())
        if turn is not None:
            turns_until(record, turn)
        game = game or find_game(record.header.game, installed_only=True)
        with naming(path):
            return Viewable(path, "record", size, record.truncated, game, game.records.page(record))


# Showing a file in the browser: what `turnwright replay` does.


def page_of(name: str, turn: str | None = None) -> str:
    """Return the path, on the server, of the page that plays a record of this name.

    Args:
        turn: the turn at which the page begins, as "ROUND.TURN".
    """
    fragment = "" if turn is None else f"#turn={turn}"
    return f"/?replay={quote(url_of(name), safe='/')}{fragment}"


def show(found: Viewable, *, port: int, turn: str | None, on_listening: Callable[[str], None]) -> None:
    """Serve the viewer and the file until Ctrl-C or SIGTERM.

    Args:
        port: the port to listen on, 0 for a free port.
        on_listening: called with the page's address as soon as browsers can open it.

    Raises:
        SetupError: the port is taken.
    """
    loops.run(_show(found, port, turn, on_listening))


async def _show(found: Viewable, port: int, turn: str | None, on_listening: Callable[[str], None]) -> None:
    stop = asyncio.Event()
    stop_on_signals(stop, _ended_well)
    home = page_of(found.name, turn)
    with TemporaryDirectory(prefix="turnwright-") as folder:
        path = found.path
        if found.frames is not None:
            path = Path(folder) / found.name
            write_file(path, found.frames)
        analysis = AnalysisProcess(work=found.game.explained) if found.frames is None else None
        pages = Pages(view_files(found.game), RecordList.of_files(path), analysis=analysis)
        await _serve(PageServer(pages, port, home), home, stop, on_listening)


def show_pages(pages: Pages, port: int, on_listening: Callable[[str], None]) -> None:
    """Serve pages, without a record, until Ctrl-C or SIGTERM. See `show`.

    Raises:
        SetupError: the port is taken.
    """
    loops.run(_show_pages(pages, port, on_listening))


async def _show_pages(pages: Pages, port: int, on_listening: Callable[[str], None]) -> None:
    stop = asyncio.Event()
    stop_on_signals(stop, _ended_well)
    await _serve(PageServer(pages, port), "/", stop, on_listening)


async def _serve(
    server: PageServer, home: str, stop: asyncio.Event, on_listening: Callable[[str], None]
) -> None:
    await server.start()
    try:
        on_listening(server.origin + home)
        await stop.wait()
    finally:
        await server.stop()


def _ended_well() -> None:
    """Do nothing. Ctrl-C is the usual way to stop serving a page, so it is not reported as an
    interruption.
    """

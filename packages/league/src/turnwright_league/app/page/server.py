"""The live page of a tournament, which a server shows and a file in the folder repeats."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from types import MappingProxyType

from turnwright.app.frames import frames_of, view_files
from turnwright.app.game.playable import PlayableGame
from turnwright.app.replay import PageServer
from turnwright.net import loop as loops
from turnwright.net.files.new_file import write_file
from turnwright.net.files.record_list import RecordList
from turnwright.net.http.analysis import AnalysisProcess
from turnwright.net.http.pages import Pages
from turnwright.net.loop import stop_on_signals
from turnwright_league.app.page.content import PageSource, Replays, page_data
from turnwright_league.app.page.files import INDEX_NAME, PAGE, PAGES, page_json, tournament_page
from turnwright_league.tournament.battle_spec import BATTLE_ID_DIGITS

HOME = "/tournament"
"""The page's path on its server. "/" redirects to it, and "/?replay=…" is the viewer."""
STANDINGS_PATH = "/standings.json"
"""The path of the page's content, which the page requests repeatedly."""
PAGE_S_MIN = 10.0
"""The shortest time in seconds between two pages in the folder of a running tournament."""
PAGE_TIMES = 50
"""The pause before a page is written again, as a multiple of the time that the last page took."""
_RECORD = re.compile(rf"([0-9a-f]{{{BATTLE_ID_DIGITS}}})\.twr")


class TournamentPages:
    """The pages of a tournament's server: its own page, the viewer and the records.

    Args:
        record: returns the file of a battle's record, by the battle's id.
        pages: the viewer's files for further pages, by path.
    """

    def __init__(
        self,
        game: PlayableGame,
        record: Callable[[str], Path | None],
        pages: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        files, analyses = view_files(game, PAGES), game.package.analysis
        self._body = b"{}"
        self.replays: Replays = "server" if analyses else "frames"
        self.pages = Pages(
            {**files, HOME[1:]: files[PAGE], **{path: files[name] for path, name in pages.items()}},
            RecordList(tuple, lambda name: _record(name, record)),
            analysis=AnalysisProcess(work=game.explained) if analyses else None,
            frames=None if analyses else AnalysisProcess(work=frames_of(game), kept_max=1),
            documents={STANDINGS_PATH: lambda: self._body},
        )

    def show(self, source: PageSource) -> None:
        """Show the current state of a tournament. All threads may call this."""
        self._body = page_json(page_data(source))


def _record(name: str, record: Callable[[str], Path | None]) -> Path | None:
    """Return the file for a record's name, which contains a battle's id, or None for another name."""
    found = _RECORD.fullmatch(name)
    return None if found is None else record(found[1])


def serve_page(shown: TournamentPages, port: int, on_listening: Callable[[str], None]) -> None:
    """Serve a tournament until Ctrl-C or SIGTERM.

    Args:
        port: the port, or 0 for a free one.
        on_listening: is called with the page's address once it can be opened.

    Raises:
        SetupError: the port is taken.
    """
    loops.run(_serve(shown, port, on_listening))


async def _serve(shown: TournamentPages, port: int, on_listening: Callable[[str], None]) -> None:
    stop = asyncio.Event()
    stop_on_signals(stop, lambda: None)
    server = PageServer(shown.pages, port, HOME)
    await server.start()
    try:
        on_listening(server.origin + HOME)
        await stop.wait()
    finally:
        await server.stop()


class LivePage:
    """The page of a running tournament, on a server and as a file.

    Call `close` at the end. If the file cannot be written, on_notice gets a line once, and the tournament
    continues.

    Args:
        folder: the folder of index.html.
        shown: the pages of the server, or None for no server.
        port: the port, or 0 for a free one.
    """

    def __init__(
        self,
        folder: Path,
        shown: TournamentPages | None,
        port: int = 0,
        on_notice: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._path = folder / INDEX_NAME
        self._shown = shown
        self._port = port
        self._tell = on_notice
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread: threading.Thread | None = None
        self._due = 0.0
        self._failed = False

    def start(self) -> str | None:
        """Start the server in its own thread, and return the page's address, or None without a server.

        Raises:
            SetupError: the port is taken.
        """
        if self._shown is None:
            return None
        ready = threading.Event()
        told: list[str | BaseException] = []
        self._thread = threading.Thread(
            target=self._run, args=(self._shown, told, ready), name="turnwright-page", daemon=True
        )
        self._thread.start()
        ready.wait()
        if isinstance(told[0], BaseException):
            raise told[0]
        return told[0]

    def show(self, make: Callable[[Replays], PageSource], *, last: bool = False) -> None:
        """Show the current state of a tournament on the server, and from time to time in the file.

        Args:
            make: returns the tournament for a page with this kind of replays.
            last: whether the file is written in any case.
        """
        if self._shown is not None:
            self._shown.show(make(self._shown.replays))
        began = monotonic()
        if not last and began < self._due:
            return
        try:
            write_file(self._path, tournament_page(page_data(make("command"))))
            self._failed = False
        except OSError as error:
            if not self._failed:
                self._tell(f"{self._path} cannot be written: {error.strerror}")
            self._failed = True
        self._due = monotonic() + max(PAGE_S_MIN, PAGE_TIMES * (monotonic() - began))

    def close(self) -> None:
        """Stop the server, and wait for its thread."""
        if self._loop is not None and self._stop is not None and self._thread is not None:
            if not self._thread.is_alive():
                return
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join()

    def _run(self, shown: TournamentPages, told: list[str | BaseException], ready: threading.Event) -> None:
        """Serve in this thread until `close`.

        Args:
            told: gets the address or an error.
        """

        async def main() -> None:
            self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
            server = PageServer(shown.pages, self._port, HOME)
            await server.start()
            told.append(server.origin + HOME)
            ready.set()
            await self._stop.wait()
            await server.stop()

        try:
            loops.run(main())
        except BaseException as error:
            told.append(error)
        finally:
            ready.set()

"""Runs a ladder server: its folder, its battles, its web server."""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from turnwright.app.game.playable import find_game
from turnwright.app.lan.class_page import GET_PATH
from turnwright.app.lan.starter import MANUAL, StarterPages
from turnwright.app.options import CLASS_REQUESTS_BURST, CLASS_REQUESTS_PER_S
from turnwright.errors import SetupError
from turnwright.kernel.units import NS_PER_US
from turnwright.net import loop as loops
from turnwright.net.http.close import GracefulClose
from turnwright.net.http.listener import Listener
from turnwright.net.http.pages import FRAMES_SUFFIX, READS_FILES
from turnwright.net.http.ports import bind
from turnwright.net.http.request import encode, text
from turnwright.net.http.room_front import PATH, RoomFront
from turnwright.net.loop import stop_on_signals
from turnwright.net.portability import IS_LINUX
from turnwright.net.sandbox.level import level_of
from turnwright.net.websocket.interface import Accepted
from turnwright_league.app.folder import TournamentFolder
from turnwright_league.app.ladder.battle_runner import LadderBattleRunner
from turnwright_league.app.ladder.folder import LadderFolder
from turnwright_league.app.ladder.game import LadderGame
from turnwright_league.app.ladder.live import LiveBattles
from turnwright_league.app.ladder.options import LadderOptions
from turnwright_league.app.ladder.site import HOME, LADDER_PAGE, LadderSite
from turnwright_league.app.ladder.views import LadderViews
from turnwright_league.app.page.content import PageProgress, PageSource, shown_names
from turnwright_league.app.page.server import TournamentPages
from turnwright_league.app.store import open_store
from turnwright_league.app.tournament import bots_of, rated_standings
from turnwright_league.tournament.ratings import ratings_of
from turnwright_league.tournament.versions import versions_of

_SECRET_BYTES = 9
_LOOK_S_MIN = 2.0
_LOOK_TIMES = 20
ADDRESS_CONNECTIONS_MAX = 800
"""The most connections of one address.

A class may share an address, so this is enough for 100 pages with 8 connections each.
"""

_log = logging.getLogger("turnwright")


@dataclass(frozen=True, slots=True)
class LadderAddresses:
    """The addresses of a ladder server's pages.

    Attributes:
        people: the page for everybody.
        projector: the standings in large letters.
        teacher: the page for the teacher, with the secret if the server has drawn it.
    """

    people: str
    projector: str
    teacher: str


class LadderServer:
    """A ladder server for a folder that its caller has locked. `start` makes it run.

    Args:
        game: the name of the game, or the path of its folder.
        settings: the settings of its battles.

    Raises:
        SetupError: the game is unknown, a setting is wrong, the sandbox is not available, or the store cannot
            be opened.
    """

    def __init__(
        self,
        options: LadderOptions,
        game: str,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.options = options
        self.sandbox = level_of(options.sandbox, _log.warning)
        self.ladder_folder = LadderFolder(options, lambda: self.runner.wake())
        self.port = options.port
        self._store = open_store(self.ladder_folder.folder.store, writing=True)
        self.ladder_folder.folder.delete_unfinished()
        played = find_game(game)
        ladder_game = LadderGame(self.ladder_folder, self._store, played, settings or {}, self.sandbox)
        gate = replace(
            options.gate(),
            connections_per_address_max=ADDRESS_CONNECTIONS_MAX,
            new_per_address_per_s=CLASS_REQUESTS_PER_S,
            new_per_address_burst=CLASS_REQUESTS_BURST,
        )
        self._listener = Listener(lambda *asked: self.site.respond(*asked), _refuse_upgrade, gate)
        self._front = RoomFront({}, gate, self._listener)
        self._live = LiveBattles(self._front, played.rules().name)
        live = self._live.channel(gate) if IS_LINUX else None
        self.runner = LadderBattleRunner(self.ladder_folder, ladder_game, self._store, self._look, live)
        self.pages = TournamentPages(played, self.ladder_folder.record, LADDER_PAGE)
        self._secrets = options.teacher_secrets or frozenset({secrets.token_urlsafe(_SECRET_BYTES)})
        suffix = FRAMES_SUFFIX if self.pages.replays == "frames" else ""
        self._views = LadderViews(self.ladder_folder, self.runner, self.sandbox, suffix, self._live.can_watch)
        starter = StarterPages(played, played.bots.first_opponent)
        tournaments = self.runner.tournaments.pages
        self.site = LadderSite(
            self.ladder_folder, self._views, self.pages, tournaments, self._secrets, starter
        )
        self._due = 0.0
        self._shown = -1, -1

    @property
    def addresses(self) -> LadderAddresses:
        """The addresses of the ladder's pages."""
        host = self.options.host_name
        if host in ("", "*", "0.0.0.0", "::"):
            host = _own_address()
        origin = f"http://{host}:{self.port}"
        # a secret of the options is known to its owner, and is not printed
        secret = "" if self.options.teacher_secrets else f"#teacher={min(self._secrets)}"
        return LadderAddresses(
            f"{origin}{HOME}", f"{origin}/projector", f"{origin}{HOME}{secret or '#teacher'}"
        )

    async def start(self) -> None:
        """Listen, and begin to play.

        Raises:
            SetupError: the port is taken.
        """
        sockets = bind(self.options.host_name, self.port)
        self.port = int(sockets[0].getsockname()[1])
        self._listener.take_body = self.site.take_body
        self._listener.reads_files = (*READS_FILES, "/api/", "/tournaments/", GET_PATH, MANUAL, PATH)
        await self._front.open(sockets)
        self._live.open()
        self.runner.start()

    async def stop(self) -> None:
        """Stop listening, and end the running battles, which the next start plays again."""
        self._front.close()
        await asyncio.to_thread(self.runner.stop)
        self._live.close()
        self.pages.pages.close()
        await asyncio.sleep(0)

    def close(self) -> None:
        """Close the databases."""
        self._live.close()
        self._store.close()
        self.ladder_folder.close()

    # ---- standings ---------------------------------------------------------------------------------------

    def _look(self, runner: LadderBattleRunner) -> None:
        """Compute the standings from time to time. The runner calls this."""
        began = time.monotonic()
        if began < self._due:
            return
        self._show(runner)
        self._due = time.monotonic() + max(_LOOK_S_MIN, _LOOK_TIMES * (time.monotonic() - began))

    def _show(self, runner: LadderBattleRunner) -> None:
        ledger = runner.ladder.ledger
        entries = ledger.entries
        table = rated_standings(ledger, runner.game.rules)
        self._views.update(table, shown_names(entries))
        running = tuple(runner.running().values())
        source = PageSource(
            self.ladder_folder.title,
            entries,
            list(ledger.battles.values()),
            table,
            time.time_ns() // NS_PER_US,
            str(self.options.folder),
            runner.game.rules,
            PageProgress(table.counted, None, None, runner.jobs, running),
            self.pages.replays,
            notes=ratings_of(entries, ()).missing,
            versions=versions_of(bots_of(self._store.entries(), entries), runner.ladder.results.values()),
            errors_public=False,
            explains=bool(runner.game.played.package.analysis),
        )
        self.pages.show(source)


def serve_ladder(
    options: LadderOptions,
    game: str,
    settings: Mapping[str, Any] | None = None,
    on_listening: Callable[[LadderAddresses], None] = lambda _: None,
) -> bool:
    """Run a ladder server until Ctrl-C or SIGTERM, and return whether it was Ctrl-C.

    Args:
        on_listening: is called with the addresses once they can be opened.

    Raises:
        SetupError: the ladder server cannot begin, or its battles cannot continue.
    """
    with TournamentFolder(options.folder, make=True).locked():
        server = LadderServer(options, game, settings)
        try:
            return loops.run(_serve(server, on_listening))
        finally:
            server.close()


async def _serve(server: LadderServer, on_listening: Callable[[LadderAddresses], None]) -> bool:
    stop = asyncio.Event()
    interrupts: list[int] = []
    stop_on_signals(stop, lambda: interrupts.append(1))
    await server.start()
    try:
        on_listening(server.addresses)
        await stop.wait()
    finally:
        await server.stop()
    if server.runner.error is not None:
        raise SetupError(f"the battles of the ladder server ended: {server.runner.error}")
    return bool(interrupts)


def _refuse_upgrade(accepted: Accepted) -> None:
    """Refuse a WebSocket with status 503, because its battle does not run or takes no more spectators."""
    why = (
        "nothing to watch here: the battle is over, has not begun, or has the most spectators"
        " that are allowed"
    )
    accepted.transport.write(encode(text(503, why, Retry_After="5")))
    GracefulClose(accepted.transport, lambda _error: accepted.lost())


def _own_address() -> str:
    """Return this machine's address in its network, or 127.0.0.1 if it is unknown. Nothing is sent."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return "127.0.0.1"

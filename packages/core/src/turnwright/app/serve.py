"""A server that runs until it is stopped: the command `turnwright serve`."""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import monotonic_ns

from turnwright._version import __version__
from turnwright.app.frames import frames_of, view_files
from turnwright.app.game.playable import PlayableGame, find_game
from turnwright.app.lan.class_page import ClassPages
from turnwright.app.options import LAN_SPECTATORS_MAX, ServeOptions
from turnwright.app.rooms import RoomSeat, taken_over
from turnwright.app.watch import here_of, new_code, page_url
from turnwright.catalog import default_game
from turnwright.errors import SetupError, TurnwrightError
from turnwright.host.admission import AdmissionConfig
from turnwright.host.config import HostConfig
from turnwright.host.host import Host
from turnwright.host.summary import BattleSummary
from turnwright.kernel.game import Game
from turnwright.net import loop as loops
from turnwright.net.clock import now_ns
from turnwright.net.files.battle_record import write_bundle
from turnwright.net.files.new_file import temporary_folder, why_not_writable
from turnwright.net.files.record_list import NO_RECORDS, RecordList
from turnwright.net.files.writer import LineFiles, RecordWriter, SmallGzip
from turnwright.net.http.analysis import AnalysisProcess
from turnwright.net.http.listener import with_room
from turnwright.net.http.pages import MorePages, Pages
from turnwright.net.http.ports import Inherited, ListenAddress
from turnwright.net.http.room_front import prefix_of
from turnwright.net.loop import stop_on_signals
from turnwright.net.participants.seating import seat_secret
from turnwright.net.participants.start_for_operator import BOOTED_MAX, Booter
from turnwright.net.rules_watchdog import watchdog_with_signals
from turnwright.net.sandbox import SandboxLevel
from turnwright.net.sandbox.level import level_of
from turnwright.net.sandbox.sandboxes import Sandboxes
from turnwright.net.server import LiveServer
from turnwright.wire.record.v2 import Encoder

BUNDLES_MAX = 20
"""The largest number of void battles for which one server keeps a crash bundle. Later void battles get none,
so that operators cannot fill the disk.
"""

OnListening = Callable[[str, str], None]

_log = logging.getLogger("turnwright")
_STDIN = 0
_QUIT = b"quit"
_LINE_BYTES_MAX = 4096


def serve(
    options: ServeOptions,
    on_listening: OnListening | None = None,
    game: str | None = None,
    seat: RoomSeat | None = None,
) -> bool:
    """Serve until SIGTERM or a line "quit" on stdin.

    Args:
        options: the options of the server, of the class that the game uses.
        on_listening: a function that is called when clients can connect. It gets the address for programs and
            the address of the viewer.
        game: the name of the game, or the path of its folder. None means the default game.
        seat: if this process serves one of several rooms: the data from the front process. Otherwise None.

    Returns:
        Whether all records were written completely.

    Raises:
        SetupError: the port is taken, or the game cannot be served.
        KeyboardInterrupt: the server has stopped because of SIGINT.
    """
    return loops.run(
        _serve(options, find_game(game or default_game()), on_listening or _ignore_addresses, seat)
    )


def serve_room() -> None:
    """Serve a room, and then end the process with an exit code. 1 means that a record is incomplete.

    The room's options, game, seat and log level come from stdin.
    """
    options, game, seat, level = pickle.load(sys.stdin.buffer)
    seat.begin(level)

    def announce(_url: str, page: str) -> None:
        origin, slash, code = page.rpartition("/")
        seat.say(f"watch {seat.name}: {origin}{prefix_of(seat.name)}{slash}{code}")
        seat.say(f"{seat.name}: {find_game(game).spectators_see()}")

    try:
        whole = serve(options, announce, game, seat)
    except TurnwrightError as error:
        _log.error("%s", error)
        seat.fail(str(error))
        sys.exit(error.exit_code)
    sys.exit(0 if whole else 1)


async def _serve(
    options: ServeOptions,
    game: PlayableGame,
    on_listening: OnListening,
    seat: RoomSeat | None,
) -> bool:
    if seat is None:
        options, handed = taken_over(options)
    else:
        options, handed = replace(options, port=seat.port), Inherited([], ())
    level = level_of(options.sandbox, _log.warning)
    stop, interrupted = asyncio.Event(), list[bool]()
    stop_on_signals(stop, lambda: interrupted.append(True))
    records = ServedRecords(options.records, game.rules(), required=options.record_required)
    own_secret = new_code()
    own_secrets = [seat_secret(own_secret, number) for number in range(BOOTED_MAX)]
    gate = with_room(options.gate())
    host = Host(_config(options, game, frozenset(own_secrets), records, gate))
    booter = Booter(options.bots, host.config.protocol, game.bots, own_secrets, options.python)

    address = ListenAddress(options.host_name, 0 if options.port == "inherit" else options.port)
    server = LiveServer(
        host,
        address if handed is None else replace(address, sockets=handed.sockets, listeners=handed.names),
        archive=records.recorder,
        on_battle_over=records.over,
        gate=gate,
        pages=_pages(game, options, host, records, _class_pages(game, options, host)),
        booter=booter,
    )
    await server.start()
    here = f"{here_of(options.host_name)}:{server.port}"
    _open(booter, level, server, here, "" if seat is None else prefix_of(seat.name), options.python)
    try:
        page = page_url(options.host_name, server.port, host.issue_code(now_ns()))
        on_listening(f"ws://{_shown(options.host_name)}:{server.port}", page)
        with watchdog_with_signals(game):
            if seat is None:
                _stop_on_quit(stop)
                await stop.wait()
            else:
                await seat.hold(server, host, stop)
    finally:
        await asyncio.shield(asyncio.gather(server.stop(), booter.stop()))
        records.close()
    if interrupted:
        raise KeyboardInterrupt
    return records.whole


def _open(
    booter: Booter, level: SandboxLevel, server: LiveServer, here: str, path: str, python: str | None
) -> None:
    """Let the booter start bots from now on, in the sandbox if `level` is "full".

    Args:
        here: the host name and port at which bots connect.
        path: the path of the room, or "".
    """
    sandboxes = Sandboxes(server.listener.open_sandbox, path=path, python=python) if level == "full" else None
    booter.open(f"ws://{here}{path}", sandboxes)


def _pages(
    game: PlayableGame, options: ServeOptions, host: Host, records: ServedRecords, more: MorePages | None
) -> Pages:
    """Return the pages of a server. If the game has an analysis of records, its page gets records. Otherwise
    the page gets frames.
    """
    files = view_files(game)
    if game.package.analysis:
        analysis = _analysis(game, host, records)
        return Pages(files, _records(options, records), analysis=analysis, more=more)
    frames = AnalysisProcess(work=frames_of(game), kept_max=1)
    return Pages(files, _records(options, records), frames=frames, more=more)


def _class_pages(game: PlayableGame, options: ServeOptions, host: Host) -> MorePages | None:
    """Return the pages for students, or None if the server does not serve a class. On these pages, any secret
    of bots is valid as the join word.
    """
    if not options.lan:
        return None
    return ClassPages(game, lambda word: host.lobby.credentials.would_fit("bot", word)).respond


def _analysis(game: PlayableGame, host: Host, records: ServedRecords) -> AnalysisProcess:
    """Return the process that analyses battles. Only clients that may watch get its results."""
    return AnalysisProcess(
        lambda: records.recorder.newest,
        lambda secret: host.lobby.credentials.would_fit("spectator", secret),
        game.explained,
    )


def _records(options: ServeOptions, records: ServedRecords) -> RecordList:
    """Return the records that browsers can open. These are the records of battles that are over.

    The list is empty if spectators need a secret. Pages need no secret, so they must not show records then.
    """
    if options.records is None or (options.controller_secrets and not options.lan):
        return NO_RECORDS
    return RecordList.of_folder(options.records, records.recorder.files.is_open)


def _config(
    options: ServeOptions,
    game: PlayableGame,
    own_secrets: frozenset[str],
    records: ServedRecords,
    gate: AdmissionConfig,
) -> HostConfig:
    """Return the host's settings.

    If spectators need no secret, some connections are reserved for participants.

    Args:
        own_secrets: the secrets of the bots that the server starts itself.
        gate: the limits on connections that this process can offer.
    """
    return HostConfig(
        new_game=game.battles.new_game(options),
        random_bytes=os.urandom,
        stopwatch=monotonic_ns,
        version=__version__,
        protocol=game.protocol(options),
        bot_secrets=options.bot_secrets | own_secrets if options.bot_secrets else frozenset(),
        controller_secrets=options.controller_secrets,
        tps=options.tps,
        pacing=options.pacing,
        debug_mode=options.debug_mode,
        breakpoint_mode=options.breakpoint_mode,
        turn_timeout_cap_us=options.turn_timeout_cap_us,
        opening_timeout_us=options.opening_timeout_us,
        first_answer=options.on_late == "drop",
        rules=options.turn_rules,
        on_rules_error_continue=game.battles.is_tolerant(options),
        seed=options.seed,
        record=True,
        refusal=records.refusal,
        bots_max=options.bots_max,
        open_to_spectators=options.lan,
        spectators_max=gate.connections_max - gate.places_kept if options.lan else None,
        spectators_per_address_max=LAN_SPECTATORS_MAX if options.lan else None,
        one_bot_a_name=options.lan,
        own_bot_secrets=own_secrets,
    )


class ServedRecords:
    """The records of a server's battles: `<DIR>/battle-0001.twr` …

    Without a directory, the server keeps the record of the newest battle as a temporary file until the next
    battle ends. If the rules failed, a copy of the record stays in the crash bundle.

    Raises:
        SetupError: the directory cannot be created, or records are required and cannot be written.
    """

    def __init__(self, folder: Path | None, game: Game, *, required: bool) -> None:
        self._kept = folder is not None
        self._required = required
        self._bundles = 0
        self.whole = True
        """Whether all records that are kept are complete."""
        try:
            self._folder = folder or temporary_folder()
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            why = "a file has that name" if isinstance(error, FileExistsError) else error.strerror
            raise SetupError(
                f"--records {folder} cannot be created: {why}; give another directory"
            ) from error
        first = 1 + max((_number(path) for path in self._folder.glob("battle-*.twr")), default=0)
        self._archive = LineFiles(
            lambda battle: self._folder / f"battle-{first + battle - 1:04}.twr", SmallGzip
        )
        self.recorder = RecordWriter(self._archive, lambda: Encoder(game.write_intent))
        if (why := self.refusal()) is not None:
            raise SetupError(f"--records {folder}: {why}; give another place, or leave --record-required out")

    def refusal(self) -> str | None:
        """Return why no battle can begin now, or None."""
        why = why_not_writable(self._folder / "battle.twr") if self._required else None
        return None if why is None else f"records cannot be written: {why}"

    def over(self, battle: int, summary: BattleSummary) -> None:
        """Log the end of a battle. If the rules failed, write a crash bundle."""
        path = self.recorder.paths.pop(battle, None)
        kept = f", record {path}" if path is not None and self._kept else ""
        self.whole = self.whole and self._archive.error(battle) is None
        _log.info(
            "battle %d %s: %d turns, seed %d%s", battle, summary.ending, summary.turns, summary.seed, kept
        )
        if summary.ending == "void":
            self._keep_bundle(summary, path)
        if not self._kept:
            for old in self._folder.glob("battle-*.twr"):
                if old != self.recorder.newest:
                    old.unlink(missing_ok=True)

    def _keep_bundle(self, summary: BattleSummary, path: Path | None) -> None:
        """Write the crash bundle of a void battle, unless BUNDLES_MAX bundles were written."""
        self._bundles += 1
        if self._bundles > BUNDLES_MAX:
            _log.error("the crash bundle is not written: there are already %d", BUNDLES_MAX)
            return
        try:
            where = self._folder if self._kept else Path.cwd()
            _log.error("crash bundle that reproduces it: %s", write_bundle(where, summary, path))
        except OSError as error:
            _log.error("the crash bundle cannot be written: %s", error.strerror)

    def close(self) -> None:
        """Close open records, and delete temporary ones."""
        self._archive.abandon()
        if not self._kept:
            shutil.rmtree(self._folder, ignore_errors=True)


def _number(path: Path) -> int:
    """Return the number in "battle-0012.twr", 0 for another name."""
    digits = path.stem.removeprefix("battle-")
    return int(digits) if digits.isdecimal() else 0


def _stop_on_quit(stop: asyncio.Event) -> None:
    """Set `stop` when stdin contains a line "quit", in upper or lower case. The official server has the same
    command. The end of stdin has no effect.

    A thread reads stdin, because stdin may be a file, and an event loop cannot wait for a file. The thread
    reads the descriptor, because a thread that is blocked in `sys.stdin` would disturb the end of the
    interpreter.
    """
    loop = asyncio.get_running_loop()
    if threading.current_thread() is threading.main_thread() and hasattr(signal, "SIGTTIN"):
        signal.signal(signal.SIGTTIN, signal.SIG_IGN)

    def watch() -> None:
        rest = b""
        try:
            while data := os.read(_STDIN, _LINE_BYTES_MAX):
                *lines, rest = (rest + data).split(b"\n")
                if any(line.strip().lower() == _QUIT for line in lines):
                    loop.call_soon_threadsafe(stop.set)
                rest = rest[-_LINE_BYTES_MAX:]
        except (OSError, RuntimeError):
            return  # stdin is closed, or the loop has ended

    threading.Thread(target=watch, name="turnwright-stdin", daemon=True).start()


def _shown(host_name: str) -> str:
    """Return a host name as it is written in a URL. "" and "*" become 0.0.0.0."""
    name = host_name.strip("[]") or "0.0.0.0"
    return f"[{name}]" if ":" in name else name.replace("*", "0.0.0.0")


def _ignore_addresses(url: str, page: str) -> None:
    """Ignore the addresses of a server."""

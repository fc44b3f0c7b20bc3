"""A server that runs until it is told to stop: what `turnwright serve` does."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import signal
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic_ns

from turnwright._version import __version__
from turnwright.errors import SetupError
from turnwright.games.tank.game import TankGame
from turnwright.host.config import GAME_TYPES, HostConfig
from turnwright.host.gate import GateConfig
from turnwright.host.host import Host
from turnwright.host.summary import BattleSummary
from turnwright.kernel.game import OnSkip
from turnwright.kernel.pace import TPS_DEFAULT, check_tps
from turnwright.kernel.record import OnDisconnect, OnLate
from turnwright.kernel.streams import SEED_MAX
from turnwright.net import loops
from turnwright.net.archive import Archive, Recorder, small_gzip
from turnwright.net.bind import check_exposure, check_port, inherited
from turnwright.net.booting import Booter
from turnwright.net.clock import now_ns
from turnwright.net.fronting import gate_of
from turnwright.net.live import LiveServer
from turnwright.net.newfile import temporary_folder, why_not_writable
from turnwright.net.pages import Pages
from turnwright.net.pythons import choose_python
from turnwright.net.shelf import NO_RECORDS, Shelf
from turnwright.net.spool import write_bundle
from turnwright.net.stopping import stop_on_signals
from turnwright.net.viewer_files import load_viewer
from turnwright.net.warmup import Speed, Warmth
from turnwright.net.watching import here_of, new_code, page_url
from turnwright.options import OnRulesError, check_max_skipped, check_timeout
from turnwright.wire.record.v1 import Encoder

__all__ = ["OnListening", "ServeOptions", "serve"]

OnListening = Callable[[str, str], None]

_log = logging.getLogger("turnwright")
_STDIN = 0
_QUIT = b"quit"
_LINE_BYTES_MAX = 4096


@dataclass(frozen=True)
class ServeOptions:
    """The settings of a server. Empty secrets: that role needs none, and only this machine may connect.

    seed: of the first battle, each later one has the next number; None: drawn for each battle.
    turn_timeout_cap_us: no game gets a longer turn timeout. opening_timeout_us: for the first observation of
    a round. records: a directory for a record of each battle, or None; record_required: no battle begins when
    none can be written there. trusted_proxies: addresses and networks of proxies that say whom they speak
    for. speed: of the rules. bots: directories
    of bot directories that an operator may have started; python: the interpreter for Python bots. inherit:
    listen on the sockets that a supervisor has opened, in place of host_name and port.
    Raises: SetupError, in one line, for what cannot be served.
    """

    port: int = 7654
    host_name: str = "localhost"
    insecure: bool = False
    game_types: tuple[str, ...] = GAME_TYPES
    bot_secrets: frozenset[str] = frozenset()
    controller_secrets: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    trusted_proxies: tuple[str, ...] = ()
    initial_positions: bool = False
    tps: int = TPS_DEFAULT
    debug_mode: bool = True
    breakpoint_mode: bool = True
    seed: int | None = None
    turn_timeout_cap_us: int | None = None
    opening_timeout_us: int | None = None
    on_late: OnLate = "drop"
    on_skip: OnSkip = "repeat"
    max_skipped: int = 30
    on_disconnect: OnDisconnect = "skip"
    on_rules_error: OnRulesError = "void"
    records: Path | None = None
    record_required: bool = False
    speed: Speed = "auto"
    bots: tuple[Path, ...] = ()
    python: str | None = None
    inherit: bool = False

    def __post_init__(self) -> None:
        check_port(self.port)
        check_tps(self.tps)
        unknown = [name for name in self.game_types if name not in GAME_TYPES]
        if unknown or not self.game_types:
            given = f"unknown game type {unknown[0]!r}" if unknown else "no game type is given"
            raise SetupError(f"{given}: choose some of {', '.join(GAME_TYPES)}")
        if self.seed is not None and not 0 <= self.seed <= SEED_MAX:
            raise SetupError(f"seed is {self.seed}: give an integer from 0 to {SEED_MAX}")
        check_max_skipped("--max-skipped", self.max_skipped)
        timeouts = {"turn": self.turn_timeout_cap_us, "opening": self.opening_timeout_us}
        for name, value in timeouts.items():
            if value is not None:
                check_timeout(f"--{name}-timeout", value)
        if self.record_required and self.records is None:
            raise SetupError("--record-required: no records are asked for: name a directory with --records")
        self._check_programs()
        self.gate()
        if not self.inherit or self.trusted_proxies:
            self.check_exposure(self.host_name)

    def _check_programs(self) -> None:
        for root in self.bots:
            if not root.is_dir():
                raise SetupError(f"--bots {root}: no such directory; give one that holds bot directories")
        if self.python is not None:
            choose_python(self.python)

    def gate(self) -> GateConfig:
        """Return who may come in. Raises: SetupError."""
        return gate_of(self.host_name, self.names, self.origins, self.trusted_proxies)

    def check_exposure(self, host_name: str) -> None:
        """Raise SetupError when others than this machine could connect there and a role needs no secret."""
        check_exposure(
            host_name,
            has_bot_secrets=bool(self.bot_secrets),
            has_controller_secrets=bool(self.controller_secrets),
            insecure=self.insecure,
            behind_proxy=bool(self.trusted_proxies),
        )


def serve(options: ServeOptions, on_listening: OnListening | None = None) -> bool:
    """Serve until SIGTERM or a line "quit" on stdin; return whether all records that are kept are whole.

    on_listening: told the address for programs and that of the viewer once clients can connect. Raises:
    SetupError when the port is taken; KeyboardInterrupt on SIGINT, when everything is stopped.
    """
    warmth = Warmth(options.speed, options.on_rules_error, _log.info)
    to_compile = warmth.load_cached()
    return loops.run(_serve(options, warmth, to_compile, on_listening or _nobody))


async def _serve(options: ServeOptions, warmth: Warmth, to_compile: bool, on_listening: OnListening) -> bool:
    options, sockets = _taken_over(options)
    stop = asyncio.Event()
    interrupted: list[bool] = []
    stop_on_signals(stop, lambda: interrupted.append(True))
    records = _Records(options.records, required=options.record_required)
    own_secret = new_code()
    host = Host(_config(options, warmth, own_secret, records))
    booter = Booter(options.bots, own_secret if options.bot_secrets else None, options.python)

    def over(battle: int, summary: BattleSummary) -> None:
        records.over(battle, summary)
        warmth.take_over()

    server = LiveServer(
        host,
        host_name=options.host_name,
        port=options.port,
        archive=records.recorder,
        on_battle_over=over,
        gate=options.gate(),
        pages=Pages(load_viewer(), _shelf(options)),
        booter=booter,
        sockets=sockets,
    )
    await server.start()
    here = f"{here_of(options.host_name)}:{server.port}"
    booter.open(f"ws://{here}")
    compiling = asyncio.create_task(_compile(warmth, host)) if to_compile else None
    try:
        on_listening(
            f"ws://{_shown(options.host_name)}:{server.port}",
            page_url(options.host_name, server.port, host.issue_code(now_ns())),
        )
        _stop_on_quit(stop)
        await stop.wait()
    finally:
        if compiling is not None:
            compiling.cancel()
            await asyncio.gather(compiling, return_exceptions=True)
        await asyncio.shield(asyncio.gather(server.stop(), booter.stop()))
        records.close()
    if interrupted:
        raise KeyboardInterrupt
    return records.whole


async def _compile(warmth: Warmth, host: Host) -> None:
    await warmth.compile_aside()
    if not host.table.playing:
        warmth.take_over()


def _taken_over(options: ServeOptions) -> tuple[ServeOptions, list[socket.socket] | None]:
    """Return the sockets of a supervisor, if there are any, and the options with where they are bound."""
    if not options.inherit:
        return options, None
    sockets = inherited()
    for one in sockets:
        options.check_exposure(str(one.getsockname()[0]))
    return replace(options, host_name=str(sockets[0].getsockname()[0])), sockets


def _shelf(options: ServeOptions) -> Shelf:
    """Return the records for browsers: none where spectators need a secret, since pages are open to all."""
    if options.records is None or options.controller_secrets:
        return NO_RECORDS
    return Shelf.of_folder(options.records)


def _config(options: ServeOptions, warmth: Warmth, own_secret: str, records: _Records) -> HostConfig:
    """Return what the host is told. own_secret: of the bots that the server starts itself."""
    return HostConfig(
        new_game=warmth.new_game,
        preparing=warmth.is_preparing,
        random_bytes=os.urandom,
        stopwatch=monotonic_ns,
        version=__version__,
        game_types=options.game_types,
        bot_secrets=options.bot_secrets | {own_secret} if options.bot_secrets else frozenset(),
        controller_secrets=options.controller_secrets,
        initial_positions=options.initial_positions,
        tps=options.tps,
        debug_mode=options.debug_mode,
        breakpoint_mode=options.breakpoint_mode,
        turn_timeout_cap_us=options.turn_timeout_cap_us,
        opening_timeout_us=options.opening_timeout_us,
        on_late=options.on_late,
        on_skip=options.on_skip,
        max_skipped=options.max_skipped,
        on_disconnect=options.on_disconnect,
        on_rules_error_continue=options.on_rules_error == "continue",
        seed=options.seed,
        record=True,
        record_digests=options.records is not None,
        record_checks=options.records is not None,
        refusal=records.refusal,
    )


class _Records:
    """The records of a server's battles: `<DIR>/battle-0001.twr` …

    Without a directory the one of the battle that runs lies aside and is deleted when it ends, unless the
    rules failed: then it is what reproduces the failure.
    """

    def __init__(self, folder: Path | None, *, required: bool) -> None:
        self._kept = folder is not None
        self._required = required
        self.whole = True
        """Whether no record that is kept was spoilt."""
        try:
            self._folder = folder or temporary_folder()
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            why = "there is a file of that name" if isinstance(error, FileExistsError) else error.strerror
            raise SetupError(f"--records {folder} cannot be made: {why}; give another directory") from error
        first = 1 + max((_number(path) for path in self._folder.glob("battle-*.twr")), default=0)
        self._archive = Archive(
            lambda battle: self._folder / f"battle-{first + battle - 1:04}.twr", small_gzip
        )
        game = TankGame("python")
        self.recorder = Recorder(self._archive, lambda: Encoder(game.intent_to_data))
        if (why := self.refusal()) is not None:
            raise SetupError(f"--records {folder}: {why}; give another place, or leave --record-required out")

    def refusal(self) -> str | None:
        """Return why no battle can begin now, or None."""
        why = why_not_writable(self._folder / "battle.twr") if self._required else None
        return None if why is None else f"no record can be written: {why}"

    def over(self, battle: int, summary: BattleSummary) -> None:
        """Say how a battle ended; leave a bundle when the rules failed."""
        path = self.recorder.paths.pop(battle, None)
        kept = f", record {path}" if path is not None and self._kept else ""
        self.whole = self.whole and self._archive.error(battle) is None
        _log.info(
            "battle %d %s: %d turns, seed %d%s", battle, summary.ending, summary.turns, summary.seed, kept
        )
        if summary.ending == "void":
            where = self._folder if self._kept else Path.cwd()
            _log.error("what reproduces it: %s", write_bundle(where, summary, path))
        if path is not None and not self._kept:
            path.unlink(missing_ok=True)

    def close(self) -> None:
        """Write out what is open, forget what nobody wanted."""
        self._archive.abandon()
        if not self._kept:
            shutil.rmtree(self._folder, ignore_errors=True)


def _number(path: Path) -> int:
    """Return the number in "battle-0012.twr", 0 for another name."""
    digits = path.stem.removeprefix("battle-")
    return int(digits) if digits.isdecimal() else 0


def _stop_on_quit(stop: asyncio.Event) -> None:
    """Watch stdin for a line "quit" in any case, as the official server does; its end means nothing.

    A thread, since a file cannot be polled; it reads the descriptor, since a thread that sits in `sys.stdin`
    would be in the way when the interpreter ends.
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
            return  # there is no stdin, or the loop has ended

    threading.Thread(target=watch, name="turnwright-stdin", daemon=True).start()


def _shown(host_name: str) -> str:
    """Return a host name as it stands in a URL."""
    name = host_name.strip("[]") or "0.0.0.0"
    return f"[{name}]" if ":" in name else name.replace("*", "0.0.0.0")


def _nobody(url: str, page: str) -> None:
    """Nobody wants to know."""

"""The settings that all games share. They are declared once, for Python and for commands."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from turnwright.app.option_fields import OFFICIAL, DeclaredOption, check_types, option
from turnwright.app.sizes import mebibytes, size_text
from turnwright.app.times import microseconds, seconds, time_text
from turnwright.errors import SetupError
from turnwright.kernel.game import OnSkip
from turnwright.kernel.pace import TPS_DEFAULT, TPS_UNLIMITED, Pacing, check_tps
from turnwright.kernel.record import MAX_SKIPPED_DEFAULT, OnDisconnect, OnLate, TurnRules
from turnwright.kernel.rng import SEED_MAX
from turnwright.kernel.skipped_turns import MAX_ROUNDS_OUT, MAX_SILENCE_NS
from turnwright.kernel.units import NS_PER_US, US_PER_MS
from turnwright.net.sandbox import SandboxChoice

if TYPE_CHECKING:
    from turnwright.host.admission import AdmissionConfig

SKIPPED_MAX = 1_000_000_000
"""The largest value of `max_skipped`. No battle has that many turns."""
TIMEOUT_US_MAX = 3_600_000_000
"""The longest timeout, in µs (one hour)."""
TURN_TIMEOUT_US = 30_000
"""The default time limit of a bot for one turn, in µs."""
PATIENT: Mapping[str, Any] = {
    "turn_timeout_us": 3_000_000,
    "opening_timeout_us": 10_000_000,
    "max_skipped": 10,
    "ready_timeout_us": 60_000_000,
    "connect_timeout_s": 120.0,
}
"""The values of settings for a battle that waits for every bot (`patient`).

The limits are longer than the delays of bots on a busy machine. A bot that hangs is disqualified from the
round after half a minute.
"""
ROOM_MEMORY_MIB = 2_048
"""The default limit for the memory of a room's process, in MiB."""
CLASS_REQUESTS_PER_S = 300
"""In a class, the new connections per second that the server admits from one address. This is enough for 100
pages with 3 connections each.
"""
CLASS_REQUESTS_BURST = 20_000
"""In a class, the new connections that the server admits from one address at the same time. This is enough
for 100 pages that load 120 files each, some of them again.
"""
LAN_CONNECTIONS_MAX = 1_200
"""In a class, the open connections that the server admits from one address. The same limit applies to this
machine itself.
"""
LAN_CONNECTIONS_RESERVED = 500
"""In a class, the connections that are reserved for addresses with few connections, so that bots and
operators can connect.
"""
LAN_SPECTATORS_MAX = 600
"""In a class, the spectators that the server admits from one address. This is enough for 60 laptops with ten
pages each.
"""
ROOM_MEMORY_MIB_MIN = 64
"""The smallest limit for the memory of a room's process, in MiB. A process without a game uses 45 MiB."""


def check_seed(name: str, value: int | None) -> None:
    """Raise SetupError if `value` is not a valid seed. None, for a seed that will be drawn, is valid.

    Args:
        name: the name of the setting.
    """
    if value is not None and not 0 <= value <= SEED_MAX:
        raise SetupError(f"{name} is {value}: give a whole number from 0 to {SEED_MAX}")


def check_max_skipped(name: str, value: int) -> None:
    """Raise SetupError if `value` is not a valid number of missed turns in a row.

    Args:
        name: the name of the setting.
    """
    if not 0 <= value <= SKIPPED_MAX:
        raise SetupError(f"{name} is {value}: give 1 to {SKIPPED_MAX:,}, or 0 for never")


def check_max_silence(name: str, value_us: int) -> None:
    """Raise SetupError if `value_us` is not a valid time without an answer, in µs.

    Args:
        name: the name of the setting.
    """
    if not 0 <= value_us <= TIMEOUT_US_MAX:
        raise SetupError(
            f"{name} is {time_text(value_us)}: give 0s to {time_text(TIMEOUT_US_MAX)};"
            " with 0s only missed turns count"
        )


def check_timeout(name: str, value_us: int) -> None:
    """Raise SetupError if `value_us` is not a valid timeout, in µs.

    Args:
        name: the name of the setting.
    """
    if not 1 <= value_us <= TIMEOUT_US_MAX:
        raise SetupError(f"{name} is {time_text(value_us)}: give 1us to {time_text(TIMEOUT_US_MAX)}")


def short_timeout(name: str, value_us: int | None) -> str | None:
    """Return a warning about a timeout below 1 ms. Return None for a longer timeout, and for None.

    Args:
        name: the name of the setting.
    """
    if value_us is None or value_us >= US_PER_MS:
        return None
    return (
        f"{name} is {time_text(value_us)}: hardly any bot answers so fast, most turns will be missed"
        f" ({value_us}ms are {value_us} milliseconds)"
    )


def record_path(text: str) -> Path:
    """Return the path of a record to write.

    Raises:
        ValueError: the name does not end with .twr.
    """
    if not text.endswith(".twr"):
        raise ValueError(f"{text!r} is not a name of a record: give one that ends with .twr")
    return Path(text)


@dataclass(frozen=True, kw_only=True)
class MissedTurnOptions:
    """The settings for participants that miss turns or leave.

    Attributes:
        max_skipped: a bot is disqualified if it misses this number of turns in a row. 0 means never.
        max_silence_us: the total time, in µs, for which the server must also have waited in these turns. 0:
            no such condition.
    """

    on_late: OnLate = option(
        "drop",
        "drop: an answer after its deadline has no effect. next: an answer after its deadline counts for"
        " the next turn, as on the official server (default: {default})",
        group="time",
    )
    on_skip: OnSkip = option(
        "repeat",
        "repeat: a bot that misses a turn repeats its last intent. idle: the bot does nothing"
        " (default: {default})",
        group="time",
    )
    max_skipped: int = option(
        MAX_SKIPPED_DEFAULT,
        "a bot that misses this many turns in a row is disqualified for the round. A bot that is"
        " disqualified for three rounds is disqualified for the battle. 0 = never (default: {default})",
        metavar="N",
        group="time",
        expected=("--max-inactivity-turns",),
    )
    max_silence_us: int = option(
        MAX_SILENCE_NS // NS_PER_US,
        "a bot is disqualified only if, during the missed turns of --max-skipped, the server also waited"
        " for it at least this long in total. 0s = only the number of turns counts (default: 5s)",
        "--max-silence",
        metavar="TIME",
        read=microseconds,
        group="time",
    )
    on_disconnect: OnDisconnect = option(
        "skip",
        "what happens when a bot disconnects. skip: the bot misses its turns. dead: the bot's tank dies"
        " immediately. official: the bot repeats its last intent (default: {default})",
        group="time",
    )

    @property
    def turn_rules(self) -> TurnRules:
        """These settings as rules for missed turns. The timeouts in the rules are defaults."""
        return TurnRules(
            on_late=self.on_late,
            on_skip=self.on_skip,
            max_skipped=self.max_skipped,
            max_silence_ns=self.max_silence_us * NS_PER_US,
            max_rounds_out=MAX_ROUNDS_OUT,
            on_disconnect=self.on_disconnect,
        )


@dataclass(frozen=True, kw_only=True)
class AddressOptions:
    """The names, pages and proxies by which clients reach a server.

    See `net.http.options.gate_of`.
    """

    host_name: str = option(
        "localhost",
        "address to listen on (default: {default})",
        "--host",
        metavar="NAME",
        group="network",
        often=True,
    )
    origins: frozenset[str] = option(
        frozenset(),
        "accept connections from web pages of this origin, e.g. https://example.org (the option may be"
        " repeated)",
        "--origin",
        metavar="URL",
        many=True,
        group="network",
    )
    names: frozenset[str] = option(
        frozenset(),
        "another name by which browsers reach this server (the option may be repeated)",
        "--known-as",
        metavar="NAME",
        many=True,
        group="network",
    )
    trusted_proxies: tuple[str, ...] = option(
        (),
        "the address of a reverse proxy. The server then uses the visitors' addresses that this proxy"
        " reports in X-Forwarded-For, so that limits apply to each visitor. ADDR is localhost, an IP"
        " address or a network (the option may be repeated; default: none)",
        "--trusted-proxy",
        metavar="ADDR",
        many=True,
        group="network",
    )

    def gate(self) -> AdmissionConfig:
        """Return the rules of admission.

        Raises:
            SetupError: an origin or a proxy has the wrong form.
        """
        from turnwright.net.http.options import gate_of

        return gate_of(self.host_name, self.names, self.origins, self.trusted_proxies)


@dataclass(frozen=True, kw_only=True)
class SeedChoice:
    """The random seed of a battle. None means a new one."""

    seed: int | None = option(
        None,
        "random seed of the battle (default: the command draws a seed and prints it)",
        "-s",
        "--seed",
        metavar="N",
        group="game",
        often=True,
    )


@dataclass(frozen=True, kw_only=True)
class SandboxOptions:
    """The sandbox of bot directories."""

    sandbox: SandboxChoice = option(
        "none",
        "full: the bot of a directory sees only its own files, can connect only to the server, and has"
        " limits on memory and processes. auto: full if this machine supports the sandbox, otherwise none."
        " `turnwright doctor --sandbox` tests the machine (default: {default})",
        group="bots",
        often=True,
    )


@dataclass(frozen=True, kw_only=True)
class BattleOptions(MissedTurnOptions, SeedChoice, SandboxOptions):
    """The settings of a battle of any game.

    Attributes:
        bots: the bots in the order of their seats. A team counts as one.
        seed: the seed of the battle. None means that a seed is drawn, and the result names it.
        tps: turns per second. -1 means that turns do not wait. 0 means paused until a spectator resumes.
            None: 30 if there are spectators, otherwise -1.
        pacing: "apart" or "together". None: "together". With "apart", bots never wait for spectators. Each
            spectator then has its own speed, which is `tps` at first. With "together", bots and spectators
            play at the same speed, `tps`.
        patient: whether settings that were not given get their values from PATIENT.
        turn_timeout_us: each bot's time limit for a turn, in µs. None: 30,000, or no limit if every bot is a
            Python object of this process. If a limit is given, each Python object plays in a separate
            process.
        ready_timeout_us: the time limit for bots to get ready, in µs.
        opening_timeout_us: the time limit for the first turn of a round, in µs, if it is longer than the turn
            timeout. Bots may need more time there to start up.
        connect_timeout_s: the longest wait for the first bot to connect, and then for each further bot, in
            seconds.
        python: the interpreter for Python bots. "NAME=PATH" sets the interpreter of one bot, and commas
            separate several entries. None means the first that exists of `.venv` in the bot's directory,
            `python`, `python3` and the current interpreter.
        sandbox: whether bot directories run in the sandbox: "full", "none", or "auto" for the best
            available level.
        game: the name of the game, or the path of its folder.
        record: the file to write (.twr), or None.
        recording: a file for a recording in the game's own format, or None. It contains the messages for
            spectators.
        record_required: whether the battle is refused if a requested record cannot be written.
        watched: whether there are spectators.

    Raises:
        SetupError: a battle cannot be played with these settings. The message has one line.
    """

    bots: tuple[Any, ...] = field(
        kw_only=False,
        metadata={
            "option": DeclaredOption(
                "the bots, two or more. You may name the same bot twice",
                metavar="BOT",
                positional=True,
                many=True,
                required=True,
            )
        },
    )
    tps: int | None = option(
        None,
        "turns per second: 1 to 1000. -1 = as fast as possible. 0 (only with --watch) = the page begins"
        " paused, or with --pacing together the battle (default: -1, or 30 with --watch)",
        "-t",
        "--tps",
        metavar="N",
        group="time",
    )
    pacing: Pacing | None = option(
        None,
        "apart: bots never wait for spectators, and each page shows the battle at its own speed. together:"
        " the battle runs at --tps, and an operator can pause, step and debug it (default with --watch:"
        " apart)",
        group="watching",
    )
    turn_timeout_us: int | None = option(
        None,
        "a bot's time for each turn, e.g. 30ms, 500us or 1s (default: 30ms, or no limit in a battle"
        " of only built-in bots)",
        "--turn-timeout",
        metavar="TIME",
        read=microseconds,
        group="time",
        often=True,
    )
    patient: bool = option(
        False,
        "wait longer for bots on a busy machine: 3 s for an answer, 10 s for the first answer of a round,"
        " 60 s until a bot is ready, and 120 s until it connects. A bot that misses 10 turns in a row is"
        " disqualified. The options for single limits replace these values",
        group="time",
        often=True,
    )
    opening_timeout_us: int = option(
        1_000_000,
        "a bot's time for the first turn of a round, in which many bots are slow. If --turn-timeout is"
        " longer, it also applies to the first turn (default: 1s, or 10s with --patient)",
        "--opening-timeout",
        metavar="TIME",
        read=microseconds,
        group="time",
    )
    ready_timeout_us: int = option(
        10_000_000,
        "a bot's time to report that it is ready for the game, e.g. 5s (default: 10s, or 60s with --patient)",
        "--ready-timeout",
        metavar="TIME",
        read=microseconds,
        group="bots",
    )
    connect_timeout_s: float = option(
        30.0,
        "the longest time that the server waits for the first bot to connect, and then for each further"
        " bot, e.g. 60s (default: 30s, or 120s with --patient)",
        "--connect-timeout",
        metavar="TIME",
        read=seconds,
        group="bots",
    )
    python: str | None = option(
        None,
        "interpreter for Python bots. NAME=PATH sets the interpreter of one bot. Write commas between"
        " several values. By default a bot runs with the .venv in its directory. If it has none, it runs with"
        " the first of python, python3 and turnwright's own interpreter that is installed. A bot that imports"
        " turnwright gets the first of these interpreters that has turnwright",
        metavar="PATH",
        group="bots",
    )
    game: str = ""
    record: Path | None = None
    recording: Path | None = None
    record_required: bool = option(
        False,
        "do not start the battle if a record cannot be written. If the disk fails during the battle,"
        " exit with code 5",
    )
    watched: bool = False

    def game_settings(self) -> dict[str, Any]:
        """Return the settings that replace the game's defaults, by name. A game's own options class overrides
        this method to add its settings.
        """
        return {}

    def __post_init__(self) -> None:
        if self.patient is True:
            for one in fields(self):
                if one.name in PATIENT and getattr(self, one.name) == one.default:
                    object.__setattr__(self, one.name, PATIENT[one.name])
        check_types(self)
        check_seed("seed", self.seed)
        check_max_skipped("max_skipped", self.max_skipped)
        check_max_silence("max_silence_us", self.max_silence_us)
        check_timeout("opening_timeout_us", self.opening_timeout_us)
        if self.turn_timeout_us is not None:
            check_timeout("turn_timeout_us", self.turn_timeout_us)
        if self.tps == 0 and not self.watched:
            raise SetupError("tps is 0 (paused) without a spectator to resume: give -1, or 1 to 1000")
        if self.record_required and not self.records:
            raise SetupError("record_required without a record: name a file with record (--record)")
        if not self.connect_timeout_s > 0:
            raise SetupError(f"connect_timeout_s is {self.connect_timeout_s}: give a number above 0")
        check_tps(self.pace)

    @property
    def records(self) -> tuple[Path, ...]:
        """The paths of the record and the recording that were asked for."""
        return tuple(path for path in (self.record, self.recording) if path is not None)

    @classmethod
    def record_kinds(cls) -> Mapping[str, tuple[tuple[str, ...], str]]:
        """Return, for each field that names a file, the permitted endings of its name, and their description
        for errors.
        """
        return {"record": ((".twr",), ".twr (a record)")}

    @classmethod
    def sort_records(cls, paths: Iterable[Path]) -> dict[str, Path]:
        """Return the files to write, by field.

        The ending of a file's name determines its kind.

        Raises:
            SetupError: a file has an unknown ending, or two files are of the same kind.
        """
        found: dict[str, Path] = {}
        kinds = cls.record_kinds()
        for path in paths:
            kind = next((kind for kind, (ends, _) in kinds.items() if path.name.endswith(ends)), None)
            if kind is None:
                known = ", ".join(words for _, words in kinds.values())
                raise SetupError(f"--record is {path}: give a name that ends with {known}")
            if kind in found:
                raise SetupError(
                    f"--record is given for {found[kind]} and for {path}: give one file of each format"
                )
            found[kind] = path
        return found

    @property
    def has_deadline(self) -> bool:
        """Whether a turn timeout was given, so that bots of this process have a deadline, too. A timeout from
        `patient` does not count as given.
        """
        patience = PATIENT["turn_timeout_us"] if self.patient else None
        return self.turn_timeout_us not in (None, patience)

    @property
    def is_apart(self) -> bool:
        """Whether bots never wait for spectators."""
        return self.pacing == "apart"

    @property
    def pace(self) -> int:
        """The turns per second of the battle: `tps`, or its default if `tps` is None."""
        if self.tps is not None:
            return check_tps(self.tps)
        return TPS_DEFAULT if self.watched else TPS_UNLIMITED


def _game_setting(text: str) -> tuple[str, Any]:
    """Return the name and the value in "width=40". A value that is not JSON is a string."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise ValueError(f"{text[:40]!r}: give a name and a value, e.g. --set width=40")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


@dataclass(frozen=True, kw_only=True)
class GenericBattleOptions(BattleOptions):
    """The settings of a battle of a game without an options class.

    Attributes:
        settings: the settings of the game, by name (JSON values).
    """

    settings: tuple[tuple[str, Any], ...] = option(
        (),
        "a setting of the game, e.g. width=40 (the option may be repeated)",
        "--set",
        metavar="NAME=VALUE",
        read=_game_setting,
        many=True,
        group="game",
        often=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.bots:
            raise SetupError("no bot is given: a battle needs one or more")

    def game_settings(self) -> dict[str, Any]:
        """Return `settings` as a dictionary."""
        return dict(self.settings)


def _port(text: str) -> int | Literal["inherit"]:
    """Return the port in `text`, or "inherit"."""
    if text == "inherit":
        return "inherit"
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{text[:40]!r} is not a port: give 1000 to 65535, or 0 for any free port") from None


@dataclass(frozen=True, kw_only=True)
class ServeOptions(AddressOptions, MissedTurnOptions, SandboxOptions):
    """The settings of a server.

    An empty set of secrets means that the role needs no secret. Then only this machine may connect, unless
    `insecure` is set.

    Attributes:
        port: the port to listen on. 0 means a free port. If it is "inherit", use sockets that a supervisor
            has opened, instead of host_name and port.
        seed: the seed of the first battle. The seed increases by one for each later battle. None means that a
            seed is drawn for each battle.
        turn_timeout_cap_us: the longest turn timeout that a battle may have, in µs. None means no limit.
        opening_timeout_us: the time limit for the first turn of a round, in µs, if it is longer than the turn
            timeout. None means the turn timeout.
        records: a directory for a record of each battle, or None.
        record_required: whether a battle is refused if its record cannot be written to `records`.
        trusted_proxies: addresses and networks of proxies whose X-Forwarded-For is trusted.
        bots: directories that contain bot directories. An operator may start these bots.
        python: the interpreter for Python bots.
        sandbox: whether bots play in the sandbox.
        bots_max: the largest number of connected bots. None means no limit.
        settings: by name, values that replace the game's defaults, if the game's protocol takes settings from
            the server.
        room_memory_mib_max: the largest memory of a room's process, in MiB (see `app.rooms`).
        lan: whether to serve a class. Then anyone may watch, no two bots may have the same name, and many
            laptops may share an address. The page /get offers the bot library, and the program of a bot to
            people who have a bot secret.
        pacing: the pacing of all battles. None means that each battle gets the pacing that its operators and
            spectators need (see `host.config`).

    Raises:
        SetupError: a server cannot run with these settings. The message has one line.
    """

    port: int | Literal["inherit"] = option(
        7654,
        "port to listen on: 1000 to 65535. 0 = a free port. inherit = the sockets of a systemd unit"
        " (default: {default})",
        "-p",
        "--port",
        metavar="N",
        read=_port,
        group=OFFICIAL,
        often=True,
    )
    tps: int = option(
        TPS_DEFAULT,
        "turns per second: 1 to 1000. -1 = as fast as possible. 0 = paused (default: {default})",
        "-t",
        "--tps",
        metavar="N",
        group=OFFICIAL,
        often=True,
    )
    pacing: Pacing | None = option(
        None,
        "together: the battle runs at --tps, as on the official server, and an operator can pause, step and"
        " debug it. apart: bots never wait for spectators, and each page shows the battle at its own speed"
        " (default: together for a battle that is debugged, or that begins while an official controller or"
        " observer is connected, and apart for all others)",
        group="time",
    )
    debug_mode: bool = option(True, "allow debug mode", group=OFFICIAL)
    breakpoint_mode: bool = option(True, "allow breakpoint mode", group=OFFICIAL)
    insecure: bool = option(
        False, "accept connections from other machines even without secrets", group="network"
    )
    bot_secrets: frozenset[str] = frozenset()
    controller_secrets: frozenset[str] = frozenset()
    lan: bool = option(
        False,
        "serve a class: accept connections from the local network, and print the address, a QR code of the"
        " address, and a join word. Students download the bot library from the page /get",
        group="network",
        often=True,
    )
    seed: int | None = option(
        None,
        "seed of the first battle. Each later battle has the next number as its seed (default: each battle"
        " has a random seed)",
        "-s",
        "--seed",
        metavar="N",
        group="game",
    )
    turn_timeout_cap_us: int | None = option(
        None,
        "the longest turn timeout that a controller may give a game, e.g. 30ms",
        "--turn-timeout",
        metavar="TIME",
        read=microseconds,
        group="time",
    )
    opening_timeout_us: int | None = option(
        None,
        "a bot's time for the first turn of a round, e.g. 1s. If the turn timeout is longer, it also"
        " applies to the first turn (default: the turn timeout)",
        "--opening-timeout",
        metavar="TIME",
        read=microseconds,
        group="time",
    )
    records: Path | None = option(
        None,
        "write a record of each battle into this directory. The viewer lists these records",
        metavar="DIR",
        group="records",
        often=True,
    )
    record_required: bool = option(
        False,
        "do not start a battle if its record cannot be written. If a record is incomplete at the end of a"
        " battle, exit with code 5",
        group="records",
    )
    bots: tuple[Path, ...] = option(
        (),
        "a directory that contains bot directories. From the viewer, an operator may start these bots and"
        " the built-in bots (the option may be repeated)",
        metavar="ROOT",
        many=True,
        group="viewer",
        often=True,
    )
    python: str | None = option(
        None,
        "interpreter for Python bots (default: the first of python, python3 and turnwright's own)",
        metavar="PATH",
        group="viewer",
    )

    bots_max: int | None = option(
        None,
        "the largest number of bots that may be connected at the same time. The server refuses further bots"
        " (default: no separate limit)",
        "--max-bots",
        metavar="N",
        group="game",
    )
    settings: tuple[tuple[str, Any], ...] = option(
        (),
        "the default value of a setting of the game, e.g. width=40 (the option may be repeated)",
        "--set",
        metavar="NAME=VALUE",
        read=_game_setting,
        many=True,
        group="game",
    )
    room_memory_mib_max: int = option(
        ROOM_MEMORY_MIB,
        "restart a room that uses more memory than this (default: 2GiB)",
        "--max-room-memory",
        metavar="SIZE",
        read=mebibytes,
        group="rooms",
    )

    def game_settings(self) -> dict[str, Any]:
        """Return the settings that replace the game's defaults, by name."""
        return dict(self.settings)

    def __post_init__(self) -> None:
        check_types(self)
        from turnwright.net.http.ports import check_port

        if self.port != "inherit":
            check_port(self.port)
        check_tps(self.tps)
        check_seed("seed", self.seed)
        check_max_skipped("--max-skipped", self.max_skipped)
        check_max_silence("--max-silence", self.max_silence_us)
        timeouts = {"turn": self.turn_timeout_cap_us, "opening": self.opening_timeout_us}
        for name, value in timeouts.items():
            if value is not None:
                check_timeout(f"--{name}-timeout", value)
        if self.record_required and self.records is None:
            raise SetupError("--record-required without records: name a directory with --records")
        if self.bots_max is not None and self.bots_max < 1:
            raise SetupError(f"--max-bots is {self.bots_max}: give 1 or more, or leave it out")
        if self.room_memory_mib_max < ROOM_MEMORY_MIB_MIN:
            raise SetupError(
                f"--max-room-memory is {size_text(self.room_memory_mib_max)}:"
                f" give {size_text(ROOM_MEMORY_MIB_MIN)} or more"
            )
        self._check_programs()
        self.gate()
        if self.port != "inherit" or self.trusted_proxies:
            self.check_exposure(self.host_name)

    def gate(self) -> AdmissionConfig:
        """Return the rules of admission. In a class, they let many clients share one address."""
        gate = super().gate()
        if not self.lan:
            return gate
        return replace(
            gate,
            connections_reserved=LAN_CONNECTIONS_RESERVED,
            connections_per_address_max=LAN_CONNECTIONS_MAX,
            new_per_address_per_s=CLASS_REQUESTS_PER_S,
            new_per_address_burst=CLASS_REQUESTS_BURST,
        )

    def _check_programs(self) -> None:
        for root in self.bots:
            if not root.is_dir():
                raise SetupError(f"--bots is {root}: give a directory that contains bot directories")
        if self.python is not None:
            from turnwright.net.participants.command import choose_python

            choose_python(self.python)

    def check_exposure(self, host_name: str) -> None:
        """Raise SetupError if a role has no secret although other machines can connect."""
        from turnwright.net.http.ports import check_exposure

        check_exposure(
            host_name,
            has_bot_secrets=bool(self.bot_secrets),
            has_controller_secrets=bool(self.controller_secrets),
            insecure=self.insecure,
            behind_proxy=bool(self.trusted_proxies),
        )

"""The host's part of the generic protocol, with which any game can be played. Its messages are JSON.

`wire.generic_protocol` defines the messages. Spectators get complete frames. A spectator that reads slowly
misses some of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from difflib import get_close_matches
from itertools import islice
from reprlib import Repr
from types import MappingProxyType
from typing import Any

import msgspec

from turnwright.errors import GameError, SetupError
from turnwright.host import protocol as p
from turnwright.host.battle_start import progress_of
from turnwright.host.watching.history import Excerpt
from turnwright.kernel.battle import Battle
from turnwright.kernel.deadline import SkipReason
from turnwright.kernel.game import Game, Outcome, Seat, SeatInfo, unique_names
from turnwright.kernel.pace import Pacing
from turnwright.kernel.printed import Prints
from turnwright.kernel.record import Footer, Header, TurnEntry
from turnwright.kernel.rng import Streams
from turnwright.kernel.settings import set_up
from turnwright.wire import generic_protocol as m
from turnwright.wire.faults import Fault, FaultCode

_BOTS_MIN = 2
_SAID_CHARS = 200
"""The number of characters of a game's error about an intent that the bot and the log get."""
_NAMES: Mapping[type, str] = {
    p.HelloMessage: "hello",
    p.ReadyMessage: "ready",
    p.IntentMessage: "intent",
    p.StartMessage: "start",
    p.StopMessage: "stop",
    p.PauseMessage: "pause",
    p.ResumeMessage: "resume",
    p.StepMessage: "step",
    p.SpeedMessage: "speed",
    p.PolicyMessage: "policy",
    p.DebugMessage: "debug",
    p.DirectoriesMessage: "directories",
    p.BootMessage: "boot",
}


_ABORTED = m.encode_generic(m.GenericResult(ending="aborted"))


class GenericProtocol(p.GameProtocol):
    """The wire protocol of a server of one game.

    Args:
        server: name and version of the program.
        settings: settings that replace the game's defaults, unless a battle's operator sets them.

    Raises:
        SetupError: the game does not have one of these settings.
    """

    def __init__(self, game: Game, server: str, settings: Mapping[str, Any] = MappingProxyType({})) -> None:
        self._game = game
        self._server = server
        self._settings = _full_settings(game, settings)

    # ---- bytes in ----------------------------------------------------------------------------------------

    def decode(self, data: bytes, notes: list[Fault]) -> p.Incoming | Fault:
        """Return the decoded text message, or its Fault. Never raises."""
        message = m.decode_generic(data)
        if isinstance(message, m.GenericIntent):
            return p.IntentMessage(message.intent, message.turn)
        return message if isinstance(message, Fault) else _READ[type(message)](message)

    def name_of(self, message: p.Incoming | type) -> str:
        """Return the `type` of a message."""
        return _NAMES[message if isinstance(message, type) else type(message)]

    def read_setup(self, message: p.StartMessage) -> p.BattleSetup:
        """Return the settings of a battle.

        Raises:
            SetupError: the game does not have one of these settings, or cannot be set up with them.
        """
        start: m.GenericStart = message.setup
        return generic_setup(
            self._game,
            {**self._settings, **start.settings},
            len(start.bots),
            turn_timeout_us=start.turn_timeout_us,
            ready_timeout_us=start.ready_timeout_us,
            bots_min=min(_BOTS_MIN, len(start.bots)),
        )

    # ---- bytes out ---------------------------------------------------------------------------------------

    def greeting(
        self, session_id: str, last_setup: p.BattleSetup | None, *, debug_mode: bool, breakpoint_mode: bool
    ) -> bytes:
        """Return the server's `hello` message."""
        settings = self._settings if last_setup is None else last_setup.settings
        hello = m.GenericServerHello(
            protocol=m.PROTOCOL_VERSION,
            server=self._server,
            game=self._game.name,
            session=session_id,
            settings=settings,
        )
        return m.encode_generic(hello)

    def error(
        self, code: str, text: str, refers_to: str | None = None, place: tuple[int, int] | None = None
    ) -> bytes:
        """Return an `error` message."""
        turn = None if place is None else place[1]
        return m.encode_generic(m.GenericError(code, text, refers_to, turn))

    def bot_list(self, bots: Sequence[tuple[p.HelloMessage, p.RemoteAddress]]) -> bytes:
        """Return a `bots` message."""
        rows = [m.GenericBot(bot.name, bot.version, where.host, where.port) for bot, where in bots]
        return m.encode_generic(m.GenericBots(tuple(rows)))

    def operator_token(self, token: str) -> bytes:
        """Return a `token` message."""
        return m.encode_generic(m.GenericToken(token))

    def directories(self, entries: Sequence[p.BootEntry]) -> bytes:
        """Return a `directories` message."""
        rows = [m.GenericDirectory(one.id, one.name, one.kind, one.description) for one in entries]
        return m.encode_generic(m.GenericDirectories(tuple(rows)))

    def speed(self, tps: int, pacing: Pacing = "together") -> bytes:
        """Return the server's `speed` message."""
        return m.encode_generic(m.GenericSpeed(tps, pacing))

    def history(self, part: Excerpt) -> bytes:
        """Return a `history` message, followed by the messages that it contains."""
        return m.encode_generic(m.GenericHistory(part.first)) + b"\n" + part.lines

    def paused(self, cause: p.PauseCause) -> bytes:
        """Return a `paused` message."""
        return m.encode_generic(m.GenericPaused(cause))

    def resumed(self) -> bytes:
        """Return a `resumed` message."""
        return m.encode_generic(m.GenericResumed())

    def aborted(self) -> bytes:
        """Return a `result` without rows."""
        return _ABORTED

    def aborted_for_seats(self) -> bytes:
        """Return a `result` without rows, as for spectators."""
        return self.aborted()

    # ---- battles -----------------------------------------------------------------------------------------

    def seat_infos(self, bots: Sequence[p.HelloMessage]) -> list[SeatInfo]:
        """Return the seats for the rules. No two have the same name."""
        names = unique_names(bot.name for bot in bots)
        return [SeatInfo(name, bot.version) for name, bot in zip(names, bots, strict=True)]

    def chosen(self, setup: p.BattleSetup, bots: Sequence[p.HelloMessage]) -> list[bytes]:
        """Return a `ready` for each bot."""
        return [m.encode_generic(self._ready(setup, bots, seat)) for seat in range(len(bots))]

    def battle(self, battle: Battle, setup: p.BattleSetup, bots: Sequence[p.HelloMessage]) -> GenericBattle:
        """Return an object that makes the messages of a battle that begins."""
        return GenericBattle(battle, m.encode_generic(self._ready(setup, bots)))

    def _ready(
        self, setup: p.BattleSetup, bots: Sequence[p.HelloMessage], seat: Seat | None = None
    ) -> m.GenericReady:
        return m.GenericReady(
            game=self._game.name,
            seats=tuple(m.GenericSeat(info.name, info.version) for info in self.seat_infos(bots)),
            settings=setup.settings,
            turn_timeout_us=setup.turn_timeout_us,
            seat=seat,
            seed=None if seat is None or seat not in setup.bot_seeds else str(setup.bot_seeds[seat]),
        )


class GenericBattle(p.BattleMessages):
    """The messages of one running battle.

    Args:
        started: the battle's `ready` for spectators.
    """

    def __init__(self, battle: Battle, started: bytes) -> None:
        self.started = started
        self._battle = battle
        self._game = battle.game
        self._events: Sequence[Any] = ()
        self._skipped: Sequence[Seat] = ()
        self._written: tuple[int, bytes] = -1, b""

    def accept(self, seat: Seat, intent: Any, prints: Prints) -> Any:
        """Return an intent from JSON values.

        Return a Fault if the game refuses it or fails.
        """
        try:
            return self._game.read_intent(intent)
        except GameError as error:
            return Fault(FaultCode.GAME_FAILED, str(error), refers_to="intent")
        except ValueError as error:
            text = refused_intent(self._game.name, intent, error)
            return Fault(FaultCode.WRONG_TYPE, text, refers_to="intent")

    def left(self, seat: Seat) -> None:
        """Do nothing: no message depends on which participants are still connected."""

    def resolved(self, events: Sequence[Any], entry: TurnEntry) -> None:
        """Store the events of the newest turn, and the seats that missed the turn."""
        self._events, self._skipped = events, entry.skipped

    def round_started(self) -> bytes:
        """Return nothing, because frames report rounds if a game has them."""
        return b""

    def observations(self, seats: Sequence[Seat], listening: Set[Seat]) -> tuple[list[Seat], list[bytes]]:
        """Return those of `seats` that are in `listening`, and an `observation` for each of them.

        The observation after the last turn needs no answer.
        """
        battle, game = self._battle, self._game
        turn = progress_of(battle).turn
        awaited = set() if battle.outcome is not None else set(game.awaited(battle.state))
        opening_ns = battle.rules.opening_timeout_ns
        opens = opening_ns is not None and (battle.turn == 0 or game.opening(battle.state))
        timeout_us = (opening_ns if opens and opening_ns else battle.rules.timeout_ns) // 1000
        order = [seat for seat in seats if seat in listening]
        datas = [
            m.encode_generic(
                m.GenericObservation(
                    turn=turn,
                    deadline_us=timeout_us if seat in awaited else 0,
                    observation=battle.observe(seat),
                )
            )
            for seat in order
        ]
        return order, datas

    def skipped(self, turn: int, reason: SkipReason | None) -> bytes:
        """Return a `skipped` message."""
        return m.encode_generic(m.GenericSkipped(turn, reason or ""))

    def frame(self) -> bytes:
        """Return a `frame` of the newest turn, encoded once."""
        battle = self._battle
        if self._written[0] != battle.turn:
            shown = self._game.live_frame(battle.state, self._events)
            self._written = battle.turn, m.encode_generic(_frame_of(battle, *shown, self._skipped))
        return self._written[1]

    def round_ended(self) -> bytes:
        """Return nothing, because frames report rounds."""
        return b""

    def round_ended_for_seats(self) -> Sequence[bytes]:
        """Return nothing, because observations report rounds."""
        return ()

    def battle_ended(self) -> bytes:
        """Return a `result` with its rows."""
        return m.encode_generic(final_result(self._battle))

    def ended_before(self) -> Sequence[bytes]:
        """Return `ready`, the last `frame` and `result`."""
        return self.started, self.frame(), self.battle_ended()

    def battle_ended_for_seats(self) -> Sequence[bytes]:
        """Return the `result` for each seat."""
        return [self.battle_ended()] * self._battle.seats

    def result_rows(self) -> Sequence[Any]:
        """Return the rows of the result. A battle that did not end has none."""
        outcome = self._battle.outcome
        return () if outcome is None else result_rows(_names(self._battle), outcome)

    # ---- every frame, and the result -----------------------------------------------------------------------

    def history_opened(self, header: Header) -> bytes:
        """Return a `frame` if the game begins with an observation, and otherwise no bytes."""
        battle = self._battle
        return self.frame() if battle.game.asked(battle.state) else b""

    def history_turn(self, entry: TurnEntry) -> bytes:
        """Return a `frame` of the newest turn."""
        return self.frame()

    def history_start(self, entry: TurnEntry) -> bytes:
        """Return no bytes: each `frame` is complete, so a new reader needs no earlier message."""
        return b""

    def history_closed(self, footer: Footer) -> bytes:
        """Return a `result` message."""
        return self.battle_ended() if footer.ending == "over" else _ABORTED

    def policies(
        self, debugging: Sequence[Seat], breakpoints: Sequence[Seat], waited_for: Sequence[Seat]
    ) -> bytes:
        """Return a `policies` message."""
        return m.encode_generic(m.GenericPolicies(debugging, breakpoints, waited_for))


def generic_frame(battle: Battle, events: Sequence[Any] = (), skipped: Sequence[Seat] = ()) -> m.GenericFrame:
    """Return a `frame` of a record's newest replayed turn.

    Args:
        events, skipped: events and skipped seats of this turn.

    Raises:
        VoidBattleError: the game's scores are invalid.
    """
    return _frame_of(battle, battle.game.frame(battle.state), events, skipped)


def _frame_of(battle: Battle, frame: Any, events: Sequence[Any], skipped: Sequence[Seat]) -> m.GenericFrame:
    return m.GenericFrame(battle.turn, frame, events, skipped, battle.scores())


def generic_setup(
    game: Game,
    settings: Mapping[str, Any],
    seats: int,
    *,
    turn_timeout_us: int,
    ready_timeout_us: int,
    bots_min: int,
) -> p.BattleSetup:
    """Return the settings of a battle: the game's defaults, replaced by those given.

    Args:
        seats: the number of seats.

    Raises:
        SetupError: the game does not have one of the settings, or cannot be set up with them.
    """
    full = _full_settings(game, settings)
    set_up(game, full, [SeatInfo(f"bot {seat + 1}") for seat in range(seats)], Streams(0))
    return p.BattleSetup(game.name, full, turn_timeout_us, ready_timeout_us, bots_min)


def _full_settings(game: Game, settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the game's defaults, replaced by the settings given. Raise SetupError for an unknown setting."""
    unknown = [name for name in settings if name not in game.defaults]
    if unknown:
        known = ", ".join(game.defaults) or "none"
        close = get_close_matches(unknown[0], game.defaults, n=1)
        hint = f"did you mean {close[0]}?" if close else f"there are {known}"
        raise SetupError(f"{game.name} has no setting {unknown[0][:80]!r}: {hint}")
    return {**game.defaults, **settings}


class RankedSeat(msgspec.Struct):
    """The rank and score of a seat, as a record stores them.

    Attributes:
        rank: the rank. 1 is the best rank, and equal scores share a rank.
    """

    rank: int
    seat: Seat
    name: str
    score: float


def final_result(battle: Battle) -> m.GenericResult:
    """Return the result of a battle that is over, with its rows."""
    outcome, skips = battle.outcome, battle.referee.skips.seats
    assert outcome is not None
    columns = result_columns(msgspec.to_builtins(outcome.results), battle.seats)
    rows = [
        m.GenericResultRow(
            rank=row.rank,
            seat=row.seat,
            name=row.name,
            score=row.score,
            columns=tuple(columns[row.seat].values()),
            skipped=skips[row.seat].skipped,
            left=row.seat in battle.referee.gone,
            disqualified=skips[row.seat].disqualified,
            failure=battle.referee.failures[row.seat].text if row.seat in battle.referee.failures else "",
        )
        for row in result_rows(_names(battle), outcome)
    ]
    headings = [column_heading(name) for name in columns[0]]
    return m.GenericResult(ending="over", rows=tuple(rows), headings=headings, details=outcome.results)


def result_columns(results: Any, seats: int) -> Sequence[Mapping[str, Any]]:
    """Return the columns of results, by seat. All seats have the same columns.

    There are no columns unless `results` has one object of plain values for each seat.

    Args:
        results: the results of an `Outcome`, as JSON values.
    """
    is_table = isinstance(results, list) and len(results) == seats
    if not is_table or not all(isinstance(row, dict) and list(row) == list(results[0]) for row in results):
        return [{}] * seats
    is_plain = all(isinstance(value, str | int | float | None) for row in results for value in row.values())
    return results if is_plain else [{}] * seats


def column_heading(name: str) -> str:
    """Return the heading of a column of results, e.g. "Food eaten" for food_eaten."""
    return name.replace("_", " ").capitalize()


def _names(battle: Battle) -> list[str]:
    return [info.name for info in battle.header.seats]


class _Shown(Repr):
    """Shows the beginning of a value as Python code.

    The keys stay in their order, because sorting very many keys would take long.
    """

    def repr_dict(self, values: dict[Any, Any], level: int) -> str:
        if level <= 0 and values:
            return "{...}"
        pairs = (f"{self.repr1(k, level - 1)}: {self.repr1(v, level - 1)}" for k, v in values.items())
        first = list(islice(pairs, self.maxdict))
        return f"{{{', '.join([*first, *(['...'] if len(values) > self.maxdict else [])])}}}"


_SHOWN = _Shown()
_SHOWN.maxlevel, _SHOWN.maxstring, _SHOWN.maxother = 3, 60, 60


def refused_intent(game: str, intent: Any, error: ValueError) -> str:
    """Return an error in one line. It shows the value that was sent instead of an intent, and says what was
    expected.

    Args:
        error: the error of the game's `read_intent`.
    """
    said = " ".join(str(error)[:_SAID_CHARS].split())
    return f"{_SHOWN.repr(intent)} is not an intent of {game}: {said}"


def result_rows(names: Sequence[str], outcome: Outcome) -> list[RankedSeat]:
    """Return the result of each seat, best first. Equal scores share a rank.

    Args:
        names: the names by seat.
    """
    scores = outcome.scores
    order = sorted(range(len(names)), key=lambda seat: -scores[seat])
    return [
        RankedSeat(
            rank=1 + sum(other > scores[seat] for other in scores),
            seat=seat,
            name=names[seat],
            score=scores[seat],
        )
        for seat in order
    ]


# ---- messages of clients ---------------------------------------------------------------------------------


def _hello(message: m.GenericClientHello) -> p.HelloMessage:
    return p.HelloMessage(
        message.role,
        message.name,
        message.version,
        message.session or "",
        message.secret,
        message.code,
        any_session=message.session is None,
        ours=True,
        takes="pieces" if message.history else "paced frames",
    )


def _start(message: m.GenericStart) -> p.StartMessage:
    return p.StartMessage(message, [p.RemoteAddress(bot.host, bot.port) for bot in message.bots])


def _policy(message: m.GenericPolicy) -> p.PolicyMessage:
    return p.PolicyMessage(message.seat, message.debugging, message.breakpoints)


_READ: Mapping[type, Callable[[Any], p.Incoming]] = {
    m.GenericClientHello: _hello,
    m.GenericClientReady: lambda _: p.ReadyMessage(),
    m.GenericStart: _start,
    m.GenericStop: lambda _: p.StopMessage(),
    m.GenericPause: lambda _: p.PauseMessage(),
    m.GenericResume: lambda _: p.ResumeMessage(),
    m.GenericStep: lambda _: p.StepMessage(),
    m.GenericSetSpeed: lambda message: p.SpeedMessage(message.tps),
    m.GenericPolicy: _policy,
    m.GenericDebug: lambda message: p.DebugMessage(message.on),
    m.GenericListDirectories: lambda _: p.DirectoriesMessage(),
    m.GenericBoot: lambda message: p.BootMessage(message.ids),
}

"""Robocode Tank Royale's protocol as an implementation of `host.protocol`.

The messages and their order are the same as in the official server.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from typing import Any

import msgspec
from msgspec.structs import replace

from turnwright.errors import SetupError
from turnwright.host import protocol as p
from turnwright.host.watching.history import Excerpt
from turnwright.kernel.battle import Battle
from turnwright.kernel.deadline import SkipReason
from turnwright.kernel.game import Seat, SeatInfo
from turnwright.kernel.pace import Pacing
from turnwright.kernel.printed import Prints, TurnPrints
from turnwright.kernel.record import Footer, Header, TurnEntry
from turnwright.kernel.units import NS_PER_US
from turnwright.wire.faults import Fault
from turnwright.wire.record.v2 import Encoder
from turnwright_tank.backends.compiled import CompiledRows
from turnwright_tank.host.handshakes import (
    batch_capable,
    bot_hello,
    bot_info,
    game_started,
    greeting,
    participants,
    seat_infos,
    spectator_hello,
    teammates,
)
from turnwright_tank.observe import with_prints
from turnwright_tank.structs import TankIntent, without_messages
from turnwright_tank.wire.recording.from_record import announced
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.codec import decode, encode
from turnwright_tank.wire.royale.message_parts import HistoryStart
from turnwright_tank.wire.royale.results import results_for_bots, results_for_observers
from turnwright_tank.wire.royale.setup import GAME_TYPES, tank_setup, validate_start
from turnwright_tank.wire.royale.team_messages import check_team_messages
from turnwright_tank.wire.royale_fast.ticks import NO_EVENTS, tick_encoder

_ESCAPED = {"n": "\n", "t": "\t", "b": "\b", "f": "\f", '"': '"'}
_ESCAPE = re.compile(r'\\([ntbf"])')
_NAMES: dict[type, str] = {
    p.IntentMessage: "BotIntent",
    p.ReadyMessage: "BotReady",
    p.StartMessage: "StartGame",
    p.StopMessage: "StopGame",
    p.PauseMessage: "PauseGame",
    p.ResumeMessage: "ResumeGame",
    p.StepMessage: "NextTurn",
    p.SpeedMessage: "ChangeTps",
    p.PolicyMessage: "BotPolicyUpdate",
    p.DirectoriesMessage: "ListDirectories",
    p.BootMessage: "BootBots",
}
_starts = msgspec.json.Decoder(HistoryStart)
_HELLOS: dict[p.Role, str] = {
    "bot": "BotHandshake",
    "spectator": "ObserverHandshake",
    "operator": "ControllerHandshake",
}
_ROLES: dict[p.Role, str] = {"bot": "bot", "spectator": "observer", "operator": "controller"}
"""The official names of the roles, for errors to clients."""


class RoyaleProtocol(p.GameProtocol):
    """The implementation of Tank Royale's protocol for the host.

    Args:
        game_types: the game types that the server offers.
        initial_positions: whether bots may choose where they begin.
    """

    def __init__(self, *, game_types: tuple[str, ...] = GAME_TYPES, initial_positions: bool = False) -> None:
        self._game_types = game_types
        self._initial_positions = initial_positions

    # ---- bytes in ----------------------------------------------------------------------------------------

    def decode(self, data: bytes, notes: list[Fault]) -> p.Incoming | Fault:
        """Return the message in one text message, or a Fault. It raises no exception.

        Faults about dropped parts of a valid message are added to `notes`.
        """
        message = decode(data, notes)
        if type(message) is TankIntent:
            return p.IntentMessage(message, message.turn_number)
        if isinstance(message, Fault):
            return message
        return _READ[type(message)](message)

    def name_of(self, message: p.Incoming | type) -> str:
        """Return the `type` of a message on the wire."""
        if isinstance(message, p.HelloMessage):
            return _HELLOS[message.role]
        if isinstance(message, p.DebugMessage):
            return "EnableDebugMode" if message.on else "DisableDebugMode"
        return _NAMES[message if isinstance(message, type) else type(message)]

    def role_name(self, role: p.Role) -> str:
        """Return bot, observer or controller."""
        return _ROLES[role]

    def no_such_seat(self, seat: Seat, seats: int) -> str:
        """Return the error text for a bot that does not exist. A bot's id is its seat, counted from 1."""
        there = f"there are bots 1 to {seats}" if seats else "no game is on"
        return f"there is no bot {seat + 1}: {there}"

    def read_setup(self, message: p.StartMessage) -> p.BattleSetup:
        """Return the settings of a GameSetup.

        Raises:
            SetupError: the battle cannot be played.
        """
        problem = validate_start(message.setup, self._game_types)
        if problem is None and not message.bots:
            problem = "botAddresses is empty; choose at least one bot"
        if problem is not None:
            raise SetupError(problem)
        return battle_setup(message.setup)

    # ---- bytes out ---------------------------------------------------------------------------------------

    def greeting(
        self, session_id: str, last_setup: p.BattleSetup | None, *, debug_mode: bool, breakpoint_mode: bool
    ) -> bytes:
        """Return a ServerHandshake."""
        features = m.Features(debug_mode=debug_mode, breakpoint_mode=breakpoint_mode)
        setup = None if last_setup is None else _game_setup(last_setup)
        return encode(greeting(session_id, self._game_types, setup, features))

    def error(
        self, code: str, text: str, refers_to: str | None = None, place: tuple[int, int] | None = None
    ) -> bytes:
        """Return an ErrorReply, which only our clients get."""
        round_, turn = place or (None, None)
        return encode(
            m.ErrorReply(code=code, message=text, refers_to=refers_to, round_number=round_, turn_number=turn)
        )

    def bot_list(self, bots: Sequence[tuple[p.HelloMessage, p.RemoteAddress]]) -> bytes:
        """Return a BotListUpdate."""
        return encode(m.BotListUpdate(bots=tuple(bot_info(*bot) for bot in bots)))

    def operator_token(self, token: str) -> bytes:
        """Return an OperatorToken."""
        return encode(m.OperatorToken(token))

    def directories(self, entries: Sequence[p.BootEntry]) -> bytes:
        """Return a Directories message."""
        rows = [
            m.DirectoryEntry(id=one.id, name=one.name, kind=one.kind, description=one.description)
            for one in entries
        ]
        return encode(m.Directories(entries=tuple(rows)))

    def speed(self, tps: int, pacing: Pacing = "together") -> bytes:
        """Return a TpsChangedEvent."""
        return encode(m.TpsChangedEvent(tps=tps, pacing="apart" if pacing == "apart" else None))

    def history(self, part: Excerpt) -> bytes:
        """Return a History message, followed by lines of the record."""
        start = None if part.start is None else _starts.decode(part.start)
        return encode(m.History(first=part.first, start=start)) + b"\n" + part.lines

    def paused(self, cause: p.PauseCause) -> bytes:
        """Return a GamePausedEventForObserver."""
        return encode(m.GamePausedEventForObserver(cause))

    def resumed(self) -> bytes:
        """Return a GameResumedEventForObserver."""
        return encode(m.GameResumedEventForObserver())

    def aborted(self) -> bytes:
        """Return a GameAbortedEvent."""
        return encode(m.GameAbortedEvent())

    # ---- battles -----------------------------------------------------------------------------------------

    def seat_infos(self, bots: Sequence[p.HelloMessage]) -> list[SeatInfo]:
        """Return the SeatInfo of each bot, which the rules read."""
        return seat_infos(bots, self._initial_positions)

    def chosen(self, setup: p.BattleSetup, bots: Sequence[p.HelloMessage]) -> list[bytes]:
        """Return a GameStartedEventForBot for each bot."""
        return [encode(message) for message in game_started(bots, _game_setup(setup), setup.bot_seeds)]

    def announced(
        self, setup: p.BattleSetup, bots: Sequence[p.HelloMessage], seats: Sequence[SeatInfo]
    ) -> Mapping[str, Any]:
        """Return the content of the GameStartedEventForObserver for the header of a record."""
        return announced(_game_setup(setup), participants(bots), seats)

    def battle(self, battle: Battle, setup: p.BattleSetup, bots: Sequence[p.HelloMessage]) -> RoyaleBattle:
        """Return the object that makes the messages of a new battle."""
        return RoyaleBattle(battle, _game_setup(setup), bots)


class RoyaleBattle(p.BattleMessages):
    """The messages of one running battle. The constructor sets `debugging` of its state."""

    def __init__(self, battle: Battle, setup: m.GameSetup, bots: Sequence[p.HelloMessage]) -> None:
        battle.state.debugging = battle.debugged
        told = m.GameStartedEventForObserver(game_setup=setup, participants=participants(bots))
        self.started = encode(told)
        self._battle = battle
        self._mates = [frozenset(mates) for mates in teammates(bots)]
        self._batch_capable = batch_capable(bots)
        self._encode_ticks = tick_encoder(battle)
        tables = battle.state.tables
        self.read_intent = tables.read_intent if isinstance(tables, CompiledRows) else None
        self._frame: bytes | None = None
        self._printed: Mapping[Seat, TurnPrints] = {}
        self._record = Encoder(battle.game.write_intent, frozen=True)

    def accept(self, seat: Seat, intent: Any, prints: Prints) -> Any:
        """Return the intent without its prints, which are added to `prints`. Return a Fault if its team
        messages break a rule.
        """
        if intent.team_messages:
            fault = check_team_messages(intent, seat + 1, self._mates[seat], self._batch_capable)
            if fault is not None:
                return fault
            if not self._mates[seat]:
                intent = without_messages(intent)
        if intent.std_out or intent.std_err:
            prints.say(seat, _unescaped(intent.std_out), _unescaped(intent.std_err))
            intent = replace(intent, std_out=None, std_err=None)
        return intent

    def left(self, seat: Seat) -> None:
        """Note that a seat gets no more messages, so that it no longer has to accept batches."""
        self._batch_capable |= {seat + 1}

    def resolved(self, events: Sequence[Any], entry: TurnEntry) -> None:
        """Clear the cached frame of the last turn, and store the output of bots in this turn."""
        self._frame = None
        self._printed = entry.printed

    def round_started(self) -> bytes:
        """Return a RoundStartedEvent."""
        return encode(m.RoundStartedEvent(round_number=self._battle.state.round_number))

    def observations(self, seats: Sequence[Seat], listening: Set[Seat]) -> tuple[list[Seat], list[bytes]]:
        """Return the seats of `listening` that get a tick, and their ticks. A seat that died gets a tick only
        if it has events.
        """
        state = self._battle.state
        order = [seat for seat in seats if seat in listening]
        datas = self._encode_ticks(order)
        if len(seats) > len(state.alive):
            both = zip(order, datas, strict=True)
            told = [(s, d) for s, d in both if s in state.alive or not d.endswith(NO_EVENTS)]
            order, datas = [s for s, _ in told], [d for _, d in told]
        return order, datas

    def skipped(self, turn: int, reason: SkipReason | None) -> bytes:
        """Return a SkippedTurnEvent."""
        return encode(m.SkippedTurnEvent(turn, reason))

    def frame(self) -> bytes:
        """Return a tick for observers."""
        if self._frame is None:
            seen = self._battle.game.frame(self._battle.state)
            self._frame = encode(with_prints(seen, self._printed))
        return self._frame

    def round_ended(self) -> bytes:
        """Return a RoundEndedEventForObserver."""
        state = self._battle.state
        rows = results_for_observers(state.results)
        return encode(m.RoundEndedEventForObserver(state.round_number, state.turn_number, rows))

    def round_ended_for_seats(self) -> list[bytes]:
        """Return a RoundEndedEventForBot for each seat."""
        state = self._battle.state
        number, turn = state.round_number, state.turn_number
        rows = results_for_bots(state.results)
        return [encode(m.RoundEndedEventForBot(number, turn, row)) for row in rows]

    def battle_ended(self) -> bytes:
        """Return a GameEndedEventForObserver."""
        state = self._battle.state
        return encode(m.GameEndedEventForObserver(state.round_number, results_for_observers(state.results)))

    def battle_ended_for_seats(self) -> list[bytes]:
        """Return a GameEndedEventForBot for each seat."""
        state = self._battle.state
        rows = results_for_bots(state.results)
        return [encode(m.GameEndedEventForBot(state.round_number, row)) for row in rows]

    def result_rows(self) -> Sequence[m.ResultsForObserver]:
        """Return the results as spectators get them."""
        return results_for_observers(self._battle.state.results)

    # ---- the lines of the record ---------------------------------------------------------------------------

    has_record_lines = True

    def history_opened(self, header: Header) -> bytes:
        """Return the record's first line."""
        return self._record.encode_header(header)

    def history_turn(self, entry: TurnEntry) -> bytes:
        """Return the record's line of a turn."""
        return self._record.encode_turn(entry)

    def history_start(self, entry: TurnEntry) -> bytes | None:
        """Return a turn's keyframe and the data that later lines refer to. None: the turn has no keyframe."""
        if not entry.keyframe:
            return None
        return encode(HistoryStart(entry.turn, msgspec.Raw(entry.keyframe), *self._record.referred_to()))

    def history_closed(self, footer: Footer) -> bytes:
        """Return the record's last line."""
        return self._record.encode_footer(footer)

    def policies(
        self, debugging: Sequence[Seat], breakpoints: Sequence[Seat], waited_for: Sequence[Seat]
    ) -> bytes:
        """Return a BotPolicies message."""
        return encode(
            m.BotPolicies(
                debugging=_bot_ids(debugging),
                breakpoints=_bot_ids(breakpoints),
                waited_for=_bot_ids(waited_for),
            )
        )

    def round_trips(self, trips_ns: Mapping[Seat, int]) -> bytes:
        """Return a RoundTrips message, in whole µs."""
        trips = [(seat + 1, trip_ns // NS_PER_US) for seat, trip_ns in sorted(trips_ns.items())]
        return encode(m.RoundTrips(trips))


def _unescaped(text: str | None) -> str | None:
    """Return a printed text without the escapes of the official Java API before 1.0.

    That API sends each newline as two characters.
    """
    if text is None or not text.endswith("\\n") or "\n" in text:
        return text
    return _ESCAPE.sub(lambda found: _ESCAPED[found[1]], text)


def _bot_ids(seats: Collection[Seat]) -> list[int]:
    return [seat + 1 for seat in seats]


# ---- settings --------------------------------------------------------------------------------------------


def battle_setup(setup: m.GameSetup) -> p.BattleSetup:
    """Return the settings of a battle in the host's form."""
    return p.BattleSetup(
        game_type=setup.game_type,
        settings=tank_setup(setup),
        turn_timeout_us=setup.turn_timeout,
        ready_timeout_us=setup.ready_timeout,
        bots_min=setup.min_number_of_participants,
        wire=setup,
    )


def _game_setup(setup: p.BattleSetup) -> m.GameSetup:
    """Return the settings for messages, with the turn timeout and the number of bots of the host."""
    wire: m.GameSetup = setup.wire
    return replace(wire, turn_timeout=setup.turn_timeout_us, min_number_of_participants=setup.bots_min)


# ---- messages of clients ---------------------------------------------------------------------------------


def _start(message: m.StartGame) -> p.StartMessage:
    bots = [p.RemoteAddress(bot.host, bot.port) for bot in message.bot_addresses or ()]
    return p.StartMessage(message.game_setup, bots, bool(message.debug_mode))


def _policy(message: m.BotPolicyUpdate) -> p.PolicyMessage:
    return p.PolicyMessage(message.bot_id - 1, message.debugging_enabled, message.breakpoint_enabled)


_READ: dict[type, Callable[[Any], p.Incoming]] = {
    m.BotHandshake: bot_hello,
    m.ObserverHandshake: spectator_hello,
    m.ControllerHandshake: spectator_hello,
    m.BotReady: lambda _: p.ReadyMessage(),
    m.StartGame: _start,
    m.StopGame: lambda _: p.StopMessage(),
    m.PauseGame: lambda _: p.PauseMessage(),
    m.ResumeGame: lambda _: p.ResumeMessage(),
    m.NextTurn: lambda _: p.StepMessage(),
    m.ChangeTps: lambda message: p.SpeedMessage(message.tps),
    m.BotPolicyUpdate: _policy,
    m.EnableDebugMode: lambda _: p.DebugMessage(on=True),
    m.DisableDebugMode: lambda _: p.DebugMessage(on=False),
    m.ListDirectories: lambda _: p.DirectoriesMessage(),
    m.BootBots: lambda message: p.BootMessage(message.ids),
}

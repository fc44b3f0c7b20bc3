"""Connects a bot to a server with one WebSocket. The bot's thread reads and answers the messages.

The library reads all waiting messages before it answers. If several ticks are waiting, the bot answers only
the newest, because the older turns are over. The events of the older ticks are delivered, too. If a turn
takes long, a second thread of the WebSocket client answers the server's pings, so that the connection stays
open.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from turnwright.client import LOST, NO_SERVER, close_failed, end_with, refusal, tell_end, tell_wait
from turnwright.errors import ParticipantStartError, SetupError
from turnwright.net.websocket.client import ClientConnection, ConnectionClosed, WebSocketException, connect
from turnwright_tank.bots.identity import BotIdentity, GameInfo, read_identity
from turnwright_tank.bots.messages import (
    READY,
    Message,
    UnreadableMessage,
    read_message,
    write_handshake,
    write_intent,
)
from turnwright_tank.intent import TankIntent
from turnwright_tank.observation import Observation

if TYPE_CHECKING:
    from turnwright_tank.bots.bot import Bot

DEFAULT_URL = "ws://localhost:7654"
MESSAGE_BYTES_MAX = 16 * 1024 * 1024
"""The longest message that the client accepts. A tick of a crowded arena can exceed the usual 1 MiB."""
OPEN_TIMEOUT_S = 10.0
COMPLAINTS_MAX = 10
"""The number of unreadable messages that are reported on stderr. Further ones are not reported."""
LATE_MAX = 2
"""After this number of late answers in a row, the bot leaves one observation unanswered."""
_REFUSED = 1008


def run(bot: Bot, url: str | None = None, secret: str | None = None) -> int:
    """Play a bot on a server until the connection closes, and return the close code of the WebSocket.

    The URL is `url`, or SERVER_URL, or ws://localhost:7654. The secret is `secret`, or SERVER_SECRET, or
    none.

    The function raises SetupError if the URL is wrong. It raises ParticipantStartError if no server is at the
    URL or the server refuses the bot. It also passes on exceptions of the bot's handlers.
    """
    url = url or os.environ.get("SERVER_URL") or DEFAULT_URL
    secret = secret or os.environ.get("SERVER_SECRET") or None
    return converse(BotSession(bot, read_identity(type(bot)), secret), url)


def converse(session: BotSession, url: str, on_connected: Callable[[int], object] | None = None) -> int:
    """Play a session on a server (see `run`). `on_connected` gets the local port of the connection."""
    with _open(url) as socket:
        if on_connected is not None:
            on_connected(socket.local_address[1])
        try:
            while True:
                _exchange(session, socket)
        except ConnectionClosed as closed:
            code, reason = _how(closed)
        except (Exception, SystemExit) as error:
            close_failed(socket, error)
            raise
    session.bot.on_disconnected(code, reason)
    if code == _REFUSED:
        raise refusal(url, reason, session.secret)
    tell_end(session.name, code, reason)
    return code


def main(cls: type[Bot]) -> None:
    """Run a bot class as a program, and end the process with an exit code of `turnwright.errors`."""
    end_with(cls.__name__, lambda: run(cls()))


class BotSession:
    """The messages of one bot, without a socket: it takes and returns texts."""

    def __init__(self, bot: Bot, identity: BotIdentity, secret: str | None = None) -> None:
        self.bot = bot
        self._identity = identity
        self.secret = secret
        self._unanswered: Observation | None = None
        self._answered = self._missed = self._late = 0
        """The last answered turn, the last missed turn, and the number of late answers in a row."""
        self._complaints = 0
        self._handlers: dict[str, Callable[[Any], list[bytes]]] = {
            "ServerHandshake": self._server_handshake,
            "GameStartedEventForBot": self._game_started,
            "RoundStartedEvent": self._round_started,
            "TickEventForBot": self._tick,
            "SkippedTurnEvent": self._skipped_turn,
            "RoundEndedEventForBot": self._round_ended,
            "GameEndedEventForBot": self._game_ended,
            "GameAbortedEvent": self._game_aborted,
            "ErrorReply": self._error_reply,
        }

    @property
    def name(self) -> str:
        """The bot's name."""
        return self._identity.name

    def receive(self, text: bytes | str) -> list[bytes]:
        """Take one message and return the messages to send at once. `answer` answers a tick later."""
        try:
            kind, told = self.read(text)
        except UnreadableMessage as error:
            self._complain(f"the server sent a text that is not a message: {error}")
            return []
        handler = self._handlers.get(kind)
        return [] if handler is None else handler(told)

    def read(self, text: bytes | str) -> Message:
        """Return the content of a message of the server.

        Raises:
            UnreadableMessage: the text is not such a message.
        """
        return read_message(text)

    def write(self, intent: TankIntent, turn_number: int) -> bytes:
        """Return the message of an intent."""
        return write_intent(intent, turn_number)

    def answer(self, waited: bool = False) -> list[bytes]:
        """Return the intent for the newest tick, if it is unanswered.

        Args:
            waited: whether the tick came while the bot was still answering the last one. After LATE_MAX late
                answers in a row, the bot leaves such a tick unanswered. The next tick then has the whole
                timeout. Otherwise a bot that needs nearly the whole timeout would stay late after one delay.
        """
        observation = self._unanswered
        if observation is None:
            return []
        self._unanswered = None
        self._late = self._late + 1 if 0 < self._answered <= self._missed else 0
        self._answered = 0
        if waited and self._late >= LATE_MAX:
            self._late = 0
            self.bot.note(observation)
            return []
        intent = self.bot.step(observation)
        self._answered = observation.turn_number
        return [self.write(intent, observation.turn_number)]

    def _complain(self, text: str) -> None:
        self._complaints += 1
        if self._complaints <= COMPLAINTS_MAX:
            print(f"{self._identity.name}: {text}", file=sys.stderr)

    def _server_handshake(self, session_id: str) -> list[bytes]:
        self.bot.on_connected()
        tell_wait(self.name)
        return [write_handshake(self._identity, session_id, self.secret)]

    def _game_started(self, game: tuple[GameInfo, str | None]) -> list[bytes]:
        self._unanswered = None
        info, seed = game
        if seed is not None:
            self.bot.use_seed(seed)
        self.bot.game_started(info)
        return [READY]

    def _round_started(self, round_number: int) -> list[bytes]:
        self._unanswered = None
        self._answered = self._missed = self._late = 0
        self.bot.round_started(round_number)
        return []

    def _tick(self, observation: Observation) -> list[bytes]:
        if self._unanswered is not None:
            self.bot.note(self._unanswered)
        self._unanswered = observation
        return []

    def _skipped_turn(self, skipped: tuple[int, str]) -> list[bytes]:
        self._missed, self.bot.skip_reason = skipped
        self.bot.on_skipped_turn(self._missed)
        return []

    def _round_ended(self, results: dict[str, Any] | None) -> list[bytes]:
        sent = self.answer()
        self.bot.on_round_ended(results)
        return sent

    def _game_ended(self, results: dict[str, Any] | None) -> list[bytes]:
        self._unanswered = None
        self.bot.on_game_ended(results)
        return []

    def _game_aborted(self, _: object) -> list[bytes]:
        self._unanswered = None
        self.bot.on_game_aborted()
        return []

    def _error_reply(self, reply: tuple[str, str]) -> list[bytes]:
        code, message = reply
        if code == "slow":
            self.bot.on_slow(message)
        else:
            self._complain(f"the server says {code}: {message}")
        return []


def _open(url: str) -> ClientConnection:
    try:
        if urlsplit(url).scheme not in ("ws", "wss"):
            raise SetupError(f"the server's URL is {url!r}, expected ws://host:port or wss://host:port")
        return connect(url, max_size=MESSAGE_BYTES_MAX, open_timeout=OPEN_TIMEOUT_S)
    except (OSError, TimeoutError, WebSocketException, ValueError) as error:
        why = f"{type(error).__name__}: {error}"
        raise ParticipantStartError(f"no server at {url} ({why}): {NO_SERVER}") from None


def _exchange(session: BotSession, socket: ClientConnection) -> None:
    """Wait for a message, take all messages that have arrived, and answer the newest tick."""
    message, waited = socket.recv_now(), True
    if message is None:
        message, waited = socket.recv(), False
    while message is not None:
        for reply in session.receive(message):
            socket.send(reply)
        message = socket.recv_now()
    for reply in session.answer(waited):
        socket.send(reply)


def _how(closed: ConnectionClosed) -> tuple[int, str]:
    frame = closed.rcvd
    return (frame.code, frame.reason) if frame is not None else (LOST, "")

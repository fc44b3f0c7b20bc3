"""A client of the generic protocol, for a bot that is a function.

from turnwright.client import play

play(lambda observation: "up")
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from inspect import Parameter, signature
from pathlib import Path
from random import Random
from typing import Any, NoReturn

from turnwright.errors import (
    EXIT_INTERNAL,
    EXIT_INTERRUPTED,
    EXIT_OK,
    ParticipantStartError,
    TurnwrightError,
    trace_lines,
)
from turnwright.kernel.failure import FailureReason, reason_of
from turnwright.net.websocket.client import ClientConnection, ConnectionClosed, WebSocketException, connect
from turnwright.wire.faults import CLOSE_EXITED, CLOSE_FAILED, INVALID_SECRET, REASON_BYTES_MAX
from turnwright.wire.plain_json import json_bytes, read_json

BotFunction = Callable[..., Any]
"""A bot: a function that takes an observation and returns an intent (see `play`)."""

SERVER_URL = "ws://localhost:7654"
"""The server's address if the environment has no SERVER_URL."""
BOT_VERSION = "1.0"
"""The default version of a bot."""

LOST = 1006
"""The close code of a connection that ended without a close frame. Source: RFC 6455 §7.1.5."""
PROTOCOL_VERSION = 1
"""The version of the generic protocol that this client speaks."""
NO_SERVER = "is it started, is this machine in its network, is SERVER_URL right?"
_WITH_RANDOM = 2
"""The number of arguments of a bot that gets random numbers."""
_EXPECTED_ENDS = (1000, 1001)
_MESSAGE_BYTES_MAX = 16 << 20
_OPEN_TIMEOUT_S = 10.0
_REFUSED = 1008
_CUT = "…".encode()


def play(bot: BotFunction, name: str | None = None) -> NoReturn:
    """Let a function play as a bot until the connection ends. Then end the process with an exit code.

    The environment variables SERVER_URL, SERVER_SECRET, BOT_NAME, BOT_VERSION and BOT_SEED describe the
    server and the bot. A server that starts bots sets these variables. If several observations have arrived,
    the bot answers only the newest.

    Args:
        bot: a function that gets an observation and returns an intent, both as JSON values. If it returns
            None, the bot misses the turn. If it takes a second argument, it gets a `random.Random`. The bot's
            seat and the server's seed determine the random numbers. Without a seed from the server, BOT_SEED
            is used.
        name: the bot's name. None means BOT_NAME, or the name of the program's file.
    """
    given = name or os.environ.get("BOT_NAME") or Path(sys.argv[0]).stem or "bot"
    secret = os.environ.get("SERVER_SECRET", "")
    version = os.environ.get("BOT_VERSION") or BOT_VERSION
    session = FunctionSession(bot, given, secret, version, os.environ.get("BOT_SEED"))
    end_with(given, lambda: converse(session, os.environ.get("SERVER_URL") or SERVER_URL))


def seeded(bot: BotFunction, seed: int | str | None, seat: int) -> Callable[[Any], Any]:
    """Return a bot as a function of one observation.

    A bot that takes two arguments also gets its own `random.Random`. In battles with the same seed, each seat
    gets the same random numbers again. Different seats get different numbers.

    Args:
        seed: the seed for the bot's random numbers, or None for unpredictable numbers.
    """
    if _arguments(bot) != _WITH_RANDOM:
        return bot
    numbers = Random() if seed is None else Random(f"{seed}/{seat}")
    return lambda observation: bot(observation, numbers)


def _arguments(bot: BotFunction) -> int:
    """Return the number of arguments that a function needs."""
    try:
        parameters = signature(bot).parameters.values()
    except (TypeError, ValueError):  # a function of a C extension, which may not reveal its arguments
        return 1
    positional = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return sum(one.kind in positional and one.default is Parameter.empty for one in parameters)


class FunctionSession:
    """The messages of a bot that is a function, without a socket.

    Args:
        secret: the server's secret, or "" for none.
        seed: the seed for the bot's random numbers, if the server does not send a seed.
    """

    def __init__(
        self,
        bot: BotFunction,
        name: str,
        secret: str,
        version: str = BOT_VERSION,
        seed: int | str | None = None,
    ) -> None:
        self._bot = self._answer = bot
        self._seed = seed
        self.name = name
        self.secret = secret
        self._version = version
        self._unanswered: dict[str, Any] | None = None

    def receive(self, data: bytes | str) -> list[bytes]:
        """Return the replies to a message of the server.

        For an observation, the list is empty. Call `answer` to answer the observation. A `ready` message with
        a seed also sets the environment variable BOT_SEED.

        Raises:
            ValueError: the message is not JSON.
        """
        message = read_json(data)
        kind = message["type"]
        if kind == "hello":
            tell_wait(self.name)
            return [self._hello(message["session"])]
        if kind == "ready":
            self._unanswered = None
            if "seed" in message:
                self._seed = os.environ["BOT_SEED"] = message["seed"]
            self._answer = seeded(self._bot, self._seed, message.get("seat", 0))
            return [json_bytes({"type": "ready"})]
        if kind == "observation":
            self._unanswered = message if message["deadlineUs"] else None
        return []

    def answer(self) -> list[bytes]:
        """Call the bot with the newest observation, and return its intent as a list of one message.

        The list is empty if no observation waits for an answer, or if the bot returns None.

        Raises:
            TypeError: the intent cannot be written as JSON.
            Exception: the bot raised this exception.
        """
        asked, self._unanswered = self._unanswered, None
        if asked is None:
            return []
        intent = self._answer(asked["observation"])
        if intent is None:
            return []
        return [json_bytes({"type": "intent", "intent": _built_in(intent), "turn": asked["turn"]})]

    def _hello(self, session: str) -> bytes:
        hello = {"type": "hello", "protocol": PROTOCOL_VERSION, "name": self.name, "version": self._version}
        return json_bytes({**hello, "session": session, "secret": self.secret or None})


def _built_in(intent: Any) -> Any:
    """Return an intent as JSON values. Structs of msgspec are converted if the program has loaded msgspec."""
    msgspec = sys.modules.get("msgspec")
    return intent if msgspec is None else msgspec.to_builtins(intent)


def converse(session: FunctionSession, server_url: str, on_port: Callable[[int], None] | None = None) -> None:
    """Play a session over a socket until the connection ends, and print the reason (see `tell_end`).

    Args:
        on_port: called with the local port of the connection.

    Raises:
        ParticipantStartError: the server does not answer, or it refuses the bot.
        Exception: the bot raised this exception, and the connection was closed with its text.
    """
    try:
        socket = connect(server_url, max_size=_MESSAGE_BYTES_MAX, open_timeout=_OPEN_TIMEOUT_S)
    except (OSError, WebSocketException, ValueError) as error:
        raise ParticipantStartError(f"no server at {server_url} ({error}): {NO_SERVER}") from error
    with socket:
        if on_port is not None:
            on_port(socket.local_address[1])
        try:
            while True:
                _exchange(session, socket)
        except ConnectionClosed as closed:
            if closed.rcvd is not None and closed.rcvd.code == _REFUSED:
                raise refusal(server_url, closed.rcvd.reason, session.secret) from None
            tell_end(
                session.name,
                closed.rcvd.code if closed.rcvd else LOST,
                closed.rcvd.reason if closed.rcvd else "",
            )
        except (Exception, SystemExit) as error:
            close_failed(socket, error)
            raise


def refusal(url: str, reason: str, secret: str | None) -> ParticipantStartError:
    """Return the error for a bot that the server refuses.

    Args:
        secret: the secret that the bot sent, or None.
    """
    if reason == INVALID_SECRET:
        wrong = "the join word is wrong" if secret else "the join word is missing"
        return ParticipantStartError(
            f"the server at {url} refuses this bot: {wrong}; set SERVER_SECRET to it"
        )
    return ParticipantStartError(f"the server at {url} closed the connection: {reason or 'no reason given'}")


def tell_wait(name: str) -> None:
    """If stderr is a terminal, print that a bot waits for a battle."""
    if sys.stderr.isatty():
        print(f"{name}: connected; it plays when a battle is started. Ctrl-C stops it.", file=sys.stderr)


def tell_end(name: str, code: int, reason: str) -> None:
    """Print to stderr why a connection ended. An expected end is printed only if stderr is a terminal."""
    if code == LOST:
        print(f"{name}: the connection to the server is lost; start the bot again", file=sys.stderr)
    elif code not in _EXPECTED_ENDS or sys.stderr.isatty():
        print(f"{name}: the server closed the connection: {reason or code}", file=sys.stderr)


def close_failed(socket: ClientConnection, error: BaseException) -> None:
    """Close a connection because the bot has failed, and tell the server why."""
    why, text = reason_of(error)
    said, opening, place = text.rpartition(" (")
    end = f"{opening}{place}".encode("utf-8", "replace")[:REASON_BYTES_MAX]
    start, room = said.encode("utf-8", "replace"), REASON_BYTES_MAX - len(end)
    if len(start) > room:
        start = start[: max(room - len(_CUT), 0)] + _CUT
    reason = (start + end)[:REASON_BYTES_MAX]
    code = CLOSE_EXITED if why is FailureReason.EXITED else CLOSE_FAILED
    socket.close(code, reason.decode("utf-8", "ignore"))


def _exchange(session: FunctionSession, socket: ClientConnection) -> None:
    """Wait for a message, read all messages that have arrived, then answer the newest observation."""
    message: str | bytes | None = socket.recv()
    while message is not None:
        for reply in session.receive(message):
            socket.send(reply)
        message = socket.recv_now()
    for reply in session.answer():
        socket.send(reply)


def end_with(name: str, play: Callable[[], object]) -> NoReturn:
    """Call `play`, then end the process with an exit code of `turnwright.errors`.

    If `play` raises an error, it is printed to stderr. Ctrl-C prints nothing.
    """
    code = EXIT_OK
    try:
        play()
    except TurnwrightError as error:
        print(f"{name}: {error}", file=sys.stderr)
        code = error.exit_code
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    except Exception as error:
        print("\n".join(trace_lines(error)), file=sys.stderr)
        code = EXIT_INTERNAL
    sys.exit(code)

"""WorldBot: a program that drives a body of a world.

    from turnwright_world.client.bot import WorldBot

    class Wolf(WorldBot):
        def on_turn(self, view):
            return "north"

    if __name__ == "__main__":
        Wolf.main()

`on_turn` gets what the body knows now. It returns a command as a player would type it, or None. A call may
take many turns. The next call then gets the newest view. `on_threat` gets an attack as soon as the server
announces it, and returns a reaction or None. `on_message` gets every other message. The program also sends
time pings, so that `react` knows the game's time.

`receive` and `think` need no socket. They take a message or a view, and return messages to send. `run` plays
over a WebSocket. It calls `on_turn` in a separate thread, and all other methods in the thread of its caller.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec

from turnwright.client import end_with
from turnwright.errors import ParticipantStartError
from turnwright.net.websocket.client import ClientConnection, ConnectionClosed, WebSocketException, connect
from turnwright_world.client.clock import WorldClock
from turnwright_world.wire.clock import TimePong, TimeSegment
from turnwright_world.wire.packed import pack_message, unpack_message

DEFAULT_URL = "ws://localhost:7654"
OPEN_TIMEOUT_S = 10.0
MESSAGE_BYTES_MAX = 1 << 20
HEARD_MAX = 1_000
"""The most messages of skipped turns that the next view for `on_turn` contains."""

Message = dict[str, Any]


class WorldBot:
    """A program that plays in a world.

    `command`, `react`, `hand_over`, `change_mind` and `ask_minds` collect messages. These messages leave when
    the current call of `on_turn`, `on_threat` or `on_message` has ended.

    Attributes:
        name: the name of the program's character. The default is the name of its class.
        body: the number of the character, or None before the character is in the world.
        view: what the character knew after the last turn.
        waits: True until `on_turn` has received this view.
        farewell: why the server ended the connection, or "" if the server gave no reason.
    """

    name = ""

    def __init__(self) -> None:
        self.name = self.name or type(self).__name__
        self.body: int | None = None
        self.view: Message = {}
        self.waits = False
        self.farewell = ""
        self.kept = False
        """Whether the server has asked for the passphrase of the name."""
        self.clock = WorldClock()
        self._out: deque[Message] = deque()
        """Messages to send. Two threads add to the list."""

    # ---- what your bot overrides
    # -----------------------------------------------------------------------------

    def on_turn(self, view: Message) -> str | None:
        """Return the next command, or None.

        Args:
            view: what the character knows: place, here, vitals, threats, action, items … The key `heard` has
                all messages since the last call.
        """
        return None

    def on_threat(self, threat: Message) -> str | None:
        """Return a reaction, or None.

        Args:
            threat: `id`, `from`, `name`, `kind`, `at` and `us`. The attack lands at the game time `at + us`
                (µs).
        """
        return None

    def on_message(self, package: str, data: Message) -> None:
        """Handle any other message, e.g. "Game.Text" or "Combat.Result"."""

    # ---- what it may call ----------------------------------------------------------------------------------

    def command(self, text: str) -> None:
        """Send a command in addition to the command that `on_turn` returns."""
        self._out.append({"type": "Command", "text": text})

    def react(self, reaction: str, threat: int | None = None) -> None:
        """Send a reaction with the present time. Without a threat's number, it is for the next threat."""
        message: Message = {"type": "Combat.React", "reaction": reaction}
        if self.clock.ready:
            message["at"] = self.clock.press(_local_us())
        if threat is not None:
            message["id"] = threat
        self._out.append(message)

    def hand_over(self, source: str, target: str = "") -> None:
        """Send a mind to the server. A mind is a program that controls the character while no player controls
        it.

        The character must have a passphrase. The server answers with "Mind.Status", "Mind.Mistakes" or
        "Mind.Refused".

        Args:
            source: the Python source of the mind.
            target: the creature for which the mind acts. "" means the character itself.
        """
        self._out.append({"type": "Mind.Put", "source": source, "target": target})

    def change_mind(self, what: Literal["stop", "start", "drop"], target: str = "") -> None:
        """Stop, start or delete a mind that the server has."""
        self._out.append({"type": "Mind.Do", "what": what, "target": target})

    def ask_minds(self) -> None:
        """Ask for the player's minds, their output and errors. The server answers with "Mind.Status"."""
        self._out.append({"type": "Mind.List"})

    # ---- the conversation ----------------------------------------------------------------------------------

    def hello(self, token: str | None = None) -> list[Message]:
        """Return the first messages of the connection.

        Args:
            token: the passphrase of the name's account.
        """
        hello = {"type": "Hello", "name": self.name, "changes": True}
        return [{**hello, "token": token} if token else hello]

    def receive(self, package: str, data: Message, local_us: int) -> list[Message]:
        """Handle one message and return the answers.

        Args:
            local_us: the time of its arrival, by any clock that never goes back.
        """
        if package == "Time.Pong":
            self.clock.pong(msgspec.convert(data, TimePong), local_us)
        elif package == "Time.Segment":
            self.clock.change(msgspec.convert(data, TimeSegment))
        elif package == "Welcome":
            self.body = data["body"]
        elif package == "Core.Secret":
            self.kept = self.kept or data["on"] is True
        elif package == "Goodbye":
            self.farewell = str(data.get("why", ""))
        elif package == "Turn":
            self._turn(data)
        elif package == "Combat.Threat.Add":
            self._threat(data)
        elif package == "Combat.Threat.Gone":
            self._keep_threats([one for one in self.view.get("threats", ()) if one["id"] != data["id"]])
            self.on_message(package, data)
        else:
            self._note(package, data)
            self.on_message(package, data)
        return self._taken()

    def think(self) -> list[Message]:
        """Give `on_turn` the newest view and return its answer as messages."""
        self.waits = False
        text = self.on_turn(self.view)
        if text:
            self.command(text)
        return self._taken()

    def _taken(self) -> list[Message]:
        """Return the messages to send, and empty the list."""
        taken = []
        while self._out:
            taken.append(self._out.popleft())
        return taken

    def ping(self, local_us: int) -> list[Message]:
        """Return a ping of the clock if one is due, otherwise []."""
        if self.body is None or local_us < self.clock.ping_due_us:
            return []
        ping = self.clock.ping(local_us)
        return [{"type": "Time.Ping", **msgspec.to_builtins(ping)}]

    def _turn(self, changes: Message) -> None:
        """Handle a turn, which contains the complete view or its changes."""
        unseen = self.view.get("heard", []) if self.waits else []
        heard = [*unseen, *changes.get("heard", ())][-HEARD_MAX:]
        self.view = {"threats": [], **self.view, **changes, "heard": heard}
        self.clock.rings = bool(self.view["threats"])
        self.waits = True

    def _keep_threats(self, threats: list[Message]) -> None:
        self.view = {
            **self.view,
            "threats": sorted(threats, key=lambda one: (one["at"] + one["us"], one["id"])),
        }
        self.clock.rings = bool(threats)

    def _threat(self, threat: Message) -> None:
        others = [one for one in self.view.get("threats", ()) if one["id"] != threat["id"]]
        self._keep_threats([*others, threat])
        reaction = self.on_threat(threat)
        if reaction:
            self.react(reaction, threat["id"])

    def _note(self, package: str, data: Message) -> None:
        if package == "Combat.Result" and isinstance(data.get("early_us"), int):
            self.clock.acknowledged(data["early_us"])
        if package == "Combat.Result" and isinstance(data.get("threats"), list):
            self._keep_threats(data["threats"])

    @classmethod
    def main(cls) -> None:
        """Play as a program, and end the process with an exit code (see `turnwright.errors`)."""
        end_with(cls.__name__, lambda: run(cls(), on_in=_tell_in))


def _tell_in(bot: WorldBot, url: str) -> None:
    """Print that the program is in the world."""
    line = f"{bot.name} plays in the world at {url} as body {bot.body}; Ctrl-C ends it"
    print(line, file=sys.stderr, flush=True)


def run(
    bot: WorldBot,
    url: str | None = None,
    token: str | None = None,
    on_in: Callable[[WorldBot, str], None] = lambda bot, url: None,
) -> None:
    """Play a bot at a world's server until the connection closes.

    An exception of one of the bot's methods ends the call and reaches the caller.

    Args:
        url: the server's URL. The default is SERVER_URL, or ws://localhost:7654.
        token: the passphrase of the name's account. The default is SERVER_SECRET, or no passphrase.
        on_in: called once the body is in the world, with the bot and the address.

    Raises:
        ParticipantStartError: the server does not answer or does not admit the bot.
    """
    url = url or os.environ.get("SERVER_URL") or DEFAULT_URL
    thinker: _Thinker | None = None
    with _open(url) as socket:
        try:
            _send(socket, bot.hello(token or os.environ.get("SERVER_SECRET")))
            while bot.body is None:
                _exchange(bot, socket)
            on_in(bot, url)
            thinker = _Thinker(bot, socket)
            while True:
                _exchange(bot, socket)
                thinker.look()
        except ConnectionClosed:
            pass
    if thinker is not None and thinker.error is not None:
        raise thinker.error
    if bot.body is None:
        why = (bot.farewell or "it closed the connection").rstrip(".")
        told = f"the server at {url} did not let {bot.name} in: {why}"
        advice = "set SERVER_SECRET to its passphrase, or give the class another name (name = ...)"
        raise ParticipantStartError(f"{told}; {bot.name} is kept: {advice}" if bot.kept else told)


class _Thinker:
    """The thread that calls `on_turn`.

    Attributes:
        error: the exception that `on_turn` raised. It ends the connection.
    """

    def __init__(self, bot: WorldBot, socket: ClientConnection) -> None:
        self.error: BaseException | None = None
        self._bot, self._socket = bot, socket
        self._turned = threading.Event()
        threading.Thread(target=self._run, name="on_turn", daemon=True).start()
        self.look()

    def look(self) -> None:
        """Let the thread call `on_turn`, if there is a new view."""
        if self._bot.waits:
            self._turned.set()

    def _run(self) -> None:
        try:
            while True:
                self._turned.wait()
                self._turned.clear()
                if self._bot.waits:
                    _send(self._socket, self._bot.think())
        except ConnectionClosed:
            return
        except BaseException as error:
            self.error = error
            self._socket.close()


def _exchange(bot: WorldBot, socket: ClientConnection) -> None:
    """Handle the next message, or send a ping if one is due first."""
    wait_s = max(0.0, (bot.clock.ping_due_us - _local_us()) / 1e6) if bot.body is not None else None
    try:
        came = socket.recv(wait_s)
    except TimeoutError:
        _send(socket, bot.ping(_local_us()))
        return
    if isinstance(came, bytes):
        package, data = unpack_message(came)
    else:
        data = msgspec.json.decode(came)
        package = data.pop("type")
    _send(socket, bot.receive(package, data, _local_us()))
    _send(socket, bot.ping(_local_us()))


def _send(socket: ClientConnection, messages: list[Mapping[str, Any]] | list[Message]) -> None:
    for message in messages:
        fields = {name: value for name, value in message.items() if name != "type"}
        socket.send(pack_message(message["type"], fields), text=False)


def _open(url: str) -> ClientConnection:
    try:
        return connect(url, max_size=MESSAGE_BYTES_MAX, open_timeout=OPEN_TIMEOUT_S)
    except (OSError, WebSocketException, ValueError) as error:
        raise ParticipantStartError(
            f"no world answers at {url} ({error}): start one with `turnwright world serve`, or set SERVER_URL"
        ) from error


def _local_us() -> int:
    return time.monotonic_ns() // 1000

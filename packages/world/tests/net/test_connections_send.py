"""Each kind of connection is sent its own form of messages."""

from __future__ import annotations

import json
from typing import Any

from turnwright_world.net.connections import BrowserPlayer, ProgramPlayer, TelnetPlayer
from turnwright_world.wire.server_messages import CharName, GameText, TurnChanges

NAME = CharName("Ann", "Ann", 1)


class Socket:
    """A WebSocket that records the sent data."""

    def __init__(self) -> None:
        self.sent: list[bytes | tuple[str, bytes]] = []
        self.closed: tuple[int, str] | None = None
        self.aborted = False
        self.sends_binary = self.held = False

    def send(self, data: bytes) -> None:
        self.sent.append(data)

    def send_binary(self, data: bytes) -> None:
        self.sent.append(("binary", data))

    def hold(self) -> None:
        self.held = True

    def release(self) -> None:
        self.held = False

    def close(self, code: int, reason: str = "") -> None:
        self.closed = (code, reason)

    def abort(self) -> None:
        self.aborted = True


class Telnet:
    """A telnet connection that records what it receives."""

    def __init__(self) -> None:
        self.said: list[tuple[str, Any]] = []

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments: self.said.append((name, *arguments))


def test_text_of_one_go_is_one_binary_message_and_packages_keep_their_place() -> None:
    socket = Socket()
    player = BrowserPlayer(socket, takes_packages=True)  # type: ignore[arg-type]  # a test double
    player.text("Yard\nA yard.\n")
    player.prompt("> ")
    player.flush()
    assert socket.sent == [("binary", b"Yard\r\nA yard.\r\n> ")]
    socket.sent.clear()
    player.text("a\n")
    player.package(GameText("Zoë"))
    player.text("b\n")
    assert socket.held
    player.flush()
    assert not socket.held
    assert socket.sent == [("binary", b"a\r\n"), 'Game.Text {"text":"Zoë"}'.encode(), ("binary", b"b\r\n")]


def test_a_bare_terminal_gets_text_alone() -> None:
    socket = Socket()
    player = BrowserPlayer(socket, takes_packages=False)  # type: ignore[arg-type]  # a test double
    player.package(NAME)
    player.secret(True)
    player.flush()
    assert socket.sent == []


def test_a_program_gets_objects_with_a_type() -> None:
    socket = Socket()
    player = ProgramPlayer(socket)  # type: ignore[arg-type]  # a test double
    player.text("Hello.\n")
    player.prompt("> ")
    player.package(TurnChanges(3, 5))
    player.close(1000, "Farewell.")
    said = [json.loads(data) for data in socket.sent if isinstance(data, bytes)]
    assert said == [
        {"type": "Game.Text", "text": "Hello.\n"},
        {"type": "Turn", "turn": 3, "now_us": 5},
        {"type": "Goodbye", "why": "Farewell."},
    ]
    assert socket.closed == (1000, "Farewell.")


def test_telnet_says_it_in_its_own_words() -> None:
    telnet = Telnet()
    player = TelnetPlayer(telnet)  # type: ignore[arg-type]  # a test double
    player.text("a\n")
    player.prompt("> ")
    player.package(NAME)
    player.secret(True)
    player.close(1000, "Farewell.")
    assert telnet.said == [
        ("write", "a\n"),
        ("prompt", "> "),
        ("gmcp", "Char.Name", NAME),
        ("echo", False),
        ("close", "Farewell."),
    ]

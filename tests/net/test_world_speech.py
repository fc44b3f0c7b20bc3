"""How each kind of connection is spoken to."""

from __future__ import annotations

import json
from typing import Any

from turnwright.net.world_speech import BACKLOG_BYTES_MAX, ProgramSpeech, SocketSpeech, TelnetSpeech


class Socket:
    """A WebSocket that notes what is sent."""

    def __init__(self) -> None:
        self.sent: list[bytes | tuple[str, bytes]] = []
        self.backlog = 0
        self.closed: tuple[int, str] | None = None
        self.aborted = False
        self.packed = self.held = False

    def send(self, data: bytes) -> None:
        self.sent.append(data)

    def send_binary(self, data: bytes) -> None:
        self.sent.append(("binary", data))

    def let_out(self) -> None:
        self.held = False

    def close(self, code: int, reason: str = "") -> None:
        self.closed = (code, reason)

    def abort(self) -> None:
        self.aborted = True


class Telnet:
    """A telnet connection that notes what it is told."""

    def __init__(self) -> None:
        self.said: list[tuple[str, Any]] = []

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments: self.said.append((name, *arguments))


def test_text_of_one_go_is_one_binary_message_and_packages_keep_their_place() -> None:
    socket = Socket()
    speech = SocketSpeech(socket, takes_packages=True)  # type: ignore[arg-type]  # stands for one
    speech.text("Yard\nA yard.\n")
    speech.prompt("> ")
    speech.flush()
    assert socket.sent == [("binary", b"Yard\r\nA yard.\r\n> ")]
    socket.sent.clear()
    speech.text("a\n")
    speech.package("Char.Name", {"name": "Zoë"})
    speech.text("b\n")
    assert socket.held
    speech.flush()
    assert not socket.held
    assert socket.sent == [("binary", b"a\r\n"), 'Char.Name {"name":"Zoë"}'.encode(), ("binary", b"b\r\n")]


def test_a_bare_terminal_gets_text_alone() -> None:
    socket = Socket()
    speech = SocketSpeech(socket, takes_packages=False)  # type: ignore[arg-type]  # stands for one
    speech.package("Char.Name", {})
    speech.secret(True)
    speech.flush()
    assert socket.sent == []


def test_who_does_not_read_is_cut_off() -> None:
    for speech, socket in (
        (SocketSpeech(one := Socket(), takes_packages=True), one),  # type: ignore[arg-type]  # stands for one
        (ProgramSpeech(two := Socket()), two),  # type: ignore[arg-type]  # stands for one
    ):
        socket.backlog = BACKLOG_BYTES_MAX + 1
        speech.package("Char.Name", {})
        speech.flush()
        assert socket.aborted


def test_a_program_gets_objects_with_a_type() -> None:
    socket = Socket()
    speech = ProgramSpeech(socket)  # type: ignore[arg-type]  # stands for one
    speech.text("Hello.\n")
    speech.prompt("> ")
    speech.package("Turn", {"turn": 3})
    speech.close("Farewell.")
    said = [json.loads(data) for data in socket.sent if isinstance(data, bytes)]
    assert said == [
        {"type": "Game.Text", "text": "Hello.\n"},
        {"type": "Turn", "turn": 3},
        {"type": "Goodbye", "why": "Farewell."},
    ]
    assert socket.closed == (1000, "Farewell.")


def test_telnet_says_it_in_its_own_words() -> None:
    telnet = Telnet()
    speech = TelnetSpeech(telnet)  # type: ignore[arg-type]  # stands for one
    speech.text("a\n")
    speech.prompt("> ")
    speech.package("Char.Name", {})
    speech.secret(True)
    speech.close("Farewell.")
    assert telnet.said == [
        ("write", "a\n"),
        ("prompt", "> "),
        ("gmcp", "Char.Name", {}),
        ("echo", False),
        ("close", "Farewell."),
    ]

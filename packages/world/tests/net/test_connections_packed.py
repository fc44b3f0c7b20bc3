"""A program that sends binary messages is spoken to in packed ones."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from packages.core.tests.messages import missing
from tests.house.source import ROOT
from turnwright_world.net.connections import ProgramPlayer, player_of, read_packed
from turnwright_world.net.server import WebPlayers
from turnwright_world.wire.clock import TimePing
from turnwright_world.wire.packed import PACKED, pack_message, unpack_message
from turnwright_world.wire.server_messages import ThreatGone
from turnwright_world.wire.telnet.events import Notice


class Socket(SimpleNamespace):
    """A program's WebSocket that records the sent data."""

    def __init__(self) -> None:
        super().__init__(protocol="", sends_binary=False, key=7, backlog=0, said=[])

    def send(self, data: bytes) -> None:
        self.said.append(msgspec.json.decode(data))

    def send_binary(self, data: bytes) -> None:
        self.said.append(unpack_message(data))

    def abort(self) -> None:
        raise AssertionError("nobody is slow here")


class Server(SimpleNamespace):
    """A server that records the received messages."""

    def message(self, conn: int, package: str, data: Any) -> None:
        self.came.append((conn, package, data))

    def mistake(self, conn: int, text: str) -> None:
        self.came.append((conn, text))


def test_from_its_first_binary_message_on_a_program_gets_packed_ones() -> None:
    server, socket = Server(came=[]), Socket()
    hall, player = WebPlayers(server), ProgramPlayer(socket)
    player.package(ThreatGone(7, "dodged", 0))
    socket.sends_binary = True
    hall.on_binary(socket, pack_message("Time.Ping", {"n": 1, "c": 2}))
    player.package(ThreatGone(7, "dodged", 0))
    player.text("Hello")
    assert server.came == [(7, "Time.Ping", TimePing(1, 2))]
    gone = {"id": 7, "why": "dodged", "damage": 0}
    assert socket.said == [
        {"type": "Combat.Threat.Gone", **gone},
        ("Combat.Threat.Gone", gone),
        ("Game.Text", {"text": "Hello"}),
    ]


@pytest.mark.parametrize("data", [b"", b"\xff", b"\x93\x01", pack_message("Time.Ping", {"n": -1, "c": 2})])
def test_an_unreadable_message_is_reported_and_does_no_harm(data: bytes) -> None:
    server, socket = Server(came=[]), Socket()
    WebPlayers(server).on_binary(socket, data)
    ((conn, text),) = server.came
    assert conn == 7
    notice = read_packed(data)
    assert isinstance(notice, Notice)
    assert not missing(text, "message", notice.text)


class Page(Socket):
    """A page's WebSocket with the sub-protocol `packed.`; text is remembered as bytes."""

    def __init__(self) -> None:
        super().__init__()
        self.protocol, self.held = "packed.", False

    def send(self, data: bytes) -> None:
        self.said.append(data)

    def hold(self) -> None:
        self.held = True

    def release(self) -> None:
        self.held = False


def test_a_page_types_in_text_frames_and_sends_and_gets_packed_messages() -> None:
    server, page = Server(came=[]), Page()
    server.line = lambda conn, text: server.came.append((conn, text))
    hall, player = WebPlayers(server), player_of(page)  # type: ignore[arg-type]  # test doubles
    hall.on_text(page, b"look\nnorth\n")  # type: ignore[arg-type]  # a test double
    hall.on_binary(page, pack_message("Time.Ping", {"n": 1, "c": 2}))  # type: ignore[arg-type]  # a test double
    hall.on_binary(page, pack_message("Core.Ping", {}))  # type: ignore[arg-type]  # a test double
    player.text("A yard.\n")
    player.package(ThreatGone(7, "dodged", 0))
    player.flush()
    assert server.came == [(7, "look"), (7, "north"), (7, "Time.Ping", TimePing(1, 2))]
    gone = ("Combat.Threat.Gone", {"id": 7, "why": "dodged", "damage": 0})
    assert page.said == [("Core.Ping", {}), b"A yard.\r\n", gone]


def test_the_page_has_the_same_table() -> None:
    source = (ROOT / "packages/world/src/turnwright_world/view/connection/packed.js").read_text(
        encoding="utf-8"
    )
    rows = re.findall(r'^  (\d+): \["([\w.]+)", \[(.*)\]\],$', source, re.MULTILINE)
    table = {int(number): (name, tuple(re.findall(r'"(\w+)"', fields))) for number, name, fields in rows}
    assert table == PACKED

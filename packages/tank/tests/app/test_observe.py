from __future__ import annotations

import asyncio
import gzip
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.server import ServerConnection

from packages.tank.tests.app.odd_server import HELLO, MESSAGES, odd_server
from packages.tank.tests.small_server import (
    BOT_SECRET,
    OPERATOR_SECRET,
    Overs,
    quick_setup,
    small_server,
    until,
)
from packages.tank.tests.wire.recording.official_reader import read_official
from turnwright.app.battle_server import LocalSpectator
from turnwright.errors import SetupError
from turnwright.net.participants.in_process import LocalBot
from turnwright.net.participants.seating import entrants_of
from turnwright.net.participants.start_bots import Operator
from turnwright_tank.app import observe as observing
from turnwright_tank.app.game_bots import TANK_BOTS
from turnwright_tank.app.observe import Watch, observe
from turnwright_tank.app.recordings import RoyaleFiles, numbered_names
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.codec import encode

pytestmark = pytest.mark.process


def _files(tmp_path: Path) -> RoyaleFiles:
    return RoyaleFiles(numbered_names(tmp_path / "x.battle.gz"))


async def _play(server: Any, overs: Overs, bots: list[LocalBot], operator: Operator) -> None:
    """Play one quick battle, and wait for its end."""
    before = len(overs)
    by_port = {bot.port: bot for bot in operator.bots}
    operator.start_battle(quick_setup(len(bots)), [by_port[bot.peer.port] for bot in bots])
    await until(lambda: len(overs) > before)


def test_games_on_our_server_are_written_as_official_readers_take_them(tmp_path: Path) -> None:
    files, overs, met = _files(tmp_path), [], []
    heard: list[bytes] = []

    async def whole() -> bool:
        async with small_server(overs) as server:
            operator = Operator(server, server.host)
            LocalSpectator(server, server.host, OPERATOR_SECRET, heard.append)
            bots = [
                LocalBot(server.connect_local, place, BOT_SECRET, 5)
                for place in entrants_of(["Spinner", "Rammer"], TANK_BOTS)
            ]
            watch = Watch(f"ws://127.0.0.1:{server.port}", OPERATOR_SECRET, games=2)
            watching = asyncio.create_task(asyncio.to_thread(observe, watch, files, met.append))
            lobby = server.host.lobby
            await until(lambda: len(lobby.spectators("spectator")) == 2 and len(operator.bots) == 2)
            for _ in range(2):
                await _play(server, overs, bots, operator)
            return await asyncio.wait_for(watching, 60)

    assert asyncio.run(whole()) is False
    assert met[0].variant == "Tank Royale"
    assert [file.ending for file in files.files] == ["over", "over"]
    lines = [line for file in files.files for line in gzip.decompress(file.path.read_bytes()).splitlines()]
    recorded = {"GameStartedEventForObserver", "TickEventForObserver", "RoundEndedEventForObserver"}
    told = [data for data in heard if any(b'"type":"%s"' % kind.encode() in data[:60] for kind in recorded)]
    assert [line for line in lines if b'"type":"GameEnded' not in line] == told
    for file in files.files:
        assert read_official(file.path)[-1]["type"] == "GameEndedEventForObserver"


def test_received_messages_are_written_unchanged_until_the_server_closes(tmp_path: Path) -> None:
    said: list[Any] = []

    def behave(socket: ServerConnection) -> None:
        socket.send(HELLO, text=True)
        said.append(socket.recv())
        for data in (b"nonsense", b'{"type":"Weather"}', *MESSAGES[:20]):
            socket.send(data, text=True)

    files = _files(tmp_path)
    with odd_server(behave) as url:
        assert observe(Watch(url, "geheim"), files) is False
    hello = json.loads(said[0])
    assert (hello["type"], hello["sessionId"], hello["secret"]) == ("ObserverHandshake", "s", "geheim")
    assert [file.ending for file in files.files] == [None]
    assert gzip.decompress(files.files[0].path.read_bytes()).splitlines() == MESSAGES[:20]


def test_without_a_secret_no_secret_is_sent(tmp_path: Path) -> None:
    said: list[Any] = []

    def behave(socket: ServerConnection) -> None:
        socket.send(HELLO, text=True)
        said.append(socket.recv())

    with odd_server(behave) as url:
        observe(Watch(url), _files(tmp_path))
    assert "secret" not in said[0]


@pytest.mark.parametrize(("secret", "advice"), [(None, "its controllers' secret"), ("x", "another secret")])
def test_a_refusal_of_the_server_is_reported_with_advice(
    tmp_path: Path, secret: str | None, advice: str
) -> None:
    async def whole() -> None:
        async with small_server() as server:
            watch = Watch(f"ws://127.0.0.1:{server.port}", secret)
            with pytest.raises(SetupError, match=f"Invalid secret.*{advice}"):
                await asyncio.to_thread(observe, watch, _files(tmp_path))

    asyncio.run(whole())


def _says_nothing(socket: ServerConnection) -> None:
    for _ in socket:
        pass


def _says_nonsense(socket: ServerConnection) -> None:
    socket.send("hello")
    for _ in socket:
        pass


@pytest.mark.parametrize(
    ("behave", "complaint"),
    [
        (_says_nothing, "sends nothing.*handshake"),
        (_says_nonsense, "not speak .*Tank Royale"),
        (lambda socket: None, "closed the connection"),
    ],
)
def test_another_kind_of_server_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, behave: Any, complaint: str
) -> None:
    monkeypatch.setattr(observing, "OPEN_TIMEOUT_S", 0.3)
    with odd_server(behave) as url, pytest.raises(SetupError, match=complaint):
        observe(Watch(url), _files(tmp_path))


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1", "localhost:7654", "ws://127.0.0.1:1", "ws://", "ws://[::1"]
)
def test_an_address_without_a_server_is_refused_in_one_line(tmp_path: Path, url: str) -> None:
    with pytest.raises(SetupError, match=r"--url is|no server at"):
        observe(Watch(url), _files(tmp_path))


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_saves_the_received_messages(tmp_path: Path, signal_number: int) -> None:
    def behave(socket: ServerConnection) -> None:
        socket.send(HELLO, text=True)
        socket.recv()
        for data in MESSAGES[:20]:
            socket.send(data, text=True)
        for _ in socket:
            pass

    files = _files(tmp_path)

    def look() -> None:
        if files.files and files.files[0].lines == 20:
            os.kill(os.getpid(), signal_number)

    before = signal.getsignal(signal.SIGTERM)
    with odd_server(behave) as url:
        assert observe(Watch(url), files, on_look=look) is True
    assert signal.getsignal(signal.SIGTERM) is before
    assert gzip.decompress(files.files[0].path.read_bytes()).splitlines() == MESSAGES[:20]
    assert encode(m.GameAbortedEvent()) not in MESSAGES[:20]

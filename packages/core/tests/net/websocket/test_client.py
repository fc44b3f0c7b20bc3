from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from websockets.exceptions import ConnectionClosedError
from websockets.frames import Frame, Opcode
from websockets.sync.server import ServerConnection, serve

from turnwright.net.websocket import client as client_module
from turnwright.net.websocket.client import (
    LOOK_S,
    MESSAGES_MAX,
    ClientConnection,
    CloseFrame,
    ConnectionClosed,
    WebSocketException,
    connect,
    readable,
)

pytestmark = pytest.mark.process
WAIT_S = 60.0


@contextmanager
def served(talk: Callable[[ServerConnection], None]) -> Iterator[str]:
    """Serve by another implementation on a free port."""
    with serve(talk, "127.0.0.1", 0, compression=None, max_size=1 << 24) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}/path?query"
        server.shutdown()
        thread.join()


def echo(peer: ServerConnection) -> None:
    for message in peer:
        peer.send(message)


def send_much(client: ClientConnection) -> None:
    for _ in range(100):
        client.send(b"x" * 100_000)


def join(url: str, max_size: int = 1 << 24) -> ClientConnection:
    return connect(url, max_size=max_size, open_timeout=WAIT_S)


@pytest.mark.parametrize("text", [True, False])
@pytest.mark.parametrize("size", [0, 1, 3, 125, 126, 127, 65_535, 65_536, 1_000_001])
def test_messages_of_each_size_come_and_go_whole(size: int, text: bool) -> None:
    data = (b"tank " * (size // 5 + 1))[:size]
    with served(echo) as url, join(url) as client:
        client.send(data, text)
        assert client.recv(WAIT_S) == (data.decode() if text else data)


def test_a_message_in_pieces_is_one() -> None:
    def talk(peer: ServerConnection) -> None:
        peer.send(["Zo", "ë", "", "!"])
        peer.recv()

    with served(talk) as url, join(url) as client:
        assert client.recv(WAIT_S) == "Zoë!"


def test_a_ping_is_answered_while_no_messages_are_read() -> None:
    answered = threading.Event()

    def talk(peer: ServerConnection) -> None:
        if peer.ping().wait(WAIT_S):
            answered.set()

    with served(talk) as url, join(url):
        assert answered.wait(WAIT_S)


def test_messages_are_buffered_up_to_a_bound_and_then_wait_in_the_socket() -> None:
    count = 3 * MESSAGES_MAX

    def talk(peer: ServerConnection) -> None:
        for number in range(count):
            peer.send(str(number))
        peer.recv()

    with served(talk) as url, join(url) as client:
        time.sleep(3 * LOOK_S)  # the second thread reads
        assert [client.recv(WAIT_S) for _ in range(count)] == [str(number) for number in range(count)]


def test_invalid_utf8_ends_the_connection() -> None:
    def talk(peer: ServerConnection) -> None:
        peer.socket.sendall(Frame(Opcode.TEXT, b"\xff").serialize(mask=False))
        with pytest.raises(Exception, match="1007"):
            peer.recv()

    with served(talk) as url, join(url) as client, pytest.raises(ConnectionClosed):
        client.recv(WAIT_S)


def test_a_name_and_a_password_in_the_address_are_sent() -> None:
    heard: list[str | None] = []

    def talk(peer: ServerConnection) -> None:
        heard.append(peer.request.headers.get("Authorization") if peer.request else None)
        peer.send("hello")

    with served(talk) as url, join(url.replace("ws://", "ws://ann:s%40d@")) as client:
        assert client.recv(WAIT_S) == "hello"
    assert heard == ["Basic YW5uOnNAZA=="]


def test_no_message_is_a_timeout_and_the_connection_stays() -> None:
    with served(echo) as url, join(url) as client:
        for timeout in (0, 0.01):
            with pytest.raises(TimeoutError):
                client.recv(timeout)
        client.send(b"a")
        assert client.recv(WAIT_S) == "a"


def test_no_wait_for_a_message_is_longer_than_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    def noted(plain: socket.socket) -> Callable[[float], bool]:
        wait = readable(plain)

        def note(wait_s: float) -> bool:
            waits.append(wait_s)
            return wait(wait_s)

        return note

    def talk(peer: ServerConnection) -> None:
        asked.wait(WAIT_S)
        time.sleep(0.5)
        peer.send("at last")
        done.wait(WAIT_S)

    done = threading.Event()
    asked = threading.Event()
    monkeypatch.setattr(client_module, "readable", noted)
    with served(talk) as url, join(url) as client:
        asked.set()
        assert client.recv() == "at last"
        with pytest.raises(TimeoutError):
            client.recv(0.3)
        done.set()
    assert len(waits) > 3
    assert max(waits) <= 0.25


def test_messages_sent_before_a_close_are_read_and_then_always_its_reason() -> None:
    def talk(peer: ServerConnection) -> None:
        peer.send("last words")
        peer.close(1008, "Invalid secret")

    with served(talk) as url, join(url) as client:
        assert client.recv(WAIT_S) == "last words"
        for _ in range(2):
            with pytest.raises(ConnectionClosed) as caught:
                client.recv(WAIT_S)
            assert caught.value.rcvd == CloseFrame(1008, "Invalid secret")


def test_our_close_tells_code_and_reason() -> None:
    ended: list[tuple[int | None, str | None]] = []
    over = threading.Event()

    def talk(peer: ServerConnection) -> None:
        with pytest.raises(ConnectionClosedError):
            peer.recv()
        ended.append((peer.close_code, peer.close_reason))
        over.set()

    with served(talk) as url:
        join(url).close(1011, "the bot failed")
        assert over.wait(WAIT_S)
    assert ended == [(1011, "the bot failed")]


def test_a_connection_that_breaks_is_closed_without_a_close_frame() -> None:
    def talk(peer: ServerConnection) -> None:
        peer.socket.shutdown(socket.SHUT_RDWR)

    with served(talk) as url, join(url) as client:
        with pytest.raises(ConnectionClosed) as caught:
            client.recv(WAIT_S)
        assert caught.value.rcvd is None
        with pytest.raises(ConnectionClosed):
            send_much(client)


def test_a_message_above_the_limit_ends_the_connection() -> None:
    codes: list[int | None] = []

    def talk(peer: ServerConnection) -> None:
        peer.send(b"x" * 100)
        peer.send(b"x" * 101)
        with pytest.raises(Exception, match="1009"):
            peer.recv()
        codes.append(peer.close_code)

    with served(talk) as url, join(url, max_size=100) as client:
        assert client.recv(WAIT_S) == b"x" * 100
        with pytest.raises(ConnectionClosed):
            client.recv(WAIT_S)
    assert codes == [1009]


@pytest.mark.parametrize(
    "frames",
    [
        [Frame(Opcode.CONT, b"a")],
        [Frame(Opcode.TEXT, b"a", fin=False), Frame(Opcode.TEXT, b"b")],
        [Frame(Opcode.TEXT, b"a", rsv1=True)],
    ],
)
def test_a_breach_of_the_protocol_ends_the_connection(frames: list[Frame]) -> None:
    def talk(peer: ServerConnection) -> None:
        peer.socket.sendall(b"".join(frame.serialize(mask=False) for frame in frames))
        with pytest.raises(Exception, match="1002"):
            peer.recv()

    with served(talk) as url, join(url) as client, pytest.raises(ConnectionClosed):
        client.recv(WAIT_S)


def test_another_kind_of_server_is_refused_with_its_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            with listening.accept()[0] as peer:
                peer.recv(65_536)
                peer.sendall(b"HTTP/1.1 429 Too Many Requests\r\n\r\ntoo many connections\n")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(WebSocketException, match=r"429.*too many connections"):
            join(f"ws://127.0.0.1:{listening.getsockname()[1]}")
        thread.join()


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "ws://", "nonsense"])
def test_an_invalid_address_is_a_value_error(url: str) -> None:
    with pytest.raises(ValueError, match="address"):
        join(url)

"""A WebSocket client that uses only the standard library, for the bot libraries.

The thread that calls `recv` reads the socket itself. If this thread does not call `recv` for long, because
the bot computes, a second thread reads the socket and answers pings. Source: RFC 6455.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
import select
import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Self
from urllib.parse import SplitResult, unquote, urlsplit

SILENCE_S = 20.0
"""If the server is silent for this time, in seconds, the client sends a ping. After the same time again, the
connection counts as lost.
"""
MESSAGES_MAX = 256
"""The largest number of waiting messages. If there are more, the second thread does not read the socket."""
LOOK_S = 1.0
"""If `recv` is not called for this time, in seconds, the second thread reads the socket."""
_CLOSE_WAIT_S = 5.0
_SLICE_S = 0.2
"""The longest single wait for a message, in seconds. On Windows, Python handles Ctrl-C only between two
waits.
"""
_READ_BYTES = 65_536
_HEAD_BYTES_MAX = 16_384
_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_CONTINUATION, _TEXT, _BINARY, _CLOSE, _PING, _PONG = 0, 1, 2, 8, 9, 10
_PORTS = {"ws": 80, "wss": 443}


class WebSocketException(Exception):
    """The server does not speak WebSocket, or refuses the connection."""


@dataclass(frozen=True)
class CloseFrame:
    """The code and the reason of a closed connection."""

    code: int
    reason: str


class ConnectionClosed(WebSocketException):
    """The connection has ended. rcvd: the server's close frame, or None."""

    def __init__(self, rcvd: CloseFrame | None) -> None:
        super().__init__("the connection is closed" if rcvd is None else f"{rcvd.code} {rcvd.reason}")
        self.rcvd = rcvd


class _ProtocolBroken(Exception):
    """The server broke the protocol. code: the code for our close frame."""

    def __init__(self, code: int) -> None:
        super().__init__(str(code))
        self.code = code


def connect(url: str, *, max_size: int, open_timeout: float) -> ClientConnection:
    """Connect to a server, and return the open connection.

    Args:
        url: `ws://` or `wss://`, then host and port. If the URL has a user name and a password, they are sent
            as Basic authentication.
        max_size: The largest message that is accepted, in bytes.
        open_timeout: The time limit for each step of the opening, in seconds.

    Raises:
        OSError: no server answers in time, or its certificate is not valid.
        WebSocketException: the server does not speak WebSocket, or refuses the connection.
        ValueError: the URL is not the address of a WebSocket.
    """
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname:
        raise ValueError(f"{url!r} is not the address of a WebSocket")
    plain = socket.create_connection((parts.hostname, parts.port or _PORTS[parts.scheme]), open_timeout)
    try:
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if parts.scheme == "wss":
            plain = ssl.create_default_context().wrap_socket(plain, server_hostname=parts.hostname)
        return ClientConnection(plain, _shake_hands(plain, parts), max_size)
    except BaseException:
        plain.close()
        raise


def readable(plain: socket.socket) -> Callable[[float], bool]:
    """Return a function that takes a time in seconds, waits at most this time for bytes on the socket, and
    returns whether there are any.
    """
    if not hasattr(select, "poll"):  # on Windows
        return lambda wait_s: bool(select.select([plain], [], [], wait_s)[0])
    poll = select.poll()
    poll.register(plain, select.POLLIN)
    return lambda wait_s: bool(poll.poll(wait_s * 1000))


def _shake_hands(plain: socket.socket, url: SplitResult) -> bytes:
    """Carry out the opening handshake. Return the bytes that came after the server's answer."""
    key = base64.b64encode(os.urandom(16))
    plain.sendall(_request(url, key.decode()).encode())
    head = b""
    while b"\r\n\r\n" not in head:
        data = plain.recv(_READ_BYTES)
        head += data
        if not data or len(head) > _HEAD_BYTES_MAX:
            raise WebSocketException("it does not answer as a WebSocket server does")
    head, _, rest = head.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    headers = {
        name.strip().lower(): value.strip() for name, _, value in (one.partition(":") for one in lines)
    }
    if status.split(" ")[1:2] != ["101"]:
        said = rest.decode("utf-8", "replace").strip().partition("\n")[0]
        raise WebSocketException(f"it answers {status!r:.80} {said:.200}".rstrip())
    wanted = base64.b64encode(hashlib.sha1(key + _GUID).digest()).decode()
    if headers.get("sec-websocket-accept") != wanted:
        raise WebSocketException("it does not answer as a WebSocket server does")
    return rest


def _request(url: SplitResult, key: str) -> str:
    path = (url.path or "/") + (f"?{url.query}" if url.query else "")
    user, at, host = url.netloc.rpartition("@")
    basic = f"Authorization: Basic {base64.b64encode(unquote(user).encode()).decode()}\r\n" if at else ""
    return (
        f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n{basic}\r\n"
    )


class ClientConnection:
    """An open connection.

    Two threads may use a connection. One of them receives, and both may send.
    """

    def __init__(self, plain: socket.socket, rest: bytes, max_size: int) -> None:
        """Take a socket after the opening handshake. rest: bytes that were already read."""
        self._socket = plain
        self._frames = _Frames(rest, max_size)
        self._messages: deque[str | bytes] = deque(maxlen=MESSAGES_MAX)
        self._closed: CloseFrame | None = None
        self._ended = threading.Event()
        self._reading = threading.Lock()
        """The thread that reads the socket has this lock."""
        self._taken_s = time.monotonic()
        """The time at which `recv` last returned."""
        self._sending = threading.Lock()
        self._close_sent = False
        self._readable = readable(plain)
        plain.settimeout(SILENCE_S)
        threading.Thread(target=self._look_after, name="turnwright-websocket", daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def local_address(self) -> tuple[str, int]:
        """The IP address and the port of this end."""
        host, port = self._socket.getsockname()[:2]
        return str(host), int(port)

    def recv(self, timeout: float | None = None) -> str | bytes:
        """Return the next message: str for text, bytes for binary.

        Args:
            timeout: The time to wait, in seconds. None means until a message comes or the connection ends.

        Raises:
            TimeoutError: no message came within `timeout`.
            ConnectionClosed: the connection has ended, and all messages have been returned.
        """
        message = self._next(None if timeout is None else time.monotonic() + timeout)
        if message is None:
            raise TimeoutError
        return message

    def recv_now(self) -> str | bytes | None:
        """Return the next message if it has already arrived. Otherwise return None.

        Raises:
            ConnectionClosed: the connection has ended, and all messages have been returned.
        """
        return self._next(0.0)

    def _next(self, until_s: float | None) -> str | bytes | None:
        with self._reading:
            try:
                while not self._messages:
                    if not self._read_more(until_s):
                        return None
                return self._messages.popleft()
            finally:
                self._taken_s = time.monotonic()

    def send(self, data: bytes, text: bool = True) -> None:
        """Send a message. The call blocks until the system has taken all bytes.

        If the system takes too long (SILENCE_S), the connection is closed.

        Args:
            text: whether to send the data, which must be UTF-8, as a text message. Otherwise it is sent as a
                binary message.

        Raises:
            ConnectionClosed: the connection has ended.
        """
        try:
            self._send(_TEXT if text else _BINARY, data)
        except OSError:
            self.close()
            raise ConnectionClosed(self._closed) from None

    def close(self, code: int = 1000, reason: str = "") -> None:
        """Close the connection. Wait up to 5 seconds for the server's close frame. Later calls do nothing.

        Args:
            reason: at most 123 bytes in UTF-8.
        """
        with contextlib.suppress(OSError):
            self._say_close(code, reason)
        until_s = time.monotonic() + _CLOSE_WAIT_S
        if self._reading.acquire(timeout=_CLOSE_WAIT_S):
            with contextlib.suppress(ConnectionClosed):
                while self._read_more(until_s):
                    pass
            self._reading.release()
        self._end()
        self._socket.close()

    # ---- sending -----------------------------------------------------------------------------------------

    def _say_close(self, code: int, reason: str = "") -> None:
        if not self._close_sent:
            self._close_sent = True
            self._send(_CLOSE, code.to_bytes(2) + reason.encode())

    def _send(self, kind: int, data: bytes) -> None:
        size, mask = len(data), os.urandom(4)
        if size < 126:
            head = bytes([128 | kind, 128 | size])
        elif size < 65_536:
            head = bytes([128 | kind, 254]) + size.to_bytes(2)
        else:
            head = bytes([128 | kind, 255]) + size.to_bytes(8)
        with self._sending:
            self._socket.sendall(head + mask + _masked(data, mask))

    # ---- receiving: only with the lock `_reading` --------------------------------------------------------

    def _read_more(self, until_s: float | None) -> bool:
        """Process a frame that has arrived, or wait for bytes. Return False if neither came before `until_s`.

        Raises:
            ConnectionClosed: the connection has ended.
        """
        if self._ended.is_set():
            raise ConnectionClosed(self._closed)
        try:
            return self._take_frame() or self._read_bytes(until_s)
        except _ProtocolBroken as broken:
            with contextlib.suppress(OSError):
                self._say_close(broken.code)
            self._end()
        except OSError:
            self._end()
        return True

    def _read_bytes(self, until_s: float | None) -> bool:
        """Wait for bytes, and pass them to `_frames`. Return False if none arrived before `until_s`.

        Raises:
            OSError: the connection has ended.
        """
        if not self._wait(until_s):
            return False
        data = self._socket.recv(_READ_BYTES)
        if not data:
            raise ConnectionResetError("the server has ended the connection")
        self._frames.add(data)
        return True

    def _wait(self, until_s: float | None) -> bool:
        """Wait until bytes have arrived, or until `until_s`. Return whether bytes have arrived.

        Raises:
            OSError: the server is silent for too long.
        """
        began_s = now_s = time.monotonic()
        asked = False
        while not self._is_readable(_SLICE_S if until_s is None else min(_SLICE_S, until_s - now_s)):
            now_s = time.monotonic()
            if until_s is not None and now_s >= until_s:
                return False
            if now_s - began_s >= SILENCE_S:
                if asked:
                    raise ConnectionResetError("the server is silent")
                began_s, asked = now_s, True
                self._send(_PING, b"")
        return True

    def _is_readable(self, wait_s: float) -> bool:
        if isinstance(self._socket, ssl.SSLSocket) and self._socket.pending():
            return True
        return self._readable(max(wait_s, 0.0))

    def _take_frame(self) -> bool:
        """Process the next frame. Return False if it is not complete yet.

        Raises:
            OSError: the connection has ended.
            _ProtocolBroken: the frame breaks the protocol.
        """
        frame = self._frames.next()
        if frame is None:
            return False
        kind, data = frame
        if kind in (_TEXT, _BINARY):
            self._messages.append(_text(data) if kind == _TEXT else data)
        elif kind == _PING:
            self._send(_PONG, data)
        elif kind == _CLOSE:
            code = int.from_bytes(data[:2]) if len(data) >= 2 else 1005
            self._closed = CloseFrame(code, data[2:].decode("utf-8", "replace"))
            self._say_close(1000 if code == 1005 else code)
            self._end()
        return True

    def _end(self) -> None:
        if not self._ended.is_set():
            self._ended.set()
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    # ---- the second thread -------------------------------------------------------------------------------

    def _look_after(self) -> None:
        """Read the socket while the first thread takes no messages, so that pings get answers."""
        while not self._ended.wait(LOOK_S):
            if time.monotonic() - self._taken_s < LOOK_S or not self._reading.acquire(blocking=False):
                continue
            with contextlib.suppress(ConnectionClosed):
                while len(self._messages) < MESSAGES_MAX and self._read_more(0.0):
                    pass
            self._reading.release()


class _Frames:
    """Cuts the received bytes into frames, and joins the parts of a fragmented message."""

    def __init__(self, data: bytes, max_size: int) -> None:
        self._data = bytearray(data)
        self._max_size = max_size
        self._kind = 0
        """The kind of the message whose parts are arriving. 0 means that there is no such message."""
        self._pieces = bytearray()

    def add(self, data: bytes) -> None:
        """Add bytes from the socket."""
        self._data += data

    def next(self) -> tuple[int, bytes] | None:
        """Return the kind and the data of the next message or control frame. None means that the next one is
        not complete yet.

        Raises:
            _ProtocolBroken: a frame breaks the protocol.
        """
        while (frame := self._next_frame()) is not None:
            final, kind, data = frame
            if kind in (_CLOSE, _PING, _PONG):
                return kind, data
            if kind not in (_CONTINUATION, _TEXT, _BINARY) or (kind == _CONTINUATION) != bool(self._kind):
                raise _ProtocolBroken(1002)
            if final and not self._kind:
                return kind, data
            self._kind = kind or self._kind
            self._pieces += data
            if final:
                whole = self._kind, bytes(self._pieces)
                self._kind, self._pieces = 0, bytearray()
                return whole
        return None

    def _next_frame(self) -> tuple[bool, int, bytes] | None:
        data = self._data
        if len(data) < 2:
            return None
        first, size, start = data[0], data[1], 2
        if size & 128 or first & 112:
            raise _ProtocolBroken(1002)
        if size >= 126:
            start = 4 if size == 126 else 10
            if len(data) < start:
                return None
            size = int.from_bytes(data[2:start])
        if size > self._max_size - len(self._pieces):
            raise _ProtocolBroken(1009)
        if len(data) < start + size:
            return None
        found = bytes(data[start : start + size])
        del data[: start + size]
        return bool(first & 128), first & 15, found


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise _ProtocolBroken(1007) from None


def _masked(data: bytes, mask: bytes) -> bytes:
    size = len(data)
    key = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(data) ^ int.from_bytes(key)).to_bytes(size)

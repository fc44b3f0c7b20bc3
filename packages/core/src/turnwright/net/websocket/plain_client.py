"""A WebSocket client of the standard library, for the bot library of a class.

It has the part of the interface of `websockets.sync.client` that bots use, and replaces it where nothing but
Python is installed (docs/decisions/0055). A thread reads the socket, so that pings are answered while the bot
thinks. Source: RFC 6455.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
import queue
import socket
import ssl
import threading
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

SILENCE_S = 20.0
"""After so long without a byte the server is asked for a sign of life; after as long again it is gone."""
MESSAGES_MAX = 256
"""Messages that wait to be taken; with more of them the socket is not read."""
_CLOSE_WAIT_S = 5.0
_LOOK_S = 0.5
_SLICE_S = 0.2
"""The longest wait for a message at a time."""
_READ_BYTES = 65_536
_HEAD_BYTES_MAX = 16_384
_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_CONTINUATION, _TEXT, _BINARY, _CLOSE, _PING, _PONG = 0, 1, 2, 8, 9, 10
_PORTS = {"ws": 80, "wss": 443}


class WebSocketException(Exception):
    """A server that speaks no WebSocket, or refuses one."""


@dataclass(frozen=True)
class CloseFrame:
    """The code and the reason of a closed connection."""

    code: int
    reason: str


class ConnectionClosed(WebSocketException):
    """The connection has ended.

    Args:
        rcvd: what the server said, or None.
    """

    def __init__(self, rcvd: CloseFrame | None) -> None:
        super().__init__("the connection is closed" if rcvd is None else f"{rcvd.code} {rcvd.reason}")
        self.rcvd = rcvd


class _ProtocolBroken(Exception):
    """The server broke the protocol;

    Args:
        code: to close with.
    """

    def __init__(self, code: int) -> None:
        super().__init__(str(code))
        self.code = code


def connect(
    url: str,
    *,
    max_size: int,
    open_timeout: float,
    compression: None = None,
    proxy: None = None,
) -> ClientConnection:
    """Connect to a server.

    Args:
            max_size: the largest message, bytes.
            open_timeout: the time to connect, s.
            compression, proxy: ignored, because neither is available.

        Raises:
            OSError: the server does not answer.
            WebSocketException: the answer is not a WebSocket's.
            ValueError: the URL is invalid.
    """
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname:
        raise ValueError(f"{url!r} is no address of a WebSocket")
    port = parts.port or _PORTS[parts.scheme]
    plain = socket.create_connection((parts.hostname, port), open_timeout)
    try:
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if parts.scheme == "wss":
            plain = ssl.create_default_context().wrap_socket(plain, server_hostname=parts.hostname)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return ClientConnection(plain, _shake_hands(plain, parts.netloc.rpartition("@")[2], path), max_size)
    except BaseException:
        plain.close()
        raise


def _shake_hands(plain: socket.socket, host: str, path: str) -> bytes:
    """Ask for a WebSocket; return the bytes that came after the answer."""
    key = base64.b64encode(os.urandom(16))
    plain.sendall(
        f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key.decode()}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
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


class ClientConnection:
    """A connection that is open.

    Args:
        rest: bytes that were read already.
    """

    def __init__(self, plain: socket.socket, rest: bytes, max_size: int) -> None:
        self._socket = plain
        self._buffer = bytearray(rest)
        self._max_size = max_size
        self._messages: queue.Queue[bytes | None] = queue.Queue(MESSAGES_MAX)
        self._closed: CloseFrame | None = None
        self._ending = threading.Event()
        self._sending = threading.Lock()
        self._close_sent = False
        plain.settimeout(SILENCE_S)
        self._reader = threading.Thread(target=self._read, name="turnwright-websocket", daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def local_address(self) -> tuple[str, int]:
        """The address and port of this end."""
        host, port = self._socket.getsockname()[:2]
        return str(host), int(port)

    def recv(self, timeout: float | None = None, decode: bool = False) -> bytes:
        """Return the next message.

        Raises:
            TimeoutError: after `timeout` seconds, ConnectionClosed at the end.
        """
        message = self._next(None if timeout is None else time.monotonic() + timeout)
        if message is None:
            with contextlib.suppress(queue.Full):
                self._messages.put_nowait(None)
            raise ConnectionClosed(self._closed)
        return message

    def _next(self, until_s: float | None) -> bytes | None:
        """Return the next message, or None at the end, waiting in slices.

        A wait on Windows is not interrupted by Ctrl-C, which is noticed between two of them.

        Raises:
            TimeoutError: at `until_s`.
        """
        while True:
            left_s = _SLICE_S if until_s is None else until_s - time.monotonic()
            try:
                return self._messages.get(block=left_s > 0, timeout=min(max(left_s, 0.0), _SLICE_S))
            except queue.Empty:
                if until_s is not None and time.monotonic() >= until_s:
                    raise TimeoutError from None

    def send(self, data: bytes, text: bool = True) -> None:
        """Send a message.

        Raises:
            ConnectionClosed
        """
        try:
            self._send(_TEXT if text else _BINARY, data)
        except OSError:
            self._reader.join(_CLOSE_WAIT_S)
            raise ConnectionClosed(self._closed) from None

    def close(self, code: int = 1000, reason: str = "") -> None:
        """Close the connection, and wait a little for the server to agree."""
        self._ending.set()
        with contextlib.suppress(OSError):
            self._say_close(code, reason)
        self._reader.join(_CLOSE_WAIT_S)
        self._socket.close()

    # ---- frames out --------------------------------------------------------------------------------------

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

    # ---- frames in: a thread -----------------------------------------------------------------------------

    def _read(self) -> None:
        """Read until the end; then say that it is one."""
        with contextlib.suppress(OSError):
            try:
                self._read_messages()
            except _ProtocolBroken as broken:
                self._say_close(broken.code)
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._put(None)

    def _read_messages(self) -> None:
        parts: list[bytes] = []
        while True:
            final, kind, data = self._frame(self._max_size - sum(map(len, parts)))
            if kind == _CLOSE:
                code = int.from_bytes(data[:2]) if len(data) >= 2 else 1005
                self._closed = CloseFrame(code, data[2:].decode("utf-8", "replace"))
                self._say_close(1000 if code == 1005 else code)
                return
            if kind == _PING:
                self._send(_PONG, data)
            elif kind in (_CONTINUATION, _TEXT, _BINARY):
                if (kind == _CONTINUATION) != bool(parts):
                    raise _ProtocolBroken(1002)
                parts.append(data)
                if final:
                    self._put(b"".join(parts))
                    parts = []
            elif kind != _PONG:
                raise _ProtocolBroken(1002)

    def _frame(self, room: int) -> tuple[bool, int, bytes]:
        first, second = self._take(2)
        size = second & 127
        if second & 128 or first & 112:
            raise _ProtocolBroken(1002)
        if size == 126:
            size = int.from_bytes(self._take(2))
        elif size == 127:
            size = int.from_bytes(self._take(8))
        if size > room:
            raise _ProtocolBroken(1009)
        return bool(first & 128), first & 15, self._take(size)

    def _take(self, size: int) -> bytes:
        """Return the next bytes.

        Raises:
            OSError: they do not come.
        """
        asked = False
        while len(self._buffer) < size:
            try:
                data = self._socket.recv(_READ_BYTES)
            except TimeoutError:
                if asked:
                    raise
                asked = True
                self._send(_PING, b"")
                continue
            if not data:
                raise OSError("the server has ended the connection")
            asked = False
            self._buffer += data
        taken = bytes(self._buffer[:size])
        del self._buffer[:size]
        return taken

    def _put(self, message: bytes | None) -> None:
        while True:
            try:
                self._messages.put(message, timeout=_LOOK_S)
            except queue.Full:
                if not self._ending.is_set():
                    continue
            return


def _masked(data: bytes, mask: bytes) -> bytes:
    size = len(data)
    key = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(data) ^ int.from_bytes(key)).to_bytes(size)

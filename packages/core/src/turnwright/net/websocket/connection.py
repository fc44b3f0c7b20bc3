"""WebSocket connections with picows.

picows (Cython) parses and writes frames. This module handles sub-protocols, fragments, reserved bits, limits,
answers to pings (within a limit), and the close handshake. picows writes to the socket immediately, so the
operating system has the message when a send returns.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from picows import (
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
    WSUpgradeResponse,
    WSUpgradeResponseWithListener,
)
from picows.picows import WSAutoPingStrategy, WSProtocol  # type: ignore[attr-defined]  # not in its stubs

from turnwright.host.admission import RateLimiter
from turnwright.net.clock import now_ns
from turnwright.net.http.close import GracefulClose, hand_over
from turnwright.net.websocket.close_handshake import CloseHandshake
from turnwright.net.websocket.interface import (
    MESSAGE_BYTES_MAX,
    Accepted,
    Application,
    PeerAddress,
)
from turnwright.wire.faults import Farewell

FRAGMENTS_MAX = 1_024
"""The largest number of fragments of a message."""
FRAMES_MAX = 1_000
FRAMES_NS = 20_000_000
"""If FRAMES_MAX frames arrive within this time, in ns, there are too many frames, and reading is paused."""
PAUSE_S = 0.05
"""The length of a pause in reading, in seconds."""
SHORT_PAUSE_S = 0.001
"""The length of a short pause, in seconds."""
SHORT_PAUSES_MAX = 40
"""The number of short pauses that a connection gets before the pauses become long. FRAMES_MAX messages fit
into each of them.
"""
UNPAUSED_NS = 1_000_000_000
"""After this time without a pause, in ns, a connection gets short pauses again. A new connection also begins
with short pauses.
"""
_READ_BUFFER_BYTES = 4_096
_READ_BYTES_MAX = 16_384
"""The largest number of bytes that are read from a socket at a time."""
_COPIED_MAX = 8_192
"""Up to this size, in bytes, picows copies the header and the message into one buffer and writes them
together.
"""
_HEADER_ROOM = 14
_picows_buffer = WSProtocol.get_buffer
_TEXT, _BINARY = WSMsgType.TEXT, WSMsgType.BINARY
_SILENT = logging.getLogger("turnwright.net.picows")
_SILENT.setLevel(logging.CRITICAL + 1)


@dataclass(frozen=True, slots=True)
class SocketOptions:
    """Options of the connections of one port.

    Attributes:
        protocols: the sub-protocols of this server, the preferred one first.
        frames_per_s, frames_burst: the number of frames that a peer may send, per second and in a burst. If
            the peer sends more, the connection is closed with code 1008. 0 means that there is no limit
            except the throttle.
        gathers: whether written data can be held back, and written together later.
    """

    protocols: Sequence[str] = ()
    frames_per_s: int = 0
    frames_burst: int = 0
    gathers: bool = False


PLAIN = SocketOptions()


def choose_protocol(offered: str, spoken: Sequence[str]) -> str:
    """Return the first sub-protocol in `spoken` that a client offers, or "" if it offers none of them.

    Args:
        offered: the client's header Sec-WebSocket-Protocol.
    """
    names = [name.strip().lower() for name in offered.split(",")]
    return next((name for name in spoken if name in names), "")


def attach(application: Application, accepted: Accepted, options: SocketOptions = PLAIN) -> None:
    """Carry out the upgrade and take over the connection.

    Messages are passed to `application`.

    The function gives picows its transport before the event loop calls picows. Otherwise, if the connection
    ended before picows was told of its beginning, the compiled code of picows would read through a null
    pointer.
    """
    connection = WebSocketConnection(application, accepted, options)
    refused = connection.closing.on_parser_error
    protocol = _create_protocol(connection, accepted.lost, refused, connection.protocol)
    transport_class = _GatheringTransport if options.gathers else _Transport
    connection.under = transport_class(accepted.transport, protocol.connection_lost)
    protocol.connection_made(connection.under)
    hand_over(accepted.transport, protocol)
    request = (
        f"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {accepted.key}\r\n\r\n"
    )
    _feed(protocol, memoryview(request.encode("ascii") + accepted.tail))


def check() -> None:
    """Raise ImportError if the installed picows does not work with this module.

    Call this in a running event loop.
    """
    try:
        _create_protocol(WSListener(), lambda: None, lambda: None)
    except TypeError as error:
        raise ImportError(f"this version of picows is not supported: {error}") from None


class Violation(Exception):
    """A violation of the WebSocket protocol by the peer.

    `code` is the close code, and str() is the reason.
    """

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class Fragments:
    """Assembles fragmented messages. Source: RFC 6455 §5.4."""

    __slots__ = ("_size", "pieces", "text")

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        """The fragments of the incomplete message."""
        self._size = 0
        self.text = True
        """Whether the newest message is text."""

    def begin(self, payload: bytes, text: bool, final: bool) -> bytes | None:
        """Take a text or binary frame. Return its message if that is complete, or None.

        Raises:
            Violation: another message is incomplete, or the message is too large.
        """
        if self.pieces:
            raise Violation(1002, "a new message began inside another")
        self.text = text
        return payload if final else self._add(payload, final)

    def go_on(self, payload: bytes, final: bool) -> bytes | None:
        """Take a continuation frame. Return its message if that is complete, or None.

        Raises:
            Violation: no message is incomplete, or the message is too large.
        """
        if not self.pieces:
            raise Violation(1002, "a continuation frame without a message")
        return self._add(payload, final)

    def _add(self, payload: bytes, final: bool) -> bytes | None:
        self._size += len(payload)
        if self._size > MESSAGE_BYTES_MAX:
            raise Violation(1009, f"a message is at most {MESSAGE_BYTES_MAX} bytes")
        if len(self.pieces) >= FRAGMENTS_MAX:
            raise Violation(1009, f"a message comes in at most {FRAGMENTS_MAX} fragments")
        self.pieces.append(payload)
        if not final:
            return None
        whole = b"".join(self.pieces)
        self.pieces = []
        self._size = 0
        return whole


class ReadThrottle:
    """Limits the speed at which one connection is read.

    While reading is paused, the data waits in the buffers of the peer. So a flood costs this server only a
    small part of its time, and other connections are served. But if the server does not read a bot's
    connection, a turn waits for this bot until the deadline. Therefore the first pauses of a connection
    without recent pauses are short. With them, a burst of 20,000 messages delays a battle only by some tenths
    of a second.

    Attributes:
        frames_per_s: the limit above which `note` returns False. 0 means that there is no limit.
        paused: whether nothing is read from the connection now.
    """

    __slots__ = (
        "_began_ns",
        "_frames",
        "_limit",
        "_paused_ns",
        "_short",
        "_transport",
        "frames_per_s",
        "paused",
    )

    def __init__(self, transport: asyncio.Transport, options: SocketOptions = PLAIN) -> None:
        self._transport = transport
        self.frames_per_s = options.frames_per_s
        self._limit = RateLimiter(self.frames_per_s, options.frames_burst) if self.frames_per_s else None
        self._frames = 0
        self._began_ns = 0
        self._short = 0
        self._paused_ns = now_ns()
        self.paused = False

    def note(self) -> bool:
        """Count a frame of any kind, and pause if there were too many.

        Return whether the rate is within `frames_per_s`.
        """
        self._frames += 1
        if self._frames >= FRAMES_MAX:
            self._note_many()
        return self._limit is None or self._limit.allow(now_ns())

    def _note_many(self) -> None:
        at_ns = now_ns()
        fast = at_ns - self._began_ns < FRAMES_NS
        self._frames, self._began_ns = 0, at_ns
        if fast:
            self.pause()

    def pause(self) -> None:
        """Pause reading for SHORT_PAUSE_S or PAUSE_S.

        Messages that were already read are still passed on.
        """
        if self.paused or self._transport.is_closing():
            return
        self.paused = True
        self._transport.pause_reading()
        at_ns = now_ns()
        if at_ns - self._paused_ns >= UNPAUSED_NS:
            self._short = SHORT_PAUSES_MAX
        self._paused_ns = at_ns
        short = self._short > 0
        self._short -= short
        asyncio.get_running_loop().call_later(SHORT_PAUSE_S if short else PAUSE_S, self._resume)

    def _resume(self) -> None:
        self.paused = False
        if not self._transport.is_closing():
            self._transport.resume_reading()


class WebSocketConnection(WSListener):
    """One WebSocket. See `interface.Connection`.

    Attributes:
        protocol: the sub-protocol that was chosen, or "".
    """

    __slots__ = (
        "_application",
        "_fragments",
        "_pinged_ns",
        "_pressed",
        "_send",
        "_throttle",
        "_ws",
        "closing",
        "heard",
        "key",
        "peer",
        "protocol",
        "sends_binary",
        "trip_ns",
        "under",
    )

    _ws: WSTransport
    under: _Transport

    def __init__(self, application: Application, accepted: Accepted, options: SocketOptions) -> None:
        self._application = application
        self._throttle = ReadThrottle(accepted.transport, options)
        self.closing = CloseHandshake(self._report_gone)
        self._fragments = Fragments()
        self._pressed = False
        self._pinged_ns = 0
        self.protocol = choose_protocol(accepted.offered, options.protocols)
        self.sends_binary = False
        """Whether a binary message has arrived."""
        self.heard = True
        self.trip_ns: int | None = None
        self.key = 0
        self.peer: PeerAddress = accepted.peer

    @property
    def transport(self) -> asyncio.Transport:
        """The connection's TCP transport."""
        return self.under.transport

    @property
    def backlog(self) -> int:
        """The number of bytes that the operating system has not taken yet."""
        return int(self.under.get_write_buffer_size())

    def send(self, data: bytes) -> None:
        """Send a text message."""
        if len(data) <= _COPIED_MAX:  # the same as `_frame`, without a call
            self._send(_TEXT, data)
        else:
            self._frame(_TEXT, data)

    def send_binary(self, data: bytes) -> None:
        """Send a binary message."""
        self._frame(_BINARY, data)

    def hold(self) -> None:
        """Hold back sent data until `release` is called. Then all of it is written together. If the options
        of the connection do not allow this (`gathers`), do nothing.
        """
        self.under.hold()

    def release(self) -> None:
        """Write the data that was held back."""
        self.under.release()

    def _frame(self, kind: WSMsgType, data: bytes) -> None:
        if len(data) <= _COPIED_MAX:
            self._send(kind, data)
            return
        framed = bytearray(_HEADER_ROOM)
        framed += data
        self._ws.send_reuse_external_bytearray(kind, framed, _HEADER_ROOM)

    def close(self, code: int, reason: str = "") -> None:
        """Begin the close handshake."""
        self.closing.begin(code, reason)

    def abort(self) -> None:
        """End the connection now. Unsent data is lost."""
        self._ws.disconnect(False)

    def ping(self) -> None:
        """Send a ping. Its pong sets `trip_ns`."""
        self._pinged_ns = self._pinged_ns or now_ns()
        self._ws.send_ping(b"")

    def pause_reading(self) -> None:
        """Pause reading for SHORT_PAUSE_S or PAUSE_S (see `ReadThrottle`)."""
        self._throttle.pause()

    def fileno(self) -> int:
        """Return the socket's file descriptor. -1 means that the socket is not read any more."""
        transport = self.under.transport
        if self.closing.over or self._throttle.paused or transport.is_closing():
            return -1
        return int(transport.get_extra_info("socket").fileno())

    @property
    def waiting(self) -> bool:
        """Always False. Unread data is in the socket, not in this process."""
        return False

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Begin to use the WebSocket, because the upgrade was answered."""
        self._ws = self.closing.ws = transport
        self._send = transport.send
        self._application.on_open(self, self.peer)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Pass on a complete text message immediately. If the peer sends too fast, close the connection.

        Other frames are rarer and handled separately.
        """
        self.heard = True
        if not self._throttle.note():
            self.closing.fail(1008, f"too fast: {self._throttle.frames_per_s} messages per second are read")
        elif (
            frame.msg_type is _TEXT
            and frame.fin
            and not (frame.rsv1 or frame.rsv2 or frame.rsv3)
            and not transport.is_close_frame_sent
            and not self._fragments.pieces
        ):
            self._application.on_text(self, frame.get_payload_as_bytes())
        else:
            self._take(frame)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """Handle the end of the TCP connection."""
        self.closing.lost()

    def pause_writing(self) -> None:
        """Report that the backlog rose above its mark."""
        self._pressed = True
        self._application.on_pressure(self, True)

    def resume_writing(self) -> None:
        """Report that the backlog fell below its mark."""
        self._pressed = False
        self._application.on_pressure(self, False)

    def _take(self, frame: WSFrame) -> None:
        kind, payload = frame.msg_type, frame.get_payload_as_bytes()
        if kind is WSMsgType.CLOSE:
            self.closing.answer(payload)
        elif self._ws.is_close_frame_sent:
            return
        elif frame.rsv1 or frame.rsv2 or frame.rsv3:
            self.closing.fail(1002, "a reserved bit is set")
        elif kind is WSMsgType.PING:
            if not self._pressed:  # only the latest of many pings needs an answer (RFC 6455 §5.5.3)
                self._ws.send_pong(payload)
        elif kind is not WSMsgType.PONG:
            self._put_together(kind, payload, bool(frame.fin))
        elif self._pinged_ns:
            self.trip_ns, self._pinged_ns = now_ns() - self._pinged_ns, 0

    def _put_together(self, kind: WSMsgType, payload: bytes, final: bool) -> None:
        try:
            if kind is WSMsgType.CONTINUATION:
                whole = self._fragments.go_on(payload, final)
            else:
                whole = self._fragments.begin(payload, kind is _TEXT, final)
        except Violation as violation:
            self.closing.fail(violation.code, str(violation))
            return
        if whole is None:
            return
        if self._fragments.text:
            self._application.on_text(self, whole)
        else:
            self.sends_binary = True
            self._application.on_binary(self, whole)

    def _report_gone(self, farewell: Farewell) -> None:
        self._application.on_close(self, farewell)


class _Transport:
    """The TCP transport for picows.

    It closes the connection in such a way that data that was sent before still arrives.
    """

    __slots__ = (
        "_closed",
        "_lost",
        "abort",
        "get_extra_info",
        "get_write_buffer_size",
        "is_closing",
        "transport",
        "write",
        "writelines",
    )

    def __init__(self, transport: asyncio.Transport, lost: Callable[[Exception | None], None]) -> None:
        self.abort = transport.abort
        self.get_extra_info = transport.get_extra_info
        self.get_write_buffer_size: Callable[[], int] = transport.get_write_buffer_size
        self.is_closing = transport.is_closing
        self.write: Callable[[bytes], None] = transport.write
        self.writelines: Callable[[Iterable[bytes]], None] = transport.writelines
        self.transport = transport
        self._lost = lost
        self._closed = False

    def hold(self) -> None:
        """Do nothing: this transport cannot gather."""

    def release(self) -> None:
        """Do nothing: nothing was held."""

    def close(self) -> None:
        """Write the data that was held back, and close the socket. Later calls do nothing."""
        self.release()
        if not self._closed and not self.transport.is_closing():
            self._closed = True
            GracefulClose(self.transport, self._lost)


class _GatheringTransport(_Transport):
    """A transport that can hold back written data, and write it together later.

    While the transport holds data back, it reports a backlog. Because of the backlog, picows passes every
    frame to `write`.
    """

    __slots__ = ("_held", "_holding")

    def __init__(self, transport: asyncio.Transport, lost: Callable[[Exception | None], None]) -> None:
        super().__init__(transport, lost)
        self.write = self._write
        self.writelines = self._write_all
        self.get_write_buffer_size = self._backlog
        self._held = bytearray()
        self._holding = False

    def hold(self) -> None:
        """Hold back written data until `release` is called."""
        self._holding = True

    def release(self) -> None:
        """Write the data that was held back. If there is no backlog, the data is sent to the socket at
        once.
        """
        self._holding = False
        data, self._held = bytes(self._held), bytearray()
        if not data or self.transport.is_closing():
            return
        if not self.transport.get_write_buffer_size():
            try:
                data = data[os.write(self.get_extra_info("socket").fileno(), data) :]
            except (BlockingIOError, InterruptedError):
                pass  # the transport tries again when there is room
            except OSError:
                self.abort()
                return
        if data:
            self.transport.write(data)

    def _write(self, data: bytes) -> None:
        if self._holding:
            self._held += data
        else:
            self.transport.write(data)

    def _write_all(self, pieces: Iterable[bytes]) -> None:
        self._write(b"".join(pieces))

    def _backlog(self) -> int:
        return self.transport.get_write_buffer_size() + len(self._held) + self._holding


class _Protocol(WSProtocol):  # type: ignore[misc]  # as above: its base is missing in the stubs
    """picows' protocol, which also reports the end of the TCP connection.

    It reads at most _READ_BYTES_MAX bytes at a time.

    picows itself doubles its buffer whenever a read fills the buffer, without a limit. A flood would then be
    read in pieces of megabytes, and each piece would be processed without a break.
    """

    lost: Callable[[], None]

    def get_buffer(self, size_hint: int) -> Any:
        """Return the buffer for the next read."""
        buffer = _picows_buffer(self, size_hint)  # super() takes longer, and this is called for each message
        return buffer if len(buffer) <= _READ_BYTES_MAX else buffer[:_READ_BYTES_MAX]

    def connection_lost(self, exc: Exception | None) -> None:
        """Report the end of the connection."""
        super().connection_lost(exc)
        self.lost()


class _ParserLog(logging.LoggerAdapter[logging.Logger]):
    """The log of picows for one connection. It writes nothing, because the peer learns its mistake from the
    close code.
    """

    def __init__(self, on_error: Callable[[], None]) -> None:
        super().__init__(_SILENT)
        self._on_error = on_error

    def error(self, msg: object, *args: object, **kwargs: Any) -> None:
        """Report that picows refuses a frame. After this call picows sends its close frame."""
        self._on_error()


def _create_protocol(
    connection: WSListener, lost: Callable[[], None], on_error: Callable[[], None], chosen: str = ""
) -> Any:
    headers = {"Sec-WebSocket-Protocol": chosen} if chosen else None
    answer = WSUpgradeResponseWithListener(WSUpgradeResponse.create_101_response(headers), connection)
    protocol = _Protocol(
        host_port=None,
        ws_path=None,
        is_client_side=False,
        ws_listener_factory=lambda _request: answer,
        logger=_ParserLog(on_error),
        disconnect_on_exception=True,
        websocket_handshake_timeout=None,
        enable_auto_ping=False,
        auto_ping_idle_timeout=0,
        auto_ping_reply_timeout=0,
        auto_ping_strategy=WSAutoPingStrategy.PING_WHEN_IDLE,
        enable_auto_pong=False,
        max_frame_size=MESSAGE_BYTES_MAX,
        extra_headers=None,
        read_buffer_init_size=_READ_BUFFER_BYTES,
    )
    protocol.lost = lost
    return protocol


def _feed(protocol: Any, data: memoryview) -> None:
    while data:
        buffer = protocol.get_buffer(-1)
        size = min(len(buffer), len(data))
        buffer[:size] = data[:size]
        protocol.buffer_updated(size)
        data = data[size:]

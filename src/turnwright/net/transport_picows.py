"""WebSocket by picows (Cython): about three times the messages of the pure Python transport.

picows parses and writes frames; what it leaves to its user is done here: putting fragments together,
reserved bits, answering pings in measure, the close handshake. It writes to the socket at once, so the time
taken after a send is the time at which the operating system had the message.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from picows import WSFrame, WSListener, WSMsgType, WSTransport
from picows.picows import WSAutoPingStrategy, WSProtocol  # type: ignore[attr-defined]  # not in its stubs

from turnwright.net.breather import Breather
from turnwright.net.clock import now_ns
from turnwright.net.fragments import Fragments, Violation
from turnwright.net.linger import Linger, hand_over
from turnwright.net.transport import (
    CLOSE_WAIT_S,
    MESSAGE_BYTES_MAX,
    Accepted,
    Application,
    Peer,
    echoed_code,
    short_reason,
)

__all__ = ["PicowsConnection", "attach", "check"]

_TEXT = WSMsgType.TEXT
_READ_BUFFER_BYTES = 4_096
_READ_BYTES_MAX = 16_384
"""More is not taken from a socket at a time."""
_COPIED_MAX = 8_192
"""Up to this size picows copies header and message together and writes at once."""
_HEADER_ROOM = 14

_SILENT = logging.getLogger("turnwright.net.picows")
_SILENT.setLevel(logging.CRITICAL + 1)  # what a peer does wrong is told by its close code, not by a traceback


def attach(accepted: Accepted) -> None:
    """Carry out the upgrade and take the connection over.

    picows is told of its transport before the event loop knows of picows: its compiled code would read
    through a null pointer when the end of a connection came without a beginning.
    """
    connection = PicowsConnection(accepted.application, accepted.peer, Breather(accepted.transport))
    protocol = _create_protocol(connection, accepted.lost)
    protocol.connection_made(_Underlying(accepted.transport, protocol.connection_lost))
    hand_over(accepted.transport, protocol)
    request = (
        f"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {accepted.key}\r\n\r\n"
    )
    _feed(protocol, memoryview(request.encode("ascii") + accepted.tail))


def check() -> None:
    """Raise ImportError if the installed picows does not fit; to be called in a running event loop."""
    try:
        _create_protocol(WSListener(), lambda: None)
    except TypeError as error:
        raise ImportError(f"this picows is too new or too old: {error}") from None


class PicowsConnection(WSListener):
    """One WebSocket. See `transport.Connection`."""

    __slots__ = (
        "_application",
        "_breather",
        "_fragments",
        "_gone",
        "_pinged_ns",
        "_pressed",
        "_send",
        "_timer",
        "_ws",
        "heard",
        "key",
        "peer",
        "trip_ns",
    )

    _ws: WSTransport

    def __init__(self, application: Application, peer: Peer, breather: Breather) -> None:
        self._application = application
        self._breather = breather
        self._fragments = Fragments()
        self._gone = False
        self._pressed = False
        self._timer: asyncio.TimerHandle | None = None
        self.heard = True
        self.trip_ns: int | None = None
        self._pinged_ns = 0
        self.key = 0
        self.peer = peer

    @property
    def backlog(self) -> int:
        """Bytes not yet with the operating system."""
        return int(self._ws.underlying_transport.get_write_buffer_size())

    def send(self, data: bytes) -> None:
        """Send a text message."""
        if len(data) <= _COPIED_MAX:
            self._send(_TEXT, data)
            return
        framed = bytearray(_HEADER_ROOM)
        framed += data
        self._ws.send_reuse_external_bytearray(_TEXT, framed, _HEADER_ROOM)

    def close(self, code: int, reason: str = "") -> None:
        """Begin to close."""
        if self._gone or self._ws.is_close_frame_sent:
            return
        self._send_close(code, reason)
        self._timer = asyncio.get_running_loop().call_later(CLOSE_WAIT_S, self.abort)

    def abort(self) -> None:
        """End the connection now."""
        self._ws.disconnect(False)

    def ping(self) -> None:
        """Ask for a sign of life."""
        self._pinged_ns = self._pinged_ns or now_ns()
        self._ws.send_ping(b"")

    def rest(self) -> None:
        """Read nothing for a moment."""
        self._breather.rest()

    def fileno(self) -> int:
        """Return the socket's file descriptor, or -1 when nothing (more) is read from it."""
        transport = self._ws.underlying_transport
        if self._gone or self._breather.resting or transport.is_closing():
            return -1
        return int(transport.get_extra_info("socket").fileno())

    def on_ws_connected(self, transport: WSTransport) -> None:
        """The upgrade is answered."""
        self._ws = transport
        self._send = transport.send
        self._application.on_open(self, self.peer)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Hand on a whole text message at once; everything else is rarer and dealt with aside."""
        self.heard = True
        self._breather.note()
        if (
            frame.msg_type is _TEXT
            and frame.fin
            and not (frame.rsv1 or frame.rsv2 or frame.rsv3)
            and not transport.is_close_frame_sent
            and self._fragments.idle
        ):
            self._application.on_text(self, frame.get_payload_as_bytes())
        else:
            self._take(frame)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """The TCP connection has ended."""
        if self._timer is not None:
            self._timer.cancel()
        self._say_gone()

    def pause_writing(self) -> None:
        """The backlog is above the mark."""
        self._pressed = True
        self._application.on_pressure(self, True)

    def resume_writing(self) -> None:
        """The backlog is below the mark again."""
        self._pressed = False
        self._application.on_pressure(self, False)

    def _take(self, frame: WSFrame) -> None:
        kind, payload = frame.msg_type, frame.get_payload_as_bytes()
        if kind is WSMsgType.CLOSE:
            self._answer_close(payload)
        elif self._ws.is_close_frame_sent:
            return
        elif frame.rsv1 or frame.rsv2 or frame.rsv3:
            self._fail(1002, "a reserved bit is set")
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
            self._fail(violation.code, str(violation))
            return
        if whole is not None:
            self._application.on_text(self, whole)

    def _answer_close(self, payload: bytes) -> None:
        if not self._ws.is_close_frame_sent:
            self._send_close(echoed_code(payload), "")
        self._ws.disconnect()
        self._say_gone()

    def _fail(self, code: int, reason: str) -> None:
        self._send_close(code, reason)
        self._ws.disconnect()
        self._say_gone()

    def _send_close(self, code: int, reason: str) -> None:
        self._ws.send_close(code, short_reason(reason))  # type: ignore[arg-type]  # any number will do

    def _say_gone(self) -> None:
        if not self._gone:
            self._gone = True
            self._application.on_close(self)


class _Underlying:
    """The TCP transport as picows sees it: the same, but it closes so that the last words arrive."""

    __slots__ = (
        "_closed",
        "_lost",
        "_transport",
        "abort",
        "get_extra_info",
        "get_write_buffer_size",
        "is_closing",
        "write",
        "writelines",
    )

    def __init__(self, transport: asyncio.Transport, lost: Callable[[Exception | None], None]) -> None:
        self.abort = transport.abort
        self.get_extra_info = transport.get_extra_info
        self.get_write_buffer_size = transport.get_write_buffer_size
        self.is_closing = transport.is_closing
        self.write = transport.write
        self.writelines = transport.writelines
        self._transport = transport
        self._lost = lost
        self._closed = False

    def close(self) -> None:
        """Close, once."""
        if not self._closed and not self._transport.is_closing():
            self._closed = True
            Linger(self._transport, self._lost)


class _Protocol(WSProtocol):  # type: ignore[misc]  # as above: its base is not in the stubs
    """picows' protocol, which also tells when the TCP connection has ended, and reads in measure.

    picows doubles its buffer whenever a read fills it, without end; a flood would be read in pieces of
    megabytes, and each piece is dealt with in one go.
    """

    lost: Callable[[], None]

    def get_buffer(self, size_hint: int) -> Any:
        """Return where the next read goes."""
        buffer = super().get_buffer(size_hint)
        return buffer if len(buffer) <= _READ_BYTES_MAX else buffer[:_READ_BYTES_MAX]

    def connection_lost(self, exc: Exception | None) -> None:
        """Pass it on."""
        super().connection_lost(exc)
        self.lost()


def _create_protocol(connection: WSListener, lost: Callable[[], None]) -> Any:
    protocol = _Protocol(
        host_port=None,
        ws_path=None,
        is_client_side=False,
        ws_listener_factory=lambda _request: connection,
        logger=_SILENT,
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

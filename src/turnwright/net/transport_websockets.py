"""WebSocket by the sans-I/O core of `websockets`: pure Python, and the check on the other transport.

Writes go to the socket at once, past the event loop's queue, so the time taken after a send is the time at
which the operating system had the message, whichever loop runs.
"""

from __future__ import annotations

import asyncio
import logging
import os

from websockets.frames import Frame, Opcode
from websockets.protocol import SERVER, Event, Protocol, State
from websockets.utils import accept_key

from turnwright.net.breather import Breather
from turnwright.net.clock import now_ns
from turnwright.net.fragments import Fragments, Violation
from turnwright.net.linger import LINGER_S, hand_over
from turnwright.net.transport import (
    CLOSE_WAIT_S,
    MESSAGE_BYTES_MAX,
    Accepted,
    Application,
    Peer,
    short_reason,
)

__all__ = ["WebsocketsConnection", "attach"]

_SILENT = logging.getLogger("turnwright.net.websockets")
_SILENT.setLevel(logging.CRITICAL + 1)  # what a peer does wrong is told by its close code, not by a traceback


def attach(accepted: Accepted) -> None:
    """Carry out the upgrade and take the connection over."""
    connection = WebsocketsConnection(accepted)
    hand_over(accepted.transport, connection)
    connection.begin(accepted.key, accepted.tail)


class WebsocketsConnection(asyncio.Protocol):
    """One WebSocket. See `transport.Connection`."""

    __slots__ = (
        "_application",
        "_breather",
        "_deaf",
        "_fd",
        "_fragments",
        "_gone",
        "_lost",
        "_pinged_ns",
        "_pressed",
        "_protocol",
        "_timer",
        "_transport",
        "heard",
        "key",
        "peer",
        "trip_ns",
    )

    def __init__(self, accepted: Accepted) -> None:
        self._application: Application = accepted.application
        self._transport = accepted.transport
        self._breather = Breather(accepted.transport)
        self._fd: int = accepted.transport.get_extra_info("socket").fileno()
        self._lost = accepted.lost
        self._protocol = Protocol(SERVER, max_size=MESSAGE_BYTES_MAX, logger=_SILENT)
        self._fragments = Fragments()
        self._gone = False
        self._deaf = False
        self._pressed = False
        self._timer: asyncio.TimerHandle | None = None
        self.heard = True
        self.trip_ns: int | None = None
        self._pinged_ns = 0
        self.key = 0
        self.peer: Peer = accepted.peer

    def begin(self, key: str, tail: bytes, protocol: str = "") -> None:
        """Answer the upgrade. protocol: the sub-protocol that was chosen, if there is one."""
        chosen = f"Sec-WebSocket-Protocol: {protocol}\r\n".encode("ascii") if protocol else b""
        self._write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + chosen
            + b"Sec-WebSocket-Accept: "
            + accept_key(key).encode("ascii")
            + b"\r\n\r\n"
        )
        self._application.on_open(self, self.peer)
        if tail:
            self.data_received(tail)

    @property
    def backlog(self) -> int:
        """Bytes not yet with the operating system."""
        return self._transport.get_write_buffer_size()

    def send(self, data: bytes) -> None:
        """Send a text message."""
        if self._protocol.state is State.OPEN:
            self._protocol.send_text(data)
            self._flush()

    def close(self, code: int, reason: str = "") -> None:
        """Begin to close."""
        if self._protocol.state is State.OPEN:
            self._deaf = True
            self._protocol.send_close(code, short_reason(reason))
            self._flush()
            self._end_in(CLOSE_WAIT_S)

    def abort(self) -> None:
        """End the connection now."""
        self._transport.abort()

    def ping(self) -> None:
        """Ask for a sign of life."""
        if self._protocol.state is State.OPEN:
            self._pinged_ns = self._pinged_ns or now_ns()
            self._protocol.send_ping(b"")
            self._flush()

    def rest(self) -> None:
        """Read nothing for a moment."""
        self._breather.rest()

    def fileno(self) -> int:
        """Return the socket's file descriptor, or -1 when nothing (more) is read from it."""
        quiet = self._gone or self._breather.resting or self._transport.is_closing()
        return -1 if quiet else self._fd

    def data_received(self, data: bytes) -> None:
        """Take bytes from the socket."""
        self.heard = True
        self._protocol.receive_data(data)
        if self._pressed and self._protocol.state is State.OPEN:
            self._protocol.data_to_send()  # pongs: only the latest of many pings needs one (RFC 6455 §5.5.3)
        for event in self._protocol.events_received():
            self._take(event)
        self._flush()
        if self._protocol.state is not State.OPEN and self._protocol.eof_sent:
            self._say_gone()

    def eof_received(self) -> None:
        """The peer writes no more: the connection ends."""
        self._protocol.receive_eof()

    def connection_lost(self, exc: Exception | None) -> None:
        """The TCP connection has ended."""
        self._protocol.receive_eof()
        if self._timer is not None:
            self._timer.cancel()
        self._say_gone()
        self._lost()

    def pause_writing(self) -> None:
        """The backlog is above the mark."""
        self._pressed = True
        self._application.on_pressure(self, True)

    def resume_writing(self) -> None:
        """The backlog is below the mark again."""
        self._pressed = False
        self._application.on_pressure(self, False)

    def _take(self, event: Event) -> None:
        self._breather.note()
        if self._deaf or not isinstance(event, Frame):
            return
        if event.opcode is Opcode.PONG and self._pinged_ns:
            self.trip_ns, self._pinged_ns = now_ns() - self._pinged_ns, 0
        if event.opcode in (Opcode.PING, Opcode.PONG, Opcode.CLOSE):
            return
        payload = bytes(event.data)
        try:
            if event.opcode is Opcode.CONT:
                whole = self._fragments.go_on(payload, event.fin)
            else:
                whole = self._fragments.begin(payload, event.opcode is Opcode.TEXT, event.fin)
        except Violation as violation:
            self._deaf = True
            self._protocol.fail(violation.code, short_reason(str(violation)))
            return
        if whole is not None:
            self._application.on_text(self, whole)

    def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            if data:
                self._write(data)
            else:
                self._write_eof()

    def _write(self, data: bytes) -> None:
        transport = self._transport
        if transport.is_closing():
            return
        if not transport.get_write_buffer_size():
            try:
                sent = os.write(self._fd, data)
            except (BlockingIOError, InterruptedError):
                sent = 0
            except OSError:
                transport.abort()
                return
            if sent == len(data):
                return
            data = data[sent:]
        transport.write(data)

    def _write_eof(self) -> None:
        try:
            self._transport.write_eof()
        except (OSError, RuntimeError):
            self._transport.abort()
        self._end_in(LINGER_S)

    def _end_in(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._transport.abort)

    def _say_gone(self) -> None:
        if not self._gone:
            self._gone = True
            self._application.on_close(self)

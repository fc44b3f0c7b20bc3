"""A player's or a program's WebSocket: text and binary frames, and the sub-protocols of mudstandards.org.

packed.    binary frames are packed messages (`wire.world.packed`), text frames the terminal's text; both ways
gmcp.      text frames "Package.Name json", binary frames are the terminal's text; both ways
terminal.  binary frames only
(none)     text frames, each a JSON object with a "type"; or packed (`wire.world.packed`): binary frames, from
           the first one that the program sends
"""

from __future__ import annotations

import struct
from typing import Protocol

from websockets.frames import Frame, Opcode
from websockets.protocol import Event, State
from websockets.utils import apply_mask

from turnwright.net.clock import now_ns
from turnwright.net.linger import hand_over
from turnwright.net.tcp import keep_alive, round_trip_us
from turnwright.net.transport import MESSAGE_BYTES_MAX, Accepted, Application
from turnwright.net.transport_websockets import WebsocketsConnection
from turnwright.wire.telnet.budget import PER_S, Budget

__all__ = ["PROTOCOLS", "SocketApplication", "WorldSocket", "attach", "chosen"]

PROTOCOLS = ("packed.", "gmcp.", "terminal.")
"""In the order in which they are preferred."""
_PIECES_MAX = 1_024
_TEXT, _BINARY = 0x81, 0x82
"""The first byte of a message in one frame."""
_SHORT, _MEDIUM, _LONG = struct.Struct("!BB"), struct.Struct("!BBH"), struct.Struct("!BBQ")
_SHORT_MAX, _MEDIUM_MAX = 125, 65_535
_MASKED, _MASK_SIZE = 0x80, 4
_HEAD_SIZE = _SHORT.size + _MASK_SIZE
"""Of a short message that a client sends."""


class SocketApplication(Application, Protocol):
    """An application that takes binary messages, too."""

    def on_binary(self, connection: WorldSocket, data: bytes) -> None:
        """A whole binary message came."""


def chosen(offered: str) -> str:
    """Return the sub-protocol for a client that offers these, "" for one that offers none of ours."""
    names = [name.strip().lower() for name in offered.split(",")]
    return next((name for name in PROTOCOLS if name in names), "")


def attach(accepted: Accepted) -> None:
    """Carry out the upgrade and take the connection over."""
    connection = WorldSocket(accepted)
    keep_alive(accepted.transport)
    hand_over(accepted.transport, connection)
    connection.begin(accepted.key, accepted.tail, connection.protocol)


class WorldSocket(WebsocketsConnection):
    """One WebSocket. protocol: one of PROTOCOLS, or "". packed: its program speaks in packed messages.

    held: what is sent waits for `let_out`, and leaves in one write.

    Messages in one frame, as nearly all are, are written here, and short ones that come alone are read here;
    all else is the library's business.
    """

    __slots__ = (
        "_binary",
        "_budget",
        "_frames",
        "_pieces",
        "_size",
        "_unparsed",
        "held",
        "packed",
        "protocol",
    )

    def __init__(self, accepted: Accepted) -> None:
        super().__init__(accepted)
        self.protocol = chosen(accepted.offered)
        self.packed = self.held = False
        self._pieces: list[bytes] = []
        self._size = 0
        self._binary = False
        self._budget = Budget()
        self._frames: list[bytes] = []
        """Messages that have not been written yet."""
        self._unparsed = 0
        """Bytes that the library has got and made no frame of; 0: what comes next is the start of a frame."""

    def let_out(self) -> None:
        """Write what was held."""
        self.held = False
        self._flush()

    def _flush(self) -> None:
        if self.held:
            return
        pieces, self._frames = self._frames + self._protocol.data_to_send(), []
        if whole := b"".join(pieces):
            self._write(whole)
        if b"" in pieces:
            self._write_eof()

    def round_trip_us(self) -> tuple[int, int] | None:
        """Return the smoothed round trip and how much it varies, µs, or None where it is not known."""
        return round_trip_us(self._transport)

    def send(self, data: bytes) -> None:
        """Send a text message."""
        self._say(_TEXT, data)

    def send_binary(self, data: bytes) -> None:
        """Send a binary message."""
        self._say(_BINARY, data)

    def data_received(self, data: bytes) -> None:
        """Take bytes from the socket."""
        if self._unparsed or not self._take_short(data):
            self._unparsed += len(data)
            super().data_received(data)

    def _say(self, first: int, data: bytes) -> None:
        if self._protocol.state is State.OPEN:
            self._frames.append(_head(first, len(data)) + data)
            self._flush()

    def _take_short(self, data: bytes) -> bool:
        """Take a whole, short message that came by itself; False for anything else. Source: RFC 6455 §5.2."""
        size = len(data) - _HEAD_SIZE
        if not 0 <= size <= _SHORT_MAX or data[0] not in (_TEXT, _BINARY) or data[1] != _MASKED | size:
            return False
        protocol = self._protocol
        if self._deaf or protocol.current_size is not None or protocol.state is not State.OPEN:
            return False
        if not self._may_speak():
            return False
        self.heard = True
        payload = apply_mask(data[_HEAD_SIZE:], data[_SHORT.size : _HEAD_SIZE])
        application: SocketApplication = self._application  # type: ignore[assignment]  # what `attach` is given
        if data[0] == _BINARY:
            application.on_binary(self, payload)
        else:
            self._breather.note()
            application.on_text(self, payload)
        self._flush()
        return True

    def _may_speak(self) -> bool:
        """Count what came; False when it was too much, which ends the connection."""
        if self._budget.spend(now_ns()):
            return True
        self._deaf = True
        self._protocol.fail(1008, f"too much at once: {PER_S} messages a second are read")
        return False

    def _take(self, event: Event) -> None:
        """Put binary messages together here; all others are taken as ever.

        Whatever comes is counted, also what costs no line, as pings do: nobody has the loop for itself.
        """
        if not isinstance(event, Frame):
            return
        size = len(event.data)
        self._unparsed -= len(_head(0, size)) + _MASK_SIZE + size
        if self._deaf or not self._may_speak():
            return
        if event.opcode is Opcode.TEXT:
            self._binary = False
        elif event.opcode is Opcode.BINARY:
            self._binary = True
        if not self._binary or event.opcode not in (Opcode.BINARY, Opcode.CONT):
            super()._take(event)
            return
        self._size += len(event.data)
        self._pieces.append(bytes(event.data))
        if self._size > MESSAGE_BYTES_MAX or len(self._pieces) > _PIECES_MAX:
            self._deaf = True
            self._protocol.fail(1009, f"a message has at most {MESSAGE_BYTES_MAX} bytes")
        elif event.fin:
            whole, self._pieces, self._size = b"".join(self._pieces), [], 0
            application: SocketApplication = self._application  # type: ignore[assignment]  # what `attach` is given
            application.on_binary(self, whole)


def _head(first: int, size: int) -> bytes:
    """Return what stands before `size` bytes of a frame, without a mask."""
    if size <= _SHORT_MAX:
        return _SHORT.pack(first, size)
    return _MEDIUM.pack(first, 126, size) if size <= _MEDIUM_MAX else _LONG.pack(first, 127, size)

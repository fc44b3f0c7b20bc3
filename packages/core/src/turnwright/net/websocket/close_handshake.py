"""The close handshake of a WebSocket. Source: RFC 6455 §7."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from picows import WSTransport

from turnwright.net.websocket.interface import CLOSE_WAIT_S, echoed_code, short_reason
from turnwright.wire.faults import NO_FAREWELL, Farewell

_NO_CODE = 1005
"""The code that picows reports if a close frame has no code (RFC 6455 §7.1.5)."""


class CloseHandshake:
    """Sends one close frame, and reports the end of its connection once.

    Args:
        report: called once with the farewell (see `Application.on_close`).

    Attributes:
        ws: the WebSocket. It is set when the upgrade has been answered.
        over: whether the end was reported.
    """

    __slots__ = ("_farewell", "_report", "_timer", "over", "ws")

    ws: WSTransport

    def __init__(self, report: Callable[[Farewell], None]) -> None:
        self.over = False
        self._report = report
        self._farewell = NO_FAREWELL
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, code: int, reason: str) -> None:
        """Send a close frame. Disconnect the peer if it does not answer within CLOSE_WAIT_S."""
        if self.over or self.ws.is_close_frame_sent:
            return
        self._send(code, reason)
        self._timer = asyncio.get_running_loop().call_later(CLOSE_WAIT_S, self.ws.disconnect, False)

    def fail(self, code: int, reason: str) -> None:
        """Send a close frame because the peer broke a rule, and disconnect without waiting for its answer."""
        if self.ws.is_close_frame_sent:
            return
        self._farewell = Farewell(code, reason, ours=True)
        self._send(code, reason)
        self.ws.disconnect()
        self._end()

    def answer(self, payload: bytes) -> None:
        """Answer the peer's close frame, and disconnect."""
        self._echo(payload)
        self.ws.disconnect()
        self._end()

    def on_parser_error(self) -> None:
        """Answer the peer's close frame if another frame follows it in the same segment.

        picows parses one frame ahead. So it refuses the frame after the close frame before it passes the
        close frame on.
        """
        handshake = self.ws.close_handshake
        if handshake is not None and handshake.recv is not None:
            code, reason = handshake.recv.code.value, handshake.recv.reason or ""
            self._echo(b"" if code == _NO_CODE else code.to_bytes(2, "big") + reason.encode())

    def lost(self) -> None:
        """Handle the end of the TCP connection."""
        if self._timer is not None:
            self._timer.cancel()
        self._end()

    def _echo(self, payload: bytes) -> None:
        if not self.ws.is_close_frame_sent:
            self._farewell = Farewell.of(payload)
            self._send(echoed_code(payload), "")

    def _send(self, code: int, reason: str) -> None:
        self.ws.send_close(code, short_reason(reason))  # type: ignore[arg-type]  # any number will do

    def _end(self) -> None:
        if not self.over:
            self.over = True
            self._report(self._farewell)

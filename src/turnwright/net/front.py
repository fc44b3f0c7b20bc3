"""The front door: reads an HTTP request's head, asks the gate, and answers it or hands the connection on.

One port serves plain HTTP and WebSocket. Nothing of a request is believed before its head is whole, short
enough and in time; then it belongs to `Application.on_http` or to a transport.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from dataclasses import replace
from functools import partial
from typing import cast

from turnwright.host.gate import Caller, GateConfig, HttpRefusal, client_of, crowding, refusal
from turnwright.net import http
from turnwright.net.callers import Callers
from turnwright.net.clock import now_ns
from turnwright.net.descriptors import make_room
from turnwright.net.linger import Linger
from turnwright.net.pages import READS_FILES
from turnwright.net.transport import Accepted, Application, Attach, Peer

__all__ = ["HEAD_WAIT_S", "READ_BYTES_MAX", "FrontDoor"]

HEAD_WAIT_S = 5.0
"""How long a connection may take to send its request."""
_ACCEPT_QUEUE = 1_024
READ_BYTES_MAX = 256 << 20
"""What answers that were read from files may have together until their callers have taken them."""
_OVERFLOW_MAX = 64
"""Callers above the limits that are waited for at once until they have read why; all others are told, too."""

_log = logging.getLogger("turnwright")


class FrontDoor:
    """Listens on sockets; every connection passes here first.

    callers: given when other doors share the limits of `gate`.
    """

    def __init__(
        self, application: Application, attach: Attach, gate: GateConfig, callers: Callers | None = None
    ) -> None:
        self.application = application
        self.attach = attach
        self.gate = gate
        self.callers = callers or Callers()
        self.visitors: set[_Visitor] = set()
        self.crowd = 0
        """Callers who are waited for until they have read why they may not come in."""
        self.read_bytes = 0
        """Of answers from files that are on their way."""
        self._servers: list[asyncio.Server] = []

    async def open(self, sockets: list[socket.socket]) -> None:
        """Listen on `sockets`, which are bound and from now on ours."""
        loop = asyncio.get_running_loop()
        room = make_room(self.gate.connections_max + _OVERFLOW_MAX) - _OVERFLOW_MAX
        if room < self.gate.connections_max:
            self.gate = replace(self.gate, connections_max=max(1, room))
        for listener in sockets:
            server = await loop.create_server(lambda: _Visitor(self), sock=listener, backlog=_ACCEPT_QUEUE)
            self._servers.append(server)

    def close(self) -> None:
        """Stop listening and send away whoever has not come in yet; those inside stay."""
        for server in self._servers:
            server.close()
        self._servers.clear()
        for visitor in list(self.visitors):
            visitor.send_away()


class _Visitor(asyncio.Protocol):
    """A connection until its request is known."""

    __slots__ = (
        "_asked",
        "_caller",
        "_counted",
        "_door",
        "_head",
        "_peer",
        "_read_bytes",
        "_timer",
        "_told",
        "_transport",
    )

    _transport: asyncio.Transport
    _peer: Peer
    _caller: Caller
    _timer: asyncio.TimerHandle

    def __init__(self, door: FrontDoor) -> None:
        self._door = door
        self._head = bytearray()
        self._asked = self._told = False
        self._counted = True
        self._read_bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection and start its clock, or say why it is one too many."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's do not inherit from it
        self._peer = _peer(self._transport)
        self._caller = self._door.callers.enter(self._peer.host, now_ns())
        self._door.visitors.add(self)
        self._timer = asyncio.get_running_loop().call_later(HEAD_WAIT_S, self._too_slow)
        gate = self._door.gate
        crowded = None if gate.proxies.speak(self._peer.host) else crowding(self._caller, gate)
        if crowded is not None:
            self._turn_away(crowded)
        elif self._caller.open_total >= gate.connections_max + _OVERFLOW_MAX:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Gather the head; when it is whole, decide."""
        if self._asked:
            return
        self._head += data
        end = self._head.find(b"\r\n\r\n")
        if (end if end >= 0 else len(self._head)) > self._door.gate.head_bytes_max:
            self._refuse(
                HttpRefusal(431, f"a request's head is at most {self._door.gate.head_bytes_max} bytes")
            )
        elif end >= 0:
            self._decide(bytes(self._head[:end]), bytes(self._head[end + 4 :]))

    def eof_received(self) -> bool:
        """Its request is all that it says; whoever has asked gets an answer."""
        return self._asked

    def connection_lost(self, exc: Exception | None) -> None:
        """It left before it was answered."""
        self._timer.cancel()
        self._left()

    def send_away(self) -> None:
        """The door closes."""
        self._refuse(HttpRefusal(503, "this server is stopping"))

    def _decide(self, head: bytes, tail: bytes) -> None:
        request = http.parse(head)
        if isinstance(request, http.HttpResponse):
            self._answer(request)
            return
        refused = self._know(request) or refusal(request.headers, self._caller, self._door.gate)
        if refused is not None:
            self._refuse(refused)
        elif not http.wants_upgrade(request):
            self._ask(request)
        elif (unfit := http.upgrade_refusal(request)) is not None:
            self._answer(unfit)
        else:
            offered = request.headers.get("sec-websocket-protocol", "")
            self._come_in(request.headers["sec-websocket-key"], tail, offered)

    def _know(self, request: http.HttpRequest) -> HttpRefusal | None:
        """Count it as whom a trusted proxy speaks for; return why that cannot be known, or None."""
        address = client_of(self._peer.host, request.headers, self._door.gate)
        if isinstance(address, HttpRefusal):
            return address
        if address != self._peer.host:
            callers = self._door.callers
            callers.leave(self._peer.host)
            self._peer = Peer(address, self._peer.port)
            self._caller = callers.enter(address, now_ns())
        return None

    def _ask(self, request: http.HttpRequest) -> None:
        ask = partial(self._door.application.on_http, request.method, request.path, request.headers)
        if not request.path.startswith(READS_FILES):
            self._answer(ask())
            return
        self._asked = True
        self._timer.cancel()
        asyncio.get_running_loop().run_in_executor(None, ask).add_done_callback(self._read)

    def _read(self, read: asyncio.Future[http.HttpResponse]) -> None:
        """Answer with what was read, unless it left or too much is on its way already."""
        if self not in self._door.visitors:
            return
        if (error := read.exception()) is not None:
            _log.error("a record could not be read", exc_info=error)
            self._answer(http.text(500, "the server failed"))
            return
        response, door = read.result(), self._door
        size = len(response.body)
        if door.read_bytes and door.read_bytes + size > READ_BYTES_MAX:
            self._refuse(HttpRefusal(503, "too many records are on their way: try again", 5))
            return
        door.read_bytes += size
        self._read_bytes = size
        self._answer(response)

    def _come_in(self, key: str, tail: bytes, offered: str) -> None:
        self._timer.cancel()
        self._door.visitors.discard(self)
        door = self._door
        try:
            lost = self._left
            door.attach(Accepted(self._transport, door.application, self._peer, key, tail, lost, offered))
        except Exception:
            _log.exception("a connection could not be taken in")
            self._transport.abort()

    def _turn_away(self, refused: HttpRefusal) -> None:
        """Say at once why nobody more comes in: who says nothing would hold a place, too."""
        door = self._door
        self._counted = False
        door.callers.leave(self._peer.host)
        if door.crowd < _OVERFLOW_MAX:
            door.crowd += 1
            self._told = True
            self._refuse(refused)
        else:
            self._transport.write(http.encode(http.refused(refused)))
            self._transport.close()

    def _refuse(self, refused: HttpRefusal) -> None:
        self._answer(http.refused(refused))

    def _answer(self, response: http.HttpResponse) -> None:
        self._timer.cancel()
        self._door.visitors.discard(self)
        if self._transport.is_closing():
            return
        self._transport.write(http.encode(response))
        Linger(self._transport, lambda _error: self._left())

    def _too_slow(self) -> None:
        self._refuse(HttpRefusal(408, f"no request came within {HEAD_WAIT_S:g} seconds"))

    def _left(self) -> None:
        self._door.visitors.discard(self)
        if self._counted:
            self._door.callers.leave(self._peer.host)
        if self._told:
            self._told = False
            self._door.crowd -= 1
        self._door.read_bytes -= self._read_bytes
        self._read_bytes = 0


def _peer(transport: asyncio.Transport) -> Peer:
    name = transport.get_extra_info("peername")
    if not isinstance(name, tuple):
        return Peer("unknown", 0)  # it is gone already
    return Peer(str(name[0]).removeprefix("::ffff:"), int(name[1]))

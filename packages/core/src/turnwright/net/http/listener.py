"""Listens on a port, reads the head of each request, and answers it or passes it on.

One port serves plain HTTP and WebSocket. A request is processed only if its head arrives completely and in
time, is short enough, and is admitted (`host.admission`). Then the request is answered, or its connection
becomes a WebSocket.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import cast

from turnwright.host.admission import AdmissionConfig, HttpRefusal, client_of, crowding, refusal
from turnwright.net.clock import now_ns
from turnwright.net.http import request as http
from turnwright.net.http.bodies import BODIES_MAX, BodyReader, FileSender, TakeBody, length_of
from turnwright.net.http.callers import Callers, CountedConnection, Refusals
from turnwright.net.http.close import GracefulClose
from turnwright.net.http.pages import READS_FILES
from turnwright.net.http.ports import make_room
from turnwright.net.websocket.interface import Accepted, Attach, PeerAddress

HEAD_WAIT_S = 5.0
"""The time in which a connection must send its request, in seconds."""
_ACCEPT_QUEUE = 1_024
_SANDBOX_ACCEPT_QUEUE = 16
_BODY_THREADS = 4
READ_BYTES_MAX = 256 << 20
"""The largest number of bytes of answers from files that are being sent to callers at the same time."""
OVERFLOW_MAX = 64
"""The largest number of refused connections that stay open until the client has read the answer. Further
refused connections are cut off.
"""

_log = logging.getLogger("turnwright")


def _ignore() -> None:
    """Do nothing at the end of a connection."""


Respond = Callable[[str, str, Mapping[str, str]], http.HttpResponse]
"""Answers a plain HTTP request. It gets the method, the path, and the headers with names in lower case.
"""


def with_room(gate: AdmissionConfig) -> AdmissionConfig:
    """Return the limits of `gate`, with at most as many connections as this process can have.

    For this, the process's limit of open files is raised as far as possible (see `make_room`).
    """
    room = make_room(gate.connections_max + OVERFLOW_MAX) - OVERFLOW_MAX
    return gate if room >= gate.connections_max else replace(gate, connections_max=max(1, room))


class Listener:
    """Accepts the connections of some sockets.

    Args:
        respond: answers plain HTTP. If an answer needs files, it runs in a thread.
        attach: takes over connections that are upgraded.
        gate: the limits.
        callers: the counts of connections, if several listeners share the limits.

    Attributes:
        prefix: the beginning of all paths of this server. `respond` gets paths without this beginning.
    """

    def __init__(
        self, respond: Respond, attach: Attach, gate: AdmissionConfig, callers: Callers | None = None
    ) -> None:
        self.respond = respond
        self.attach = attach
        self.gate = gate
        self.callers = callers or Callers(gate)
        self.requests: set[_Request] = set()
        self.refusals = Refusals(OVERFLOW_MAX)
        """The connections that were refused because of the limits and are still open."""
        self.read_bytes = 0
        """The number of bytes of answers from files that are being sent now."""
        self.reads_files: tuple[str, ...] = READS_FILES
        """The beginnings of paths that are answered in a thread."""
        self.take_body: TakeBody | None = None
        """Takes the bodies of POST requests. None means that bodies are not read."""
        self.bodies = 0
        """The number of requests whose bodies are being received."""
        self._threads: dict[str, Executor] = {}
        self.prefix = ""
        self._servers: list[asyncio.Server] = []
        self._taking: set[asyncio.Task[object]] = set()

    async def open(self, sockets: list[socket.socket], names: Sequence[str] = ()) -> None:
        """Listen on `sockets`. The sockets must be bound. This object now owns them. First, the limit of
        connections is adapted to this process (see `with_room`).

        Args:
            names: for each socket, the name of its listener.
        """
        loop = asyncio.get_running_loop()
        self.gate = with_room(self.gate)
        for place, bound in enumerate(sockets):
            take = partial(_Request, self, names[place] if names else "")
            server = await loop.create_server(take, sock=bound, backlog=_ACCEPT_QUEUE)
            self._servers.append(server)

    async def open_sandbox(self, bound: socket.socket, name: str) -> Callable[[], None]:
        """Listen on a socket in the sandbox of a bot, and return a function that stops it.

        The connections of this listener are counted separately, and may only have the role of a bot. Only a
        few of them are accepted in each pass of the loop, so that a flood of connections delays no other
        client.

        Args:
            name: the name of the new listener.
        """
        take = partial(_Request, self, name, is_sandboxed=True)
        loop = asyncio.get_running_loop()
        bound.setblocking(False)
        server = await loop.create_server(take, sock=bound, backlog=_SANDBOX_ACCEPT_QUEUE)
        self._servers.append(server)

        def close() -> None:
            server.close()
            with contextlib.suppress(ValueError):
                self._servers.remove(server)

        return close

    def threads(self, kind: str) -> Executor:
        """Return an executor with the threads that store bodies. The first call for a kind makes it.

        Pages have other threads, so that a slow disk does not delay pages. Bodies that are stored in files
        have their own threads, so that the slow check of a passphrase in another body does not delay uploads.

        Args:
            kind: where the bodies are stored, "file" or "memory".
        """
        if kind not in self._threads:
            self._threads[kind] = ThreadPoolExecutor(_BODY_THREADS, f"turnwright-{kind}")
        return self._threads[kind]

    def take(self, connection: socket.socket, name: str = "", on_end: Callable[[], None] = _ignore) -> None:
        """Take over a connection that was accepted by other code. This object now owns it.

        Args:
            name: the name of the listener that accepted the connection.
            on_end: called once when the connection has ended.
        """
        connection.setblocking(False)
        loop = asyncio.get_running_loop()
        make = partial(_Request, self, name, on_end=on_end)
        task = loop.create_task(loop.connect_accepted_socket(make, connection))
        self._taking.add(task)
        task.add_done_callback(partial(self._taken, on_end))

    def _taken(self, on_end: Callable[[], None], task: asyncio.Task[object]) -> None:
        self._taking.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            _log.warning("a connection was lost before it began: %s", error)
        if task.cancelled() or error is not None:
            on_end()

    def close(self) -> None:
        """Stop listening, and refuse the requests that were not answered yet.

        WebSocket connections stay open.
        """
        for server in self._servers:
            server.close()
        self._servers.clear()
        for threads in self._threads.values():
            threads.shutdown(wait=False)
        for request in list(self.requests):
            request.refuse_at_stop()


class _Request(asyncio.Protocol):
    """A connection, from its beginning until its request is known."""

    __slots__ = (
        "_answering",
        "_counted",
        "_head",
        "_is_sandboxed",
        "_listener",
        "_name",
        "_on_end",
        "_peer",
        "_read_bytes",
        "_timer",
        "_transport",
    )

    _transport: asyncio.Transport
    _peer: PeerAddress
    _counted: CountedConnection
    _timer: asyncio.TimerHandle

    def __init__(
        self,
        listener: Listener,
        name: str,
        *,
        is_sandboxed: bool = False,
        on_end: Callable[[], None] = _ignore,
    ) -> None:
        self._listener = listener
        self._on_end = on_end
        self._name = name
        self._is_sandboxed = is_sandboxed
        self._head = bytearray()
        self._answering = False
        self._read_bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection and start its time limit, or refuse it."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's class does not inherit from it
        self._peer = PeerAddress.of(self._transport, self._name, is_sandboxed=self._is_sandboxed)
        listener = self._listener
        self._counted = CountedConnection(
            listener.callers, listener.refusals, self._peer.caller, now_ns(), self._name
        )
        self._listener.requests.add(self)
        self._timer = asyncio.get_running_loop().call_later(HEAD_WAIT_S, self._too_slow)
        gate = self._listener.gate
        is_proxy = not self._is_sandboxed and gate.proxies.speak(self._peer.host)
        crowded = None if is_proxy else crowding(self._counted.caller, gate)
        if crowded is not None:
            self._refuse_at_once(crowded)
        elif self._counted.caller.open_total >= gate.connections_max + OVERFLOW_MAX:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Collect the head of the request. As soon as the head is complete, answer the request."""
        if self._answering:
            return
        self._head += data
        end = self._head.find(b"\r\n\r\n")
        if (end if end >= 0 else len(self._head)) > self._listener.gate.head_bytes_max:
            self._refuse(
                HttpRefusal(431, f"a request's head is at most {self._listener.gate.head_bytes_max} bytes")
            )
        elif end >= 0:
            self._decide(bytes(self._head[:end]), bytes(self._head[end + 4 :]))

    def eof_received(self) -> bool:
        """Keep the connection open while an answer is being prepared."""
        return self._answering

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle the end of a connection that was not answered."""
        self._timer.cancel()
        self._ended()

    def refuse_at_stop(self) -> None:
        """Answer that the server is stopping."""
        self._refuse(HttpRefusal(503, "this server is stopping"))

    def _decide(self, head: bytes, tail: bytes) -> None:
        request = http.parse(head)
        if isinstance(request, http.HttpResponse):
            self._answer(request)
            return
        refused = self._identify(request) or refusal(
            request.headers, self._counted.caller, self._listener.gate
        )
        if refused is not None:
            self._refuse(refused)
        elif not http.wants_upgrade(request):
            if self._is_sandboxed:
                self._refuse(HttpRefusal(404, "only bots may connect here"))
            elif request.method == "POST" and self._listener.take_body is not None:
                self._receive(request, tail, self._listener.take_body)
            else:
                self._respond(request)
        elif (unfit := http.upgrade_refusal(request)) is not None:
            self._answer(unfit)
        else:
            offered = request.headers.get("sec-websocket-protocol", "")
            self._upgrade(request.headers["sec-websocket-key"], tail, offered)

    def _identify(self, request: http.HttpRequest) -> HttpRefusal | None:
        """If a trusted proxy names the client's address, count the connection for that address. Return an
        error if this is not possible.
        """
        if self._is_sandboxed:
            return None
        address = client_of(self._peer.host, request.headers, self._listener.gate)
        if isinstance(address, HttpRefusal):
            return address
        if address != self._peer.host:
            self._peer = replace(self._peer, host=address)
            self._counted.move(address, now_ns())
        return None

    def _receive(self, request: http.HttpRequest, tail: bytes, take_body: TakeBody) -> None:
        """Receive the body of a request, or answer the request without its body."""
        listener = self._listener
        if listener.bodies >= BODIES_MAX:
            self._refuse(HttpRefusal(503, "too many requests are being received: try again", 5))
            return
        plan = take_body(request, self._peer.host)
        if isinstance(plan, http.HttpResponse):
            self._answer(plan)
            return
        size = length_of(request, plan.bytes_max)
        if isinstance(size, http.HttpResponse):
            self._answer(size)
            return
        self._answering = True
        self._timer.cancel()
        listener.bodies += 1

        def received(response: http.HttpResponse | None) -> None:
            listener.bodies -= 1
            if response is None:
                self._ended()
            else:
                self._answer(response)

        threads = listener.threads("memory" if plan.file is None else "file")
        reader = BodyReader(self._transport, plan, size, threads, received, partial(received, None))
        reader.begin(tail, wants_continue=request.headers.get("expect", "").lower() == "100-continue")

    def _respond(self, request: http.HttpRequest) -> None:
        prefix = self._listener.prefix
        if prefix and request.path == prefix:
            self._answer(http.text(308, "the address of this page ends with a slash", Location=f"{prefix}/"))
            return
        path = request.path.removeprefix(prefix)
        ask = partial(self._listener.respond, request.method, path, request.headers)
        if not path.startswith(self._listener.reads_files):
            self._answer(ask())
            return
        self._answering = True
        self._timer.cancel()
        asyncio.get_running_loop().run_in_executor(None, ask).add_done_callback(self._read)

    def _read(self, read: asyncio.Future[http.HttpResponse]) -> None:
        """Send an answer that was read from a file. Refuse it if too many bytes are being sent already. If
        the caller has gone, do nothing.
        """
        if self not in self._listener.requests:
            return
        if (error := read.exception()) is not None:
            _log.error("a record could not be read", exc_info=error)
            self._answer(http.text(500, "the server failed"))
            return
        response, listener = read.result(), self._listener
        size = len(response.body)
        if listener.read_bytes and listener.read_bytes + size > READ_BYTES_MAX:
            self._refuse(HttpRefusal(503, "too many downloads of records: try again", 5))
            return
        listener.read_bytes += size
        self._read_bytes = size
        self._answer(response)

    def _upgrade(self, key: str, tail: bytes, offered: str) -> None:
        self._timer.cancel()
        self._listener.requests.discard(self)
        listener = self._listener
        try:
            lost = self._ended
            listener.attach(Accepted(self._transport, self._peer, key, tail, lost, offered))
        except Exception:
            _log.exception("a connection could not be accepted")
            self._transport.abort()

    def _refuse_at_once(self, refused: HttpRefusal) -> None:
        """Refuse a connection before its request arrives. Otherwise a connection that never sends a request
        would use up the limits.
        """
        if self._counted.refuse():
            self._refuse(refused)
        else:
            self._transport.write(http.encode(http.refused(refused)))
            self._transport.close()

    def _refuse(self, refused: HttpRefusal) -> None:
        self._answer(http.refused(refused))

    def _answer(self, response: http.HttpResponse) -> None:
        self._timer.cancel()
        self._listener.requests.discard(self)
        if self._transport.is_closing():
            return
        self._transport.write(http.encode(response))
        if response.file is None or response.bodiless:
            self._close()
        else:
            FileSender(self._transport, response.file, self._close)

    def _close(self) -> None:
        if self._transport.is_closing():
            self._ended()
        else:
            GracefulClose(self._transport, lambda _error: self._ended())

    def _too_slow(self) -> None:
        self._refuse(HttpRefusal(408, f"no request came within {HEAD_WAIT_S:g} seconds"))

    def _ended(self) -> None:
        self._listener.requests.discard(self)
        self._counted.end()
        self._listener.read_bytes -= self._read_bytes
        self._read_bytes = 0
        on_end, self._on_end = self._on_end, _ignore
        on_end()

"""The front of a server with several rooms. It passes each connection to the process of its room.

The front looks at a request without removing its bytes (MSG_PEEK). Then it sends the socket to the room's
process over a Unix socket (SCM_RIGHTS), together with the number of the listener and a number for the
connection. The front relays no data. The room reads and checks the request as if it had accepted the
connection itself. When a connection has ended, the room reports this to the front, so that the limits for an
address apply to all rooms together. `/t/NAME` and paths below it belong to the room NAME. `/`, `/rooms.json`,
`/healthz` and `/metrics` belong to the front. All other paths belong to the first room.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import html
import json
import logging
import re
import socket
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from turnwright.errors import SetupError
from turnwright.host.admission import AdmissionConfig, HttpRefusal, client_of, crowding
from turnwright.host.metrics import family
from turnwright.net.clock import now_ns
from turnwright.net.http.callers import Callers, CountedConnection
from turnwright.net.http.close import GracefulClose
from turnwright.net.http.listener import HEAD_WAIT_S, Listener
from turnwright.net.http.request import (
    HttpRequest,
    HttpResponse,
    encode,
    parse,
    refused,
    text,
    wants_upgrade,
)
from turnwright.net.websocket.interface import Accepted
from turnwright.wire.escape import one_line

ROOMS_MAX = 100
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
"""The name of a room in its path."""
PATH = "/t/"
SILENCE_S_MAX = 5.0
"""A room that has reported nothing for this time, in seconds, gets no new connections."""
REPORT_BYTES_MAX = 65_536
"""The largest report of a room, in bytes."""
_HANDED = struct.Struct("<BI")
"""The data that is sent with a connection: the number of its listener, and the number of the connection."""
_ENDED = "ended"
"""The key of a line that is not a report. Its value is the list of the numbers of connections that have
ended.
"""
_ENDED_MAX = 1_000
"""The largest count of numbers in one line of ended connections."""
WRONG = "wrong"
"""The key in a report that describes a problem. If a report has no other key, the start of the room has
failed.
"""
WRONG_CHARS_MAX = 300
_OWN = frozenset({"/", "/rooms.json", "/healthz", "/metrics"})
_NUMBERS = 1 << 32
_ACCEPT_QUEUE = 1_024
_ACCEPTS_MAX = 64
"""The largest number of connections that the front accepts before it does other work."""
ACCEPT_PAUSE_S = 1.0
"""The pause before the front accepts connections again after an error, in seconds. Such an error is, for
example, that too many files are open.
"""
_FIRST_LOOK_S, _LATER_LOOK_S = 0.005, 0.5
"""The first and the longest pause before an incomplete head is examined again, in seconds. The pause doubles
each time.
"""
_REFRESH_S = 5
_SEEN_PHASES = ("running", "paused")
"""The phases of a room in which spectators can see a battle."""
_STYLE = """
:root { color-scheme: light dark; --accent: #0a5fb8; --line: color-mix(in srgb, CanvasText 20%, Canvas); }
@media (prefers-color-scheme: dark) { :root { --accent: #6fb1ff; } }
body { color: CanvasText; background: Canvas; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; font: 1.05rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: .5rem 0; }
main { overflow-x: auto; }
table { border-collapse: collapse; }
td, th { padding: .4rem 1.2rem .4rem 0; border-bottom: 1px solid var(--line); text-align: left; }
a { color: var(--accent); }
@media (max-width: 600px) { :is(td, th):is(:nth-child(4), :nth-child(5)) { display: none; } }
"""
_PAGE_POLICY = (
    f"default-src 'none'; style-src 'sha256-{base64.b64encode(sha256(_STYLE.encode()).digest()).decode()}'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
_METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_log = logging.getLogger("turnwright")


def check_names(names: Sequence[str]) -> None:
    """Raise SetupError if a name is not allowed or is given twice, or if there are more than ROOMS_MAX."""
    if len(names) > ROOMS_MAX:
        raise SetupError(f"--rooms has {len(names)} rooms: give at most {ROOMS_MAX}")
    for name in names:
        if not NAME.fullmatch(name):
            raise SetupError(
                f"--rooms has the name {name[:40]}: give up to 32 letters a-z, digits and -, e.g. duel-1"
            )
    if len(set(names)) < len(names):
        raise SetupError("--rooms has a name twice: give different names")


def prefix_of(name: str) -> str:
    """Return the beginning of the paths of a room, e.g. "/t/duel"."""
    return f"{PATH}{name}"


def room_in(path: str) -> str | None:
    """Return the name of the room to which a path belongs.

    Return "" if the path names no room, and None if it is a page of the front.
    """
    page = path.partition("?")[0]
    if page.startswith(PATH):
        return page.removeprefix(PATH).partition("/")[0]
    return None if page in _OWN else ""


class WaitingConnection(NamedTuple):
    """A connection whose head is being examined.

    Attributes:
        counted: the connection in the counts for admission.
        listener: the number of the listener that accepted the connection.
    """

    connection: socket.socket
    counted: CountedConnection
    listener: int


@dataclass(eq=False)
class RoomLink:
    """One room from the front's point of view.

    Attributes:
        channel: the channel to the room's process, or None if the room has no process.
        game: the game of this room.
        figures: the newest report of the room.
        heard_s: the time at which the newest report arrived, by the event loop's clock. Before the first
            report, it is the time at which the process was started.
    """

    name: str
    game: str
    channel: socket.socket | None = None
    figures: dict[str, Any] = field(default_factory=dict)
    heard_s: float = 0.0
    handed: int = 0
    """The number of connections that were passed to the room."""
    wrong: str = ""
    """Why the room's process ended, or why its battle is void, in one line. "" means that there is no
    problem."""
    ends: int = 0
    """How often the room's process has ended."""
    last_end: str = ""
    """Why the room's process last ended."""
    open: dict[int, CountedConnection] = field(default_factory=dict)
    """The connections that were passed to the room and have not ended, by number."""
    most: int = _NUMBERS
    """The largest number of connections that the room may have at the same time."""
    _failed: bool = False
    """Whether the process has reported a reason for which it cannot begin."""
    _rest: bytes = b""

    def begin(self, channel: socket.socket, at_s: float) -> None:
        """Record that the room's process was started."""
        channel.setblocking(False)
        self.channel, self.figures, self.heard_s, self._rest = channel, {}, at_s, b""
        self._failed = False

    def note_end(self, why: str) -> None:
        """Record that the room's process has ended, with the reason `why` unless the process itself gave a
        reason.
        """
        self.ends += 1
        if not self._failed:
            self.wrong = why
        self.last_end = self.wrong

    def silent_s(self, at_s: float) -> float:
        """Return the time since the room's process last reported or was started, in seconds, or 0 if there is
        no process.
        """
        return 0.0 if self.channel is None else at_s - self.heard_s

    def end(self) -> None:
        """Close the channel to its process, and stop counting its connections. The process then stops."""
        if self.channel is not None:
            self.channel.close()
        self.channel = None
        self.figures = {}
        for counted in self.open.values():
            counted.end()
        self.open.clear()

    def state(self, at_s: float) -> str:
        """Return "on", "starting", "silent" or "down".

        Until its first report, a room is "starting". After SILENCE_S_MAX without a report, it is "silent". A
        room without a process is "down".

        Args:
            at_s: the current time, by the loop's clock.
        """
        if self.channel is None:
            return "down"
        if at_s - self.heard_s > SILENCE_S_MAX and self.figures:
            return "silent"
        return "on" if self.figures else "starting"

    def read_report(self, at_s: float) -> bool:
        """Read the reports that have arrived from the process. Each report is a JSON object on one line.

        The call does not wait. Return False if the process has gone.
        """
        assert self.channel is not None
        try:
            data = self.channel.recv(REPORT_BYTES_MAX)
        except (BlockingIOError, InterruptedError):
            return True
        except OSError:
            return False
        *lines, self._rest = (self._rest + data).split(b"\n")
        self._rest = self._rest[-REPORT_BYTES_MAX:]
        for line in lines:
            said = json.loads(line)
            if _ENDED in said:
                self._note_ended(said[_ENDED])
                continue
            self.wrong, self.heard_s = one_line(str(said.pop(WRONG, "")))[:WRONG_CHARS_MAX], at_s
            self.figures, self._failed = said, not said
        return bool(data)

    def _note_ended(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            counted = self.open.pop(number, None)
            if counted is not None:
                counted.end()

    def hand_over(self, waiting: WaitingConnection) -> bool:
        """Pass a connection to the process. Return False if the process cannot take it now. The socket stays
        open in this process until the caller closes it.
        """
        if self.channel is None or len(self.open) >= self.most:
            return False
        number = self.handed % _NUMBERS
        try:
            data = _HANDED.pack(waiting.listener, number)
            socket.send_fds(self.channel, [data], [waiting.connection.fileno()])
        except OSError:  # also if the process has not taken earlier connections
            return False
        self.handed += 1
        self.open[number] = waiting.counted
        return True


class RoomFront:
    """Listens on sockets and gives each connection to its room.

    Args:
        games: the game of each room, by name of the room. The first room is the default.
        own: answers all requests except WebSockets for a room. None means that the rooms answer requests for
            their pages, and the front answers requests for its own pages.
    """

    def __init__(self, games: Mapping[str, str], gate: AdmissionConfig, own: Listener | None = None) -> None:
        self.rooms = {name: RoomLink(name, game) for name, game in games.items()}
        self._usual = next(iter(games), "")
        self._watched_only = own is not None
        self._gate = gate
        self._waiting: dict[socket.socket, asyncio.TimerHandle] = {}
        self.callers = Callers(gate) if own is None else own.callers
        self._own = own or Listener(self.respond, self._refuse_upgrade, gate, self.callers)
        self._names: Sequence[str] = ()
        self._sockets: list[socket.socket] = []

    async def open(self, sockets: Sequence[socket.socket], names: Sequence[str] = ()) -> None:
        """Listen on `sockets`. They are bound, and this object now owns them.

        Args:
            names: the names of their listeners, by socket.
        """
        self._names = names
        self._loop = asyncio.get_running_loop()
        await self._own.open([])
        for number, bound in enumerate(sockets):
            bound.setblocking(False)
            bound.listen(_ACCEPT_QUEUE)
            self._loop.add_reader(bound.fileno(), self._accept, bound, number)
            self._sockets.append(bound)

    def close(self) -> None:
        """Stop listening, and refuse connections that belong to no room yet."""
        for bound in self._sockets:
            self._loop.remove_reader(bound.fileno())
            bound.close()
        self._sockets.clear()
        for connection in list(self._waiting):
            self._refuse(connection, HttpRefusal(503, "this server is stopping"))
        self._own.close()

    @property
    def waiting(self) -> int:
        """The number of connections whose heads are incomplete."""
        return len(self._waiting)

    def respond(self, method: str, path: str, headers: Mapping[str, str]) -> HttpResponse:
        """Answer a request for a page of the front, or for a room that does not exist or is not available."""
        page, _, query = path.partition("?")
        wanted = parse_qs(query, keep_blank_values=True).get("kiosk", ["0"])[0]
        known = self._kiosk(query) if page == "/" and wanted != "0" else self._page(page)
        if method == "HEAD":
            return replace(known, bodiless=True)
        return known if method == "GET" else text(405, "only GET and HEAD work here", Allow="GET, HEAD")

    # ---- connections ---------------------------------------------------------------------------------------

    def _accept(self, bound: socket.socket, number: int) -> None:
        for _ in range(_ACCEPTS_MAX):
            try:
                connection, address = bound.accept()
            except (BlockingIOError, InterruptedError):
                return
            except OSError as error:
                self._pause(bound, number, error)
                return
            connection.setblocking(False)
            self._begin(connection, str(address[0]).removeprefix("::ffff:"), number)

    def _pause(self, bound: socket.socket, number: int, error: OSError) -> None:
        """Stop accepting connections for a short time. The connection that could not be accepted stays ready,
        and without a pause the front would try it again and again.
        """
        _log.warning("no connection can be accepted for %g s: %s", ACCEPT_PAUSE_S, error.strerror)
        self._loop.remove_reader(bound.fileno())
        self._loop.call_later(ACCEPT_PAUSE_S, self._go_on, bound, number)

    def _go_on(self, bound: socket.socket, number: int) -> None:
        if bound in self._sockets:
            self._loop.add_reader(bound.fileno(), self._accept, bound, number)

    def _begin(self, connection: socket.socket, address: str, listener: int) -> None:
        counted = CountedConnection(
            self.callers, self._own.refusals, address, now_ns(), self._name_of(listener)
        )
        crowded = None if self._gate.proxies.speak(address) else crowding(counted.caller, self._gate)
        if crowded is not None:
            counted.end()
            self._send(connection, refused(crowded))
            return
        waiting = WaitingConnection(connection, counted, listener)
        self._look(waiting, self._loop.time() + HEAD_WAIT_S, _FIRST_LOOK_S)

    def _name_of(self, listener: int) -> str:
        return self._names[listener] if self._names else ""

    def _look(self, waiting: WaitingConnection, until_s: float, wait_s: float) -> None:
        """Check whether the head of a request is complete. If not, check again after a pause."""
        connection = waiting.connection
        self._waiting.pop(connection, None)
        size = self._gate.head_bytes_max + len(b"\r\n\r\n")
        try:
            head = connection.recv(size, socket.MSG_PEEK)
        except (BlockingIOError, InterruptedError):
            head = None
        except OSError:
            head = b""
        if head is None or (b"\r\n\r\n" not in head and 0 < len(head) < size):
            if self._loop.time() < until_s:
                later = partial(self._look, waiting, until_s, min(2 * wait_s, _LATER_LOOK_S))
                self._waiting[connection] = self._loop.call_later(wait_s, later)
                return
            self._refuse(connection, HttpRefusal(408, f"no request came within {HEAD_WAIT_S:g} seconds"))
            waiting.counted.end()
        elif not head:
            connection.close()
            waiting.counted.end()
        else:
            self._route(waiting, head.partition(b"\r\n\r\n")[0])

    def _route(self, waiting: WaitingConnection, head: bytes) -> None:
        request, connection = parse(head), waiting.connection
        name = None
        if isinstance(request, HttpRequest):
            if (crowded := self._crowding_behind_proxy(waiting.counted, request)) is not None:
                self._refuse(connection, crowded)
                waiting.counted.end()
                return
            name = self._room_of(request)
        room = None if name is None else self.rooms.get(name or self._usual)
        is_silent = room is not None and room.state(self._loop.time()) == "silent"
        if room is None or is_silent or not room.hand_over(waiting):
            waiting.counted.end()
            self._own.take(connection, self._name_of(waiting.listener))
        else:
            connection.close()

    def _crowding_behind_proxy(self, counted: CountedConnection, request: HttpRequest) -> HttpRefusal | None:
        """Count a connection for the client's address that a trusted proxy names.

        Return the refusal if the address has too many connections, or None. If the proxy names no valid
        address, the process that answers the request refuses it.
        """
        address = client_of(counted.caller.address, request.headers, self._gate)
        if isinstance(address, HttpRefusal) or address == counted.caller.address:
            return None
        counted.move(address, now_ns())
        return crowding(counted.caller, self._gate)

    def _room_of(self, request: HttpRequest) -> str | None:
        name = room_in(request.path)
        if self._watched_only:
            return name if name and wants_upgrade(request) else None
        return "" if name is None and wants_upgrade(request) else name

    def _refuse(self, connection: socket.socket, refusal: HttpRefusal) -> None:
        timer = self._waiting.pop(connection, None)
        if timer is not None:
            timer.cancel()
        self._send(connection, refused(refusal))

    def _send(self, connection: socket.socket, response: HttpResponse) -> None:
        with contextlib.suppress(OSError):
            connection.recv(self._gate.head_bytes_max)  # unread bytes would turn the close into a reset
        try:
            connection.send(encode(response))
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        finally:
            connection.close()

    def _refuse_upgrade(self, accepted: Accepted) -> None:
        """Answer that the room is not available."""
        response = text(503, "this room takes no connections now: try again", Retry_After="5")
        accepted.transport.write(encode(response))
        GracefulClose(accepted.transport, lambda _error: accepted.lost())

    # ---- pages ---------------------------------------------------------------------------------------------

    def _kiosk(self, query: str) -> HttpResponse:
        """Redirect to the first room with a running battle. The page of that room then switches between rooms
        by itself.

        While no battle is running, redirect to the list.
        """
        for room in self.rooms.values():
            if room.state(self._loop.time()) == "on" and room.figures.get("phase") in _SEEN_PHASES:
                page = f"{prefix_of(room.name)}/"
                return text(302, f"see {page}", Location=f"{page}?{query}")
        return self._page("/")

    def _page(self, page: str) -> HttpResponse:
        name = room_in(page)
        states = {room.name: room.state(self._loop.time()) for room in self.rooms.values()}
        if name is not None:
            if name and name not in self.rooms:
                return text(404, f"there is no room {name[:80]!a} here; see /")
            room = self.rooms[name or self._usual]
            wrong = _wrong_with(room, now := states[room.name])
            why = f" ({wrong})" if wrong else ""
            return text(503, f"room {room.name} is {now}{why}: try again", Retry_After="5")
        if page == "/":
            return HttpResponse(
                200, self._list(states).encode(), "text/html; charset=utf-8", policy=_PAGE_POLICY
            )
        if page == "/healthz":
            away = [f"{name} is {state}" for name, state in states.items() if state in ("down", "silent")]
            return text(503, "; ".join(away)) if away else text(200, "ok")
        if page == "/metrics":
            figures = metrics_of(list(self.rooms.values()), self._loop.time())
            return HttpResponse(200, figures.encode(), _METRICS_TYPE)
        rows = [self._row(room, states[room.name]) for room in self.rooms.values()]
        return HttpResponse(200, json.dumps({"rooms": rows}).encode(), "application/json")

    def _row(self, room: RoomLink, state: str) -> dict[str, Any]:
        known = {"name": room.name, "url": f"{prefix_of(room.name)}/", "game": room.game, "state": state}
        wrong = _wrong_with(room, state)
        return known | room.figures | ({WRONG: wrong} if wrong else {})

    def _list(self, states: Mapping[str, str]) -> str:
        rows = "".join(_html_row(room, states[room.name]) for room in self.rooms.values())
        return (
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>Rooms</title>'
            f'<meta http-equiv="refresh" content="{_REFRESH_S}"><style>{_STYLE}</style>'
            '<meta name="viewport" content="width=device-width">'
            "<main><h1>Rooms</h1><table><tr><th>Room<th>Game<th>Players<th>Spectators"
            "<th>Turns per second<th>State<th>Trouble"
            f"{rows}</table></main></html>\n"
        )


def metrics_of(links: Sequence[RoomLink], at_s: float) -> str:
    """Return the front's metrics in Prometheus' text format.

    Args:
        at_s: the current time, by the loop's clock.
    """
    lines: list[str] = []
    on: list[tuple[dict[str, str], float]] = [
        ({"room": link.name}, float(link.state(at_s) == "on")) for link in links
    ]
    family(lines, "turnwright_room_on", "gauge", "Whether a room is on.", on)
    handed: list[tuple[dict[str, str], float]] = [({"room": link.name}, link.handed) for link in links]
    family(lines, "turnwright_room_connections_total", "counter", "Connections handed over.", handed)
    return "\n".join(lines) + "\n"


def _wrong_with(room: RoomLink, state: str) -> str:
    """Return the problem of a room in one line. "" means that the room has no problem."""
    if state == "silent":
        return f"no report for more than {SILENCE_S_MAX:g} s"
    if room.wrong or not room.ends:
        return room.wrong
    times = "once" if room.ends == 1 else f"{room.ends} times"
    return f"restarted {times}; the last end: {room.last_end}"


def _html_row(room: RoomLink, state: str) -> str:
    figures = room.figures if state == "on" else {}
    tps = figures.get("tps", "")
    pace = "" if tps == "" else "paused" if tps == 0 else "no waiting" if tps < 0 else tps
    if figures.get("pacing") == "apart":
        pace = "each page its own"
    cells = (
        room.game,
        figures.get("bots", ""),
        figures.get("spectators", ""),
        pace,
        figures.get("phase", state),
        _wrong_with(room, state),
    )
    link = f'<tr><td><a href="{prefix_of(room.name)}/">{room.name}</a>'
    return link + "".join(f"<td>{html.escape(str(cell))}" for cell in cells)


class HandedSockets:
    """The end of the channel to the front, in a room's process. It receives connections, and sends reports.

    Args:
        listener: takes over the connections.
        on_end: called once when the front has gone or wants the room to stop.
        names: the names of the front's listeners, by number.
    """

    def __init__(
        self,
        channel: socket.socket,
        listener: Listener,
        on_end: Callable[[], None],
        names: Sequence[str] = (),
    ) -> None:
        channel.setblocking(False)
        self._names = names
        self._channel = channel
        self._listener = listener
        self._on_end = on_end
        self._ended: list[int] = []
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(channel.fileno(), self._read)

    def report(self, figures: Mapping[str, Any]) -> None:
        """Report the room's state to the front. If the front is slow, the report is dropped."""
        self._tell_ended()
        self._send(figures)

    def _send(self, said: Mapping[str, Any]) -> bool:
        try:
            self._channel.send(json.dumps(said).encode() + b"\n")
        except OSError:
            return False
        return True

    def _end(self, number: int) -> None:
        """Report to the front that a connection has ended, now or with the next report."""
        self._ended.append(number)
        self._tell_ended()

    def _tell_ended(self) -> None:
        while self._ended and self._channel.fileno() >= 0:
            if not self._send({_ENDED: self._ended[:_ENDED_MAX]}):
                return
            del self._ended[:_ENDED_MAX]

    def close(self) -> None:
        """Receive no more connections. A second call has no effect."""
        if self._channel.fileno() >= 0:
            self._loop.remove_reader(self._channel.fileno())
            self._channel.close()

    def _read(self) -> None:
        for _ in range(_ACCEPTS_MAX):
            try:
                data, descriptors, flags, _ = socket.recv_fds(self._channel, _HANDED.size, 1)
            except (BlockingIOError, InterruptedError):
                return
            except OSError:
                data, descriptors, flags = b"", [], 0
            if not data:
                self.close()
                self._on_end()
                return
            listener, number = _HANDED.unpack(data)
            for descriptor in descriptors:
                name = self._names[listener] if self._names else ""
                self._listener.take(socket.socket(fileno=descriptor), name, partial(self._end, number))
            if not descriptors:
                self._end(number)
            if flags & socket.MSG_CTRUNC:
                _log.warning("a connection was lost: the limit of open files is reached; see ulimit -n")

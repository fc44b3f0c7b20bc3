"""A world that sends any message of a test: the server side of `gmcp.`, with a separate clock."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve
from websockets.typing import Subprotocol

from turnwright import catalog
from turnwright.app.frames import view_files
from turnwright.net.http.pages import Pages

_ASK = "Your name, or guest: "
REACTIONS = [
    {"name": "dodge", "clears": "all", "stamina": 30, "lockout_us": 1_500_000, "kinds": [], "why": "dodged"},
    {
        "name": "parry",
        "clears": "first",
        "stamina": 12,
        "lockout_us": 500_000,
        "kinds": ["blade", "blow", "bite"],
        "why": "parried",
    },
    {
        "name": "ward",
        "clears": "id",
        "stamina": 15,
        "lockout_us": 500_000,
        "kinds": ["magic", "fire"],
        "why": "warded",
    },
    {
        "name": "deflect",
        "clears": "band",
        "stamina": 10,
        "lockout_us": 500_000,
        "band_us": 1_500_000,
        "kinds": ["shot", "venom", "bite"],
        "why": "deflected",
    },
    {
        "name": "counter",
        "clears": "first",
        "stamina": 25,
        "lockout_us": 1_000_000,
        "kinds": ["blade", "blow"],
        "why": "countered",
    },
]
_PLAIN: dict[str, Any] = {"state": "unhurt", "doing": None, "player": False, "linkdead": False}
ROOM: dict[str, Any] = {
    "num": 1,
    "id": "clearing",
    "name": "A clearing",
    "area": "the wood",
    "desc": "Grass, trodden flat in a ring. Somebody has fought here, and somebody has lost.",
    "exits": {"north": "a", "east": "b", "south": "c", "down": "d"},
    "here": [
        {"id": 7, "name": "grey wolf", "kind": "wolf", **_PLAIN, "state": "hurt", "doing": "attack"},
        {"id": 8, "name": "grey wolf", "kind": "wolf", **_PLAIN},
        {"id": 9, "name": "Mirabel", "kind": "person", **_PLAIN, "player": True},
    ],
    "items": [{"id": 20, "name": "wolf's pelt"}],
}


class FakeWorld:
    """Accepts every name except "Taken", which is in use. "Kept" needs the passphrase "right"."""

    def __init__(self, port: int = 0) -> None:
        self.heard: list[tuple[str, Any]] = []
        """Packages that pages have sent, with their data; ("line", text) for typed ones."""
        self.rate = 1_000_000
        self.mute: set[str] = set()
        """Packages that are not answered."""
        self._pages = Pages(view_files(catalog.find("world")), index="games/world/view/index.html")
        self._there: list[ServerConnection] = []
        self.server = serve(
            self._talk,
            "127.0.0.1",
            port,
            process_request=self._answer,
            subprotocols=[Subprotocol("gmcp.")],
            ping_interval=None,
        )
        self.port: int = self.server.socket.getsockname()[1]

    @staticmethod
    def now_us() -> int:
        """Return the game's time, which is the time of the monotonic clock here."""
        return time.monotonic_ns() // 1000

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        if "websocket" in request.headers.get("Upgrade", "").lower():
            return None
        found = self._pages.show(request.path.partition("?")[0], {})
        if found is None:
            return connection.respond(404, "not here\n")
        fields = {
            "Content-Type": found.content_type,
            "Content-Length": str(len(found.body)),
            "Content-Security-Policy": found.policy,
            "Connection": "close",
        }
        return Response(200, "OK", Headers(fields), found.body)

    def _talk(self, connection: ServerConnection) -> None:
        self.text(connection, f"The wood and the mine.\r\n{_ASK}")
        with suppress(ConnectionClosed):
            self._hear(connection)

    def _hear(self, connection: ServerConnection) -> None:
        stage = ""
        for message in connection:
            if isinstance(message, str):
                name, _, data = message.partition(" ")
                self.heard.append((name, json.loads(data)))
                self._package(connection, *self.heard[-1])
                continue
            typed = message.decode().rstrip("\n")
            self.heard.append(("line", typed))
            if stage != "in":
                stage = self._enter(connection, typed, stage)

    def _package(self, connection: ServerConnection, name: str, data: Any) -> None:
        if name == "Time.Ping" and name not in self.mute:
            now_us = self.now_us()
            self._send(connection, "Time.Pong", {"n": data["n"], "c": data["c"], "r": now_us, "s": now_us})

    def _enter(self, connection: ServerConnection, typed: str, stage: str) -> str:
        """Answer a name or a passphrase. Return the next stage: "", "secret" or "in"."""
        if typed == "Taken":
            self.text(connection, f"Taken is here already. Take another name.\r\n{_ASK}")
            return ""
        if typed == "Kept" or (stage == "secret" and typed != "right"):
            if stage == "secret":
                self.text(connection, "That is not the passphrase.\r\n")
            self._send(connection, "Core.Secret", {"on": True})
            self.text(connection, "Your passphrase: ")
            return "secret"
        name = "Kept" if stage == "secret" else "GuestA" if typed == "guest" else typed
        self._send(connection, "Core.Secret", {"on": False})
        self._welcome(connection, name)
        return "in"

    def _welcome(self, connection: ServerConnection, name: str) -> None:
        now_us = self.now_us()
        verbs = ["go", "attack", "consider", "talk", "get", "examine", "rest", "flee"]
        who: dict[str, Any] = {"body": 5, "name": name}
        if name.startswith("watch"):
            who, verbs = {"body": None, "name": "", "watching": "A clearing"}, []
        for package, data in (
            ("Welcome", who),
            ("World.Rules", {"verbs": verbs, "reactions": REACTIONS}),
            ("Time.Segment", {"g": now_us, "w": now_us, "rate": self.rate}),
            ("Char.Vitals", {"hp": 64, "maxhp": 100, "sp": 71, "maxsp": 100, "money": 30, "turn": 9}),
            ("Char.Status", {"state": "busy", "action": "attack", "ends_turn": 12}),
            ("Char.Items.List", {"location": "inv", "items": [{"id": 30, "name": "knife"}]}),
            ("Room.Info", ROOM),
        ):
            self._send(connection, package, data)
        self.text(connection, "\x1b[1mA clearing\x1b[0m\r\nGrass, trodden flat in a ring.\r\n")
        self.text(connection, "\x1b[2m[64/100 hp, 71/100 sp, turn 9]\x1b[0m ")
        self._there.append(connection)

    @staticmethod
    def text(connection: ServerConnection, text: str) -> None:
        """Show text to one page."""
        connection.send(text.encode())

    @staticmethod
    def _send(connection: ServerConnection, name: str, data: Any) -> None:
        connection.send(f"{name} {json.dumps(data)}")

    def say(self, name: str, data: Any) -> None:
        """Send a package to every page that plays."""
        self._to_all(f"{name} {json.dumps(data)}")

    def show(self, text: str) -> None:
        """Show text to every page that plays."""
        self._to_all(text.encode())

    def _to_all(self, message: str | bytes) -> None:
        for connection in list(self._there):
            try:
                connection.send(message)
            except ConnectionClosed:
                self._there.remove(connection)

    def threaten(self, number: int, kind: str, window_us: int, name: str = "grey wolf") -> None:
        """Send a threat that begins now."""
        data = {"id": number, "from": 7, "name": name, "kind": kind, "at": self.now_us(), "us": window_us}
        self.say("Combat.Threat.Add", data)

    def drop(self, code: int = 1011, reason: str = "") -> None:
        """Close every connection."""
        there, self._there = self._there, []
        for connection in there:
            connection.close(code, reason)


@contextmanager
def fake_world(port: int = 0) -> Iterator[FakeWorld]:
    """Run a FakeWorld in a thread."""
    world = FakeWorld(port)
    thread = threading.Thread(target=world.server.serve_forever, daemon=True)
    thread.start()
    try:
        yield world
    finally:
        world.drop()
        world.server.shutdown()
        thread.join(10)

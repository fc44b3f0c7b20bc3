"""A test server that sends the page any message, also such as the real server would never send."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.sync.server import Server, ServerConnection, serve

from turnwright import catalog
from turnwright.app.frames import view_files
from turnwright.net.http.pages import Pages


class FakeServer:
    """Serves the viewer, greets each page, and keeps all messages of pages in `heard`."""

    def __init__(self, greeting: list[dict[str, Any]]) -> None:
        self.greeting = greeting
        self.heard: list[dict[str, Any]] = []
        self._pages = Pages(view_files(catalog.find("tank")))
        self._there: list[ServerConnection] = []
        self.server: Server = serve(
            self._talk, "127.0.0.1", 0, process_request=self._answer, max_size=None, ping_interval=None
        )
        self.port: int = self.server.socket.getsockname()[1]

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        if "websocket" in request.headers.get("Upgrade", "").lower():
            return None
        found = self._pages.show(request.path.partition("?")[0], {})
        if found is None:
            return connection.respond(202 if request.path == "/analysis" else 404, "not here\n")
        headers = Headers(
            {
                "Content-Type": found.content_type,
                "Content-Length": str(len(found.body)),
                "Content-Security-Policy": found.policy,
                "Connection": "close",
            }
        )
        return Response(200, "OK", headers, found.body)

    def _talk(self, connection: ServerConnection) -> None:
        connection.send(json.dumps(self.greeting[0]))
        self.heard.append(json.loads(connection.recv()))
        for message in self.greeting[1:]:
            connection.send(json.dumps(message))
        self._there.append(connection)
        for text in connection:
            self.heard.append(json.loads(text))

    def say(self, *messages: dict[str, Any] | bytes) -> None:
        """Send messages to every connected page."""
        for message in messages:
            text = message.decode() if isinstance(message, bytes) else json.dumps(message)
            for connection in self._there:
                connection.send(text)

    @property
    def here(self) -> int:
        """The number of pages that have been greeted."""
        return len(self._there)


@contextmanager
def fake_server(greeting: list[dict[str, Any]]) -> Iterator[FakeServer]:
    """Run a FakeServer in a thread.

    Args:
        greeting: the messages to each new page, of which the first is sent before its handshake.
    """
    made = FakeServer(greeting)
    run: Callable[[], None] = made.server.serve_forever
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.server.shutdown()
        thread.join(10)

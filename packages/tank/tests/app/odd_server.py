"""A third-party WebSocket server, and the messages of such a server during a battle."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from websockets.sync.server import ServerConnection, serve

from packages.tank.tests.wire.recording.shown_battles import a_setup, play, some_seats
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.codec import encode

MESSAGES = play(a_setup(), some_seats(3)).messages
HELLO = encode(m.ServerHandshake(session_id="s", name="x", variant="y", version="1", game_types=()))


@contextmanager
def odd_server(behave: Callable[[ServerConnection], None]) -> Iterator[str]:
    """Run a WebSocket server that behaves in one way to each client, and yield its URL."""
    with serve(behave, "127.0.0.1", 0, compression=None) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
        finally:
            server.shutdown()
            thread.join()

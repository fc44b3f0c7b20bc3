"""Writes recordings of the games on a server: `turnwright observe`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from turnwright._version import __version__
from turnwright.errors import SetupError
from turnwright.net.signals import terminable
from turnwright.net.websocket.client import ClientConnection, ConnectionClosed, WebSocketException, connect
from turnwright_tank.app.recordings import RoyaleFiles
from turnwright_tank.wire.recording.read import LINE_BYTES_MAX
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.codec import decode_server, encode

DEFAULT_URL = "ws://localhost:7654"
OPEN_TIMEOUT_S = 10.0
LOOK_S = 0.5
"""The longest time without a message before progress is reported, in seconds."""
_REFUSED = 1008
_NAME = "turnwright recorder"


@dataclass(frozen=True, slots=True)
class Watch:
    """A server to observe.

    Attributes:
        secret: the server's secret for observers, or None.
        games: the number of games after which to end. None waits until the server closes the connection.
    """

    url: str = DEFAULT_URL
    secret: str | None = None
    games: int | None = None


def observe(
    watch: Watch,
    files: RoyaleFiles,
    on_server: Callable[[m.ServerHandshake], None] = lambda _: None,
    on_look: Callable[[], None] = lambda: None,
) -> bool:
    """Write the games of a server into files, and return whether an interruption ended this.

    The function blocks until the server closes the connection or the games of `watch` have ended. Ctrl-C and
    SIGTERM interrupt it. The files then have all messages up to that time.

    Args:
        on_server: called with the server's handshake.
        on_look: called after each message, and every half second without a message.

    Raises:
        SetupError: the server does not answer, it refuses the observer, or a file cannot be created.
    """
    try:
        with terminable(), _open(watch.url) as socket:
            on_server(_introduce(socket, watch))
            _listen(socket, watch, files, on_look)
    except KeyboardInterrupt:
        return True
    finally:
        files.finish()
    return False


def _listen(socket: ClientConnection, watch: Watch, files: RoyaleFiles, on_look: Callable[[], None]) -> None:
    """Take messages until the connection closes or the number of games has ended."""
    while watch.games is None or sum(file.ending is not None for file in files.files) < watch.games:
        try:
            data = socket.recv(LOOK_S)
        except TimeoutError:
            on_look()
            continue
        except ConnectionClosed as closed:
            _check_close(closed, watch)
            return
        files.take(data if isinstance(data, bytes) else data.encode())
        on_look()


def _introduce(socket: ClientConnection, watch: Watch) -> m.ServerHandshake:
    """Wait for the server's handshake, answer it, and return it."""
    try:
        data = socket.recv(OPEN_TIMEOUT_S)
        hello = decode_server(data if isinstance(data, bytes) else data.encode())
        if not isinstance(hello, m.ServerHandshake):
            raise SetupError(f"the server at {watch.url} does not speak Tank Royale's protocol")
        me = m.ObserverHandshake(
            name=_NAME, version=__version__, session_id=hello.session_id, secret=watch.secret
        )
        socket.send(encode(me))
    except TimeoutError:
        raise SetupError(
            f"the server at {watch.url} sends nothing: expected its handshake within {OPEN_TIMEOUT_S:g} s"
        ) from None
    except ConnectionClosed as closed:
        _check_close(closed, watch)
        raise SetupError(f"the server at {watch.url} closed the connection at once") from None
    return hello


def _check_close(closed: ConnectionClosed, watch: Watch) -> None:
    """Raise SetupError if the server has refused the connection."""
    frame = closed.rcvd
    if frame is not None and frame.code == _REFUSED:
        given = "another" if watch.secret else "its controllers'"
        raise SetupError(
            f"the server at {watch.url} refuses this connection: {frame.reason or 'no reason given'}; "
            f"give {given} secret, with --secret-file or TURNWRIGHT_CONTROLLER_SECRETS"
        ) from None


def _open(url: str) -> ClientConnection:
    try:
        if urlsplit(url).scheme not in ("ws", "wss"):
            raise SetupError(f"--url is {url!r}, expected ws://host:port or wss://host:port")
        return connect(url, max_size=LINE_BYTES_MAX, open_timeout=OPEN_TIMEOUT_S)
    except (OSError, TimeoutError, WebSocketException, ValueError) as error:
        why = f"{type(error).__name__}: {error}"
        raise SetupError(f"no server at {url} ({why}); start one, or give its address with --url") from None

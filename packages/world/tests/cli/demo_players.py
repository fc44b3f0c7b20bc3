"""A world in a separate process and its own folder, and players over telnet and as a program."""

from __future__ import annotations

import json
import re
import shutil
import socket
import time
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from packages.world.tests.net.demo_server import Demo
from turnwright_world.net.content_files import DEMO

WAIT_S = 60.0
_WILL_TELL_SIZE, _SIZE, _SIZE_ENDS = (255, 251, 31), (255, 250, 31), (255, 240)
"""Telnet's option of the size of a window."""
_TELNET = re.compile(rb"\xff(?:[\xfb-\xfe].|\xfa.*?\xff\xf0|[\xf1-\xf9])", re.DOTALL)


def demo(folder: Path, *options: str) -> Demo:
    """Start `turnwright world serve` in a folder, with a copy of the demo's content."""
    content = folder / "content"
    if not content.exists():
        shutil.copytree(DEMO, content)
    return Demo("--content", content, *options, cwd=folder)


class Telnet:
    """A player at a bare terminal. text: the received text that no call has searched yet.

    columns: the width that it sends to the server; 0: none.
    """

    def __init__(self, port: int, columns: int = 0) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=WAIT_S)
        self._raw, self.text, self._seen = b"", "", [""]
        if columns:
            self._socket.sendall(bytes((*_WILL_TELL_SIZE, *_SIZE, 0, columns, 0, 24, *_SIZE_ENDS)))

    @property
    def whole(self) -> str:
        """All text that it has received."""
        return "".join(self._seen) + self.text

    def type(self, line: str) -> None:
        """Type a line."""
        self._socket.sendall(line.encode() + b"\r\n")

    def receives(self, within_s: float) -> bool:
        """Wait for more text, and return whether some came in time.

        Raises:
            EOFError: the connection ended.
        """
        self._socket.settimeout(max(0.01, within_s))
        try:
            data = self._socket.recv(65_536)
        except TimeoutError:
            return False
        if not data:
            raise EOFError(self.text)
        self._raw += data
        self.text = _TELNET.sub(b"", self._raw).decode("utf-8", "replace")
        return True

    def sees(self, *texts: str, within_s: float = WAIT_S) -> str:
        """Wait until one of the texts arrives, return it, and forget everything up to it."""
        end = time.monotonic() + within_s
        while not (found := [text for text in texts if text in self.text]):
            assert time.monotonic() < end, f"none of {texts!r} in {self.text!r}"
            self.receives(end - time.monotonic())
        first = min(found, key=self.text.index)
        self.forgets(self.text.index(first) + len(first))
        return first

    def forgets(self, count: int) -> None:
        """Forget that many characters of the text."""
        self._seen.append(self.text[:count])
        self._raw = self.text[count:].encode()
        self.text = self._raw.decode()

    def close(self) -> None:
        """Close the connection without a `quit`."""
        self._socket.close()


class Program:
    """A player's program: JSON over WebSocket, message by message."""

    def __init__(self, url: str, name: str) -> None:
        self._connecting = connect(url, compression=None, proxy=None, ping_interval=None)
        self._socket: ClientConnection = self._connecting.__enter__()
        self.send("Hello", name=name)

    def send(self, package: str, **fields: Any) -> None:
        """Send a message."""
        self._socket.send(json.dumps({"type": package, **fields}))

    def waits_for(self, package: str, **wanted: Any) -> dict[str, Any]:
        """Return the next message of a package with these fields."""
        end = time.monotonic() + WAIT_S
        while True:
            message: dict[str, Any] = json.loads(self._socket.recv(max(0.0, end - time.monotonic())))
            if message["type"] == package and wanted.items() <= message.items():
                return message

    def close(self) -> None:
        """Leave."""
        self._socket.close()

"""Attacks a server in one way and prints the number of tries: `python attacker.py PORT KIND SECONDS`."""

from __future__ import annotations

import itertools
import json
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4]))

from packages.core.tests.net.raw_client import PING, UPGRADE, frame

MIB = 1 << 20
INTENT = b'{"type":"intent","intent":1'
LONG_MISTAKE = INTENT + b',"turn":"x","z":[1' + b",1" * 500_000 + b"]}"
SHORTER_MISTAKE = INTENT + b',"turn":"x","z":[1' + b",1" * 9_000 + b"]}"
LONG_HELLO = b'{"type":"hello","protocol":1,"name":"n","role":"bot","z":[1' + b",1" * 500_000 + b"]}"
HELLO = b'{"type":"hello","protocol":1,"name":"evil","role":"bot"}'

ROYALE_INTENT = b'{"type":"BotIntent"'
MANY_MESSAGES = (
    ROYALE_INTENT
    + b',"teamMessages":[{"message":"1","messageType":"a"}'
    + b',{"message":"1","messageType":"a"}' * 29_000
    + b"]}"
)
MANY_AUTHORS = b'{"type":"BotHandshake","name":"n","version":"1","authors":["a"' + b',"a"' * 250_000 + b"]}"


class Attacker:
    def __init__(self, port: int, seconds: float) -> None:
        self.port = port
        self.end = time.monotonic() + seconds
        self.tries = 0

    def dial(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=1)

    def upgraded(self) -> tuple[socket.socket, bytes]:
        """Return a WebSocket and the server's first message."""
        sock, heard = self.dial(), b""
        host = f"localhost:{self.port}"
        sock.sendall(UPGRADE.format(path="/", host=host, connection="Upgrade", extra="").encode())
        while b'{"' not in heard or not heard.endswith(b"}"):
            piece = sock.recv(65_536)
            if not piece:
                raise ConnectionError(heard.decode("latin-1"))
            heard += piece
        return sock, heard

    def bot(self) -> socket.socket:
        sock, _ = self.upgraded()
        sock.sendall(frame(HELLO))
        return sock

    def royale_bot(self) -> socket.socket:
        """Return a bot of Tank Royale's protocol."""
        sock, heard = self.upgraded()
        session = json.loads(heard[heard.index(b'{"') :])["sessionId"]
        me = {"sessionId": session, "name": "evil", "version": "1", "authors": ["e"]}
        sock.sendall(frame(json.dumps({"type": "BotHandshake", **me}).encode()))
        return sock

    def repeat(self, act: Callable[[], None]) -> None:
        """Repeat an action until the time is over, even if the server closes the connection."""
        while time.monotonic() < self.end:
            self.tries += 1
            try:
                act()
            except OSError:
                time.sleep(0.001)

    def flood(self, enter: Callable[[], socket.socket], data: bytes) -> None:
        """Send the same data until the connection fails, then connect again."""

        def act() -> None:
            with enter() as sock:
                while time.monotonic() < self.end:
                    sock.sendall(data)

        self.repeat(act)

    def stranger(self) -> socket.socket:
        return self.upgraded()[0]

    def come_and_go(self) -> None:
        self.repeat(lambda: self.bot().close())

    def drip(self) -> None:
        """Send a hundred requests byte by byte."""
        doors = [self.dial() for _ in range(100)]
        request = itertools.chain(b"GET / HTTP/1.1\r\nX-Slow: ", itertools.repeat(ord("s")))

        def act() -> None:
            byte = bytes([next(request)])
            for door in doors:
                door.sendall(byte)

        self.repeat(act)

    def crowd(self) -> None:
        """Open many connections that send nothing."""
        doors: list[socket.socket] = []
        self.repeat(lambda: doors.append(self.dial()) if len(doors) < 1_500 else time.sleep(0.05))


KINDS: dict[str, Callable[[Attacker], None]] = {
    "short messages": lambda a: a.flood(a.bot, frame(INTENT + b"}") * 200),
    "long mistakes": lambda a: a.flood(a.bot, frame(LONG_MISTAKE)),
    "long mistakes of strangers": lambda a: a.flood(a.stranger, frame(SHORTER_MISTAKE)),
    "long handshakes": lambda a: a.flood(a.bot, frame(LONG_HELLO)),
    "deep messages": lambda a: a.flood(a.bot, frame(b"[" * (MIB - 16))),
    "no UTF-8": lambda a: a.flood(a.bot, frame(INTENT + b',"z":"\xff"}') * 50),
    "too large": lambda a: a.flood(a.bot, frame(b"x" * (MIB + 1))),
    "pings": lambda a: a.flood(a.bot, frame(b"x" * 100, PING) * 200),
    "fragments": lambda a: a.flood(a.bot, frame(b"a", fin=False) + frame(b"", 0, fin=False) * 2_000),
    "reserved bits": lambda a: a.flood(a.bot, frame(b"{}", rsv=4)),
    "come and go": Attacker.come_and_go,
    "a drip": Attacker.drip,
    "a crowd": Attacker.crowd,
}

ROYALE_KINDS: dict[str, Callable[[Attacker], None]] = {
    "many team messages": lambda a: a.flood(a.royale_bot, frame(MANY_MESSAGES)),
    "long handshakes of tanks": lambda a: a.flood(a.royale_bot, frame(MANY_AUTHORS)),
}
"""Attacks for servers of tanks only."""


if __name__ == "__main__":
    attacker = Attacker(int(sys.argv[1]), float(sys.argv[3]))
    {**KINDS, **ROYALE_KINDS}[sys.argv[2]](attacker)
    print(attacker.tries)

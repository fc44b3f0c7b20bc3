"""A WebSocket client that sends exactly the bytes that a test gives it, valid or not."""

from __future__ import annotations

import asyncio
import os
import socket
import struct

TEXT, BINARY, CONT, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
UPGRADE = (
    "GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: {connection}\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n{extra}\r\n"
)


def frame(
    payload: bytes, opcode: int = TEXT, *, fin: bool = True, rsv: int = 0, masked: bool = True
) -> bytes:
    head = bytes([(0x80 if fin else 0) | rsv << 4 | opcode])
    bit = 0x80 if masked else 0
    if len(payload) < 126:
        head += bytes([bit | len(payload)])
    elif len(payload) < 65_536:
        head += bytes([bit | 126]) + struct.pack(">H", len(payload))
    else:
        head += bytes([bit | 127]) + struct.pack(">Q", len(payload))
    if not masked:
        return head + payload
    mask = os.urandom(4)
    repeated = (mask * (len(payload) // 4 + 1))[: len(payload)]
    mixed = int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")
    return head + mask + mixed.to_bytes(len(payload), "big")


def closing(code: int, reason: str = "") -> bytes:
    return frame(struct.pack(">H", code) + reason.encode(), CLOSE)


class RawClient:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def open(cls, port: int, **options: object) -> RawClient:
        """Connect, and send nothing yet."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
        return cls(reader, writer)

    @classmethod
    async def connect(
        cls,
        port: int,
        *,
        path: str = "/",
        host: str | None = None,
        connection: str = "Upgrade",
        extra: str = "",
        tail: bytes = b"",
    ) -> RawClient:
        """Connect and upgrade. Fail if the server refuses."""
        self = await cls.open(port)
        asked = UPGRADE.format(
            path=path, host=host or f"localhost:{port}", connection=connection, extra=extra
        )
        self.writer.write(asked.encode("latin-1") + tail)
        head = await self.reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in head.split(b"\r\n")[0], head
        assert b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n" in head
        return self

    @property
    def socket(self) -> socket.socket:
        return self.writer.get_extra_info("socket")  # type: ignore[no-any-return]

    def write(self, data: bytes) -> None:
        self.writer.write(data)

    def say(self, text: bytes) -> None:
        self.writer.write(frame(text))

    async def read(self) -> tuple[int, bytes]:
        """Return the next frame's opcode and payload. Server frames are whole and not masked."""
        head = await self.reader.readexactly(2)
        size = head[1] & 127
        assert head[0] & 0x80, "the server sends whole messages"
        assert not head[1] & 0x80, "the server does not mask"
        if size == 126:
            size = struct.unpack(">H", await self.reader.readexactly(2))[0]
        elif size == 127:
            size = struct.unpack(">Q", await self.reader.readexactly(8))[0]
        return head[0] & 15, await self.reader.readexactly(size)

    async def hear(self) -> bytes:
        """Return the next text message."""
        opcode, payload = await self.read()
        assert opcode == TEXT, (opcode, payload)
        return payload

    async def farewell(self) -> tuple[int, str]:
        """Return the code and reason of the next close frame, or 0 and "". Frames before it are dropped."""
        while True:
            opcode, payload = await self.read()
            if opcode == CLOSE:
                return (struct.unpack(">H", payload[:2])[0] if payload else 0), payload[2:].decode()

    async def ended(self) -> bool:
        """Wait for the end of the connection, and return whether it was orderly and not a reset."""
        try:
            while await self.reader.read(65_536):
                pass
        except ConnectionError:
            return False
        return True

    def abort(self) -> None:
        self.writer.transport.abort()

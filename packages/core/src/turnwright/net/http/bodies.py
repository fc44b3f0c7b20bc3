"""Bodies of requests, and answers that are sent from a file.

Only a server with `Listener.take_body` receives bodies. Other servers answer the head of a request, and do
not read the body. A body must have a length. The length is checked before the first byte is stored. Threads
write and sync the files, so that a slow disk does not delay other work.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from turnwright.net.http.close import hand_over
from turnwright.net.http.request import HttpRequest, HttpResponse, text

BODIES_MAX = 256
"""The largest number of bodies that one server receives at the same time."""
BODY_S_MAX = 120.0
"""The longest time in which a body must arrive, in seconds."""
STALL_S = 20.0
"""A connection ends if the sender of a body, or the reader of an answer, moves no byte for this time, in
seconds.
"""
MEMORY_BYTES_MAX = 65_536
"""The largest body that is kept in memory, in bytes."""
_PIECE_BYTES = 262_144
_DIGITS_MAX = 15
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"

_log = logging.getLogger("turnwright")


@dataclass(frozen=True, slots=True)
class BodyPlan:
    """How a body is received.

    `finish` moves or deletes the file. If `finish` is not called, the file is deleted.

    Attributes:
        bytes_max: the largest size of the body.
        finish: returns the answer. It gets the body, or b"" if the body was written to `file`. It is called
            once, in a thread, when the complete body has arrived and is on the disk.
        file: a path that does not exist yet. None means that the body is kept in memory. Then `bytes_max`
            must be at most MEMORY_BYTES_MAX.
    """

    bytes_max: int
    finish: Callable[[bytes], HttpResponse]
    file: Path | None = None


TakeBody = Callable[[HttpRequest, str], BodyPlan | HttpResponse]
"""Decides about the body of a request. It gets the request and the caller's address. It returns how to
receive the body, or an answer that does not need the body.
"""


def length_of(request: HttpRequest, bytes_max: int) -> int | HttpResponse:
    """Return the length of a request's body in bytes, or the answer if the length is missing or wrong.

    Status 411 means that there is no length. 400 means that the length is not a number. 413 means that the
    length is larger than `bytes_max`.
    """
    if "transfer-encoding" in request.headers:
        return text(411, "send the body with its length (Content-Length), not in chunks")
    given = request.headers.get("content-length")
    if given is None:
        return text(411, "the request does not say how long its body is (Content-Length)")
    if not given.isascii() or not given.isdigit() or len(given) > _DIGITS_MAX:
        return text(400, "the request's Content-Length is not a number")
    size = int(given)
    if size > bytes_max:
        return text(413, f"it has {size:,} bytes, at most {bytes_max:,} are taken")
    return size


class BodyReader(asyncio.Protocol):
    """Receives the body of one request.

    Args:
        size: the length of the body, in bytes.
        threads: writes files, and calls the function `finish` of the plan.
        answer: called once with the answer.
        gone: called instead of `answer` if the connection is lost before the answer.
    """

    def __init__(
        self,
        transport: asyncio.Transport,
        plan: BodyPlan,
        size: int,
        threads: Executor,
        answer: Callable[[HttpResponse], None],
        gone: Callable[[], None],
    ) -> None:
        self._transport, self._plan, self._left = transport, plan, size
        self._threads, self._answer, self._gone = threads, answer, gone
        self._loop = asyncio.get_running_loop()
        self._pieces = bytearray()
        self._stream: BinaryIO | None = None
        self._busy = False
        self._over = False
        self._lost = False
        self._whole = self._loop.call_later(BODY_S_MAX, self._too_slow)
        self._stall = self._loop.call_later(STALL_S, self._too_slow)

    def begin(self, tail: bytes, *, wants_continue: bool) -> None:
        """Take over the connection.

        Args:
            tail: the bytes that came after the head.
            wants_continue: whether the sender waits for permission to send the body (the header "Expect:
                100-continue").
        """
        hand_over(self._transport, self)
        if wants_continue and not tail:
            self._transport.write(_CONTINUE)
        self.data_received(tail)

    def data_received(self, data: bytes) -> None:
        """Take a piece of the body. Data after the body is dropped."""
        if self._over:
            return
        piece = data[: self._left]
        self._left -= len(piece)
        self._pieces += piece
        self._stall.cancel()
        if self._left:
            self._stall = self._loop.call_later(STALL_S, self._too_slow)
        if not self._left or len(self._pieces) >= _PIECE_BYTES:
            self._work()

    def eof_received(self) -> bool:
        """Keep the connection open for the answer. If the body is incomplete, the answer has status 400."""
        if self._left:
            self._end(text(400, "the body ended before its length"))
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle the end of the sender's connection. A complete body is still finished."""
        self._lost = True
        if self._left:
            self._end(None)

    def _work(self) -> None:
        """Write the pieces, or finish, in a thread. Only one such call runs at a time."""
        if self._busy:
            return
        self._busy = True
        pieces, self._pieces = bytes(self._pieces), bytearray()
        last = not self._left
        if not last:
            self._transport.pause_reading()
        self._loop.run_in_executor(self._threads, self._write, pieces, last).add_done_callback(self._written)

    def _write(self, pieces: bytes, last: bool) -> HttpResponse | None:
        """Write some pieces. Return the answer after the last piece or a failed write, otherwise None."""
        if self._plan.file is None:
            return self._plan.finish(pieces) if last else None
        try:
            if self._stream is None:
                self._stream = self._plan.file.open("xb", buffering=0)
            view = memoryview(pieces)
            while view:
                view = view[self._stream.write(view) or 0 :]
            if not last:
                return None
            os.fsync(self._stream.fileno())
            self._stream.close()
        except OSError as error:
            self._delete()
            return text(507, f"it cannot be stored: {error.strerror}; try again later")
        return self._plan.finish(b"")

    def _written(self, done: asyncio.Future[HttpResponse | None]) -> None:
        self._busy = False
        if (error := done.exception()) is not None:
            _log.error("a request failed", exc_info=error)
            self._end(text(500, "the server failed"))
        elif (response := done.result()) is not None:
            self._finish(response)
        elif self._over:
            self._delete_later()
        else:
            if not self._lost:
                self._transport.resume_reading()
            if not self._left or len(self._pieces) >= _PIECE_BYTES:
                self._work()

    def _too_slow(self) -> None:
        if self._left:
            self._end(
                text(408, f"the body came too slowly: within {BODY_S_MAX:g} s, no pause of {STALL_S:g} s")
            )

    def _end(self, response: HttpResponse | None) -> None:
        """End the reception before the body is complete.

        Args:
            response: the answer, or None if no client will read it.
        """
        if self._over:
            return
        if not self._busy:
            self._delete_later()
        self._finish(response)

    def _finish(self, response: HttpResponse | None) -> None:
        if self._over:
            return
        self._over = True
        self._whole.cancel()
        self._stall.cancel()
        if response is None or self._lost:
            self._gone()
        else:
            self._answer(response)

    def _delete_later(self) -> None:
        if self._stream is not None:
            self._loop.run_in_executor(self._threads, self._delete)

    def _delete(self) -> None:
        if self._stream is not None and self._plan.file is not None:
            with contextlib.suppress(OSError):
                self._stream.close()
                self._plan.file.unlink(missing_ok=True)


class FileSender(asyncio.Protocol):
    """Sends a file after the head of an answer. At the end of the file or of the connection, it calls `done`.

    A reader that takes no data for STALL_S seconds is disconnected.

    Args:
        stream: the file to send, opened at its beginning. The object closes it at the end.
    """

    def __init__(self, transport: asyncio.Transport, stream: BinaryIO, done: Callable[[], None]) -> None:
        self._transport, self._stream, self._done = transport, stream, done
        self._room = asyncio.Event()
        self._room.set()
        self._lost = False
        hand_over(transport, self)
        self._task = asyncio.get_running_loop().create_task(self._send())

    def pause_writing(self) -> None:
        """Wait until the reader has taken some data."""
        self._room.clear()

    def resume_writing(self) -> None:
        """Continue to send."""
        self._room.set()

    def data_received(self, data: bytes) -> None:
        """Drop the data that the reader sends."""

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle the end of the reader's connection."""
        self._lost = True
        self._room.set()

    async def _send(self) -> None:
        try:
            while not self._lost and (piece := await asyncio.to_thread(self._stream.read, _PIECE_BYTES)):
                self._transport.write(piece)
                async with asyncio.timeout(STALL_S):
                    await self._room.wait()
        except (TimeoutError, OSError):
            self._transport.abort()
        finally:
            self._stream.close()
            self._done()

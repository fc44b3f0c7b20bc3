"""The output of a bot's process. It is read as it arrives. The last part is kept for error messages."""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import re
from collections.abc import Callable, Sequence
from typing import cast

from turnwright.kernel.printed import printable

LINES_MAX = 40
"""The largest number of lines that are returned of stderr or of stdout."""
SIZE_MAX = 8192
"""The number of bytes that are kept of the end of stderr, and of the end of stdout."""
TakeOutput = Callable[[int, str, bool], None]
"""Called with a seat, a piece of the output of the seat's bot, and whether the piece is from stderr."""
STDOUT, STDERR = 1, 2
_BURST_SIZE_MAX = 65_536
_BURST_PAUSE_S = 0.005
"""The pause after each 64 KiB of a flood of output, in seconds. It limits the server's work. The program that
writes has to wait.
"""
_SETTLE_S = 0.5
_UTF_8 = codecs.getincrementaldecoder("utf-8")
_TRACEBACK = "Traceback"
_CRASH = re.compile(
    r"Traceback \(most recent call last\)|Exception in thread|Unhandled exception|UnhandledPromiseRejection"
    r"|Fatal Python error|fatal error has been detected|OutOfMemoryError|panicked at"
)


class ProcessOutput:
    """The output of one process so far."""

    def __init__(self) -> None:
        self._kept = {STDOUT: bytearray(), STDERR: bytearray()}
        self._decoders = {fd: _UTF_8(errors="replace") for fd in self._kept}
        self._unread = {STDOUT, STDERR}
        """The streams that have not ended."""
        self._is_read = asyncio.Event()
        self._has_news = False
        """Whether stderr has grown since the last search for an error."""
        self._error = ""
        self.on_text: Callable[[str, bool], None] | None = None
        """Called with each piece of the output when it is read, and with whether it is from stderr."""

    @property
    def is_read(self) -> bool:
        """Whether both streams have ended."""
        return self._is_read.is_set()

    async def settle(self) -> None:
        """Wait until the output is read completely, but at most half a second. Call it after the end of the
        process.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_SETTLE_S):
                await self._is_read.wait()

    def keep(self, fd: int, data: bytes) -> None:
        """Keep bytes that were read from the process's stdout or stderr, and pass them to `on_text`."""
        if self.on_text is not None:
            self.on_text(self._decoders[fd].decode(data), fd == STDERR)
        kept = self._kept[fd]
        kept += data
        self._has_news |= fd == STDERR
        if len(kept) > 2 * SIZE_MAX:
            del kept[:-SIZE_MAX]

    def end_stream(self, fd: int) -> None:
        """Record that a stream has ended."""
        self._unread.discard(fd)
        if not self._unread:
            self._is_read.set()

    def watch(self, take: Callable[[str, bool], None]) -> None:
        """Pass the kept part of the output so far, and all later output, on to `take` (see `on_text`)."""
        for fd in self._kept:
            if text := self.text(fd):
                take(text, fd == STDERR)
        self.on_text = take

    def text(self, fd: int) -> str:
        """Return the last part of a stream's output so far, at most SIZE_MAX bytes of it."""
        return bytes(self._kept[fd][-SIZE_MAX:]).decode("utf-8", "replace")

    def lines(self, fd: int) -> list[str]:
        """Return the last lines of a stream, without control characters."""
        return [printable(line) for line in self.text(fd).splitlines()[-LINES_MAX:]]

    def last_lines(self) -> list[str]:
        """Return the last lines of stderr. If stderr has no lines, return the last lines of stdout."""
        return self.lines(STDERR) or self.lines(STDOUT)

    def crash(self) -> str:
        """Return the error if stderr shows a crash, or "" (see `crash_in`)."""
        return crash_in(self.lines(STDERR))

    def new_error(self) -> str:
        """Return the error if stderr has grown since the last call and shows another crash, or ""."""
        if not self._has_news:
            return ""
        self._has_news = False
        error = self.crash()
        if error == self._error or error.startswith(
            _TRACEBACK
        ):  # the end of the traceback has not arrived yet
            return ""
        self._error = error
        return error

    def forget(self) -> None:
        """Drop the kept output. From now on, the methods return only later output."""
        for kept in self._kept.values():
            kept.clear()
        self._has_news, self._error = False, ""


class OutputReader(asyncio.Protocol):
    """Reads a bot's stdout or stderr, so that the pipe does not become full."""

    def __init__(self, output: ProcessOutput, fd: int) -> None:
        self._output = output
        self._fd = fd
        self._transport: asyncio.ReadTransport | None = None
        self._burst = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the pipe, so that reading can be paused later."""
        self._transport = cast(asyncio.ReadTransport, transport)

    def data_received(self, data: bytes) -> None:
        """Keep the output. Pause after a burst."""
        self._output.keep(self._fd, data)
        self._burst += len(data)
        if self._burst >= _BURST_SIZE_MAX and self._transport is not None:
            self._burst = 0
            self._transport.pause_reading()
            asyncio.get_running_loop().call_later(_BURST_PAUSE_S, _resume, self._transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Record that the stream has ended."""
        self._output.end_stream(self._fd)


def _resume(reader: asyncio.ReadTransport) -> None:
    if not reader.is_closing():
        reader.resume_reading()


def crash_in(lines: Sequence[str]) -> str:
    """Return the error if the lines of a process show a crash, or "".

    In the output of a Python program, the error is the last line of the last traceback, e.g.
    "ZeroDivisionError: division by zero". Lines after the traceback are ignored. In any other output, the
    error is the last line that is not indented.
    """
    heads = [n for n, line in enumerate(lines) if _CRASH.search(line)]
    if not heads:
        return ""
    margin = [line for line in lines[heads[-1] + 1 :] if line.strip() and not line[0].isspace()]
    if lines[heads[-1]].startswith(_TRACEBACK) and margin:
        return margin[0]
    return margin[-1] if margin else lines[heads[-1]].strip()

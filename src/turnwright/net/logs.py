"""The log: one line an event, on standard error; whoever reads it slowly, or not at all, delays nobody."""

from __future__ import annotations

import logging
import queue
import sys
import threading
from typing import TextIO

__all__ = ["LINES_KEPT", "log_to_stderr", "one_line"]

LINES_KEPT = 10_000
"""Lines that wait to be taken; what comes then is only counted."""
FLUSH_S = 2.0
"""How long the end of a program waits for what reads its log."""
_NAME = "turnwright"
_FORMAT = "%(asctime)s %(levelname)s %(message)s"
_CONTROL = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160), 0x2028, 0x2029)}


def one_line(text: str) -> str:
    """Return `text` with control characters spelt out: names in it come from strangers."""
    return text.translate(_CONTROL)


def log_to_stderr(level: int = logging.INFO) -> None:
    """Let our log go to standard error from `level` up, instead of wherever it went before."""
    logger = logging.getLogger(_NAME)
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
    handler = _Aside(sys.stderr)
    handler.setFormatter(logging.Formatter(_FORMAT))
    logger.addHandler(handler)
    logger.setLevel(level)
    logger.propagate = False


class _Aside(logging.Handler):
    """Writes lines in a thread of its own: an output that takes nothing more would hold up an event loop."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream
        self._lines: queue.Queue[str | threading.Event] = queue.Queue(LINES_KEPT)
        self._dropped = 0
        self._thread = threading.Thread(target=self._run, name="turnwright-log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Take a line to be written."""
        try:
            line = self.format(record) + "\n"
            if self._dropped and not self._lines.full():
                line = f"{self._dropped} lines are left out: the log was not taken in time\n{line}"
                self._dropped = 0
            self._lines.put_nowait(line)
        except queue.Full:
            self._dropped += 1
        except Exception:
            self.handleError(record)

    def flush(self) -> None:
        """Wait until all has been written, FLUSH_S at most."""
        done = threading.Event()
        try:
            self._lines.put(done, timeout=FLUSH_S)
        except queue.Full:
            return
        if self._thread.is_alive():
            done.wait(FLUSH_S)

    def _run(self) -> None:
        while True:
            line = self._lines.get()
            if isinstance(line, threading.Event):
                line.set()
                continue
            try:
                self._stream.write(line)
                self._stream.flush()
            except (OSError, ValueError):  # it is closed, or its disk is full
                continue

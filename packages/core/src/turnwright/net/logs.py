"""The log on standard error, with one line for each event. A thread writes it."""

from __future__ import annotations

import logging
import queue
import sys
from logging.handlers import QueueHandler, QueueListener
from typing import Any, Literal, TextIO

from turnwright.wire.escape import one_line

LINES_KEPT = 10_000
"""The largest number of lines that wait to be written. Further lines are only counted."""
FLUSH_S = 2.0
"""The longest time for which the end of a program waits until its log is written, in seconds."""
_NAME = "turnwright"
_LEVELS = {"info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
_FORMAT = "%(asctime)s %(levelname)s %(message)s"


def log_line(level: Literal["info", "warning", "error"], text: str) -> None:
    """Write one line to our log. Control characters in `text` are escaped."""
    logging.getLogger(_NAME).log(_LEVELS[level], "%s", one_line(text))


def log_to_stderr(level: int = logging.INFO) -> None:
    """Write our log only to standard error, from `level` up (see `log_to`)."""
    log_to(sys.stderr, level)


def log_to(stream: TextIO, level: int = logging.INFO, who: str = "") -> None:
    """Write our log only to this stream, from `level` up. A new thread writes it.

    Args:
        who: the name of this process, in front of each message. "" means no name.
    """
    logger = logging.getLogger(_NAME)
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
    logger.addHandler(_BoundedQueueHandler(stream, who))
    logger.setLevel(level)
    logger.propagate = False


class _BoundedQueueHandler(QueueHandler):
    """Passes records to a thread that writes them.

    So a blocked output does not block an event loop.

    At most LINES_KEPT records wait. Further records are only counted. The log then reports the number of
    missing records.
    """

    def __init__(self, stream: TextIO, who: str) -> None:
        self._lines: queue.Queue[logging.LogRecord] = queue.Queue(LINES_KEPT)
        super().__init__(self._lines)
        self.setFormatter(_SafeFormatter(f"{who}: %(message)s" if who else None))
        writer = _StreamWriter(stream)
        writer.setFormatter(logging.Formatter(_FORMAT))
        self._dropped = 0
        self._thread = QueueListener(self._lines, writer)
        self._thread.start()

    def enqueue(self, record: logging.LogRecord) -> None:
        """Take a record. If too many records wait, only count it."""
        try:
            if self._dropped and not self._lines.full():
                self._lines.put_nowait(_left_out(self._dropped))
                self._dropped = 0
            self._lines.put_nowait(record)
        except queue.Full:
            self._dropped += 1

    def flush(self) -> None:
        """Wait until everything is written, at most FLUSH_S."""
        written = self._lines.all_tasks_done
        with written:
            written.wait_for(lambda: not self._lines.unfinished_tasks, FLUSH_S)


class _SafeFormatter(logging.Formatter):
    """Formats lines without control characters.

    A line may contain names that clients choose, and errors that games raise. Such texts are untrusted.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Return the line without control characters."""
        return one_line(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:
        """Return a traceback whose lines contain no control characters."""
        return "\n".join(map(one_line, super().formatException(ei).split("\n")))


class _StreamWriter(logging.StreamHandler[TextIO]):
    """Writes lines. If the output is closed or its disk is full, lines are dropped."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Ignore an error of the stream, which cannot be reported."""


def _left_out(count: int) -> logging.LogRecord:
    text = f"{count} lines were dropped: the log was not read in time"
    return logging.LogRecord(_NAME, logging.WARNING, __file__, 0, text, (), None)
